package argument

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/sealmark/action/internal/rawjson"
)

// Extra is the name of the unexpected argument.
const Extra = "sm_unexpected"

// The probes of the robust-input check, in the order in which they are sent.
const (
	MissingRequired = "missing-required"
	WrongTypes      = "wrong-types"
	Nulls           = "nulls"
	ExtraArgument   = "extra-argument"
	StringAsObject  = "string-as-object"
	NestedString    = "nested-string"
	NestedItem      = "nested-item"
)

// wrongValues are the values tried for a wrong type, in this order.
var wrongValues = []any{12345, wrongText, true, []any{"x"}, map[string]any{"x": 1}}

const wrongText = "not-a-valid-value"

// Variant is a set of arguments that the schema refuses.
type Variant struct {
	Probe     string
	Arguments json.RawMessage
	// Target is the argument that a nested probe breaks, "" for the others.
	Target string
}

// Skip says why a probe is not sent to a tool.
type Skip struct{ Probe, Reason string }

// Robust returns the malformed arguments for a tool and the probes that don't
// apply to it. Its error is a *CompileError.
func Robust(inputSchema json.RawMessage) ([]Variant, []Skip, error) {
	schema, err := Compile(inputSchema)
	if err != nil {
		return nil, nil, err
	}
	variants, skips := schema.Robust()
	return variants, skips, nil
}

// Robust is Robust for a schema that is compiled already. The validator has
// refused each variant, and no two are the same.
func (s *Schema) Robust() ([]Variant, []Skip) {
	doc := &document{root: s.root}
	root := doc.flat(s.root)
	b := shapes{schema: s, doc: doc, properties: object(root["properties"]), required: required(root)}
	b.missingRequired()
	b.wrongTypes()
	b.nested()
	return b.variants, b.skips
}

type shapes struct {
	schema     *Schema
	doc        *document
	properties map[string]any
	required   []string
	variants   []Variant
	skips      []Skip
}

// add adds a variant if the schema refuses it and no earlier one is the same.
func (b *shapes) add(probe, target string, arguments map[string]any) {
	data := rawjson.Encode(arguments)
	for _, v := range b.variants {
		if bytes.Equal(v.Arguments, data) {
			b.skip(probe, "same as "+v.Probe)
			return
		}
	}
	err := b.schema.Valid(data)
	switch {
	case err == nil:
		b.skip(probe, "the schema allows it")
	case errors.Is(err, ErrTooCostly):
		b.skip(probe, err.Error())
	default:
		b.variants = append(b.variants, Variant{Probe: probe, Arguments: data, Target: target})
	}
}

func (b *shapes) skip(probe, reason string) { b.skips = append(b.skips, Skip{probe, reason}) }

func (b *shapes) missingRequired() {
	if len(b.required) == 0 {
		b.skip(MissingRequired, "no argument is required")
		return
	}
	b.add(MissingRequired, "", map[string]any{})
}

// wrongTypes adds the four shapes that break the types at the top level. A
// property without a declared type is in none of them: any value might be
// valid.
func (b *shapes) wrongTypes() {
	wrong, nulls, objects := map[string]any{}, map[string]any{}, map[string]any{}
	for _, name := range sorted(b.properties) {
		property := b.doc.flat(object(b.properties[name]))
		declared := types(property)
		if len(declared) == 0 {
			continue
		}
		if value, ok := violating(property, declared); ok {
			wrong[name] = value
		}
		if breaks(property, declared, nil) {
			nulls[name] = nil
		}
		if x := wrongValues[4]; slices.Contains(declared, "string") && breaks(property, declared, x) {
			objects[name] = x
		}
	}
	b.addUnlessEmpty(WrongTypes, wrong)
	b.addUnlessEmpty(Nulls, nulls)
	extra := maps.Clone(wrong)
	if len(wrong) > 0 {
		extra[Extra] = "unexpected"
	}
	b.addUnlessEmpty(ExtraArgument, extra)
	b.addUnlessEmpty(StringAsObject, objects)
}

func (b *shapes) addUnlessEmpty(probe string, arguments map[string]any) {
	if len(arguments) == 0 {
		b.skip(probe, "no argument has a type that it could break")
		return
	}
	b.add(probe, "", arguments)
}

// violating returns the first candidate that breaks the declared types and is
// not in the enum.
func violating(property map[string]any, declared []string) (any, bool) {
	for _, value := range wrongValues {
		if breaks(property, declared, value) {
			return value, true
		}
	}
	return nil, false
}

// breaks reports whether a value has none of the declared types and is not in
// the enum.
func breaks(property map[string]any, declared []string, value any) bool {
	return !slices.ContainsFunc(declared, func(t string) bool { return isType(value, t) }) && !inEnum(property, value)
}

// isType reports whether a value is of a JSON Schema type. A type with an
// unknown name allows everything.
func isType(value any, name string) bool {
	switch name {
	case "string":
		_, ok := value.(string)
		return ok
	case "integer":
		r := rat(value)
		return r != nil && r.IsInt()
	case "number":
		return rat(value) != nil
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
	if c, ok := property["const"]; ok && same(c, value) {
		return true
	}
	list, _ := property["enum"].([]any)
	return slices.ContainsFunc(list, func(v any) bool { return same(v, value) })
}

// nested adds the two shapes for the first required array of objects. All
// other required arguments are valid, so that a check of the top level does
// not hide the fault.
func (b *shapes) nested() {
	name, items := b.arrayOfObjects()
	if name == "" {
		b.skip(NestedString, "no required array of objects")
		b.skip(NestedItem, "no required array of objects")
		return
	}
	base, err := b.schema.base()
	if err != nil {
		reason := fmt.Sprintf("no valid value could be made for the other required arguments: %v", err)
		b.skip(NestedString, reason)
		b.skip(NestedItem, reason)
		return
	}
	base[name] = wrongText
	b.add(NestedString, name, base)
	if len(required(items)) == 0 {
		b.skip(NestedItem, "the items declare no required field")
		return
	}
	base[name] = []any{map[string]any{}}
	b.add(NestedItem, name, base)
}

// arrayOfObjects returns the first required argument that is an array of
// objects, and the schema of its items.
func (b *shapes) arrayOfObjects() (string, map[string]any) {
	for _, name := range b.required {
		property := b.doc.flat(object(b.properties[name]))
		items := b.doc.flat(object(property["items"]))
		if slices.Contains(types(property), "array") && (slices.Contains(types(items), "object") || items["type"] == nil && items["properties"] != nil) {
			return name, items
		}
	}
	return "", nil
}
