package argument

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/golden"
)

// TestRobustGolden holds what is sent for a schema: order, candidates, skips.
func TestRobustGolden(t *testing.T) {
	const file = "testdata/robust.golden"
	prop := func(schema string) string {
		return `{"type":"object","properties":{"a":` + schema + `},"required":["a"]}`
	}
	cases := []struct{ name, schema string }{
		{"string", prop(`{"type":"string"}`)},
		{"integer", prop(`{"type":"integer"}`)},
		{"number", prop(`{"type":"number"}`)},
		{"boolean", prop(`{"type":"boolean"}`)},
		{"array", prop(`{"type":"array"}`)},
		{"object", prop(`{"type":"object"}`)},
		{"null", prop(`{"type":"null"}`)},
		{"string or null", prop(`{"type":["string","null"]}`)},
		{"string or number", prop(`{"type":["string","number"]}`)},
		{"string, number or boolean", prop(`{"type":["string","number","boolean"]}`)},
		{"all but object", prop(`{"type":["string","number","boolean","array","null"]}`)},
		{"every type", prop(`{"type":["string","number","boolean","array","object","null"]}`)},
		{"enum holds the first candidate", prop(`{"type":"string","enum":["x",12345.0]}`)},
		{"enum holds all but the last", prop(`{"type":"string","enum":[12345,true,["x"],null]}`)},
		{"enum holds all", prop(`{"type":"string","enum":[12345,"not-a-valid-value",true,["x"],{"x":1},null]}`)},
		{"const is the candidate", prop(`{"type":"string","const":12345}`)},
		{"no type", prop(`{"description":"anything"}`)},
		{"type in an alternative only", prop(`{"anyOf":[{"type":"string"},{"type":"null"}]}`)},
		{"nothing required", `{"type":"object","properties":{"a":{"type":"string"},"n":{"type":"integer"}}}`},
		{"required but not described", `{"type":"object","required":["a"]}`},
		{"no property", `{"type":"object"}`},
		{"no property and nothing more allowed", `{"type":"object","additionalProperties":false}`},
		{"no type at the root", `{"properties":{"a":{"type":"string"}}}`},
		{"an array at the root", `{"type":"array","properties":{"a":{"type":"string"}},"required":["a"]}`},
		{"several", `{"type":"object","properties":{"b":{"type":"string"},"a":{"type":"integer"},"c":{"type":"string"},"d":{}},"required":["b"]}`},
		{"boolean subschemas", `{"type":"object","properties":{"a":true,"b":false,"c":{"type":"string"}}}`},
		{"reference", `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string","enum":["x"]}},"required":["a"]}`},
		{"reference at the root", `{"$ref":"#/$defs/Args","$defs":{"Args":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}}`},
		{"allOf at the root", `{"type":"object","allOf":[{"properties":{"a":{"type":"string"}},"required":["a"]},{"properties":{"b":{"type":"integer"}}}]}`},
		{"allOf of a reference", `{"type":"object","properties":{"a":{"allOf":[{"$ref":"#/definitions/A"}],"default":"x"}},"definitions":{"A":{"type":"string"}}}`},
		{"escaped markup", prop(`{"type":"string","enum":["<b>&"]}`)},
		{"array of objects", `{"type":"object","properties":{"n":{"type":"string","minLength":1},"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}},"more":{"type":"array","items":{"type":"object","required":["x"]}}},"required":["n","items","more"]}`},
		{"array of objects with nothing required", `{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"}}}}},"required":["items"]}`},
		{"array of objects that need not be given", `{"type":"object","properties":{"items":{"type":"array","items":{"type":"object","required":["id"]}}}}`},
		{"array of referenced objects", `{"type":"object","properties":{"items":{"$ref":"#/$defs/L"}},"$defs":{"L":{"type":"array","minItems":2,"items":{"$ref":"#/$defs/O"}},"O":{"properties":{"id":{"type":"string"}},"required":["id"]}},"required":["items"]}`},
		{"array of objects or null", `{"type":"object","properties":{"items":{"type":["array","null"],"items":{"type":"object","required":["id"]}}},"required":["items"]}`},
		{"array of objects or string", `{"type":"object","properties":{"items":{"type":["array","string"],"items":{"type":"object","required":["id"]}}},"required":["items"]}`},
		{"array of objects beside what can't be made", `{"type":"object","properties":{"x":{"type":"string","pattern":"^[^\\s\\S]$"},"items":{"type":"array","items":{"type":"object","required":["id"]}}},"required":["x","items"]}`},
		{"array of texts", `{"type":"object","properties":{"items":{"type":"array","items":{"type":"string"}}},"required":["items"]}`},
	}
	var out bytes.Buffer
	for _, c := range cases {
		fmt.Fprintf(&out, "## %s\n%s\n", c.name, c.schema)
		variants, skips, err := Robust(json.RawMessage(c.schema))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		schema, err := Compile(json.RawMessage(c.schema))
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range variants {
			if schema.Valid(v.Arguments) == nil {
				t.Errorf("%s: %s is valid", c.name, v.Probe)
			}
			fmt.Fprintf(&out, "%-17s %s", v.Probe, v.Arguments)
			if v.Target != "" {
				fmt.Fprintf(&out, "  (breaks %s)", v.Target)
			}
			out.WriteByte('\n')
		}
		for _, s := range skips {
			fmt.Fprintf(&out, "%-17s not sent: %s\n", s.Probe, s.Reason)
		}
		out.WriteByte('\n')
	}
	golden.Check(t, file, out.String())
}

// TestRobustOrder: the probes come in the order of the document, and each is
// either sent or skipped.
func TestRobustOrder(t *testing.T) {
	want := []string{MissingRequired, WrongTypes, Nulls, ExtraArgument, StringAsObject, NestedString, NestedItem}
	schema := `{"type":"object","properties":{"n":{"type":"string"},"items":{"type":"array","items":{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]}}},"required":["n","items"]}`
	variants, skips, err := Robust(json.RawMessage(schema))
	if err != nil || len(skips) > 0 {
		t.Fatal(skips, err)
	}
	var got []string
	for _, v := range variants {
		got = append(got, v.Probe)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
	if _, _, err := Robust(json.RawMessage(`[]`)); err == nil || !strings.Contains(err.Error(), "not an object") {
		t.Errorf("%v", err)
	}
}
