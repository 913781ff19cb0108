package argument

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sealmark/action/internal/rawjson"
)

// contract makes the candidates for a schema and checks what holds for all.
func contract(t *testing.T, schema string, limit int) Candidates {
	t.Helper()
	compiled, err := Compile(json.RawMessage(schema))
	if err != nil {
		t.Fatal(err)
	}
	made, drafts := compiled.contract(limit)
	for _, fault := range violations(compiled, made, drafts, limit) {
		t.Error(fault)
	}
	return made
}

// violations lists what candidates break of what they promise.
func violations(s *Schema, made Candidates, drafts []draft, limit int) (faults []string) {
	say := func(format string, args ...any) { faults = append(faults, fmt.Sprintf(format, args...)) }
	if (made.Base == nil) == (made.BaseReason == "") {
		say("the base is %s, its reason %q", made.Base, made.BaseReason)
	}
	if made.Base != nil && s.Valid(made.Base) != nil {
		say("the base %s is refused: %v", made.Base, s.Valid(made.Base))
	}
	if len(made.List) > limit || made.Truncated > 0 && len(made.List) < limit {
		say("%d candidates and %d more for a limit of %d", len(made.List), made.Truncated, limit)
	}
	strict, err := compile(s.root, true)
	if err != nil {
		say("with formats: %v", err)
		return faults
	}
	ids, arguments := map[string]bool{}, map[string]bool{}
	for i, c := range made.List {
		if ids[c.ID] {
			say("%s: twice", c.ID)
		}
		if arguments[string(c.Arguments)] {
			say("%s: the arguments %s are those of another candidate", c.ID, c.Arguments)
		}
		ids[c.ID], arguments[string(c.Arguments)] = true, true
		validator := s
		if c.Shape == Format {
			validator = &Schema{compiled: strict, root: s.root}
		}
		if validator.Valid(c.Arguments) == nil {
			say("%s: the schema allows %s", c.ID, c.Arguments)
		}
		if c.Alone != (made.Base == nil) {
			say("%s: alone is %t, the base %s", c.ID, c.Alone, made.Base)
		}
		base := rawjson.Encode(drafts[i].base)
		if !c.Alone && validator.Valid(base) != nil {
			say("%s: its base %s is refused: %v", c.ID, base, validator.Valid(base))
		}
		places := differences(decode(base), decode(c.Arguments), "")
		if len(places) != 1 || !c.Alone && !strings.HasPrefix(places[0], c.Pointer) || c.Alone && !strings.HasPrefix(c.Pointer, places[0]) && !strings.HasPrefix(places[0], c.Pointer) {
			if c.Value == nil || !whole(c) {
				say("%s: %s differs from %s at %q, not at %q", c.ID, c.Arguments, base, places, c.Pointer)
			}
		}
		at, there := find(decode(c.Arguments), c.Pointer)
		if there != (c.Value != nil) || there && string(rawjson.Encode(at)) != string(c.Value) {
			say("%s: at %q of %s is %v, not %s", c.ID, c.Pointer, c.Arguments, at, c.Value)
		}
		if c.Shape == FloatAsInteger || c.Keyword == "type" && rat(decode(c.Value)) != nil && c.Shape != WrongType && c.Shape != ItemType {
			if rat(decode(c.Value)).IsInt() {
				say("%s: %s is an integer", c.ID, c.Value)
			}
		}
	}
	return faults
}

// whole reports whether a candidate replaces an object or an array as one
// place, so that several places below it may differ.
func whole(c Candidate) bool {
	return strings.HasPrefix(string(c.Value), "{") || strings.HasPrefix(string(c.Value), "[")
}

func decode(data json.RawMessage) any {
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	var v any
	if len(data) > 0 && dec.Decode(&v) != nil {
		panic(string(data))
	}
	return v
}

// differences lists the pointers of the places at which two values differ.
func differences(a, b any, at string) (places []string) {
	if string(rawjson.Encode(a)) == string(rawjson.Encode(b)) {
		return nil
	}
	if x, ok := a.([]any); ok {
		if y, ok := b.([]any); ok && len(x) == len(y) {
			for i := range x {
				places = append(places, differences(x[i], y[i], fmt.Sprintf("%s/%d", at, i))...)
			}
			return places
		}
	}
	x, ok := a.(map[string]any)
	y, also := b.(map[string]any)
	if !ok || !also {
		return []string{at}
	}
	names := sorted(x)
	for _, name := range sorted(y) {
		if _, ok := x[name]; !ok {
			names = append(names, name)
		}
	}
	for _, name := range names {
		place := at + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
		first, ok := x[name]
		second, also := y[name]
		if ok != also {
			places = append(places, place)
			continue
		}
		places = append(places, differences(first, second, place)...)
	}
	return places
}

func find(v any, pointer string) (any, bool) {
	if pointer == "" {
		return v, true
	}
	var path []string
	for _, token := range strings.Split(pointer[1:], "/") {
		path = append(path, strings.NewReplacer("~1", "/", "~0", "~").Replace(token))
	}
	return at(v, path)
}

// lines writes the candidates of some shapes, all without the most common ones
// if none is named.
func lines(made Candidates, shapes ...Shape) (lines []string) {
	common := []Shape{NullAccepted, WrongType, ArgumentsArray, ArgumentsString, ArgumentsNull}
	for _, c := range made.List {
		if len(shapes) > 0 && !slices.Contains(shapes, c.Shape) || len(shapes) == 0 && slices.Contains(common, c.Shape) {
			continue
		}
		value := string(c.Value)
		if value == "" {
			value = "(none)"
		}
		line := c.ID + " " + c.Keyword + " " + value
		if c.Limit != nil {
			line += " limit " + string(c.Limit)
		}
		lines = append(lines, line)
	}
	return lines
}

func TestContract(t *testing.T) {
	optional := func(schema string) string { return `{"type":"object","properties":{"a":` + schema + `}}` }
	draft7 := func(schema string) string {
		return `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":` + schema + `}}`
	}
	tests := []struct {
		name, schema string
		shapes       []Shape
		want         []string
	}{
		{"integer", optional(`{"type":"integer"}`), nil, []string{
			`a/boolean-as-integer type true`, `a/string-coerced type "1"`, `a/float-as-integer type 1.5`}},
		{"number", optional(`{"type":"number"}`), []Shape{BooleanAsInteger, FloatAsInteger, StringCoerced, WrongType}, []string{
			`a/string-coerced type "1"`, `a/wrong-type type true`}},
		{"integer or number", optional(`{"type":["integer","number"]}`), []Shape{BooleanAsInteger, FloatAsInteger, StringCoerced}, []string{
			`a/string-coerced type "1"`}},
		{"integer or text", optional(`{"type":["integer","string"]}`), nil, []string{
			`a/boolean-as-integer type true`, `a/float-as-integer type 1.5`}},
		{"integer or boolean", optional(`{"type":["integer","boolean"]}`), nil, []string{
			`a/string-coerced type "1"`, `a/float-as-integer type 1.5`}},
		{"boolean", optional(`{"type":"boolean"}`), []Shape{StringCoerced, WrongType}, []string{
			`a/string-coerced type "true"`, `a/wrong-type type 1`}},
		{"text", optional(`{"type":"string"}`), []Shape{WrongType, NullAccepted}, []string{
			`a/wrong-type type 12345`, `a/null type null`}},
		{"array", optional(`{"type":"array"}`), []Shape{WrongType}, []string{`a/wrong-type type {"x":1}`}},
		{"object", optional(`{"type":"object"}`), []Shape{WrongType}, []string{`a/wrong-type type ["x"]`}},
		{"nullable by type list", optional(`{"type":["string","null"]}`), []Shape{WrongType, NullAccepted}, []string{`a/wrong-type type 12345`}},
		{"optional of pydantic", optional(`{"anyOf":[{"type":"integer","minimum":1},{"type":"null"}],"default":null}`), nil, []string{
			`a/boolean-as-integer type true`, `a/string-coerced type "1"`, `a/below-minimum minimum 0 limit 1`,
			`a/float-as-integer type 1.5`, `a/below-minimum:negative minimum -1 limit 1`}},
		{"any type", optional(`{}`), nil, nil},
		{"required", `{"type":"object","properties":{"a":{"type":"string"},"b":{}},"required":["a","b"]}`, []Shape{RequiredIgnored}, []string{
			`a/required-missing required (none)`, `b/required-missing required (none)`}},
		{"required but not described", `{"type":"object","required":["a"]}`, nil, []string{`a/required-missing required (none)`}},
		{"enum", optional(`{"type":"string","enum":["x","y"]}`), nil, []string{`a/enum enum "not-a-valid-value"`}},
		{"enum with what would be taken", optional(`{"enum":["not-a-valid-value"]}`), nil, []string{`a/enum enum "not-a-valid-valuex"`}},
		{"enum of numbers", optional(`{"type":"integer","enum":[1,2,5]}`), []Shape{EnumIgnored}, []string{`a/enum enum 6`}},
		{"const", optional(`{"const":"x"}`), nil, []string{`a/enum const "not-a-valid-value"`}},
		{"const object", optional(`{"const":{"b":1}}`), nil, []string{`a/enum const {"x":1}`}},
		{"minimum", optional(`{"type":"integer","minimum":5}`), []Shape{BelowMinimum}, []string{
			`a/below-minimum minimum 4 limit 5`, `a/below-minimum:negative minimum -1 limit 5`, `a/below-minimum:zero minimum 0 limit 5`}},
		{"minimum 0", optional(`{"type":"integer","minimum":0}`), []Shape{BelowMinimum}, []string{`a/below-minimum minimum -1 limit 0`}},
		{"minimum that is no integer", optional(`{"type":"integer","minimum":1.5}`), []Shape{BelowMinimum}, []string{
			`a/below-minimum minimum 1 limit 2`, `a/below-minimum:negative minimum -1 limit 2`, `a/below-minimum:zero minimum 0 limit 2`}},
		{"maximum", optional(`{"type":"integer","maximum":4}`), []Shape{AboveMaximum}, []string{`a/above-maximum maximum 5 limit 4`}},
		{"maximum and multiple", optional(`{"type":"integer","maximum":12,"multipleOf":5}`), []Shape{AboveMaximum, NotMultiple}, []string{
			`a/above-maximum maximum 15 limit 10`, `a/not-multiple multipleOf 1`}},
		{"exclusive", optional(`{"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":10}`), []Shape{AtExclusiveMin, AtExclusiveMax, BelowMinimum, AboveMaximum}, []string{
			`a/at-exclusive-minimum exclusiveMinimum 0 limit 1`, `a/at-exclusive-maximum exclusiveMaximum 10 limit 9`,
			`a/below-minimum exclusiveMinimum -1 limit 1`, `a/above-maximum exclusiveMaximum 11 limit 9`}},
		{"exclusive of fractions", optional(`{"type":"number","exclusiveMinimum":0.5}`), []Shape{AtExclusiveMin, BelowMinimum}, []string{
			`a/at-exclusive-minimum exclusiveMinimum 0.5 limit 0.5`, `a/below-minimum exclusiveMinimum 0 limit 0.5`, `a/below-minimum:negative exclusiveMinimum -1 limit 0.5`}},
		{"exclusive of draft 4", `{"$schema":"http://json-schema.org/draft-04/schema#","type":"object","properties":{"a":{"type":"integer","minimum":7,"exclusiveMinimum":true}}}`, []Shape{AtExclusiveMin}, []string{
			`a/at-exclusive-minimum exclusiveMinimum 7 limit 8`}},
		{"fine multiple", optional(`{"type":"number","multipleOf":0.01}`), []Shape{NotMultiple}, []string{`a/not-multiple multipleOf 1.005`}},
		{"safe integers", optional(`{"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991}`), []Shape{BelowMinimum, AboveMaximum}, nil},
		{"length", optional(`{"type":"string","minLength":2,"maxLength":8}`), nil, []string{
			`a/too-short minLength "e"`, `a/too-long maxLength "exampleee"`}},
		{"length of runes", optional(`{"type":"string","maxLength":2,"default":"äö"}`), nil, []string{`a/too-long maxLength "äöö"`}},
		{"length and pattern", optional(`{"type":"string","minLength":3,"maxLength":5,"pattern":"^x[a-z]*$"}`), nil, []string{
			`a/too-short minLength "xa"`, `a/too-long maxLength "xaaaaa"`, `a/pattern pattern "xaaa~"`}},
		{"pattern", optional(`{"type":"string","pattern":"^[A-Z]{3}$"}`), nil, []string{`a/pattern pattern "not-a-valid-value"`}},
		{"pattern that can't be evaluated", optional(`{"type":"string","pattern":"^(?!x)"}`), nil, nil},
		{"pattern of everything", optional(`{"type":"string","pattern":".*"}`), nil, nil},
		{"format", optional(`{"type":"string","format":"date-time"}`), nil, []string{`a/format format "not a date"`}},
		{"format of draft 7", draft7(`{"type":"string","format":"email"}`), nil, []string{`a/format format "not an email"`}},
		{"format that nobody knows", optional(`{"type":"string","format":"colour"}`), nil, nil},
		{"items", optional(`{"type":"array","items":{"type":"integer"},"minItems":1,"maxItems":2}`), []Shape{TooFewItems, TooManyItems, ItemType, BooleanAsInteger, StringCoerced}, []string{
			`a/0/item-type type ["x"]`, `a/too-few-items minItems []`, `a/too-many-items maxItems [1,1,1]`, `a/0/boolean-as-integer type true`, `a/0/string-coerced type "1"`}},
		{"no item in the base", optional(`{"type":"array","items":{"type":"string"}}`), []Shape{ItemType}, []string{`a/0/item-type type 12345`}},
		{"unique items", optional(`{"type":"array","items":{"type":"string"},"uniqueItems":true}`), []Shape{DuplicateItems}, []string{`a/duplicate-items uniqueItems ["example","example"]`}},
		{"full unique items", optional(`{"type":"array","items":{"type":"string"},"uniqueItems":true,"minItems":2,"maxItems":2}`), []Shape{DuplicateItems, TooManyItems}, []string{
			`a/too-many-items maxItems ["example","example1","example2"]`, `a/duplicate-items uniqueItems ["example","example"]`}},
		{"tuple", optional(`{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"items":{"type":"boolean"}}`), []Shape{ItemType}, []string{
			`a/0/item-type type 12345`, `a/1/item-type type ["x"]`, `a/2/item-type type 1`}},
		{"tuple of draft 7", draft7(`{"type":"array","items":[{"type":"string"},{"type":"integer"}]}`), []Shape{ItemType}, []string{
			`a/0/item-type type 12345`, `a/1/item-type type ["x"]`}},
		{"contains", optional(`{"type":"array","contains":{"const":7}}`), nil, []string{`a/contains contains []`}},
		{"contains among many", optional(`{"type":"array","items":{"type":"integer"},"contains":{"const":7},"minItems":1}`), []Shape{Contains}, []string{`a/contains contains [1]`}},
		{"extra field", `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{}},"additionalProperties":false}},"additionalProperties":false}`, []Shape{ExtraField, NestedExtra}, []string{
			`/extra-field additionalProperties "unexpected"`, `a/nested-extra-field additionalProperties "unexpected"`}},
		{"unevaluated", `{"type":"object","properties":{"a":{}},"unevaluatedProperties":false}`, []Shape{ExtraField}, []string{`/extra-field unevaluatedProperties "unexpected"`}},
		{"additional properties", `{"type":"object","additionalProperties":{"type":"integer","maximum":3}}`, nil, []string{
			`sm_key/boolean-as-integer type true`, `sm_key/string-coerced type "1"`, `sm_key/above-maximum maximum 4 limit 3`, `sm_key/float-as-integer type 1.5`}},
		{"count of properties", optional(`{"type":"object","properties":{"b":{"type":"integer"},"c":{"type":"integer"}},"minProperties":1,"maxProperties":2}`), []Shape{TooFewProperties, TooManyProperties}, []string{
			`a/too-few-properties minProperties {}`, `a/too-many-properties maxProperties {"b":1,"c":1,"key0":"example"}`}},
		{"property names", optional(`{"type":"object","propertyNames":{"pattern":"^[a-z]+$"}}`), []Shape{PropertyName}, []string{`a/property-name propertyNames "example"`}},
		{"long property names", optional(`{"type":"object","propertyNames":{"maxLength":3}}`), []Shape{PropertyName}, []string{`a/property-name propertyNames "example"`}},
		{"nested", `{"type":"object","properties":{"order":{"type":"object","properties":{"items":{"type":"array","items":{"$ref":"#/$defs/item"}}},"required":["items"]}},"$defs":{"item":{"type":"object","properties":{"sku":{"type":"string","maxLength":3}},"required":["sku"]}}}`, nil, []string{
			`order/items/required-missing required (none)`, `order/items/0/sku/required-missing required (none)`, `order/items/0/item-type type ["x"]`, `order/items/0/sku/too-long maxLength "aaaa"`}},
		{"names with signs", `{"type":"object","properties":{"a/b~c":{"type":"boolean"}}}`, nil, []string{`a~1b~0c/string-coerced type "true"`}},
		{"allOf", optional(`{"allOf":[{"type":"integer","minimum":3},{"maximum":5}]}`), []Shape{BelowMinimum, AboveMaximum}, []string{
			`a/below-minimum minimum 2 limit 3`, `a/above-maximum maximum 6 limit 5`, `a/below-minimum:negative minimum -1 limit 3`, `a/below-minimum:zero minimum 0 limit 3`}},
		{"anyOf of types", optional(`{"anyOf":[{"type":"integer"},{"type":"boolean"}]}`), nil, []string{
			`a/anyOf:0/string-coerced type "1"`, `a/anyOf:1/string-coerced type "true"`, `a/anyOf:0/float-as-integer type 1.5`}},
		{"literals", optional(`{"anyOf":[{"const":"x"},{"const":"y"}]}`), nil, []string{`a/anyOf:0/enum const "not-a-valid-value"`}},
		{"anyOf at the root", `{"type":"object","properties":{"a":{},"b":{}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, []Shape{Combinator}, []string{`/combinator:anyOf anyOf {}`}},
		{"oneOf at the root", `{"type":"object","properties":{"a":{},"b":{}},"oneOf":[{"required":["a"]},{"required":["b"]}]}`, []Shape{Combinator}, []string{`/combinator:oneOf oneOf {}`}},
		{"oneOf that overlaps", `{"type":"object","properties":{"a":{},"b":{}},"required":["c"],"oneOf":[{"properties":{"a":{"type":"string"}}},{"required":["b"]}]}`, []Shape{Combinator}, []string{`/combinator:oneOf oneOf {"b":"example","c":"example"}`}},
		{"not", optional(`{"type":"string","not":{"const":"x"}}`), []Shape{Combinator}, []string{`a/combinator:not not "x"`}},
		{"if then", `{"type":"object","properties":{"k":{"enum":["x","y"]},"z":{}},"if":{"properties":{"k":{"const":"x"}},"required":["k"]},"then":{"required":["z"]}}`, []Shape{Combinator}, []string{`/combinator:then then (none)`}},
		{"if else", `{"type":"object","properties":{"k":{"enum":["x","y"]},"z":{}},"required":["k"],"if":{"properties":{"k":{"const":"x"}}},"else":{"required":["z"]}}`, []Shape{Combinator}, []string{`/combinator:else else (none)`}},
		{"dependent required", `{"type":"object","properties":{"a":{},"b":{}},"dependentRequired":{"a":["b"]}}`, []Shape{Combinator}, []string{`/combinator:dependentRequired:a dependentRequired (none)`}},
		{"dependencies of draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{},"b":{}},"dependencies":{"a":["b"]}}`, []Shape{Combinator}, []string{`/combinator:dependencies:a dependencies (none)`}},
		{"dependent schemas", `{"type":"object","properties":{"a":{},"b":{}},"dependentSchemas":{"a":{"properties":{"b":{"type":"integer"}},"required":["b"]}}}`, []Shape{Combinator}, []string{`/combinator:dependentSchemas dependentSchemas (none)`}},
		{"pattern properties", `{"type":"object","patternProperties":{"^p_":{"type":"integer"}}}`, []Shape{Combinator}, []string{`/combinator:patternProperties:^p_ patternProperties true`}},
		{"recursive", `{"type":"object","properties":{"n":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object","properties":{"v":{"type":"boolean"},"n":{"$ref":"#/$defs/n"}}}}}`, []Shape{StringCoerced}, []string{
			`n/v/string-coerced type "true"`, `n/n/v/string-coerced type "true"`}},
		{"an argument that needs another", `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"dependentRequired":{"a":["b"]}}`, []Shape{BooleanAsInteger}, []string{`a/boolean-as-integer type true`}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			made := contract(t, test.schema, 64)
			if diff := cmp.Diff(test.want, lines(made, test.shapes...)); diff != "" {
				t.Errorf("-want +got:\n%s%v", diff, made.Unsent)
			}
		})
	}
}
