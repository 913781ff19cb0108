package argument

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/sealmark/action/internal/rawjson"
)

// document is a schema that is being read.
type document struct {
	root map[string]any
	// steps bounds the work: references can make a small schema endless.
	steps int
}

const (
	maxSteps = 100_000
	maxJoins = 16 // levels of references and allOf below one subschema
)

// parse reads a schema as a document, with a nil root if it is none.
func parse(raw json.RawMessage) *document {
	d := &document{}
	if len(raw) > maxSchemaBytes {
		return d
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var root map[string]any
	if dec.Decode(&root) == nil {
		d.root = root
	}
	return d
}

// spend counts steps and reports whether there are none left.
func (d *document) spend(steps int) bool {
	d.steps += steps
	return d.steps > maxSteps
}

// flat joins a subschema with what its local $ref and its allOf say.
func (d *document) flat(schema map[string]any) map[string]any { return d.join(schema, 0) }

func (d *document) join(schema map[string]any, depth int) map[string]any {
	var parts []map[string]any
	if ref, ok := schema["$ref"].(string); ok {
		if target := lookup(d.root, ref); target != nil {
			parts = append(parts, target)
		}
	}
	list, _ := schema["allOf"].([]any)
	for _, part := range list {
		parts = append(parts, object(part))
	}
	if len(parts) == 0 || depth > maxJoins || d.spend(1+len(schema)) {
		return schema
	}
	joined := maps.Clone(schema)
	delete(joined, "$ref")
	delete(joined, "allOf")
	for _, part := range parts {
		flat := d.join(part, depth+1)
		if flat["if"] != nil && joined["if"] != nil {
			flat = d.setAside(joined, flat)
		}
		for _, word := range sorted(flat) {
			d.add(joined, word, flat[word])
		}
	}
	return joined
}

// add adds a keyword to a schema that also has to hold.
func (d *document) add(schema map[string]any, word string, value any) {
	have, ok := schema[word]
	if !ok {
		schema[word] = value
		return
	}
	switch word {
	case "properties":
		all := maps.Clone(object(have))
		if all == nil {
			all = map[string]any{}
		}
		if d.spend(len(all) + len(object(value))) {
			return
		}
		for name, p := range object(value) {
			if first, ok := all[name]; ok {
				p = map[string]any{"allOf": []any{first, p}}
			}
			all[name] = p
		}
		schema[word] = all
	case "required", "allOf":
		first, _ := have.([]any)
		second, _ := value.([]any)
		schema[word] = slices.Concat(first, second)
	case "anyOf", "oneOf":
		first, _ := schema["allOf"].([]any)
		schema["allOf"] = append(slices.Clone(first), map[string]any{word: value})
	case "type":
		if both := commonTypes(types(schema), texts(listed(value))); len(both) > 0 {
			schema[word] = both
		}
	case "enum":
		second, _ := value.([]any)
		first, _ := have.([]any)
		if d.spend(len(first) * len(second)) {
			return
		}
		schema[word] = slices.DeleteFunc(slices.Clone(first), func(v any) bool {
			return !slices.ContainsFunc(second, func(w any) bool { return same(v, w) })
		})
	case "not":
		schema[word] = map[string]any{"anyOf": []any{have, value}}
	case "items", "contains", "propertyNames", "additionalProperties":
		if have == false || object(value) == nil || object(have) == nil {
			if value == false || have == true {
				schema[word] = value
			}
			return
		}
		schema[word] = map[string]any{"allOf": []any{have, value}}
	case "uniqueItems":
		schema[word] = have == true || value == true
	case "minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties":
		if a, b := rat(have), rat(value); a != nil && b != nil && b.Cmp(a) > 0 {
			schema[word] = value
		}
	case "maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties":
		if a, b := rat(have), rat(value); a != nil && b != nil && b.Cmp(a) < 0 {
			schema[word] = value
		}
	}
}

// listed makes a list of what may be one of a single value.
func listed(v any) []any {
	if list, ok := v.([]any); ok {
		return list
	}
	return []any{v}
}

// commonTypes returns the types that are in both lists.
func commonTypes(a, b []string) []any {
	var both []any
	for _, t := range a {
		switch {
		case slices.Contains(b, t), t == "integer" && slices.Contains(b, "number"):
			both = append(both, t)
		case t == "number" && slices.Contains(b, "integer"):
			both = append(both, "integer")
		}
	}
	return both
}

// setAside moves the condition of a schema to the allOf of the one that it is
// joined with, which has one already, and returns what is left.
func (d *document) setAside(joined, flat map[string]any) map[string]any {
	rest, condition := maps.Clone(flat), map[string]any{}
	for _, word := range []string{"if", "then", "else"} {
		if v, ok := rest[word]; ok {
			condition[word] = v
			delete(rest, word)
		}
	}
	list, _ := joined["allOf"].([]any)
	joined["allOf"] = append(list, condition)
	return rest
}

// lookup returns the subschema that a local reference points to, nil if there
// is none. References by anchor are not followed.
func lookup(root map[string]any, ref string) map[string]any {
	pointer, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	if pointer == "" {
		return root
	}
	parts := strings.Split(pointer, "/")
	if parts[0] != "" {
		return nil
	}
	var at any = root
	for _, part := range parts[1:] {
		part = rawjson.Unescape(unescapePercent(part))
		switch v := at.(type) {
		case map[string]any:
			at = v[part]
		case []any:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(v) {
				return nil
			}
			at = v[i]
		default:
			return nil
		}
	}
	return object(at)
}

// unescapePercent decodes a part of a URL fragment, which stays as it is if it
// is malformed.
func unescapePercent(s string) string {
	if plain, err := url.PathUnescape(s); err == nil {
		return plain
	}
	return s
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// types returns the declared types of a schema, nil for none.
func types(schema map[string]any) []string {
	switch t := schema["type"].(type) {
	case string:
		return []string{t}
	case []any:
		return texts(t)
	}
	return nil
}

// required returns the names of the required properties, each once, in the
// order of the schema.
func required(schema map[string]any) []string {
	list, _ := schema["required"].([]any)
	seen := map[string]bool{}
	return slices.DeleteFunc(texts(list), func(name string) bool {
		again := seen[name]
		seen[name] = true
		return again
	})
}

func texts(list []any) []string {
	var found []string
	for _, v := range list {
		if s, ok := v.(string); ok {
			found = append(found, s)
		}
	}
	return found
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// rat returns a number, nil for anything else.
func rat(v any) *big.Rat {
	var text string
	switch v := v.(type) {
	case json.Number:
		text = string(v)
	case int:
		text = strconv.Itoa(v)
	default:
		return nil
	}
	if hugeNumber(json.Number(text)) != "" {
		return nil
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return r
}

// same reports whether two JSON values are equal.
func same(a, b any) bool {
	if x, y := rat(a), rat(b); x != nil && y != nil {
		return x.Cmp(y) == 0
	}
	return bytes.Equal(rawjson.Encode(a), rawjson.Encode(b))
}
