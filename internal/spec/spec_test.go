package spec

import (
	"strings"
	"testing"
)

func TestMessage(t *testing.T) {
	tests := []struct {
		name, revision, raw, method string
		want                        []Violation
	}{
		{"ping", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":{}}`, "ping", nil},
		{"empty list", "2024-11-05", `{"jsonrpc":"2.0","id":"a","result":{"tools":[]}}`, "tools/list", nil},
		{"list of null", "2024-11-05", `{"jsonrpc":"2.0","id":1,"result":{"tools":null}}`, "tools/list", []Violation{{Pointer: "/result/tools", Keyword: "type", Text: "must be array, is null"}}},
		{"null cursor", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":{"tools":[],"nextCursor":null}}`, "tools/list", []Violation{{Pointer: "/result/nextCursor", Keyword: "type", Text: "must be string, is null"}}},
		{"no jsonrpc", "2025-11-25", `{"id":1,"result":{}}`, "ping", []Violation{{Keyword: "required", Text: `lacks the member "jsonrpc"`, Member: "jsonrpc"}}},
		{"result array", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":[]}`, "ping", []Violation{{Pointer: "/result", Keyword: "type", Text: "must be object, is array"}}},
		{"both", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":"x"}}`, "ping", []Violation{{Keyword: "oneOf", Text: "has both a result and an error"}}},
		{"neither", "2025-11-25", `{"jsonrpc":"2.0","id":1}`, "ping", []Violation{{Keyword: "oneOf", Text: "has neither a method, nor a result, nor an error"}}},
		{"scalar", "2025-11-25", `7`, "ping", []Violation{{Keyword: "type", Text: "must be object, is number"}}},
		{"no JSON", "2025-11-25", `{`, "ping", []Violation{{Keyword: "format", Text: "is not JSON"}}},
		{"trailing", "2025-11-25", `{} {}`, "ping", []Violation{{Keyword: "format", Text: "is not JSON"}}},
		{"null id of a result", "2025-11-25", `{"jsonrpc":"2.0","id":null,"result":{}}`, "ping", []Violation{{Pointer: "/id", Keyword: "type", Text: "must be integer or string, is null"}}},
		{"null id of an error", "2024-11-05", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}`, "", nil},
		{"no id on an error", "2025-11-25", `{"jsonrpc":"2.0","error":{"code":-32700,"message":"x"}}`, "", nil},
		{"code string", "2025-11-25", `{"jsonrpc":"2.0","id":1,"error":{"code":"E","message":"x"}}`, "", []Violation{{Pointer: "/error/code", Keyword: "type", Text: "must be integer, is string"}}},
		{"code 1.0", "2025-11-25", `{"jsonrpc":"2.0","id":1,"error":{"code":-1.0,"message":"x"}}`, "", nil},
		{"code huge", "2025-11-25", `{"jsonrpc":"2.0","id":1,"error":{"code":1e999999999,"message":"x"}}`, "", nil},
		{"code tiny", "2025-11-25", `{"jsonrpc":"2.0","id":1,"error":{"code":1e-999999999,"message":"x"}}`, "", []Violation{{Pointer: "/error/code", Keyword: "type", Text: "must be integer, is number"}}},
		{"priority huge", "2025-11-25", `{"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"a:b","name":"n","annotations":{"priority":1e999999999}}]}}`, "resources/list", []Violation{{Pointer: "/result/resources/0/annotations/priority", Keyword: "maximum", Text: "is above 1"}}},
		{"audio is new", "2024-11-05", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"audio","data":"","mimeType":"a/b"}]}}`, "tools/call", []Violation{{Pointer: "/result/content/0/type", Keyword: "enum", Text: `must be one of "text", "image", "resource"`}}},
		{"audio is known", "2025-03-26", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"audio","data":"","mimeType":"a/b"}]}}`, "tools/call", nil},
		{"link without name", "2025-06-18", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"resource_link","uri":"a:b"}]}}`, "tools/call", []Violation{{Pointer: "/result/content/0", Keyword: "required", Text: `lacks the member "name"`, Member: "name"}}},
		{"no type", "2025-06-18", `{"jsonrpc":"2.0","id":1,"result":{"content":[{"text":"x"}]}}`, "tools/call", []Violation{{Pointer: "/result/content/0", Keyword: "required", Text: `lacks the member "type"`, Member: "type"}}},
		{"neither text nor blob", "2025-06-18", `{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"a:b"}]}}`, "resources/read", []Violation{{Pointer: "/result/contents/0", Keyword: "anyOf", Text: "has none of the allowed shapes"}}},
		{"escaped pointer", "2025-06-18", `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a/b~c":true}}}]}}`, "tools/list", []Violation{{Pointer: "/result/tools/0/inputSchema/properties/a~1b~0c", Keyword: "type", Text: "must be object, is boolean"}}},
		{"unknown notification", "2025-06-18", `{"jsonrpc":"2.0","method":"notifications/of-ours","params":{"a":1}}`, "", nil},
		{"params array", "2025-06-18", `{"jsonrpc":"2.0","method":"notifications/of-ours","params":[1]}`, "", []Violation{{Pointer: "/params", Keyword: "type", Text: "must be object, is array"}}},
		{"unknown level", "2025-06-18", `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"warn","data":1}}`, "", []Violation{{Pointer: "/params/level", Keyword: "enum", Text: `must be one of "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"`}}},
		{"task status before tasks", "2025-06-18", `{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{}}`, "", nil},
		{"method of the request does not count for a request", "2025-06-18", `{"jsonrpc":"2.0","id":4,"method":"roots/list"}`, "tools/list", nil},
		{"blob of the URL alphabet", "2025-06-18", `{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"a:b","blob":"-_8="}]}}`, "resources/read", []Violation{{Pointer: "/result/contents/0/blob", Keyword: "format", Text: "is no base64"}}},
		{"blob without padding, in lines", "2025-06-18", `{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"a:b","blob":"AAAA\r\nAA"}]}}`, "resources/read", nil},
		{"empty blob", "2024-11-05", `{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"a:b","blob":""}]}}`, "resources/read", nil},
		{"keys of _meta", "2025-06-18", `{"jsonrpc":"2.0","id":1,"result":{"_meta":{"a":1,"example.com/b.c_d-e":1,"com.example-x/":1,"":1,"progressToken":2}}}`, "ping", nil},
		{"odd key of _meta", "2025-06-18", `{"jsonrpc":"2.0","id":1,"result":{"_meta":{"_a":1,"b c":1,"1x/a":1}}}`, "ping", []Violation{{Pointer: "/result/_meta", Keyword: "propertyNames", Text: "has a key that is no name, with or without a prefix"}}},
		{"odd key of _meta before there was a grammar", "2025-03-26", `{"jsonrpc":"2.0","id":1,"result":{"_meta":{"_a":1}}}`, "ping", nil},
		{"batch", "2025-03-26", `[{"jsonrpc":"2.0","id":1,"result":{}},{"jsonrpc":"2.0","id":2,"result":1}]`, "", []Violation{{Pointer: "/1/result", Keyword: "type", Text: "must be object, is number"}}},
		{"batch of a later revision", "2025-06-18", `[{"jsonrpc":"2.0","id":1,"result":{}}]`, "", []Violation{{Keyword: "type", Text: "must be object, is array"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, ok := For(tt.revision)
			if !ok {
				t.Fatal("unknown revision")
			}
			got := s.Message([]byte(tt.raw), tt.method)
			if len(got) != len(tt.want) {
				t.Fatalf("got %+v, want %+v", got, tt.want)
			}
			for i := range got {
				if got[i] != tt.want[i] {
					t.Errorf("got %+v, want %+v", got[i], tt.want[i])
				}
			}
		})
	}
}

// TestManyOfOneKind: many violations of one kind do not hide another.
func TestManyOfOneKind(t *testing.T) {
	s, _ := For("2025-11-25")
	tools := strings.Repeat(`{"name":"n","inputSchema":{"type":"object"},"title":1},`, 50)
	got := s.Message([]byte(`{"jsonrpc":"2.0","id":1,"result":{"tools":[`+tools+`{"name":7,"inputSchema":{"type":"object"}}]}}`), "tools/list")
	if len(got) != 4 || got[2].Pointer != "/result/tools/10/title" || got[3].Pointer != "/result/tools/50/name" {
		t.Errorf("%+v", got)
	}
}

func TestFor(t *testing.T) {
	for _, revision := range []string{"", "2026-07-28", "1999-01-01"} {
		if _, ok := For(revision); ok {
			t.Errorf("%q is known", revision)
		}
	}
}

func TestPlace(t *testing.T) {
	s, _ := For("2025-11-25")
	for pointer, want := range map[string]string{
		"": "",
		"/result/tools/12/inputSchema/properties/a~1b": "/result/tools/*/inputSchema/properties/*",
		"/result/serverInfo/name":                      "/result/serverInfo/name",
	} {
		if got := s.Place(pointer); got != want {
			t.Errorf("%q: %q, want %q", pointer, got, want)
		}
	}
}
