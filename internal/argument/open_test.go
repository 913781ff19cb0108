package argument

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestOpen(t *testing.T) {
	const schema = `{"type":"object","$defs":{"free":{"type":"object","additionalProperties":{"type":"string"}},"plain":{"type":"object","properties":{"x":{"type":"string"}}}},
		"properties":{"free":{"$ref":"#/$defs/free"},"plain":{"$ref":"#/$defs/plain"},"list":{"type":"array","items":{"$ref":"#/$defs/plain"}},
		"any":{"type":"object"},"closed":{"type":"object","properties":{"x":{}},"additionalProperties":false},"match":{"type":"object","properties":{"x":{}},"patternProperties":{"^y":{}}}}}`
	for _, tt := range []struct {
		schema string
		path   []string
		want   bool
	}{
		{schema, nil, false},
		{`{"type":"object","additionalProperties":true}`, nil, true},
		{`{"type":"object","additionalProperties":false}`, nil, false},
		{`{"type":"object"}`, nil, false},
		{schema, []string{"free"}, true},
		{schema, []string{"plain"}, false},
		{schema, []string{"list", Item}, false},
		{schema, []string{"any"}, true},
		{schema, []string{"closed"}, false},
		{schema, []string{"match"}, true},
		{schema, []string{"nowhere"}, true},
	} {
		if got := Open(json.RawMessage(tt.schema), tt.path...); got != tt.want {
			t.Errorf("%s %q: %v", tt.schema, tt.path, got)
		}
	}
}

func TestBoundaries(t *testing.T) {
	const schema = `{"type":"object","properties":{
		"count":{"type":"integer","minimum":1,"maximum":4},"page":{"type":"integer","minimum":1},"size":{"type":"integer","maximum":1000000},
		"color":{"enum":["red","green","blue","grey"]},"wait_seconds":{"type":"number","maximum":3600},"odd":{"type":"integer","minimum":1,"multipleOf":2},"name":{"type":"string"}},"required":["count"]}`
	tests := []struct {
		base string
		want []string
	}{
		{`{"count":2,"name":"n"}`, []string{`count minimum {"count":1,"name":"n"}`, `count maximum {"count":4,"name":"n"}`}},
		{`{"count":1,"color":"red","page":1,"size":5,"wait_seconds":1,"odd":2}`, []string{
			`color enum {"color":"green","count":1,"odd":2,"page":1,"size":5,"wait_seconds":1}`,
			`color enum {"color":"blue","count":1,"odd":2,"page":1,"size":5,"wait_seconds":1}`,
			`count maximum {"color":"red","count":4,"odd":2,"page":1,"size":5,"wait_seconds":1}`}},
		{`{"count":9}`, nil},
	}
	for _, tt := range tests {
		var got []string
		for _, b := range Boundaries(json.RawMessage(schema), json.RawMessage(tt.base)) {
			got = append(got, b.Name+" "+b.Kind+" "+string(b.Arguments))
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %q, want %q", tt.base, got, tt.want)
		}
	}
}
