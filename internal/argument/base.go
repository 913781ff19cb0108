package argument

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/sealmark/action/internal/rawjson"
)

// Base returns arguments that the schema allows, with the required ones only,
// the same for the same schema. It is an error if none could be made.
func Base(inputSchema json.RawMessage) (json.RawMessage, error) {
	schema, err := Compile(inputSchema)
	if err != nil {
		return nil, err
	}
	return schema.Base()
}

// Base is Base for a schema that is compiled already.
func (s *Schema) Base() (json.RawMessage, error) {
	values, err := s.base()
	if err != nil {
		return nil, err
	}
	return rawjson.Encode(values), nil
}

// base makes arguments in several turns, each of which chooses other
// alternatives, until the schema allows them.
func (s *Schema) base() (map[string]any, error) {
	var first error
	overruns := 0
	for turn := range turns {
		for _, plain := range []bool{false, true} {
			if overruns == maxOverruns {
				break
			}
			g := generator{doc: &document{root: s.root}, turn: turn, plain: plain}
			values, err := g.arguments()
			if g.doc.spend(0) {
				overruns++
			}
			if err == nil {
				err = s.Valid(rawjson.Encode(values))
			}
			switch {
			case err == nil:
				return values, nil
			case errors.Is(err, ErrTooCostly):
				return nil, err
			case first == nil:
				first = err
			}
		}
	}
	return nil, fmt.Errorf("no valid arguments were found: %w", first)
}

// generator makes a value that a schema allows, as far as its keywords are
// known. The result is checked by its caller.
type generator struct {
	doc *document
	// turn chooses among alternatives.
	turn int
	// plain: don't use defaults and examples.
	plain bool
	// made counts the bytes of text that were made.
	made int
}

const (
	// turns are how often other alternatives are chosen.
	turns = 8
	// slow is how many turns it takes until another text or number is made, so
	// that each alternative meets several.
	slow = 3
	// maxOverruns are the turns that may use up all steps.
	maxOverruns = 2
	maxNested   = 12       // levels of nesting that are made
	maxItems    = 1000     // items of an array that are made
	maxMade     = 64 << 10 // bytes of text that are made
)

var errTooLarge = errors.New("a valid value would be too deep or too large")

// arguments makes a value for the root, which is an object whatever it says.
func (g *generator) arguments() (map[string]any, error) {
	root := g.doc.flat(g.doc.root)
	value, err := g.flat(root, 0)
	if err != nil {
		return nil, err
	}
	if values, ok := value.(map[string]any); ok {
		return values, nil
	}
	if root["type"] != nil {
		return nil, errors.New("the schema is not one of an object")
	}
	return g.object(root, 0)
}

func (g *generator) value(schema any, depth int) (any, error) {
	if schema == false {
		return nil, errors.New("no value is allowed")
	}
	return g.flat(g.doc.flat(object(schema)), depth)
}

// flat makes a value for a schema whose references and allOf are joined.
func (g *generator) flat(schema map[string]any, depth int) (any, error) {
	if depth > maxNested || g.doc.spend(1) {
		return nil, errTooLarge
	}
	if v, ok := g.given(schema); ok {
		if g.made += len(rawjson.Encode(v)); g.made > maxMade {
			return nil, errTooLarge
		}
		return v, nil
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if list, ok := schema[word].([]any); ok && len(list) > 0 {
			return g.alternative(schema, word, list, depth)
		}
	}
	if rest, list := conditions(schema); len(list) > 0 {
		if g.doc.spend(len(list) + len(schema)) {
			return nil, errTooLarge
		}
		return g.value(choose(rest, list, g.turn), depth+1)
	}
	switch g.kind(schema) {
	case "object":
		return g.object(schema, depth)
	case "array":
		return g.array(schema, depth)
	case "integer":
		return g.number(schema, true)
	case "number":
		return g.number(schema, false)
	case "boolean":
		return true, nil
	case "null":
		return nil, nil
	}
	return g.text(schema)
}

// given returns a value that the schema itself gives.
func (g *generator) given(schema map[string]any) (any, bool) {
	if v, ok := schema["const"]; ok {
		return v, true
	}
	if v, ok := schema["default"]; ok && !g.plain && fits(v, schema) {
		return v, true
	}
	for _, word := range []string{"enum", "examples"} {
		list, _ := schema[word].([]any)
		list = slices.DeleteFunc(slices.Clone(list), func(v any) bool { return !fits(v, schema) })
		if len(list) > 0 && (word == "enum" || !g.plain) {
			return list[g.turn%len(list)], true
		}
	}
	return nil, false
}

// fits reports whether a value has one of the declared types.
func fits(v any, schema map[string]any) bool {
	declared := types(schema)
	return len(declared) == 0 || slices.ContainsFunc(declared, func(t string) bool { return isType(v, t) })
}

// kind chooses the type of which a value is made.
func (g *generator) kind(schema map[string]any) string {
	declared := slices.DeleteFunc(slices.Clone(types(schema)), func(t string) bool { return t == "null" })
	switch {
	case len(declared) > 0:
		return declared[g.turn%len(declared)]
	case schema["type"] != nil:
		return "null"
	case schema["properties"] != nil || schema["required"] != nil:
		return "object"
	case schema["items"] != nil:
		return "array"
	case rat(schema["minimum"]) != nil || rat(schema["maximum"]) != nil:
		return "number"
	}
	return "string"
}

// alternative makes a value for an alternative that allows one, with the other
// keywords of the schema kept.
func (g *generator) alternative(schema map[string]any, word string, list []any, depth int) (any, error) {
	first := errTooLarge
	for i := range list {
		if g.doc.spend(len(schema)) {
			return nil, errTooLarge
		}
		rest := map[string]any{}
		for k, v := range schema {
			if k != word {
				rest[k] = v
			}
		}
		g.doc.add(rest, "allOf", []any{list[(i+g.turn)%len(list)]})
		value, err := g.value(rest, depth+1)
		if err == nil {
			return value, nil
		}
		if i == 0 {
			first = err
		}
	}
	return nil, first
}

func (g *generator) object(schema map[string]any, depth int) (map[string]any, error) {
	made := map[string]any{}
	schema = g.doc.dependents(schema)
	properties := object(schema["properties"])
	sub := func(name string) any { return g.doc.member(schema, name) }
	for _, name := range required(schema) {
		value, err := g.value(sub(name), depth+1)
		if err != nil {
			return nil, fmt.Errorf("%.100s: %w", name, err)
		}
		made[name] = value
	}
	least := limit(schema, "minProperties", 0)
	for _, name := range sorted(properties) {
		if _, ok := made[name]; ok || len(made) >= least {
			continue
		}
		if value, err := g.value(properties[name], depth+1); err == nil {
			made[name] = value
		}
	}
	for i := 0; len(made) < min(least, maxItems); i++ {
		name, err := g.key(schema, i)
		if err != nil {
			return nil, err
		}
		value, err := g.value(sub(name), depth+1)
		if err != nil {
			return nil, err
		}
		made[name] = value
	}
	return made, nil
}

func (g *generator) array(schema map[string]any, depth int) ([]any, error) {
	least := limit(schema, "minItems", 0)
	contained := 0
	if schema["contains"] != nil {
		contained = limit(schema, "minContains", 1)
		least = max(least, contained)
	}
	if least > maxItems {
		return nil, errTooLarge
	}
	prefix, _ := schema["prefixItems"].([]any)
	if tuple, ok := schema["items"].([]any); ok {
		prefix = tuple
	}
	made := []any{}
	seen := map[string]bool{}
	for i := range least {
		items := schema["items"]
		switch {
		case i < len(prefix):
			items = prefix[i]
		case i < contained:
			items = schema["contains"]
			if schema["items"] != nil {
				items = map[string]any{"allOf": []any{schema["contains"], schema["items"]}}
			}
		}
		one := *g
		if schema["uniqueItems"] == true {
			one.turn += i
		}
		value, err := one.value(items, depth+1)
		g.made = one.made
		if err != nil {
			return nil, err
		}
		if schema["uniqueItems"] == true {
			if seen[string(rawjson.Encode(value))] {
				value = distinct(value, i)
			}
			seen[string(rawjson.Encode(value))] = true
		}
		made = append(made, value)
	}
	return made, nil
}

// distinct changes a text or a number so that it differs from its
// neighbours.
func distinct(value any, i int) any {
	switch v := value.(type) {
	case string:
		return fmt.Sprintf("%s%d", v, i)
	case int:
		return v + i
	}
	return value
}

// limit returns a keyword that is a count.
func limit(schema map[string]any, word string, otherwise int) int {
	r := rat(schema[word])
	if r == nil || !r.IsInt() {
		return otherwise
	}
	if !r.Num().IsInt64() {
		return 1 << 40
	}
	return int(r.Num().Int64())
}
