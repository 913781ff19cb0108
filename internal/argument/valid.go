package argument

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"
)

// Base returns arguments that the schema allows, with the required ones only.
// It is an error if none could be made.
func Base(raw json.RawMessage) (json.RawMessage, error) {
	schema, err := Compile(raw)
	if err != nil {
		return nil, err
	}
	g := generator{root: schema.root}
	value, err := g.value(schema.root, 0)
	if err != nil {
		return nil, err
	}
	data := encode(value)
	if err := schema.Valid(data); err != nil {
		return nil, fmt.Errorf("the schema refuses the arguments that were made: %w", err)
	}
	return data, nil
}

// generator makes a value that a schema allows, as far as its keywords are
// known. The result is checked by its caller.
type generator struct {
	root  map[string]any
	steps int
}

const (
	maxSteps = 5000
	maxMade  = 12 // levels of nesting that are made
)

var errTooDeep = errors.New("the schema is too deep or too large")

func (g *generator) value(schema map[string]any, depth int) (any, error) {
	g.steps++
	if depth > maxMade || g.steps > maxSteps {
		return nil, errTooDeep
	}
	schema = g.merged(resolve(g.root, schema), 0)
	for _, word := range []string{"const", "default"} {
		if v, ok := schema[word]; ok && (word == "const" || fits(v, schema)) {
			return v, nil
		}
	}
	for _, word := range []string{"enum", "examples"} {
		if list, ok := schema[word].([]any); ok && len(list) > 0 {
			return list[0], nil
		}
	}
	for _, word := range []string{"anyOf", "oneOf"} {
		if list, ok := schema[word].([]any); ok && len(list) > 0 {
			return g.oneOf(schema, word, list, depth)
		}
	}
	return g.typed(schema, depth)
}

// fits reports whether a default has one of the declared types.
func fits(v any, schema map[string]any) bool {
	declared := types(schema)
	if len(declared) == 0 {
		return true
	}
	for _, t := range declared {
		switch v := v.(type) {
		case json.Number, float64:
			if t == "number" || t == "integer" {
				return true
			}
		default:
			if isType(v, t) {
				return true
			}
		}
	}
	return false
}

// merged joins the members of allOf into the schema.
func (g *generator) merged(schema map[string]any, depth int) map[string]any {
	list, ok := schema["allOf"].([]any)
	if !ok || depth > maxMade {
		return schema
	}
	joined := map[string]any{}
	for k, v := range schema {
		if k != "allOf" {
			joined[k] = v
		}
	}
	for _, part := range list {
		for k, v := range g.merged(resolve(g.root, object(part)), depth+1) {
			switch k {
			case "properties":
				all := map[string]any{}
				for name, p := range object(joined[k]) {
					all[name] = p
				}
				for name, p := range object(v) {
					all[name] = p
				}
				joined[k] = all
			case "required":
				have, _ := joined[k].([]any)
				more, _ := v.([]any)
				joined[k] = append(append([]any{}, have...), more...)
			default:
				if _, ok := joined[k]; !ok {
					joined[k] = v
				}
			}
		}
	}
	return joined
}

// oneOf makes a value for the first alternative that allows one, with the
// other keywords of the schema kept.
func (g *generator) oneOf(schema map[string]any, word string, list []any, depth int) (any, error) {
	var first error
	for _, alternative := range list {
		rest := map[string]any{"allOf": []any{alternative}}
		for k, v := range schema {
			if k != word && k != "allOf" {
				rest[k] = v
			}
		}
		value, err := g.value(rest, depth+1)
		if err == nil {
			return value, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

func (g *generator) typed(schema map[string]any, depth int) (any, error) {
	kind := ""
	if declared := types(schema); len(declared) > 0 {
		kind = declared[0]
	} else if schema["properties"] != nil || schema["required"] != nil {
		kind = "object"
	} else if schema["items"] != nil {
		kind = "array"
	}
	switch kind {
	case "object":
		return g.object(schema, depth)
	case "array":
		return g.array(schema, depth)
	case "integer", "number":
		return number(schema, kind == "integer")
	case "boolean":
		return true, nil
	case "null":
		return nil, nil
	}
	return text(schema)
}

func (g *generator) object(schema map[string]any, depth int) (any, error) {
	made := map[string]any{}
	properties := object(schema["properties"])
	for _, name := range required(schema) {
		value, err := g.value(object(properties[name]), depth+1)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		made[name] = value
	}
	least := int(bound(schema, "minProperties", 0))
	for _, name := range sorted(properties) {
		if len(made) >= least {
			break
		}
		if _, ok := made[name]; ok {
			continue
		}
		if value, err := g.value(object(properties[name]), depth+1); err == nil {
			made[name] = value
		}
	}
	for i := 0; len(made) < least && i < 100; i++ {
		made[fmt.Sprintf("key%d", i)] = "example"
	}
	return made, nil
}

func (g *generator) array(schema map[string]any, depth int) (any, error) {
	least := int(bound(schema, "minItems", 0))
	if least > 1000 {
		return nil, fmt.Errorf("minItems of %d is too many", least)
	}
	prefix, _ := schema["prefixItems"].([]any)
	made := []any{}
	for i := range max(least, min(len(prefix), least)) {
		items := object(schema["items"])
		if i < len(prefix) {
			items = object(prefix[i])
		}
		value, err := g.value(items, depth+1)
		if err != nil {
			return nil, err
		}
		if schema["uniqueItems"] == true && i > 0 {
			value = distinct(value, i)
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

// bound returns a numeric keyword.
func bound(schema map[string]any, word string, otherwise float64) float64 {
	switch v := schema[word].(type) {
	case json.Number:
		if f, err := v.Float64(); err == nil {
			return f
		}
	case float64:
		return v
	}
	return otherwise
}

func number(schema map[string]any, whole bool) (any, error) {
	low := math.Max(bound(schema, "minimum", math.Inf(-1)), bound(schema, "exclusiveMinimum", math.Inf(-1)))
	high := math.Min(bound(schema, "maximum", math.Inf(1)), bound(schema, "exclusiveMaximum", math.Inf(1)))
	allowed := func(x float64) bool {
		step := bound(schema, "multipleOf", 0)
		return x >= bound(schema, "minimum", math.Inf(-1)) && x > bound(schema, "exclusiveMinimum", math.Inf(-1)) &&
			x <= bound(schema, "maximum", math.Inf(1)) && x < bound(schema, "exclusiveMaximum", math.Inf(1)) &&
			(step == 0 || math.Mod(x, step) == 0) && (!whole || x == math.Trunc(x))
	}
	tries := []float64{1, 0, 2, 10, 100, -1}
	step := bound(schema, "multipleOf", 1)
	if !math.IsInf(low, 0) {
		tries = append(tries, low, low+1, math.Ceil(low), math.Floor(low)+1, math.Ceil(low/step)*step, (math.Floor(low/step)+1)*step)
	}
	if !math.IsInf(high, 0) {
		tries = append(tries, high, high-1, math.Floor(high), math.Ceil(high)-1, math.Floor(high/step)*step, (math.Ceil(high/step)-1)*step)
	}
	if !math.IsInf(low, 0) && !math.IsInf(high, 0) {
		tries = append(tries, (low+high)/2)
	}
	tries = append(tries, step)
	for _, x := range tries {
		if !allowed(x) {
			continue
		}
		if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
			return int(x), nil
		}
		return x, nil
	}
	return nil, errors.New("no number between the bounds was found")
}

// formats are examples of the formats that schemas use.
var formats = map[string]string{
	"date-time": "2025-01-01T00:00:00Z", "date": "2025-01-01", "time": "00:00:00Z", "duration": "P1D",
	"email": "person@example.com", "idn-email": "person@example.com", "hostname": "example.com", "idn-hostname": "example.com",
	"ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uri": "https://example.com/", "url": "https://example.com/", "uri-reference": "/a", "iri": "https://example.com/",
	"uuid": "00000000-0000-4000-8000-000000000000", "json-pointer": "/a", "regex": "a", "uri-template": "/{a}",
}

func text(schema map[string]any) (any, error) {
	value := "example"
	if f, ok := schema["format"].(string); ok && formats[f] != "" {
		value = formats[f]
	}
	if pattern, ok := schema["pattern"].(string); ok {
		made, err := matching(pattern)
		if err != nil {
			return nil, err
		}
		value = made
	}
	least, most := int(bound(schema, "minLength", 0)), int(bound(schema, "maxLength", math.MaxInt32))
	if least > 1<<20 {
		return nil, fmt.Errorf("minLength of %d is too long", least)
	}
	if n := utf8.RuneCountInString(value); n < least {
		value += strings.Repeat("a", least-n)
	} else if n > most {
		value = string([]rune(value)[:most])
	}
	return value, nil
}

// matching makes a text for a pattern.
func matching(pattern string) (string, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return "", fmt.Errorf("the pattern %q can't be read", pattern)
	}
	for _, s := range []string{"example", "a", "1", "A1", "2025-01-01", "example.com", "https://example.com/"} {
		if re.MatchString(s) {
			return s, nil
		}
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	if !spell(tree.Simplify(), &b, 0) || !re.MatchString(b.String()) {
		return "", fmt.Errorf("no text for the pattern %q was found", pattern)
	}
	return b.String(), nil
}

// spell writes the shortest text that a regular expression stands for.
func spell(re *syntax.Regexp, b *strings.Builder, depth int) bool {
	if depth > 100 || b.Len() > 4096 {
		return false
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		if len(re.Rune) == 0 {
			return false
		}
		b.WriteRune(printable(re.Rune))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		b.WriteByte('a')
	case syntax.OpPlus, syntax.OpCapture:
		return spell(re.Sub[0], b, depth+1)
	case syntax.OpRepeat:
		for range re.Min {
			if !spell(re.Sub[0], b, depth+1) {
				return false
			}
		}
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !spell(sub, b, depth+1) {
				return false
			}
		}
	case syntax.OpAlternate:
		return spell(re.Sub[0], b, depth+1)
	case syntax.OpNoMatch:
		return false
	}
	return true
}

// printable picks a character of a class, a letter or digit if it has one.
func printable(ranges []rune) rune {
	for _, want := range "aA1" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if want >= ranges[i] && want <= ranges[i+1] {
				return want
			}
		}
	}
	return ranges[0]
}
