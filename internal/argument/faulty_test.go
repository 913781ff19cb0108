package argument

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestFaulty(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":"objekt"}`: true, `[]`: true, `{`: true, `{"properties":{"a":{"$ref":"#/$defs/none"}}}`: true, `{"required":"a"}`: true,
		`{"$ref":"https://example.com/x.json"}`: false, `{"$schema":"https://example.com/dialect"}`: false,
		strings.Repeat(`{"not":`, 70) + `{}` + strings.Repeat(`}`, 70): false,
		`{"maximum":1e9999}`: false, `{"description":"` + strings.Repeat("x", maxSchemaBytes) + `"}`: false,
	} {
		_, err := Compile(json.RawMessage(schema))
		if err == nil || Faulty(err) != want {
			t.Errorf("%.100s: %v is at fault: %v", schema, err, Faulty(err))
		}
	}
}
