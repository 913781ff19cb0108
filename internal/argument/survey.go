package argument

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
)

// Survey is what a schema leaves open. Places are named like those of
// Candidate.ID, with [] for the items of an array; "" is the arguments object.
type Survey struct {
	// Dialect is the $schema of the root.
	Dialect string
	// Open lists the objects that may have members which they do not declare.
	Open []string
	// Unbounded lists the texts without maxLength and the arrays without
	// maxItems, unless their values are listed or have a pattern or format.
	Unbounded []string
	// Untyped lists the declared members that take any value.
	Untyped []string
}

// Look surveys an input schema. It is empty for what is no schema.
func Look(inputSchema json.RawMessage) Survey {
	s := surveyor{doc: parse(inputSchema), seen: map[string]bool{}}
	if s.doc.root == nil {
		return Survey{}
	}
	s.found.Dialect, _ = s.doc.root["$schema"].(string)
	s.walk(s.doc.root, "", false, 0)
	for _, list := range []*[]string{&s.found.Open, &s.found.Unbounded, &s.found.Untyped} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	return s.found
}

type surveyor struct {
	doc   *document
	found Survey
	// seen has the references on the way.
	seen map[string]bool
}

// walk surveys a subschema. An alternative of another one is not judged open:
// the other may close it.
func (s *surveyor) walk(schema map[string]any, id string, alternative bool, depth int) {
	if depth > maxDepth/4 || s.doc.spend(1) {
		return
	}
	var refs []string
	eachDirectRef(schema, func(ref string) { refs = append(refs, ref) })
	for _, ref := range refs {
		if s.seen[ref] {
			return
		}
	}
	for _, ref := range refs {
		s.seen[ref] = true
		defer delete(s.seen, ref)
	}
	flat := s.doc.flat(schema)
	declared := types(flat)
	if isObject := slices.Contains(declared, "object") || len(declared) == 0 && flat["properties"] != nil; (isObject || depth == 0) && !alternative && open(flat) {
		s.found.Open = append(s.found.Open, id)
	}
	if !fixed(flat) {
		s.bounds(flat, declared, id)
	}
	properties := object(flat["properties"])
	for _, name := range sorted(properties) {
		at := below(id, shorten(name))
		if untyped(s.doc.flat(object(properties[name]))) && properties[name] != false {
			s.found.Untyped = append(s.found.Untyped, at)
		}
		s.walk(object(properties[name]), at, false, depth+1)
	}
	for _, word := range []string{"items", "additionalProperties"} {
		if sub := object(flat[word]); sub != nil {
			s.walk(sub, below(id, map[string]string{"items": "[]", "additionalProperties": "*"}[word]), false, depth+1)
		}
	}
	for _, word := range []string{"anyOf", "oneOf", "prefixItems", "items"} {
		list, _ := flat[word].([]any)
		for _, sub := range list {
			at := id
			if strings.HasSuffix(word, "tems") {
				at = below(id, "[]")
			}
			s.walk(object(sub), at, at == id && flat["properties"] != nil, depth+1)
		}
	}
}

// open reports whether a schema lets an object have members that it does not
// declare. One that describes them all by one schema is a map, not an open
// object.
func open(flat map[string]any) bool {
	if flat["unevaluatedProperties"] == false {
		return false
	}
	switch additional := flat["additionalProperties"].(type) {
	case bool:
		return additional
	case map[string]any:
		return len(additional) == 0
	}
	return true
}

func (s *surveyor) bounds(flat map[string]any, declared []string, id string) {
	_, long := flat["maxLength"]
	_, many := flat["maxItems"]
	text := slices.Contains(declared, "string") && !long && flat["pattern"] == nil && flat["format"] == nil
	if text || slices.Contains(declared, "array") && !many {
		s.found.Unbounded = append(s.found.Unbounded, id)
	}
}

// silent are the keywords that restrict no value.
var silent = []string{"title", "description", "default", "examples", "example", "deprecated", "readOnly", "writeOnly", "$comment", "$id", "$anchor", "$defs", "definitions"}

// untyped reports whether a schema has no keyword that restricts a value.
func untyped(flat map[string]any) bool {
	for word := range flat {
		if !slices.Contains(silent, word) && !strings.HasPrefix(word, "x-") {
			return false
		}
	}
	return true
}

// OfObject reports whether an input schema says that it is one of an object.
func OfObject(inputSchema json.RawMessage) bool {
	var schema struct{ Type json.RawMessage }
	return json.Unmarshal(inputSchema, &schema) == nil && string(schema.Type) == `"object"`
}

// Uncompilable reports whether an error of Compile says that the schema is no
// valid JSON Schema, references apart.
func Uncompilable(err error) bool { return Faulty(err) && !RefersNowhere(err) }

// RefersOut reports whether an error of Compile says that the schema refers to
// something outside of it.
func RefersOut(err error) bool { return begins(err, "it refers to ") }

// RefersNowhere reports whether an error of Compile says that a reference
// within the schema leads nowhere.
func RefersNowhere(err error) bool { return begins(err, "its reference ") }

func begins(err error, start string) bool {
	var e *CompileError
	return errors.As(err, &e) && strings.HasPrefix(e.Reason, start)
}
