package argument

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sealmark/action/internal/rawjson"
)

// TestContractNear checks which candidates could run as a call.
func TestContractNear(t *testing.T) {
	tests := []struct {
		name, schema string
		far          []string
	}{
		{"nothing required", `{"type":"object","properties":{"a":{"type":"integer"}},"additionalProperties":false}`, nil},
		{"one required", `{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}`,
			[]string{"/arguments-array", "a/required-missing", "/arguments-string", "/arguments-null"}},
		{"two required", `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"required":["a","b"]}`,
			[]string{"/arguments-array", "/arguments-string", "/arguments-null"}},
		{"no name required, but not nothing", `{"type":"object","properties":{"a":{"type":"integer"}},"minProperties":1}`, nil},
		{"one of two required", `{"type":"object","properties":{"a":{"type":"integer"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}`, nil},
		{"alone, with another required", `{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"string","pattern":"[^\\s\\S]"}},"required":["a","b"]}`,
			[]string{"/arguments-array", "b/wrong-type", "/arguments-string", "a/string-coerced", "/arguments-null", "a/null", "b/null", "b/pattern", "a/wrong-type"}},
		{"alone, and all that is required", `{"type":"object","properties":{"a":{"type":"boolean"},"b":{"type":"string","pattern":"[^\\s\\S]"}},"required":["b"]}`,
			[]string{"/arguments-array", "a/string-coerced", "/arguments-string", "/arguments-null", "a/null", "a/wrong-type"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var far []string
			for _, c := range contract(t, test.schema, 64).List {
				if !c.Near {
					far = append(far, c.ID)
				}
			}
			if diff := cmp.Diff(test.far, far); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestContractAlone checks candidates beside which nothing valid could be put.
func TestContractAlone(t *testing.T) {
	made := contract(t, `{"type":"object","properties":{
		"a":{"type":"object","properties":{"n":{"type":"integer","maximum":3}},"required":["n"]},
		"b":{"type":"string","pattern":"[^\\s\\S]"}},"required":["a","b"],"additionalProperties":false}`, 64)
	if made.Base != nil || !strings.Contains(made.BaseReason, "no text for the pattern") {
		t.Errorf("the base %s: %s", made.Base, made.BaseReason)
	}
	got := map[string]string{}
	for _, c := range made.List {
		if !c.Alone {
			t.Errorf("%s is not alone", c.ID)
		}
		got[c.ID] = string(c.Arguments)
	}
	for id, want := range map[string]string{
		"a/wrong-type":           `{"a":["x"]}`,
		"a/n/required-missing":   `{"a":{}}`,
		"a/n/boolean-as-integer": `{"a":{"n":true}}`,
		"a/n/above-maximum":      `{"a":{"n":4}}`,
		"b/wrong-type":           `{"b":12345}`,
		"a/required-missing":     "",
		"/extra-field":           "",
	} {
		if got[id] != want {
			t.Errorf("%s: %q, want %q", id, got[id], want)
		}
	}
}

// TestContractUnsent checks the reasons for what is not made.
func TestContractUnsent(t *testing.T) {
	tests := []struct {
		schema string
		want   Unsent
	}{
		{`{"type":"string","pattern":"^(?!x)"}`, Unsent{"a/pattern", Pattern, "the pattern can't be evaluated"}},
		{`{"type":"string","pattern":".*"}`, Unsent{"a/pattern", Pattern, "no text was found that breaks the pattern"}},
		{`{"type":"string","maxLength":1000000}`, Unsent{"a/too-long", TooLong, "the text would be too long"}},
		{`{"type":"array","maxItems":1000000}`, Unsent{"a/too-many-items", TooManyItems, "the array would be too long"}},
		{`{"type":"integer","maximum":9007199254740991}`, Unsent{"a/above-maximum", AboveMaximum, "the bound is beyond the numbers that every JSON implementation keeps"}},
		{`{"type":"string","format":"date","maxLength":3}`, Unsent{"a/format", Format, "the length leaves no room for a wrong format"}},
		{`{"anyOf":[{"type":"string","maxLength":3},{"type":"string"}]}`, Unsent{"a/anyOf:0/too-long", TooLong, "the schema allows it"}},
	}
	for _, test := range tests {
		made := contract(t, `{"type":"object","properties":{"a":`+test.schema+`}}`, 64)
		if diff := cmp.Diff([]Unsent{test.want}, made.Unsent); diff != "" {
			t.Errorf("%s: -want +got:\n%s", test.schema, diff)
		}
	}
}

// TestContractIDs checks that names from a server make usable IDs.
func TestContractIDs(t *testing.T) {
	long := strings.Repeat("ä", 100)
	made := contract(t, fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"boolean"},%q:{"type":"boolean"},"a":{"type":"object","properties":{"b":{"type":"boolean"}}},"a/b":{"type":"boolean"}}}`, long+"1", long+"2"), 64)
	seen := map[string]bool{}
	for _, c := range made.List {
		if c.Shape != StringCoerced {
			continue
		}
		seen[c.ID] = true
		if len(c.ID) > 100 {
			t.Errorf("%s has %d bytes", c.ID, len(c.ID))
		}
	}
	if len(seen) != 4 || !seen["a/b/string-coerced"] || !seen["a~1b/string-coerced"] {
		t.Errorf("%v", seen)
	}
}

// TestContractSchemaKept checks that making candidates changes nothing in the
// schema, which several goroutines share.
func TestContractSchemaKept(t *testing.T) {
	raw := json.RawMessage(`{"type":"object","properties":{"a":{"enum":["x","y"],"allOf":[{"enum":["y"]}]}},"allOf":[{"if":{"required":["a"]},"then":{"required":["b"]}},{"if":{"required":["b"]},"then":{"required":["c"]}}],"required":["a"]}`)
	schema, err := Compile(raw)
	if err != nil {
		t.Fatal(err)
	}
	before := string(rawjson.Encode(schema.root))
	done := make(chan Candidates)
	for range 4 {
		go func() { done <- schema.Contract(64) }()
	}
	var first string
	for range 4 {
		made := string(rawjson.Encode(<-done))
		if first == "" {
			first = made
		}
		if made != first {
			t.Errorf("%s\nand\n%s", first, made)
		}
	}
	if after := string(rawjson.Encode(schema.root)); after != before {
		t.Errorf("the schema was\n%s\nand is\n%s", before, after)
	}
}
