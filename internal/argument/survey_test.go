package argument

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLook(t *testing.T) {
	tests := []struct {
		name, schema string
		want         Survey
	}{
		{"no schema", `[]`, Survey{}},
		{"closed", `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"type":"string","maxLength":3},"b":{"type":"integer"}},"additionalProperties":false}`,
			Survey{Dialect: "https://json-schema.org/draft/2020-12/schema"}},
		{"open", `{"type":"object","properties":{"a":{"type":"object","properties":{"b":{"type":"boolean"}}}}}`, Survey{Open: []string{"", "a"}}},
		{"said to be open", `{"type":"object","additionalProperties":{}}`, Survey{Open: []string{""}}},
		{"a map", `{"type":"object","additionalProperties":{"type":"integer"}}`, Survey{}},
		{"unevaluated", `{"type":"object","allOf":[{"properties":{"a":{"type":"integer"}}}],"unevaluatedProperties":false}`, Survey{}},
		{"closed by allOf", `{"type":"object","allOf":[{"additionalProperties":false}]}`, Survey{}},
		{"unbounded", `{"type":"object","additionalProperties":false,"properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":["string","null"]}},"c":{"type":"string","format":"date"},"d":{"type":"string","enum":["x"]},"e":{"type":"string","pattern":"^x$"},"f":{"type":"array","maxItems":3}}}`,
			Survey{Unbounded: []string{"a", "b", "b/[]"}}},
		{"untyped", `{"type":"object","additionalProperties":false,"properties":{"a":{},"b":{"description":"Anything"},"c":true,"d":{"$ref":"#/$defs/d"},"e":{"const":1},"f":{"anyOf":[{"type":"integer"}]},"g":{"x-order":1,"title":"G"},"h":false},"$defs":{"d":{"type":"integer"}}}`,
			Survey{Untyped: []string{"a", "b", "c", "g"}}},
		{"recursive", `{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","additionalProperties":false,"properties":{"n":{"$ref":"#/$defs/n"},"v":{"type":"string"}}}}}`, Survey{Unbounded: []string{"v"}}},
		{"alternatives", `{"type":"object","additionalProperties":false,"properties":{"a":{"anyOf":[{"type":"string"},{"type":"object","properties":{"b":{}}}]}}}`,
			Survey{Open: []string{"a"}, Unbounded: []string{"a"}, Untyped: []string{"a/b"}}},
		{"alternatives of a closed object", `{"type":"object","additionalProperties":false,"properties":{"a":{"type":"integer"}},"oneOf":[{"type":"object","required":["a"]}]}`, Survey{}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if diff := cmp.Diff(test.want, Look(json.RawMessage(test.schema))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestReferences(t *testing.T) {
	tests := []struct {
		schema       string
		out, nowhere bool
	}{
		{`{"$ref":"https://example.com/a"}`, true, false},
		{`{"$ref":"#/$defs/a"}`, false, true},
		{`{"type":"text"}`, false, false},
	}
	for _, test := range tests {
		_, err := Compile(json.RawMessage(test.schema))
		if Uncompilable(err) == (test.out || test.nowhere) {
			t.Errorf("%s: uncompilable is %t", test.schema, Uncompilable(err))
		}
		if RefersOut(err) != test.out || RefersNowhere(err) != test.nowhere {
			t.Errorf("%s: %v", test.schema, err)
		}
	}
	if RefersOut(nil) || RefersNowhere(nil) || Uncompilable(nil) {
		t.Error("no error refers")
	}
}

func TestOfObject(t *testing.T) {
	for schema, want := range map[string]bool{``: false, `null`: false, `[]`: false, `{}`: false, `{"type":"array"}`: false, `{"type":["object"]}`: false, `{"type":"object"}`: true} {
		if OfObject(json.RawMessage(schema)) != want {
			t.Errorf("%s: %t", schema, !want)
		}
	}
}
