package compare

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/result"
)

// object is an object schema with the members.
func object(properties string, more ...string) string {
	return `{"type":"object","properties":{` + properties + `}` + strings.Join(append([]string{""}, more...), ",") + `}`
}

var schemaPairs = []struct {
	name, base, now string
	want            string // kind and rule of each change, in order; "" for none
}{
	{"equal", object(`"a":{"type":"string"}`), object(`"a":{"type":"string"}`), ""},
	{"another order", object(`"a":{"type":"string","minLength":1},"b":{}`), `{"properties":{"b":{},"a":{"minLength":1,"type":"string"}},"type":"object"}`, ""},
	{"another order of required", object(`"a":{},"b":{}`, `"required":["a","b"]`), object(`"a":{},"b":{}`, `"required":["b","a"]`), ""},
	{"another spelling of a number", object(`"a":{"type":"number","minimum":1}`), object(`"a":{"type":"number","minimum":1.0}`), ""},
	{"examples", object(`"a":{"type":"string"}`), object(`"a":{"type":"string","examples":["x"]}`), ""},

	{"argument removed", object(`"a":{},"b":{}`), object(`"a":{}`), "breaking argument-removed"},
	{"argument removed from a closed object", object(`"a":{},"b":{}`, `"additionalProperties":false`), object(`"a":{}`, `"additionalProperties":false`), "breaking argument-removed"},
	{"argument removed, others typed", object(`"a":{},"b":{}`), object(`"a":{}`, `"additionalProperties":{"type":"string"}`), "other schema-changed, other schema-changed"},
	{"argument removed beside alternatives", object(`"a":{},"b":{}`), object(`"a":{}`, `"anyOf":[{"required":["a"]},{"required":["b"]}]`), "other schema-changed, other schema-changed"},
	{"argument removed under a pattern", object(`"a":{},"b":{}`), object(`"a":{}`, `"patternProperties":{"^b":{}}`), "other schema-changed, other schema-changed"},
	{"argument added", object(`"a":{}`), object(`"a":{},"b":{"type":"string"}`), "added argument-added"},
	{"required argument added", object(`"a":{}`), object(`"a":{},"b":{}`, `"required":["b"]`), "breaking argument-required"},
	{"argument required", object(`"a":{}`), object(`"a":{}`, `"required":["a"]`), "breaking argument-required"},
	{"argument optional", object(`"a":{}`, `"required":["a"]`), object(`"a":{}`), "other schema-changed"},
	{"argument required, as before elsewhere", object(`"a":{}`, `"allOf":[{"required":["a"]}]`), object(`"a":{}`, `"required":["a"]`), "other schema-changed, other schema-changed"},
	{"nested argument required", object(`"f":` + object(`"a":{}`)), object(`"f":` + object(`"a":{}`, `"required":["a"]`)), "breaking argument-required"},
	{"nested argument removed", object(`"f":` + object(`"a":{}`)), object(`"f":` + object(``)), "breaking argument-removed"},
	{"argument of an item required", object(`"f":{"type":"array","items":` + object(`"a":{}`) + `}`), object(`"f":{"type":"array","items":` + object(`"a":{}`, `"required":["a"]`) + `}`), "breaking argument-required"},
	{"renamed argument", object(`"a":{"type":"string"}`), object(`"b":{"type":"string"}`), "breaking argument-removed, added argument-added"},

	{"closed", object(`"a":{}`), object(`"a":{}`, `"additionalProperties":false`), "breaking arguments-closed"},
	{"closed from true", object(`"a":{}`, `"additionalProperties":true`), object(`"a":{}`, `"additionalProperties":false`), "breaking arguments-closed"},
	{"opened", object(`"a":{}`, `"additionalProperties":false`), object(`"a":{}`), "other schema-changed"},
	{"opened in other words", object(`"a":{}`), object(`"a":{}`, `"additionalProperties":true`), ""},
	{"opened by an empty schema", object(`"a":{}`), object(`"a":{}`, `"additionalProperties":{}`), ""},
	{"undeclared fields typed", object(`"a":{}`), object(`"a":{}`, `"additionalProperties":{"type":"string"}`), "other schema-changed"},
	{"undeclared fields of another type", object(``, `"additionalProperties":{"type":"string"}`), object(``, `"additionalProperties":{"type":"integer"}`), "breaking type-changed"},
	{"closed beside unevaluatedProperties", object(`"a":{}`, `"unevaluatedProperties":false`), object(`"a":{}`, `"unevaluatedProperties":false`, `"additionalProperties":false`), "other schema-changed"},

	{"type narrowed to whole numbers", object(`"a":{"type":"number"}`), object(`"a":{"type":"integer"}`), "breaking type-changed"},
	{"type widened to all numbers", object(`"a":{"type":"integer"}`), object(`"a":{"type":"number"}`), "other schema-changed"},
	{"another type", object(`"a":{"type":"string"}`), object(`"a":{"type":"integer"}`), "breaking type-changed"},
	{"null taken back", object(`"a":{"type":["string","null"]}`), object(`"a":{"type":"string"}`), "breaking type-changed"},
	{"null allowed", object(`"a":{"type":"string"}`), object(`"a":{"type":["string","null"]}`), "other schema-changed"},
	{"null by alternatives is null by type", object(`"a":{"anyOf":[{"type":"string"},{"type":"null"}]}`), object(`"a":{"type":["string","null"]}`), ""},
	{"null by alternatives taken back", object(`"a":{"anyOf":[{"type":"string","minLength":1},{"type":"null"}],"default":null}`), object(`"a":{"type":"string","minLength":1,"default":null}`), "breaking type-changed"},
	{"types by alternatives narrowed", object(`"a":{"oneOf":[{"type":"string"},{"type":"boolean"}]}`), object(`"a":{"type":"string"}`), "breaking type-changed"},
	{"alternatives that overlap are not read", object(`"a":{"oneOf":[{"type":"number"},{"type":"integer"}]}`), object(`"a":{"type":"integer"}`), "other schema-changed, other schema-changed"},
	{"rich alternatives are not read", object(`"a":{"anyOf":[{"type":"string","minLength":2},{"type":"integer","minimum":1}]}`), object(`"a":{"type":"string"}`), "other schema-changed, other schema-changed"},
	{"type given to an untyped argument", object(`"a":{}`), object(`"a":{"type":"string"}`), "other schema-changed"},
	{"type taken away", object(`"a":{"type":"string"}`), object(`"a":{}`), "other schema-changed"},
	{"type that is no type", object(`"a":{"type":7}`), object(`"a":{"type":"string"}`), "other schema-changed, other schema-changed"},

	{"value removed", object(`"a":{"enum":["x","y"]}`), object(`"a":{"enum":["x"]}`), "breaking enum-narrowed"},
	{"value added", object(`"a":{"enum":["x"]}`), object(`"a":{"enum":["x","y"]}`), "other schema-changed"},
	{"value replaced", object(`"a":{"enum":["x"]}`), object(`"a":{"enum":["y"]}`), "breaking enum-narrowed, other schema-changed"},
	{"values in another order", object(`"a":{"enum":["x",1]}`), object(`"a":{"enum":[1.0,"x"]}`), ""},
	{"const is a list of one", object(`"a":{"const":"x"}`), object(`"a":{"enum":["x"]}`), ""},
	{"const beside another value", object(`"a":{"enum":["x","y"]}`), object(`"a":{"const":"x"}`), "breaking enum-narrowed"},
	{"value removed that the type forbade", object(`"a":{"type":"string","enum":["x",null]}`), object(`"a":{"type":"string","enum":["x"]}`), ""},
	{"values listed now", object(`"a":{"type":"string"}`), object(`"a":{"type":"string","enum":["x"]}`), "breaking enum-narrowed"},
	{"both booleans listed", object(`"a":{"type":"boolean"}`), object(`"a":{"type":"boolean","enum":[true,false]}`), ""},
	{"values listed for an untyped argument", object(`"a":{}`), object(`"a":{"enum":["x"]}`), "other schema-changed"},
	{"values no longer listed", object(`"a":{"type":"string","enum":["x"]}`), object(`"a":{"type":"string"}`), "other schema-changed"},
	{"listed values of another type", object(`"a":{"enum":["1"]}`), object(`"a":{"type":"integer"}`), "breaking enum-narrowed"},
	{"null in a list by alternatives", object(`"a":{"anyOf":[{"type":"string","enum":["x"]},{"type":"null"}]}`), object(`"a":{"type":["string","null"],"enum":["x",null]}`), ""},

	{"minimum raised", object(`"a":{"type":"integer","minimum":0}`), object(`"a":{"type":"integer","minimum":1}`), "breaking bound-tightened"},
	{"minimum set", object(`"a":{"type":"number"}`), object(`"a":{"type":"number","minimum":0}`), "breaking bound-tightened"},
	{"minimum lowered", object(`"a":{"type":"number","minimum":2}`), object(`"a":{"type":"number","minimum":1}`), "other schema-changed"},
	{"exclusive minimum of whole numbers", object(`"a":{"type":"integer","exclusiveMinimum":0}`), object(`"a":{"type":"integer","minimum":1}`), ""},
	{"exclusive minimum of numbers", object(`"a":{"type":"number","minimum":0}`), object(`"a":{"type":"number","exclusiveMinimum":0}`), "breaking bound-tightened"},
	{"exclusive minimum of an old draft", object(`"a":{"type":"number","minimum":0}`), object(`"a":{"type":"number","minimum":0,"exclusiveMinimum":true}`), "other schema-changed"},
	{"bound between whole numbers", object(`"a":{"type":"number","minimum":0.5}`), object(`"a":{"type":"integer","minimum":1}`), "breaking type-changed"},
	{"maximum lowered and minimum lowered", object(`"a":{"type":"number","minimum":2,"maximum":9}`), object(`"a":{"type":"number","minimum":1,"maximum":8}`), "breaking bound-tightened"},
	{"minimum of an untyped argument", object(`"a":{}`), object(`"a":{"minimum":1}`), "other schema-changed"},
	{"minimum of a text binds nothing", object(`"a":{"type":"string"}`), object(`"a":{"type":"string","minimum":1}`), ""},
	{"length 0 is no bound", object(`"a":{"type":"string"}`), object(`"a":{"type":"string","minLength":0}`), ""},
	{"text must not be empty", object(`"a":{"type":"string"}`), object(`"a":{"type":"string","minLength":1}`), "breaking bound-tightened"},
	{"length raised", object(`"a":{"type":"string","maxLength":10}`), object(`"a":{"type":"string","maxLength":20}`), "other schema-changed"},
	{"items bound", object(`"a":{"type":"array"}`), object(`"a":{"type":"array","maxItems":3}`), "breaking bound-tightened"},
	{"items must differ", object(`"a":{"type":"array"}`), object(`"a":{"type":"array","uniqueItems":true}`), "breaking bound-tightened"},
	{"items may be equal", object(`"a":{"type":"array","uniqueItems":true}`), object(`"a":{"type":"array","uniqueItems":false}`), ""},
	{"steps set", object(`"a":{"type":"integer"}`), object(`"a":{"type":"integer","multipleOf":5}`), "breaking bound-tightened"},
	{"steps of 1 for whole numbers", object(`"a":{"type":"integer"}`), object(`"a":{"type":"integer","multipleOf":1}`), "other schema-changed"},
	{"finer steps", object(`"a":{"type":"number","multipleOf":10}`), object(`"a":{"type":"number","multipleOf":5}`), "other schema-changed"},
	{"coarser steps", object(`"a":{"type":"number","multipleOf":5}`), object(`"a":{"type":"number","multipleOf":10}`), "breaking bound-tightened"},
	{"bound that is huge", object(`"a":{"type":"number"}`), object(`"a":{"type":"number","minimum":1e999999999}`), "other schema-changed"},

	{"pattern", object(`"a":{"type":"string"}`), object(`"a":{"type":"string","pattern":"^x"}`), "other schema-changed"},
	{"format", object(`"a":{"type":"string"}`), object(`"a":{"type":"string","format":"uri"}`), "other schema-changed"},
	{"unknown keyword", object(`"a":{"type":"string"}`), object(`"a":{"type":"string","x-limit":3}`), "other schema-changed"},
	{"condition", object(`"a":{"type":"string"}`), object(`"a":{"type":"string"}`, `"if":{"required":["a"]},"then":{"required":["b"]}`), "other schema-changed"},
	{"description", object(`"a":{"type":"string","description":"x"}`), object(`"a":{"type":"string","description":"y"}`), "other description-changed"},
	{"default", object(`"a":{"type":"string","default":"x"}`), object(`"a":{"type":"string","default":"y"}`), "other schema-changed"},
	{"items declared", object(`"a":{"type":"array"}`), object(`"a":{"type":"array","items":{"type":"string"}}`), "other schema-changed"},
	{"type of items", object(`"a":{"type":"array","items":{"type":"string"}}`), object(`"a":{"type":"array","items":{"type":"integer"}}`), "breaking type-changed"},
	{"tuple", object(`"a":{"type":"array","items":[{"type":"string"}]}`), object(`"a":{"type":"array","items":[{"type":"integer"}]}`), "other schema-changed"},
	{"true and an empty schema", object(`"a":true`), object(`"a":{}`), ""},
	{"false", object(`"a":{}`), object(`"a":false`), "other schema-changed"},
	{"schema that is none", object(`"a":{}`), object(`"a":7`), "other schema-changed"},

	{"definition inlined", object(`"a":{"$ref":"#/$defs/A"}`, `"$defs":{"A":{"type":"string"}}`), object(`"a":{"type":"string"}`), ""},
	{"definition inlined from allOf", object(`"a":{"allOf":[{"$ref":"#/$defs/A"}],"description":"x"}`, `"$defs":{"A":{"type":"string"}}`), object(`"a":{"type":"string","description":"x"}`), ""},
	{"definition narrowed", object(`"a":{"$ref":"#/$defs/A"}`, `"$defs":{"A":{"enum":["x","y"]}}`), object(`"a":{"$ref":"#/$defs/A"}`, `"$defs":{"A":{"enum":["x"]}}`), "breaking enum-narrowed"},
	{"definition moved", object(`"a":{"$ref":"#/definitions/A"}`, `"definitions":{"A":{"type":"string"}}`), object(`"a":{"$ref":"#/$defs/B"}`, `"$defs":{"B":{"type":"string"}}`), ""},
	{"reference that leads nowhere", object(`"a":{"type":"string"}`), object(`"a":{"$ref":"#/$defs/A"}`), "other schema-changed, other schema-changed"},
	{"recursive definition", `{"$ref":"#/$defs/N","$defs":{"N":` + object(`"next":{"$ref":"#/$defs/N"},"a":{"type":"string"}`) + `}}`, `{"$ref":"#/$defs/N","$defs":{"N":` + object(`"next":{"$ref":"#/$defs/N"},"a":{"type":"integer"}`) + `}}`, "breaking type-changed"},
	{"reference to itself", object(`"a":{"$ref":"#/properties/a"}`), object(`"a":{"type":"string"}`), "other schema-changed, other schema-changed"},
	{"object became a text", object(`"a":` + object(`"b":{}`)), object(`"a":{"type":"string"}`), "breaking type-changed"},
}

func TestInputSchemas(t *testing.T) {
	for _, tt := range schemaPairs {
		t.Run(tt.name, func(t *testing.T) {
			if got, texts := classified(t, tt.base, tt.now, false); got != tt.want {
				t.Errorf("got  %s\nwant %s\n%s", got, tt.want, texts)
			}
			for _, schema := range []string{tt.base, tt.now} {
				if got, texts := classified(t, schema, schema, false); got != "" {
					t.Errorf("%s differs from itself: %s\n%s", schema, got, texts)
				}
			}
		})
	}
}

func TestOutputSchemas(t *testing.T) {
	for _, tt := range []struct{ name, base, now, want string }{
		{"field removed", object(`"a":{},"b":{}`), object(`"a":{}`), "breaking output-changed"},
		{"field added", object(`"a":{}`), object(`"a":{},"b":{}`), "added output-added"},
		{"required field added", object(`"a":{}`), object(`"a":{},"b":{}`, `"required":["b"]`), "added output-added"},
		{"field may be absent", object(`"a":{}`, `"required":["a"]`), object(`"a":{}`), "breaking output-changed"},
		{"field is always there", object(`"a":{}`), object(`"a":{}`, `"required":["a"]`), ""},
		{"field may be null", object(`"a":{"type":"string"}`), object(`"a":{"type":["string","null"]}`), "breaking output-changed"},
		{"field is never null", object(`"a":{"type":["string","null"]}`), object(`"a":{"type":"string"}`), "other schema-changed"},
		{"another type", object(`"a":{"type":"string"}`), object(`"a":{"type":"object"}`), "breaking output-changed"},
		{"whole numbers only", object(`"a":{"type":"number"}`), object(`"a":{"type":"integer"}`), "other schema-changed"},
		{"another value", object(`"a":{"enum":["x"]}`), object(`"a":{"enum":["x","y"]}`), "other schema-changed"},
		{"fewer values", object(`"a":{"enum":["x","y"]}`), object(`"a":{"enum":["x"]}`), "other schema-changed"},
		{"tighter bound", object(`"a":{"type":"number"}`), object(`"a":{"type":"number","minimum":1}`), "other schema-changed"},
		{"closed", object(`"a":{}`), object(`"a":{}`, `"additionalProperties":false`), "other schema-changed"},
		{"field removed beside alternatives", object(`"a":{},"b":{}`), object(`"a":{}`, `"anyOf":[{},{}]`), "other schema-changed, other schema-changed"},
		{"field of an item removed", object(`"l":{"type":"array","items":` + object(`"a":{}`) + `}`), object(`"l":{"type":"array","items":` + object(``) + `}`), "breaking output-changed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got, texts := classified(t, tt.base, tt.now, true); got != tt.want {
				t.Errorf("got  %s\nwant %s\n%s", got, tt.want, texts)
			}
		})
	}
}

// classified compares two schemas and returns kind and rule of each change.
func classified(t *testing.T, base, now string, output bool) (kinds, texts string) {
	t.Helper()
	for _, schema := range []string{base, now} {
		if !json.Valid([]byte(schema)) {
			t.Fatalf("no JSON: %s", schema)
		}
	}
	work := maxWorkInAll
	changes, read := schemas(json.RawMessage(now), json.RawMessage(base), output, &work)
	if !read || work >= maxWorkInAll {
		t.Fatalf("not read, or nothing was done: %d", work)
	}
	var list, all []string
	for _, ch := range changes {
		list = append(list, ch.kind+" "+strings.TrimPrefix(ch.rule, "surface."))
		all = append(all, ch.text)
	}
	return strings.Join(list, ", "), strings.Join(all, "\n")
}

// TestSchemaBounds: what a hostile schema asks for is bounded.
func TestSchemaBounds(t *testing.T) {
	var laughs strings.Builder
	laughs.WriteString(`{"type":"object","properties":{"a":{"$ref":"#/$defs/d0"}},"$defs":{`)
	for i := range 30 {
		fmt.Fprintf(&laughs, `"d%d":{"type":"object","properties":{"x":{"$ref":"#/$defs/d%d"},"y":{"$ref":"#/$defs/d%d"}}},`, i, i+1, i+1)
	}
	many := make([]string, 5000)
	for i := range many {
		many[i] = fmt.Sprintf(`"p%d":{}`, i)
	}
	deep := strings.Repeat(`{"type":"object","properties":{"a":`, 400) + `{}` + strings.Repeat(`}}`, 400)
	for name, pair := range map[string][2]string{
		"references that multiply": {laughs.String() + `"d30":{"type":"string"}}}`, laughs.String() + `"d30":{"type":"integer"}}}`},
		"many properties":          {object(strings.Join(many, ",")), object(``)},
		"deep":                     {deep, strings.Replace(deep, `{}`, `{"type":"string"}`, 1)},
		"deep value":               {object(`"a":{"default":` + strings.Repeat("[", 5000) + strings.Repeat("]", 5000) + `}`), object(`"a":{}`)},
	} {
		work := maxWorkInAll
		changes, read := schemas(json.RawMessage(pair[1]), json.RawMessage(pair[0]), false, &work)
		if !read || len(changes) > maxFound+4 {
			t.Errorf("%s: %d changes, read %v", name, len(changes), read)
		}
		for _, ch := range changes {
			if len(ch.text) > 2000 || ch.kind != result.Breaking && ch.kind != result.Other {
				t.Errorf("%s: %+v", name, ch)
			}
		}
		if spent := maxWorkInAll - work; spent <= 0 || spent > 2*maxWork {
			t.Errorf("%s: %d of work", name, spent)
		}
	}
	work := maxWorkInAll
	if _, read := schemas(json.RawMessage(`{`), json.RawMessage(`{}`), false, &work); read {
		t.Error("half a document was read")
	}
	if _, read := schemas(json.RawMessage(`{}`), json.RawMessage(`"`+strings.Repeat("x", maxSchema)+`"`), false, &work); read {
		t.Error("a document over the bound was read")
	}
}
