package argument

import (
	"encoding/json"
	"fmt"
	"testing"
)

func TestDump(t *testing.T) {
	for _, s := range []string{
		`{"type":"object","additionalProperties":false,"properties":{"sku":{"type":"string","minLength":1,"maxLength":40},"quantity":{"type":"integer","minimum":1,"maximum":4},"note":{"anyOf":[{"type":"string"},{"type":"null"}],"default":null}},"required":["sku","quantity"]}`,
		`{"type":"object","properties":{"order":{"type":"object","properties":{"items":{"type":"array","minItems":1,"items":{"$ref":"#/$defs/I"}}},"required":["items"]}},"$defs":{"I":{"type":"object","properties":{"sku":{"type":"string","maxLength":3},"sub":{"$ref":"#/$defs/I"}},"required":["sku"],"additionalProperties":false}}}`,
		`{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"},"k":{"enum":["x","y"]}},"oneOf":[{"required":["a"]},{"required":["b"]}],"if":{"properties":{"k":{"const":"x"}},"required":["k"]},"then":{"required":["z"]},"dependentRequired":{"a":["k"]},"patternProperties":{"^p_":{"type":"integer"}},"not":{"required":["c"]}}`,
	} {
		sch, err := Compile(json.RawMessage(s))
		if err != nil {
			t.Fatal(err)
		}
		c := sch.Contract(64)
		fmt.Println(string(c.Base), c.BaseReason, c.Truncated)
		for _, x := range c.List {
			fmt.Println("  ", x.ID, x.Keyword, x.Pointer, string(x.Arguments), string(x.Limit), x.Near)
		}
		for _, x := range c.Unsent {
			fmt.Println("  UNSENT", x)
		}
	}
}
