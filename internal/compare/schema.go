package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sealmark/action/internal/rawjson"
)

// Bounds of a schema that is read from a file.
const (
	maxSchema = 512 << 10 // bytes
	maxLevels = 12        // of nesting that is compared
	maxRefs   = 16        // references that lead to one another
	maxWork   = 8 << 20   // of a pair of schemas, about a byte looked at each
	maxFound  = 100       // changes of a pair of schemas
)

// node is a place of a schema, with what can be told of it. Its members say
// nothing of values beyond what they say by themselves if opaque is empty.
type node struct {
	members map[string]any
	// types are the allowed types, nil for any.
	types []string
	// values are the allowed values by their key, nil for any.
	values map[string]any
	// opaque holds the keywords whose effect is not read.
	opaque map[string]any
	// refs are the references that led here.
	refs string
}

// annotations say nothing about which values are allowed.
var annotations = []string{"title", "description", "default", "examples", "example", "$comment", "deprecated", "readOnly", "writeOnly",
	"$id", "id", "$schema", "$anchor", "$defs", "definitions", "format", "contentEncoding", "contentMediaType", "contentSchema"}

// opaqueWords restrict values in a way that is not read further.
var opaqueWords = []string{"$ref", "$dynamicRef", "$recursiveRef", "allOf", "anyOf", "oneOf", "not", "if", "then", "else", "dependentRequired", "dependentSchemas",
	"dependencies", "patternProperties", "propertyNames", "contains", "minContains", "maxContains", "unevaluatedProperties", "unevaluatedItems", "prefixItems", "additionalItems"}

// decode reads a JSON value with its numbers as they are written. ok is false
// for what is none or is too large.
func decode(raw json.RawMessage) (v any, ok bool) {
	if len(raw) > maxSchema {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return v, dec.Decode(&v) == nil
}

// read reads a place of a schema whose document is root.
func read(v any, root any) node {
	n := node{opaque: map[string]any{}}
	for range maxRefs {
		members, ok := v.(map[string]any)
		if !ok {
			break
		}
		only, isRef := onlyRef(members)
		if !isRef {
			break
		}
		target, found := lookUp(root, only)
		if !found {
			break
		}
		n.refs += only + "\x00"
		if asMap, ok := target.(map[string]any); ok {
			target = described(asMap, members)
		}
		v = target
	}
	switch v := v.(type) {
	case bool:
		n.members = map[string]any{}
		if !v {
			n.opaque["false"] = true
		}
		return n
	case map[string]any:
		n.members = collapsed(v, root)
	default:
		n.members, n.opaque["schema"] = map[string]any{}, v
		return n
	}
	n.fill()
	return n
}

// onlyRef returns the local reference of a place that holds nothing beside it,
// be it by itself or alone in allOf.
func onlyRef(members map[string]any) (pointer string, ok bool) {
	for name := range members {
		if name != "$ref" && name != "allOf" && !slices.Contains(annotations, name) {
			return "", false
		}
	}
	if list, ok := members["allOf"].([]any); ok && len(list) == 1 && members["$ref"] == nil {
		inner, _ := list[0].(map[string]any)
		if len(inner) != 1 {
			return "", false
		}
		members = inner
	} else if members["allOf"] != nil {
		return "", false
	}
	pointer, ok = members["$ref"].(string)
	return pointer, ok && strings.HasPrefix(pointer, "#")
}

// lookUp follows a local JSON pointer.
func lookUp(root any, pointer string) (any, bool) {
	if pointer != "#" && !strings.HasPrefix(pointer, "#/") {
		return nil, false
	}
	at := root
	for _, token := range rawjson.Tokens(strings.TrimPrefix(pointer, "#")) {
		members, ok := at.(map[string]any)
		if !ok {
			return nil, false
		}
		if at, ok = members[token]; !ok {
			return nil, false
		}
	}
	return at, true
}

// described returns a definition with the annotations of the place that refers
// to it, which win.
func described(target, place map[string]any) map[string]any {
	merged := map[string]any{}
	for name, v := range target {
		merged[name] = v
	}
	for _, name := range []string{"title", "description", "default"} {
		if v, ok := place[name]; ok {
			merged[name] = v
		}
	}
	return merged
}

// collapsed writes alternatives that only list types, or only add null, as one
// place: {"anyOf": [X, {"type": "null"}]} is X that may be null.
func collapsed(members map[string]any, root any) map[string]any {
	word := "anyOf"
	if members[word] == nil {
		word = "oneOf"
	}
	list, ok := members[word].([]any)
	if !ok || len(list) == 0 || len(list) > 50 {
		return members
	}
	for name := range members {
		if name != word && !slices.Contains(annotations, name) {
			return members
		}
	}
	var whole node
	types := []string{}
	rich := 0
	for _, item := range list {
		n := plain(item, root)
		if n.members == nil || n.types == nil || word == "oneOf" && overlap(types, n.types) {
			return members
		}
		types = append(types, n.types...)
		if !bare(n.members) {
			whole = n
			rich++
		}
	}
	if rich > 1 || rich == 1 && !onlyNullBeside(types, whole.types) {
		return members
	}
	merged := map[string]any{}
	for name, v := range whole.members {
		merged[name] = v
	}
	for name, v := range members {
		if name != word {
			merged[name] = v
		}
	}
	named := make([]any, len(types))
	for i, t := range types {
		named[i] = t
	}
	merged["type"] = named
	if values, ok := merged["enum"].([]any); ok && len(types) > len(whole.types) {
		merged["enum"] = append(slices.Clone(values), nil)
	}
	return merged
}

// plain reads an alternative, or returns none if it holds alternatives itself.
func plain(v any, root any) node {
	if members, ok := v.(map[string]any); ok {
		if pointer, isRef := onlyRef(members); isRef {
			v, _ = lookUp(root, pointer)
		}
	}
	members, ok := v.(map[string]any)
	if !ok {
		return node{}
	}
	n := node{members: members, opaque: map[string]any{}}
	n.fill()
	if len(n.opaque) > 0 || members["const"] != nil {
		return node{}
	}
	return n
}

// bare reports whether a place says no more than its type.
func bare(members map[string]any) bool {
	for name := range members {
		if name != "type" && !slices.Contains(annotations, name) {
			return false
		}
	}
	return true
}

func overlap(a, b []string) bool {
	return slices.ContainsFunc(a, func(t string) bool { return covers(b, t) }) || slices.ContainsFunc(b, func(t string) bool { return covers(a, t) })
}

// onlyNullBeside reports whether types are those of one alternative and null.
func onlyNullBeside(types, one []string) bool {
	rest := slices.DeleteFunc(slices.Clone(types), func(t string) bool { return slices.Contains(one, t) })
	return !slices.Contains(one, "null") && !slices.ContainsFunc(rest, func(t string) bool { return t != "null" })
}

// fill reads types, values and what is opaque from the members.
func (n *node) fill() {
	switch t := n.members["type"].(type) {
	case nil:
	case string:
		n.types = []string{t}
	case []any:
		n.types = []string{}
		for _, item := range t {
			name, ok := item.(string)
			if !ok {
				n.opaque["type"] = t
				break
			}
			n.types = append(n.types, name)
		}
	default:
		n.opaque["type"] = t
	}
	list, isList := n.members["enum"].([]any)
	if fixed, ok := n.members["const"]; ok && !isList {
		list, isList = []any{fixed}, true
	} else if ok || n.members["enum"] != nil && !isList {
		n.opaque["enum"], isList = []any{n.members["enum"], fixed}, false
	}
	if isList {
		n.values = map[string]any{}
		for _, v := range list {
			if n.types == nil || slices.ContainsFunc(typesOf(v), func(t string) bool { return covers(n.types, t) }) {
				n.values[key(v)] = v
			}
		}
	}
	for _, word := range opaqueWords {
		if v, ok := n.members[word]; ok {
			n.opaque[word] = v
		}
	}
	if _, isTuple := n.members["items"].([]any); isTuple {
		n.opaque["items"] = n.members["items"]
	}
}

// typesOf are the types that a value has; a whole number is two.
func typesOf(v any) []string {
	switch v := v.(type) {
	case nil:
		return []string{"null"}
	case bool:
		return []string{"boolean"}
	case string:
		return []string{"string"}
	case []any:
		return []string{"array"}
	case json.Number:
		if f, err := v.Float64(); err == nil && f == math.Trunc(f) {
			return []string{"integer", "number"}
		}
		return []string{"number"}
	}
	return []string{"object"}
}

// covers reports whether each value of a type is of one of the types.
func covers(types []string, t string) bool {
	return types == nil || slices.Contains(types, t) || t == "integer" && slices.Contains(types, "number")
}

// allows reports whether some value of a type is allowed.
func (n node) allows(t string) bool {
	return covers(n.types, t) || t == "number" && slices.Contains(n.types, "integer")
}

// key is the same for values that JSON Schema takes for equal.
func key(v any) string {
	var b strings.Builder
	writeKey(&b, v)
	return b.String()
}

func writeKey(b *strings.Builder, v any) {
	switch v := v.(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil && math.Abs(f) < 1<<53 {
			b.WriteString(strconv.FormatFloat(f, 'g', -1, 64))
			return
		}
		b.WriteString(v.String())
	case []any:
		b.WriteByte('[')
		for _, item := range v {
			writeKey(b, item)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	case map[string]any:
		b.WriteByte('{')
		for _, name := range slices.Sorted(maps.Keys(v)) {
			b.WriteString(strconv.Quote(name))
			b.WriteByte(':')
			writeKey(b, v[name])
			b.WriteByte(',')
		}
		b.WriteByte('}')
	case string:
		b.WriteString(strconv.Quote(v))
	default:
		fmt.Fprint(b, v)
	}
}

// properties are the declared members of an object.
func (n node) properties() map[string]any {
	members, _ := n.members["properties"].(map[string]any)
	return members
}

// required are the names of the members that must be there.
func (n node) required() map[string]bool {
	list, _ := n.members["required"].([]any)
	names := map[string]bool{}
	for _, item := range list {
		if name, ok := item.(string); ok {
			names[name] = true
		}
	}
	return names
}

// size is how much there is to look at in the place itself.
func (n node) size() int {
	return 32 * (len(n.members) + len(n.properties()) + len(n.values))
}

// openness says whether undeclared members of an object are allowed.
type openness int

const (
	open openness = iota
	closed
	typed // allowed by a schema of their own
)

func (n node) openness() openness {
	switch v := n.members["additionalProperties"].(type) {
	case bool:
		if !v {
			return closed
		}
	case map[string]any:
		if len(v) > 0 {
			return typed
		}
	}
	return open
}

// number returns a bound; ok is false if there is none that can be read.
func (n node) number(word string) (value float64, ok bool) {
	number, isNumber := n.members[word].(json.Number)
	if !isNumber {
		return 0, false
	}
	value, err := number.Float64()
	return value, err == nil && !math.IsInf(value, 0)
}
