package protocol

import (
	"testing"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/session"
	schemas "github.com/sealmark/action/internal/spec"
)

// TestOwned: what a narrower rule reports is not reported again, and what lies
// beside it is.
func TestOwned(t *testing.T) {
	s, _ := schemas.For("2025-11-25")
	tests := []struct {
		name, method, raw string
		want              bool
	}{
		{"no version", "initialize", `{"protocolVersion":7,"capabilities":{},"serverInfo":{"name":"n","version":"1"}}`, true},
		{"no server", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{}}`, true},
		{"server without a name", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"version":"1"}}`, true},
		{"icons of the server", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"n","version":"1","icons":[{}]}}`, false},
		{"title of the server", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"n","version":"1","title":1}}`, false},
		{"no capabilities", "initialize", `{"protocolVersion":"2025-11-25","serverInfo":{"name":"n","version":"1"}}`, false},
		{"a capability", "initialize", `{"protocolVersion":"2025-11-25","capabilities":{"tools":true},"serverInfo":{"name":"n","version":"1"}}`, false},
		{"no input schema", "tools/list", `{"tools":[{"name":"n"}]}`, true},
		{"input schema of no object", "tools/list", `{"tools":[{"name":"n","inputSchema":{"type":"string"}}]}`, true},
		{"input schema without a type", "tools/list", `{"tools":[{"name":"n","inputSchema":{}}]}`, true},
		{"required of a schema", "tools/list", `{"tools":[{"name":"n","inputSchema":{"type":"object","required":"a"}}]}`, true},
		{"a number as schema of an argument", "tools/list", `{"tools":[{"name":"n","inputSchema":{"type":"object","properties":{"a":1}}}]}`, true},
		{"a boolean as schema of an argument", "tools/list", `{"tools":[{"name":"n","inputSchema":{"type":"object","properties":{"a":true}}}]}`, true},
		{"output schema", "tools/list", `{"tools":[{"name":"n","inputSchema":{"type":"object"},"outputSchema":[]}]}`, true},
		{"annotations", "tools/list", `{"tools":[{"name":"n","inputSchema":{"type":"object"},"annotations":{"readOnlyHint":"yes"}}]}`, true},
		{"icons", "tools/list", `{"tools":[{"name":"n","inputSchema":{"type":"object"},"icons":{}}]}`, true},
		{"a tool without a name", "tools/list", `{"tools":[{"inputSchema":{"type":"object"}}]}`, false},
		{"description", "tools/list", `{"tools":[{"name":"n","description":null,"inputSchema":{"type":"object"}}]}`, false},
		{"media type", "resources/list", `{"resources":[{"uri":"a:b","name":"n","mimeType":1}]}`, true},
		{"priority", "resources/list", `{"resources":[{"uri":"a:b","name":"n","annotations":{"priority":2}}]}`, false},
		{"argument of a prompt", "prompts/list", `{"prompts":[{"name":"n","arguments":[{}]}]}`, true},
		{"title of an argument", "prompts/list", `{"prompts":[{"name":"n","arguments":[{"name":"a","title":1}]}]}`, false},
		{"required of an argument", "prompts/list", `{"prompts":[{"name":"n","arguments":[{"name":"a","required":"yes"}]}]}`, true},
		{"no content", "tools/call", `{}`, true},
		{"content", "tools/call", `{"content":[{"type":"image"}]}`, true},
		{"annotations of content", "tools/call", `{"content":[{"type":"text","text":"x","annotations":null}]}`, false},
		{"meta of content", "tools/call", `{"content":[{"type":"text","text":"x","_meta":null}]}`, false},
		{"meta of a resource", "tools/call", `{"content":[{"type":"resource","resource":{"uri":"a:b","text":"x","_meta":7}}]}`, false},
		{"priority of content", "tools/call", `{"content":[{"type":"text","text":"x","annotations":{"priority":7}}]}`, false},
		{"structured content", "tools/call", `{"content":[],"structuredContent":[]}`, false},
		{"isError", "tools/call", `{"content":[],"isError":1}`, false},
		{"no contents", "resources/read", `{}`, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			violations := s.Message([]byte(`{"jsonrpc":"2.0","id":1,"result":`+tt.raw+`}`), tt.method)
			if len(violations) == 0 {
				t.Fatal("no violation")
			}
			for _, v := range violations {
				at := check.BreachAt{Kind: check.BreachShape, Method: tt.method, Place: s.Place(v.Pointer), Keyword: v.Keyword, Text: v.Text}
				if got := owned(at); got != tt.want {
					t.Errorf("%+v: owned %t, want %t", at, got, tt.want)
				}
			}
		})
	}
}

// TestOutputOwned: structured content that is no object is left to narrower
// rules only where the tool declares an output schema.
func TestOutputOwned(t *testing.T) {
	p := &readings{env: &check.Env{Snapshot: &session.Snapshot{Tools: []session.Tool{{Name: "plain"}, {Name: "typed", OutputSchema: []byte(`{"type":"array"}`)}}}}}
	at := check.BreachAt{Kind: check.BreachShape, Method: "tools/call", Place: "/result/structuredContent", Keyword: "type"}
	for _, tt := range []struct {
		items []string
		want  bool
	}{
		{[]string{"tool:typed"}, true},
		{[]string{"tool:plain"}, false},
		{[]string{"tool:plain", "tool:typed"}, false},
		{nil, false},
	} {
		if got := p.outputOwned(at, check.Breach{Items: tt.items}); got != tt.want {
			t.Errorf("%q: %t", tt.items, got)
		}
	}
}

func TestSameResource(t *testing.T) {
	tests := []struct {
		want, got string
		same      bool
	}{
		{"book://one", "book://one", true},
		{"book://one", "book://one/", true},
		{"book://one/", "book://one/chapter", true},
		{"file:///a b", "file:///a%20b", true},
		{"BOOK://One", "book://one", true},
		{"book://one", "", true},
		{"book://one", "book://two", false},
		{"book://one", "book://one-more", false},
	}
	for _, tt := range tests {
		if got := sameResource(tt.want, tt.got); got != tt.same {
			t.Errorf("%q and %q: %t", tt.want, tt.got, got)
		}
	}
}

func TestDeclared(t *testing.T) {
	tests := []struct {
		capabilities, path string
		want               bool
	}{
		{`{"logging":{}}`, "logging", true},
		{`{"logging":null}`, "logging", false},
		{`{}`, "logging", false},
		{`{"resources":{"subscribe":true}}`, "resources.subscribe", true},
		{`{"resources":{"subscribe":false}}`, "resources.subscribe", false},
		{`{"resources":{}}`, "resources.subscribe", false},
		{`7`, "logging", false},
	}
	for _, tt := range tests {
		if got := declared([]byte(tt.capabilities), tt.path); got != tt.want {
			t.Errorf("%s %s: %t", tt.capabilities, tt.path, got)
		}
	}
}
