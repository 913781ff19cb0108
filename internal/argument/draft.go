package argument

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/rawjson"
)

// draft is a candidate that has yet to be checked.
type draft struct {
	id      string
	shape   Shape
	keyword string
	base    any
	path    []string
	value   any
	removed bool
	limit   any
	// branch is what the address of the keyword that refuses it contains, for
	// a keyword below another one.
	branch string

	class, index, order int
}

func (d draft) arguments() any {
	if d.removed {
		return without(d.base, d.path)
	}
	return with(d.base, d.path, d.value)
}

// add plans a candidate and returns its ID, "" if there are too many.
func (c *planner) add(p place, d draft) string {
	if len(c.drafts) >= maxDrafts {
		return ""
	}
	d = c.name(p, d)
	c.drafts = append(c.drafts, d)
	return d.id
}

// name gives a candidate its ID and rank.
func (c *planner) name(p place, d draft) draft {
	d.id = c.unique(d.id)
	d.order = p.order
	d.class = max(d.class, class(d, p))
	fault := fmt.Sprintf("%s %s %s %s", rawjson.Pointer(d.path), d.shape, d.keyword, rawjson.Encode(d.value))
	if len(fault) < maxArguments {
		if c.faults[fault] {
			d.class = rare
		}
		c.faults[fault] = true
	}
	for i := len(c.drafts) - 1; i >= 0 && c.drafts[i].order == d.order; i-- {
		if c.drafts[i].class == d.class {
			d.index = c.drafts[i].index + 1
			break
		}
	}
	return d
}

func (c *planner) unique(id string) string {
	name := id
	for i := 2; c.ids[name]; i++ {
		name = fmt.Sprintf("%s:%d", id, i)
	}
	c.ids[name] = true
	return name
}

// put plans a candidate with another value at the place.
func (c *planner) put(p place, shape Shape, keyword string, value any) {
	c.add(p, c.replaced(p, shape, keyword, value))
}

func (c *planner) replaced(p place, shape Shape, keyword string, value any) draft {
	if p.item && shape == WrongType {
		shape = ItemType
	}
	return draft{id: p.id + "/" + string(shape), shape: shape, keyword: keyword, base: p.base, path: p.path, value: value}
}

// first plans the first of several drafts that the validator bears out.
func (c *planner) first(p place, drafts []draft) {
	for _, d := range drafts {
		if _, reason := c.prove(d); reason == "" {
			c.add(p, d)
			return
		}
	}
	if len(drafts) > 0 {
		c.refuse(drafts[0].id, drafts[0].shape, "no value was found that breaks "+drafts[0].keyword+" only")
	}
}

// refuse records what can't be planned.
func (c *planner) refuse(id string, shape Shape, reason string) {
	c.unsent = append(c.unsent, Unsent{ID: id, Shape: shape, Reason: reason})
}

// choose checks the drafts in the order of their rank, up to the limit.
func (c *planner) choose(limit int, made *Candidates) (chosen []draft) {
	slices.SortStableFunc(c.drafts, func(a, b draft) int {
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(a.index, b.index), cmp.Compare(a.order, b.order))
	})
	seen := map[string]bool{}
	empty := c.empty()
	c.work = 0
	for i, d := range c.drafts {
		if len(made.List) >= max(limit, 0) {
			made.Truncated = len(c.drafts) - i
			break
		}
		data, reason := c.prove(d)
		if reason != "" {
			c.refuse(d.id, d.shape, reason)
			continue
		}
		if owner := c.claimed[string(data)]; seen[string(data)] || owner != "" && owner != d.id {
			continue
		}
		seen[string(data)] = true
		candidate := Candidate{
			ID: d.id, Shape: d.shape, Keyword: d.keyword, Pointer: rawjson.Pointer(d.path),
			Arguments: data, Near: c.near(d, empty), Alone: c.alone != nil,
		}
		if !d.removed {
			candidate.Value = rawjson.Encode(d.value)
		}
		if d.limit != nil {
			candidate.Limit = rawjson.Encode(d.limit)
		}
		made.List = append(made.List, candidate)
		chosen = append(chosen, d)
	}
	made.Unsent = c.unsent
	return chosen
}

// near reports whether the call might run if the fault were overlooked.
func (c *planner) near(d draft, empty bool) bool {
	// A tool that requires no argument by name runs without any, whatever else
	// its schema says of how many there have to be.
	bare := empty || len(c.bare) == 0
	if strings.HasPrefix(string(d.shape), "arguments-") {
		return bare
	}
	members, _ := d.arguments().(map[string]any)
	if c.alone == nil {
		return bare || len(members) > 0
	}
	return !slices.ContainsFunc(c.bare, func(name string) bool {
		_, ok := members[name]
		return !ok
	})
}
