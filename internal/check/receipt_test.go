package check

import (
	"encoding/json"
	"testing"

	"github.com/sealmark/action/internal/reply"
)

func TestMismatch(t *testing.T) {
	const result = `{"content":[{"type":"text","text":"done"}],"structuredContent":{"quantity":2,"items":[{"sku":"a/b"}],"a/b":{"~":1},"none":null,"":5}}`
	tests := []struct{ result, pointer, want, at string }{
		{result, "/quantity", `2`, ""},
		{result, "/quantity", `2.0`, ""},
		{result, "/quantity", `"2"`, "/quantity"},
		{result, "/quantity", `3`, "/quantity"},
		{result, "/items/0/sku", `"a/b"`, ""},
		{result, "/items/1/sku", `"a/b"`, "/items/1/sku"},
		{result, "/items/x", `1`, "/items/x"},
		{result, "/items", `[{"sku":"a/b"}]`, ""},
		{result, "/a~1b/~0", `1`, ""},
		{result, "/none", `null`, ""},
		{result, "/nothing", `null`, "/nothing"},
		{result, "/", `5`, ""},
		{`{"content":[{"type":"text","text":" {\"quantity\": 2}"}]}`, "/quantity", `2`, ""},
		{`{"content":[{"type":"text","text":"2"}]}`, "/quantity", `2`, "/quantity"},
		{`{"content":5}`, "/quantity", `2`, "/quantity"},
		{`{"structuredContent":{"a":1}}`, "", `{"a":1}`, ""},
	}
	for _, tt := range tests {
		c := Call{Answer: reply.Answer{Kind: reply.Answered, Result: json.RawMessage(tt.result)}, Confirmed: true, Want: map[string]json.RawMessage{tt.pointer: json.RawMessage(tt.want)}}
		m := c.Mismatch()
		if (m == nil) != (tt.at == "") && tt.pointer != "" || m != nil && m.Pointer != tt.at {
			t.Errorf("%s at %q: %+v", tt.result, tt.pointer, m)
		}
	}
	refused := Call{Answer: reply.Answer{Kind: reply.Answered, Result: json.RawMessage(result)}, Want: map[string]json.RawMessage{"/x": json.RawMessage(`1`)}, Reading: reply.Reading{Decision: reply.Rejected}}
	if m := refused.Mismatch(); m != nil {
		t.Errorf("a refusal is held against its request: %+v", m)
	}
}
