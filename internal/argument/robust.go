package argument

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// Extra is the name of the unexpected argument.
const Extra = "sm_unexpected"

// Candidates are the values tried for a wrong type, in this order.
var Candidates = []any{12345, "not-a-valid-value", true, []any{"x"}, map[string]any{"x": 1}}

// Variant is a set of arguments that the schema refuses.
type Variant struct {
	// Probe is the id of the shape.
	Probe     string
	Arguments json.RawMessage
}

// Skip says why a shape is not sent to a tool.
type Skip struct{ Probe, Reason string }

// Robust returns the malformed shapes for a tool in the order in which they
// are sent: missing-required, wrong-types, nulls, extra-argument,
// string-as-object, nested-string, nested-item. The validator has refused each
// of them. Its error is a *CompileError.
func Robust(raw json.RawMessage) ([]Variant, []Skip, error) {
	schema, err := Compile(raw)
	if err != nil {
		return nil, nil, err
	}
	b := shapes{schema: schema, properties: object(schema.root["properties"]), required: required(schema.root)}
	b.missingRequired()
	b.wrongTypes()
	b.nested()
	return b.variants, b.skips, nil
}

type shapes struct {
	schema     *Schema
	properties map[string]any
	required   []string
	variants   []Variant
	skips      []Skip
}

// add adds a shape if the schema refuses it and no earlier one is the same.
func (b *shapes) add(probe string, arguments map[string]any) {
	data := encode(arguments)
	for _, v := range b.variants {
		if bytes.Equal(v.Arguments, data) {
			b.skip(probe, "the same as "+v.Probe)
			return
		}
	}
	if b.schema.Valid(data) == nil {
		b.skip(probe, "the schema allows it")
		return
	}
	b.variants = append(b.variants, Variant{probe, data})
}

func (b *shapes) skip(probe, reason string) { b.skips = append(b.skips, Skip{probe, reason}) }

func (b *shapes) missingRequired() {
	if len(b.required) == 0 {
		b.skip("missing-required", "no argument is required")
		return
	}
	b.add("missing-required", map[string]any{})
}

// wrongTypes adds the four shapes that break the types at the top level.
func (b *shapes) wrongTypes() {
	wrong, nulls, objects := map[string]any{}, map[string]any{}, map[string]any{}
	for name, sub := range b.properties {
		property := resolve(b.schema.root, object(sub))
		declared := types(property)
		if len(declared) == 0 {
			continue
		}
		if value, ok := violating(property, declared); ok {
			wrong[name] = value
		}
		if !slices.Contains(declared, "null") && !inEnum(property, nil) {
			nulls[name] = nil
		}
		if slices.Contains(declared, "string") && !slices.Contains(declared, "object") {
			objects[name] = map[string]any{"x": 1}
		}
	}
	b.addUnlessEmpty("wrong-types", wrong)
	b.addUnlessEmpty("nulls", nulls)
	if len(wrong) > 0 {
		wrong[Extra] = "unexpected"
	}
	b.addUnlessEmpty("extra-argument", wrong)
	b.addUnlessEmpty("string-as-object", objects)
}

func (b *shapes) addUnlessEmpty(probe string, arguments map[string]any) {
	if len(arguments) == 0 {
		b.skip(probe, "no argument has a type that it could break")
		return
	}
	b.add(probe, arguments)
}

// violating returns the first candidate that breaks the declared types and is
// not in the enum.
func violating(property map[string]any, declared []string) (any, bool) {
	for _, value := range Candidates {
		if !slices.ContainsFunc(declared, func(t string) bool { return isType(value, t) }) && !inEnum(property, value) {
			return value, true
		}
	}
	return nil, false
}

// isType reports whether a candidate is of a JSON Schema type. A type with an
// unknown name allows everything.
func isType(value any, name string) bool {
	switch name {
	case "string":
		_, ok := value.(string)
		return ok
	case "integer", "number":
		_, ok := value.(int)
		return ok
	case "boolean":
		_, ok := value.(bool)
		return ok
	case "array":
		_, ok := value.([]any)
		return ok
	case "object":
		_, ok := value.(map[string]any)
		return ok
	case "null":
		return value == nil
	}
	return true
}

func inEnum(property map[string]any, value any) bool {
	if c, ok := property["const"]; ok && equal(c, value) {
		return true
	}
	list, _ := property["enum"].([]any)
	return slices.ContainsFunc(list, func(v any) bool { return equal(v, value) })
}

// equal compares two JSON values by their encoding.
func equal(a, b any) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && (bytes.Equal(x, y) || reflect.DeepEqual(a, b))
}

// nested adds the two shapes for the first required array of objects.
func (b *shapes) nested() {
	name, items := b.arrayOfObjects()
	if name == "" {
		b.skip("nested-string", "no required array of objects")
		b.skip("nested-item", "no required array of objects")
		return
	}
	base, err := b.others(name)
	if err != nil {
		reason := fmt.Sprintf("no valid value could be made for the other required arguments: %v", err)
		b.skip("nested-string", reason)
		b.skip("nested-item", reason)
		return
	}
	base[name] = "not-a-valid-value"
	b.add("nested-string", base)
	if len(required(items)) == 0 {
		b.skip("nested-item", "the items declare no required field")
		return
	}
	base[name] = []any{map[string]any{}}
	b.add("nested-item", base)
}

// arrayOfObjects returns the first required argument that is an array of
// objects, and the schema of its items.
func (b *shapes) arrayOfObjects() (string, map[string]any) {
	for _, name := range b.required {
		property := resolve(b.schema.root, object(b.properties[name]))
		items := resolve(b.schema.root, object(property["items"]))
		if slices.Equal(types(property), []string{"array"}) && slices.Contains(types(items), "object") {
			return name, items
		}
	}
	return "", nil
}

// others returns valid values for all required arguments but one.
func (b *shapes) others(name string) (map[string]any, error) {
	values := map[string]any{}
	g := generator{root: b.schema.root}
	for _, other := range b.required {
		if other == name {
			continue
		}
		value, err := g.value(object(b.properties[other]), 0)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", other, err)
		}
		values[other] = value
	}
	return values, nil
}

// encode writes arguments with sorted members and without escaping HTML.
func encode(v any) json.RawMessage {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err) // values of this package always encode
	}
	return bytes.TrimSpace(out.Bytes())
}
