package argument

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestCompileError(t *testing.T) {
	asked := 0
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked++
		fmt.Fprint(w, `{"type":"string"}`)
	}))
	defer web.Close()
	file := filepath.Join(t.TempDir(), "other.json")
	if err := os.WriteFile(file, []byte(`{"type":"string"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ name, schema, reason string }{
		{"nothing", ``, "there is none"},
		{"blank", ` `, "there is none"},
		{"no JSON", `{`, "it is not JSON"},
		{"two values", `{} {}`, "it is not JSON"},
		{"true", `true`, "it is not an object"},
		{"null", `null`, "it is not an object"},
		{"array", `[]`, "it is not an object"},
		{"large", `{"description":"` + strings.Repeat("x", 2<<20) + `"}`, "it is over 2 MiB"},
		{"deep", strings.Repeat(`{"not":`, 65) + `{}` + strings.Repeat(`}`, 65), "it is nested deeper than 64 levels"},
		{"very deep", strings.Repeat(`{"not":`, 20_000) + `{}` + strings.Repeat(`}`, 20_000), "it is not JSON"},
		{"wide", `{"allOf":[` + strings.Repeat(`{},`, 5000) + `{}]}`, "it has more than 5000 objects"},
		{"number", `{"properties":{"a":{"minimum":1e999999999}}}`, "it has a number that is too large to compute with"},
		{"digits", `{"properties":{"a":{"minimum":` + strings.Repeat("1", 1000) + `}}}`, "it has a number that is too large to compute with"},
		{"unknown dialect", `{"$schema":"https://example.com/mine#"}`, `its dialect "https://example.com/mine#" is not known`},
		{"web", `{"properties":{"a":{"$ref":"` + web.URL + `/a"}}}`, `it refers to "` + web.URL + `/a", which is not part of it`},
		{"file", `{"properties":{"a":{"$ref":"file://` + file + `"}}}`, `it refers to "file://` + file + `", which is not part of it`},
		{"relative", `{"properties":{"b":{"$ref":"other.json"},"a":{"$ref":"an.json"}}}`, `it refers to "an.json", which is not part of it`},
		{"dynamic web", `{"properties":{"a":{"$dynamicRef":"` + web.URL + `/a"}}}`, `it refers to "` + web.URL + `/a", which is not part of it`},
		{"pointer", `{"properties":{"b":{"$ref":"#/$defs/b"},"a":{"$ref":"#/$defs/a"}}}`, `its reference "#/$defs/a" points nowhere`},
		{"anchor", `{"properties":{"a":{"$ref":"#a"}}}`, `its reference "#a" points nowhere`},
		{"id twice", `{"$defs":{"a":{"$id":"x"},"b":{"$id":"x"}}}`, "it declares an $id or $anchor twice"},
		{"anchor twice", `{"$defs":{"a":{"$anchor":"x"},"b":{"$anchor":"x"}}}`, "it declares an $id or $anchor twice"},
		{"type", `{"properties":{"a":{"type":"text"}}}`, `it is not a valid schema: "/properties/a/type" is refused by "enum"`},
		{"several", `{"properties":{"b":{"type":1},"a":{"required":true},"c":{"minimum":"x"}}}`, `it is not a valid schema: "/properties/a/required" is refused by "type"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for range 5 {
				_, err := Compile(json.RawMessage(test.schema))
				var compile *CompileError
				if !errors.As(err, &compile) || compile.Reason != test.reason {
					t.Fatalf("%v, want %s", err, test.reason)
				}
			}
		})
	}
	if asked > 0 {
		t.Errorf("%d requests were made", asked)
	}
}

func TestValid(t *testing.T) {
	tests := []struct {
		name, schema, value string
		valid               bool
	}{
		{"3.0 is an integer", `{"properties":{"a":{"type":"integer"}}}`, `{"a":3.0}`, true},
		{"3.5 is none", `{"properties":{"a":{"type":"integer"}}}`, `{"a":3.5}`, false},
		{"2020-12 by default", `{"properties":{"a":{"prefixItems":[{"type":"string"}]}}}`, `{"a":[1]}`, false},
		{"draft 7", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"items":[{"type":"string"}]}}}`, `{"a":[1]}`, false},
		{"draft 7 has no prefixItems", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"prefixItems":[{"type":"string"}]}}}`, `{"a":[1]}`, true},
		{"draft 4", `{"$schema":"http://json-schema.org/draft-04/schema#","properties":{"a":{"minimum":1,"exclusiveMinimum":true}}}`, `{"a":1}`, false},
		{"anchor", `{"properties":{"a":{"$ref":"#x"}},"$defs":{"x":{"$anchor":"x","type":"string"}}}`, `{"a":1}`, false},
		{"pattern", `{"properties":{"a":{"pattern":"^a$"}}}`, `{"a":"b"}`, false},
		{"Unicode escape", `{"properties":{"a":{"pattern":"^\\u0061\\u{62}$"}}}`, `{"a":"ab"}`, true},
		{"Unicode escape, refused", `{"properties":{"a":{"pattern":"^\\u0061$"}}}`, `{"a":"b"}`, false},
		{"escaped backslash", `{"properties":{"a":{"pattern":"^\\\\u0061$"}}}`, `{"a":"a"}`, false},
		{"look-ahead constrains nothing", `{"properties":{"a":{"pattern":"^(?!x)a$"}}}`, `{"a":"b"}`, true},
		{"back-reference constrains nothing", `{"properties":{"a":{"pattern":"^(a)\\1$"}}}`, `{"a":"b"}`, true},
		{"huge repetition constrains nothing", `{"properties":{"a":{"pattern":"^(a{1000}){1000}$"}}}`, `{"a":"b"}`, true},
		{"look-ahead as a name", `{"patternProperties":{"^(?=x)":{"type":"string"}}}`, `{"a":"b"}`, true},
		{"regex as a format", `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"regex"}}}`, `{"a":"(?=x)"}`, true},
		{"recursion", `{"properties":{"a":{"$ref":"#"}},"required":["a"]}`, `{"a":{"a":{}}}`, false},
		{"endless reference", `{"$defs":{"a":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`, `{}`, false},
		{"no JSON", `{}`, `{`, false},
		{"boolean subschema", `{"properties":{"a":false}}`, `{"a":1}`, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			schema, err := Compile(json.RawMessage(test.schema))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Valid(json.RawMessage(test.value)); (err == nil) != test.valid {
				t.Errorf("%v", err)
			}
		})
	}
}

// patience is far over what a case takes, and far under what it would take
// without bounds. The race detector and a busy machine fit in.
const patience = 30 * time.Second

func TestValidTooCostly(t *testing.T) {
	doubled := func(word, rest string) string {
		var b strings.Builder
		b.WriteString(`{"$ref":"#/$defs/d0","properties":{"a":{"type":"string"}},"required":["a"],"$defs":{`)
		for i := range 40 {
			fmt.Fprintf(&b, `"d%d":{%q:[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]%s},`, i, word, i+1, i+1, rest)
		}
		b.WriteString(`"d40":{"type":"object"}}}`)
		return b.String()
	}
	anchors := strings.NewReplacer(`"$ref":"#/$defs/`, `"$ref":"#`).Replace(doubled("allOf", ""))
	for i := range 41 {
		anchors = strings.Replace(anchors, fmt.Sprintf(`"d%d":{`, i), fmt.Sprintf(`"d%d":{"$anchor":"d%d",`, i, i), 1)
	}
	for name, schema := range map[string]string{
		"allOf":   doubled("allOf", ""),
		"anyOf":   doubled("anyOf", `,"unevaluatedProperties":true`),
		"oneOf":   doubled("oneOf", ""),
		"dynamic": strings.ReplaceAll(doubled("allOf", ""), `"$ref":"#/$defs/d`, `"$dynamicRef":"#/$defs/d`),
		"anchors": anchors,
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			compiled, err := Compile(json.RawMessage(schema))
			if err != nil {
				t.Fatal(err)
			}
			if err := compiled.Valid(json.RawMessage(`{"a":1}`)); !errors.Is(err, ErrTooCostly) {
				t.Errorf("%v", err)
			}
			variants, skips := compiled.Robust()
			if len(variants) > 0 || len(skips) != 7 {
				t.Errorf("what can't be verified is sent: %v", variants)
			}
			if _, err := compiled.Base(); err == nil {
				t.Error("a base was made")
			}
			if took := time.Since(start); took > patience {
				t.Errorf("took %s", took)
			}
		})
	}
}

// TestBounds makes arguments for schemas that are large or endless.
// hostile returns schemas that would take much time or memory without bounds.
func hostile() map[string]string {
	properties := func(n int, format string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = fmt.Sprintf(format, i)
		}
		return strings.Join(list, ",")
	}
	names := make([]string, 200)
	for i := range names {
		names[i] = fmt.Sprintf(`"p%d"`, i)
	}
	return map[string]string{
		"200 properties":       `{"type":"object","properties":{` + properties(200, `"p%d":{"type":"string"}`) + `},"required":[` + strings.Join(names, ",") + `]}`,
		"2 MB":                 `{"type":"object","properties":{` + properties(4000, `"p%d":{"type":"string","description":"`+strings.Repeat("x", 480)+`"}`) + `},"required":["p1"]}`,
		"recursive":            `{"type":"object","properties":{"a":{"$ref":"#"},"b":{"type":"array","items":{"$ref":"#"}}},"required":["b"]}`,
		"endless":              `{"type":"object","properties":{"a":{"$ref":"#"},"b":{"$ref":"#"}},"required":["a","b"]}`,
		"endless alternative":  `{"type":"object","properties":{"a":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]},"b":{"anyOf":[{"$ref":"#"},{"$ref":"#"}]}},"required":["a","b"]}`,
		"endless allOf":        `{"type":"object","properties":{` + properties(2000, `"p%d":{"type":"string"}`) + `},"allOf":[{"$ref":"#"},{"$ref":"#"},{"$ref":"#"}]}`,
		"crossed allOf":        `{"type":"object","$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"},{"$ref":"#/$defs/b"}],"properties":{"x":{"type":"string"}}},"b":{"allOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/a"}],"properties":{"x":{"type":"string"}}}},"properties":{"x":{"$ref":"#/$defs/a"}},"required":["x"]}`,
		"many items":           `{"type":"object","properties":{"a":{"type":"array","minItems":1000,"items":{"type":"array","minItems":1000,"items":{"type":"array","minItems":1000}}}},"required":["a"]}`,
		"billions of items":    `{"type":"object","properties":{"a":{"type":"array","minItems":99999999999999999999}},"required":["a"]}`,
		"long text":            `{"type":"object","properties":{"a":{"type":"string","minLength":1000000000}},"required":["a"]}`,
		"many long defaults":   `{"type":"object","properties":{"a":{"type":"array","minItems":1000,"items":{"default":"` + strings.Repeat("x", 1<<20) + `"}}},"required":["a"]}`,
		"many properties":      `{"type":"object","minProperties":1000000000}`,
		"exploding pattern":    `{"type":"object","properties":{"a":{"type":"string","pattern":"^(((a{0,50}){0,50}){0,50})+$"}},"required":["a"]}`,
		"empty repetition":     `{"type":"object","properties":{"a":{"type":"string","minLength":60000,"pattern":"^((((()*)*)*)*)*$"}},"required":["a"]}`,
		"slow elsewhere":       `{"type":"object","properties":{"a":{"type":"string","pattern":"^(a+)+$","minLength":2000}},"required":["a"]}`,
		"long pattern":         `{"type":"object","properties":{"a":{"type":"string","pattern":"` + strings.Repeat("a?", 500_000) + `"}},"required":["a"]}`,
		"many patterns":        `{"type":"object","patternProperties":{` + properties(2000, `"^p%d(a|b)*$":{"type":"string"}`) + `},"properties":{` + properties(2000, `"p%d":{"type":"string"}`) + `}}`,
		"many alternatives":    `{"type":"object","properties":{"a":{"anyOf":[` + properties(2000, `{"type":"string","const":%d}`) + `]}},"required":["a"]}`,
		"steps":                `{"type":"object","properties":{"a":{"type":"number","minimum":1e-300,"maximum":2e-300,"multipleOf":1e-301}},"required":["a"]}`,
		"names of all kinds":   `{"type":"object","properties":{"":{"type":"string"},"a\u0000b":{"type":"string"},"\u202e":{"type":"string"},"__proto__":{"type":"string"}},"required":["","a\u0000b"]}`,
		"two branches a level": `{"$defs":{"n":{"type":"object","properties":{` + properties(40, `"p%d":{"oneOf":[{"$ref":"#/$defs/n"},{"type":"string"},{"type":"array","items":{"$ref":"#/$defs/n"}}]}`) + `}}},"$ref":"#/$defs/n"}`,
		"many conditions":      `{"type":"object","properties":{"k":{"type":"string"}},"allOf":[` + properties(800, `{"if":{"properties":{"k":{"const":"v%[1]d"}},"required":["k"]},"then":{"required":["r%[1]d"]}}`) + `]}`,
		"many dependents":      `{"type":"object","properties":{` + properties(1500, `"p%d":{"type":"integer"}`) + `},"dependentRequired":{` + properties(1500, `"p%[1]d":["q%[1]d"]`) + `}}`,
		"dependent on itself":  `{"type":"object","required":["a"],"dependentSchemas":{"a":{"$ref":"#"},"b":{"$ref":"#"}},"dependentRequired":{"a":["b"],"b":["a"]}}`,
		"long names":           `{"type":"object","properties":{"` + strings.Repeat("n", 400_000) + `":{"type":"integer","minimum":3}},"required":["` + strings.Repeat("n", 400_000) + `"]}`,
		"large enum":           `{"type":"object","properties":{"a":{"enum":[` + properties(100_000, `"v%d"`) + `]},"b":{"allOf":[{"$ref":"#/properties/a"},{"$ref":"#/properties/a"}]}},"required":["a"]}`,
		"many optional arrays": `{"type":"object","properties":{` + properties(1200, `"p%d":{"type":"array","maxItems":900,"uniqueItems":true,"items":{"type":"integer"}}`) + `}}`,
		"large const":          `{"type":"object","properties":{"a":{"const":"` + strings.Repeat("c", 1<<20) + `"}},"required":["a"]}`,
		"denied twice":         `{"type":"object","properties":{"a":{"not":{"not":{"not":{"$ref":"#"}}}}},"not":{"not":{"$ref":"#/properties/a"}}}`,
	}
}

func TestBounds(t *testing.T) {
	for name, schema := range hostile() {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			raw := json.RawMessage(schema)
			base, baseErr := Base(raw)
			variants, skips, err := Robust(raw)
			list := Properties(raw)
			took := time.Since(start)
			t.Logf("%s: base %.60s (%v), %d variants, %d skips, %d names (%v)", took, base, baseErr, len(variants), len(skips), len(list), err)
			if took > patience {
				t.Errorf("took %s", took)
			}
			if len(base) > 1<<20 {
				t.Errorf("a base of %d bytes", len(base))
			}
			compiled, err := Compile(raw)
			if err != nil {
				return
			}
			for _, v := range variants {
				if compiled.Valid(v.Arguments) == nil {
					t.Errorf("%s is valid", v.Probe)
				}
			}
		})
	}
}

func TestProperties(t *testing.T) {
	tests := []struct{ schema, want string }{
		{``, ""},
		{`true`, ""},
		{`{"type":"object"}`, ""},
		{`{"properties":{"b":{},"a":{"properties":{"c":{}}}}}`, "a b c"},
		{`{"properties":{"a":{"type":"array","items":{"properties":{"b":{}}}}}}`, "a b"},
		{`{"$ref":"#/$defs/x","$defs":{"x":{"properties":{"a":{"$ref":"#/$defs/y"}}},"y":{"properties":{"b":{}}}}}`, "a b"},
		{`{"properties":{"a":{"anyOf":[{"properties":{"b":{}}},{"allOf":[{"properties":{"c":{}}}]}]}}}`, "a b c"},
		{`{"properties":{"a":{"$ref":"#"}}}`, "a"},
		{`{"properties":{"a":{"$ref":"#/$defs/m%20n~1o"}},"$defs":{"m n/o":{"properties":{"b":{}}}}}`, "a b"},
	}
	for _, test := range tests {
		if got := strings.Join(Properties(json.RawMessage(test.schema)), " "); got != test.want {
			t.Errorf("%s: %q, want %q", test.schema, got, test.want)
		}
	}
}

func TestEmpty(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":"object"}`:                     true,
		`{}`:                                    true,
		`{"type":"object","properties":{}}`:     true,
		`{"properties":{},"required":[]}`:       true,
		`{"additionalProperties":false}`:        true,
		`{"properties":{"a":{}}}`:               false,
		`{"required":["a"]}`:                    false,
		`{"$ref":"#/$defs/a","$defs":{"a":{}}}`: false,
		`{"anyOf":[{"properties":{"a":{}}}]}`:   false,
		`{"patternProperties":{"^x":{}}}`:       false,
		`{"minProperties":1}`:                   false,
		``:                                      false,
		`true`:                                  false,
	} {
		if Empty(json.RawMessage(schema)) != want {
			t.Errorf("%s: not %t", schema, want)
		}
	}
}
