package argument

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestBase(t *testing.T) {
	prop := func(schema string) string {
		return `{"type":"object","properties":{"a":` + schema + `},"required":["a"]}`
	}
	tests := []struct{ name, schema, want string }{
		{"nothing required", `{"type":"object","properties":{"a":{"type":"string"}}}`, `{}`},
		{"nothing declared", `{}`, `{}`},
		{"required but not described", `{"required":["a"]}`, `{"a":"example"}`},
		{"described as additional", `{"type":"object","required":["a"],"additionalProperties":{"type":"integer"}}`, `{"a":1}`},
		{"string", prop(`{"type":"string"}`), `{"a":"example"}`},
		{"integer", prop(`{"type":"integer"}`), `{"a":1}`},
		{"boolean", prop(`{"type":"boolean"}`), `{"a":true}`},
		{"null", prop(`{"type":"null"}`), `{"a":null}`},
		{"union", prop(`{"type":["null","integer","string"]}`), `{"a":1}`},
		{"empty array", prop(`{"type":"array","items":{"type":"string"}}`), `{"a":[]}`},
		{"array", prop(`{"type":"array","minItems":2,"items":{"type":"string"}}`), `{"a":["example","example"]}`},
		{"unique items", prop(`{"type":"array","minItems":3,"uniqueItems":true,"items":{"type":"string"}}`), `{"a":["example","example1","example2"]}`},
		{"unique items of an enum", prop(`{"type":"array","minItems":2,"uniqueItems":true,"items":{"enum":["x","y"]}}`), `{"a":["x","y"]}`},
		{"tuple", prop(`{"type":"array","minItems":2,"prefixItems":[{"type":"string"},{"type":"integer"}]}`), `{"a":["example",1]}`},
		{"tuple of draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"array","minItems":2,"items":[{"type":"boolean"},{"type":"integer"}]}},"required":["a"]}`, `{"a":[true,1]}`},
		{"contains", prop(`{"type":"array","contains":{"const":7}}`), `{"a":[7]}`},
		{"enum", prop(`{"type":"string","enum":["x","y"]}`), `{"a":"x"}`},
		{"enum with another type", prop(`{"type":"string","enum":[1,"y"]}`), `{"a":"y"}`},
		{"enum and a bound", prop(`{"type":"integer","enum":[1,2,3],"minimum":3}`), `{"a":3}`},
		{"const", prop(`{"const":{"b":[1]}}`), `{"a":{"b":[1]}}`},
		{"default", prop(`{"type":"string","default":"d"}`), `{"a":"d"}`},
		{"default of another type", prop(`{"type":"string","default":null}`), `{"a":"example"}`},
		{"default that is refused", prop(`{"type":"integer","default":0,"minimum":1}`), `{"a":1}`},
		{"examples", prop(`{"type":"string","examples":["e"]}`), `{"a":"e"}`},
		{"minimum", prop(`{"type":"integer","minimum":7}`), `{"a":7}`},
		{"exclusive", prop(`{"type":"integer","exclusiveMinimum":7,"exclusiveMaximum":9}`), `{"a":8}`},
		{"exclusive of draft 4", `{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"a":{"type":"integer","minimum":7,"exclusiveMinimum":true}},"required":["a"]}`, `{"a":8}`},
		{"fraction", prop(`{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}`), `{"a":0.5}`},
		{"negative", prop(`{"type":"number","maximum":-2.5}`), `{"a":-3}`},
		{"multiple", prop(`{"type":"integer","multipleOf":7,"minimum":10}`), `{"a":14}`},
		{"fine multiple", prop(`{"type":"number","multipleOf":0.01,"exclusiveMinimum":1.001,"maximum":1.015}`), `{"a":1.01}`},
		{"large", prop(`{"type":"integer","minimum":123456789012345678901234567890}`), `{"a":123456789012345678901234567890}`},
		{"long", prop(`{"type":"string","minLength":10}`), `{"a":"2025-01-01"}`},
		{"longer", prop(`{"type":"string","minLength":50,"maxLength":50}`), `{"a":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}`},
		{"short", prop(`{"type":"string","maxLength":1}`), `{"a":"a"}`},
		{"empty", prop(`{"type":"string","maxLength":0}`), `{"a":""}`},
		{"pattern", prop(`{"type":"string","pattern":"^[A-Z]{3}-\\d{2,4}(x|y)?$"}`), `{"a":"AAA-11"}`},
		{"pattern of signs", prop(`{"type":"string","pattern":"^[^a-zA-Z0-9]+$"}`), `{"a":"~"}`},
		{"pattern and length", prop(`{"type":"string","pattern":"^x[a-z]*$","minLength":5}`), `{"a":"xaaaa"}`},
		{"nested repetition and length", prop(`{"type":"string","pattern":"^(b+)+$","minLength":20,"maxLength":30}`), `{"a":"bbbbbbbbbbbbbbbbbbbb"}`},
		{"pattern without anchors", prop(`{"type":"string","pattern":"gid://"}`), `{"a":"gid://"}`},
		{"pattern with look-ahead", prop(`{"type":"string","pattern":"^(?!x)"}`), `{"a":"example"}`},
		{"date-time", prop(`{"type":"string","format":"date-time"}`), `{"a":"2025-01-01T00:00:00Z"}`},
		{"email in draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"type":"string","format":"email"}},"required":["a"]}`, `{"a":"person@example.com"}`},
		{"uri and pattern", prop(`{"type":"string","format":"uri","pattern":"^https://"}`), `{"a":"https://example.com/"}`},
		{"nested", prop(`{"type":"object","properties":{"b":{"type":"integer"},"c":{}},"required":["b"]}`), `{"a":{"b":1}}`},
		{"no type", prop(`{"properties":{"b":{"type":"integer"}},"required":["b"]}`), `{"a":{"b":1}}`},
		{"least properties", prop(`{"type":"object","minProperties":1,"properties":{"b":{"type":"integer"}}}`), `{"a":{"b":1}}`},
		{"least properties of any name", prop(`{"type":"object","minProperties":2,"additionalProperties":{"type":"boolean"}}`), `{"a":{"key0":true,"key1":true}}`},
		{"reference", `{"properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"$ref":"#/$defs/B"},"B":{"type":"integer"}},"required":["a"]}`, `{"a":1}`},
		{"recursive reference", `{"$ref":"#/$defs/N","$defs":{"N":{"type":"object","properties":{"v":{"type":"integer"},"next":{"anyOf":[{"$ref":"#/$defs/N"},{"type":"null"}]}},"required":["v","next"]}}}`, ""},
		{"allOf", prop(`{"allOf":[{"type":"integer","minimum":3},{"minimum":5},{"maximum":5}]}`), `{"a":5}`},
		{"allOf of objects", `{"allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"a":{"minLength":8},"b":{"type":"integer"}},"required":["b"]}]}`, `{"a":"2025-01-01","b":1}`},
		{"anyOf", prop(`{"anyOf":[{"type":"integer"},{"type":"string"}]}`), `{"a":1}`},
		{"oneOf that overlaps", prop(`{"oneOf":[{"type":"integer"},{"type":"number"},{"type":"string"}]}`), `{"a":"example"}`},
		{"oneOf of objects", prop(`{"oneOf":[{"type":"object","properties":{"kind":{"const":"k"},"x":{"type":"integer"}},"required":["kind","x"]}]}`), `{"a":{"kind":"k","x":1}}`},
		{"anyOf at the root", `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, `{"a":"example"}`},
		{"two of anyOf", prop(`{"allOf":[{"anyOf":[{"minimum":3},{"type":"string"}]},{"anyOf":[{"type":"integer"},{"type":"null"}]}]}`), `{"a":3}`},
		{"true", prop(`true`), `{"a":"example"}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := Base(json.RawMessage(test.schema))
			if err != nil {
				t.Fatal(err)
			}
			if test.want != "" && string(got) != test.want {
				t.Errorf("%s, want %s", got, test.want)
			}
			schema, err := Compile(json.RawMessage(test.schema))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Valid(got); err != nil {
				t.Errorf("%s: %v", got, err)
			}
			for range 3 {
				if again, _ := schema.Base(); string(again) != string(got) {
					t.Errorf("%s, and then %s", got, again)
				}
			}
		})
	}
}

func TestBaseError(t *testing.T) {
	for i, schema := range []string{
		`{"type":"array"}`,
		`[]`,
		`{"properties":{"a":false},"required":["a"]}`,
		`{"properties":{"a":{"type":"integer","minimum":2,"maximum":1}},"required":["a"]}`,
		`{"properties":{"a":{"type":"string","pattern":"^[^\\s\\S]$"}},"required":["a"]}`,
		`{"properties":{"a":{"$ref":"#"}},"required":["a"]}`,
		`{"properties":{"a":{"not":{}}},"required":["a"]}`,
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got, err := Base(json.RawMessage(schema)); err == nil {
				t.Errorf("%s", got)
			}
		})
	}
}
