package argument

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/sealmark/action/internal/rawjson"
)

// place is a place in the arguments and what the schema says of it.
type place struct {
	path []string
	id   string
	// base are valid arguments. The place is in them if has.
	base any
	has  bool
	// schema has what holds at the place, with references and allOf joined.
	schema map[string]any
	// full is the schema before alternatives were taken from it.
	full map[string]any
	// refs are the references that were followed on the way.
	refs     []string
	required bool
	item     bool
	// also lists the types that other alternatives allow; anyType for all.
	also []string
	// choices counts the alternatives on the way, order the places before.
	choices, order int
}

const anyType = "any"

func (p place) root() bool { return len(p.path) == 0 }

// value is what the base has at the place.
func (p place) value() any {
	if !p.has {
		return nil
	}
	v, _ := at(p.base, p.path)
	return v
}

// child is a place below, without its base.
func (p place) child(token string) place {
	return place{path: join(p.path, token), id: below(p.id, shorten(token)), base: p.base, choices: p.choices, refs: p.refs}
}

// again is how often the last reference was followed before.
func (p place) again() int {
	if len(p.refs) == 0 {
		return 0
	}
	last := p.refs[len(p.refs)-1]
	times := -1
	for _, ref := range p.refs {
		if ref == last {
			times++
		}
	}
	return times
}

func join(path []string, token string) []string { return append(slices.Clone(path), token) }

func below(id, name string) string {
	if id == "" {
		return name
	}
	return id + "/" + name
}

// shorten makes a name a part of an ID.
func shorten(name string) string {
	const longest = 64
	if len(name) > longest {
		sum := sha256.Sum256([]byte(name))
		cut := 48
		for !utf8.RuneStart(name[cut]) {
			cut--
		}
		name = fmt.Sprintf("%s…%x", name[:cut], sum[:4])
	}
	return rawjson.Escape(name)
}

// at returns what is at a place.
func at(v any, path []string) (any, bool) {
	for _, token := range path {
		switch container := v.(type) {
		case map[string]any:
			value, ok := container[token]
			if !ok {
				return nil, false
			}
			v = value
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(container) {
				return nil, false
			}
			v = container[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// with returns a value with another one at the place; one that follows the
// last item of an array is added to it. What differs is copied, never changed.
func with(v any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	switch container := v.(type) {
	case map[string]any:
		c := maps.Clone(container)
		c[path[0]] = with(container[path[0]], path[1:], value)
		return c
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i > len(container) {
			return v
		}
		c := slices.Clone(container)
		if i == len(c) {
			c = append(c, nil)
		}
		c[i] = with(c[i], path[1:], value)
		return c
	}
	return v
}

// without returns a value without a member of an object.
func without(v any, path []string) any {
	parent, last := path[:len(path)-1], path[len(path)-1]
	container, _ := at(v, parent)
	members, ok := container.(map[string]any)
	if !ok {
		return v
	}
	c := maps.Clone(members)
	delete(c, last)
	return with(v, parent, c)
}
