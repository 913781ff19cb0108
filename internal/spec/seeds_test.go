package spec

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/sealmark/action/internal/shared"
)

// seed is a message and the method of the request that it answers.
type seed struct{ raw, method string }

// written are messages that each show as many members as their shape has.
var written = []seed{
	{`{"jsonrpc":"2.0","id":1,"result":{"_meta":{"a/b":1},"protocolVersion":"2025-11-25","instructions":"i","serverInfo":{"name":"n","version":"1","title":"t","description":"d","websiteUrl":"https://example.org","icons":[{"src":"https://example.org/i.png","mimeType":"image/png","sizes":["48x48"],"theme":"dark"}]},"capabilities":{"experimental":{"x":{}},"logging":{},"completions":{},"prompts":{"listChanged":true},"resources":{"subscribe":true,"listChanged":false},"tools":{"listChanged":true},"tasks":{"list":{},"cancel":{},"requests":{"tools":{"call":{}}}}}}}`, "initialize"},
	{`{"jsonrpc":"2.0","id":"a","result":{"_meta":{}}}`, "ping"},
	{`{"jsonrpc":"2.0","id":1,"result":{}}`, "logging/setLevel"},
	{`{"jsonrpc":"2.0","id":1,"result":{"x":1}}`, "resources/subscribe"},
	{`{"jsonrpc":"2.0","id":1,"result":{}}`, ""},
	{`{"jsonrpc":"2.0","id":1,"result":{"_meta":{},"nextCursor":"c","tools":[{"name":"n","title":"t","description":"d","_meta":{},"icons":[{"src":"data:,","theme":"light"}],"execution":{"taskSupport":"optional"},"annotations":{"title":"t","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false},"inputSchema":{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"type":"string"}},"required":["a"]},"outputSchema":{"$schema":"x","type":"object","properties":{"b":{}},"required":["b"]}}]}}`, "tools/list"},
	{`{"jsonrpc":"2.0","id":1,"result":{"_meta":{},"nextCursor":"c","resources":[{"uri":"a:b","name":"n","title":"t","description":"d","mimeType":"text/plain","size":3,"_meta":{},"icons":[{"src":"data:,"}],"annotations":{"audience":["user","assistant"],"priority":0.5,"lastModified":"2025-01-01T00:00:00Z"}}]}}`, "resources/list"},
	{`{"jsonrpc":"2.0","id":1,"result":{"nextCursor":"c","resourceTemplates":[{"uriTemplate":"a:{b}","name":"n","title":"t","description":"d","mimeType":"text/plain","_meta":{},"annotations":{"audience":["user"],"priority":1}}]}}`, "resources/templates/list"},
	{`{"jsonrpc":"2.0","id":1,"result":{"contents":[{"uri":"a:b","mimeType":"text/plain","text":"t","_meta":{}},{"uri":"a:b","blob":"AA=="},{"uri":"a:b","blob":"AA==","text":"t"}]}}`, "resources/read"},
	{`{"jsonrpc":"2.0","id":1,"result":{"prompts":[{"name":"n","title":"t","description":"d","_meta":{},"icons":[{"src":"data:,"}],"arguments":[{"name":"a","title":"t","description":"d","required":true}]}]}}`, "prompts/list"},
	{`{"jsonrpc":"2.0","id":1,"result":{"description":"d","messages":[{"role":"user","content":{"type":"text","text":"t","_meta":{}}},{"role":"assistant","content":{"type":"image","data":"AA==","mimeType":"image/png","annotations":{"priority":0}}}]}}`, "prompts/get"},
	{`{"jsonrpc":"2.0","id":1,"result":{"completion":{"values":["a","b"],"total":2,"hasMore":false}}}`, "completion/complete"},
	{`{"jsonrpc":"2.0","id":1,"result":{"isError":false,"content":[{"type":"text","text":"t","annotations":{"audience":["user"],"priority":1}},{"type":"image","data":"AA==","mimeType":"image/png"},{"type":"resource","resource":{"uri":"a:b","text":"t","mimeType":"a/b"}}]}}`, "tools/call"},
	{`{"jsonrpc":"2.0","id":1,"result":{"structuredContent":{"a":1},"content":[{"type":"audio","data":"AA==","mimeType":"audio/wav","_meta":{}},{"type":"resource_link","uri":"a:b","name":"n","title":"t","size":1,"mimeType":"a/b","description":"d","icons":[{"src":"data:,"}]},{"type":"resource","_meta":{},"resource":{"uri":"a:b","blob":"AA=="}}]}}`, "tools/call"},
	{`{"jsonrpc":"2.0","id":1,"result":{"taskId":"t","status":"working","statusMessage":"s","createdAt":"c","lastUpdatedAt":"l","ttl":null,"pollInterval":5}}`, "tasks/get"},
	{`{"jsonrpc":"2.0","id":1,"result":{"taskId":"t","status":"cancelled","createdAt":"c","lastUpdatedAt":"l","ttl":1000}}`, "tasks/cancel"},
	{`{"jsonrpc":"2.0","id":1,"result":{"nextCursor":"c","tasks":[{"taskId":"t","status":"completed","createdAt":"c","lastUpdatedAt":"l","ttl":5}]}}`, "tasks/list"},
	{`{"jsonrpc":"2.0","id":1,"result":{"anything":[1],"_meta":{}}}`, "tasks/result"},
	{`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"m","data":{"a":1}}}`, "tools/call"},
	{`{"jsonrpc":"2.0","id":2,"method":"ping"}`, ""},
	{`{"jsonrpc":"2.0","id":"p","method":"ping","params":{"_meta":{"progressToken":"t"}}}`, ""},
	{`{"jsonrpc":"2.0","id":2,"method":"roots/list","params":{"_meta":{"progressToken":7}}}`, ""},
	{`{"jsonrpc":"2.0","id":2,"method":"custom/request","params":{"a":1,"_meta":{"progressToken":7}}}`, ""},
	{`{"jsonrpc":"2.0","id":2,"method":"sampling/createMessage","params":{"_meta":{"progressToken":1},"maxTokens":10,"includeContext":"none","metadata":{},"modelPreferences":{"hints":[{"name":"m"}],"costPriority":0.1,"speedPriority":0,"intelligencePriority":1},"stopSequences":["s"],"systemPrompt":"p","temperature":0.5,"messages":[{"role":"user","content":{"type":"text","text":"t"}},{"role":"user","content":{"type":"image","data":"AA==","mimeType":"image/png"}}]}}`, ""},
	{`{"jsonrpc":"2.0","id":2,"method":"sampling/createMessage","params":{"maxTokens":10,"task":{"ttl":5},"toolChoice":{"mode":"auto"},"tools":[{"name":"n","inputSchema":{"type":"object"}}],"messages":[{"role":"assistant","_meta":{},"content":[{"type":"tool_use","id":"i","name":"n","input":{},"_meta":{}},{"type":"tool_result","toolUseId":"i","isError":false,"structuredContent":{},"content":[{"type":"text","text":"t"}]}]},{"role":"user","content":{"type":"audio","data":"AA==","mimeType":"audio/wav"}}]}}`, ""},
	{`{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"mode":"form","message":"m","task":{},"requestedSchema":{"$schema":"x","type":"object","required":["a"],"properties":{"a":{"type":"string","title":"t","description":"d","format":"email","minLength":1,"maxLength":5,"default":"x"},"b":{"type":"integer","minimum":1,"maximum":2,"default":1},"c":{"type":"boolean","default":true},"d":{"type":"string","enum":["a"],"enumNames":["A"],"default":"a"}}}}}`, ""},
	{`{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"message":"m","requestedSchema":{"type":"object","properties":{"a":{"type":"string","oneOf":[{"const":"a","title":"A"}]},"b":{"type":"array","minItems":1,"maxItems":2,"default":["a"],"items":{"type":"string","enum":["a"]}},"c":{"type":"array","title":"t","items":{"anyOf":[{"const":"a","title":"A"}]}}}}}}`, ""},
	{`{"jsonrpc":"2.0","id":2,"method":"elicitation/create","params":{"mode":"url","message":"m","url":"https://example.org","elicitationId":"e"}}`, ""},
	{`{"jsonrpc":"2.0","id":2,"method":"tasks/get","params":{"taskId":"t"}}`, ""},
	{`{"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"t"}}`, ""},
	{`{"jsonrpc":"2.0","id":2,"method":"tasks/cancel","params":{"taskId":"t"}}`, ""},
	{`{"jsonrpc":"2.0","id":2,"method":"tasks/list","params":{"cursor":"c","_meta":{"progressToken":1}}}`, ""},
	{`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"t","progress":0.5,"total":1,"message":"m","_meta":{}}}`, ""},
	{`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","logger":"l","data":{"a":1},"_meta":{}}}`, ""},
	{`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"emergency","data":null}}`, ""},
	{`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1,"reason":"r","_meta":{}}}`, ""},
	{`{"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"uri":"a:b"}}`, ""},
	{`{"jsonrpc":"2.0","method":"notifications/resources/list_changed","params":{"_meta":{}}}`, ""},
	{`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`, ""},
	{`{"jsonrpc":"2.0","method":"notifications/prompts/list_changed","params":{}}`, ""},
	{`{"jsonrpc":"2.0","method":"notifications/elicitation/complete","params":{"elicitationId":"e","_meta":{}}}`, ""},
	{`{"jsonrpc":"2.0","method":"notifications/tasks/status","params":{"taskId":"t","status":"failed","createdAt":"c","lastUpdatedAt":"l","ttl":null,"_meta":{}}}`, ""},
	{`{"jsonrpc":"2.0","method":"notifications/of/ours","params":{"a":1,"_meta":{}}}`, ""},
}

func readJSON(t *testing.T, path string, into any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// recorded reads all messages of real servers: their replies as they came, and
// their list items, one list of one item each.
func recorded(t *testing.T) []seed {
	t.Helper()
	var seeds []seed
	truths, _ := filepath.Glob(filepath.Join(shared.Need(t, "corpus/groundtruth"), "*.json"))
	for _, path := range truths {
		var truth struct {
			Calls    []struct{ Raw string }
			Protocol map[string]struct {
				Sent, Raw string
				Replies   []any
			}
		}
		readJSON(t, path, &truth)
		for _, call := range truth.Calls {
			seeds = append(seeds, seed{call.Raw, "tools/call"})
		}
		for _, probe := range truth.Protocol {
			var sent struct{ Method any }
			json.Unmarshal([]byte(probe.Sent), &sent)
			method, _ := sent.Method.(string)
			seeds = append(seeds, seed{probe.Raw, method})
			for _, reply := range probe.Replies {
				if text, ok := reply.(string); ok {
					seeds = append(seeds, seed{text, ""})
				}
			}
		}
	}
	lists, _ := filepath.Glob(filepath.Join(shared.Need(t, "corpus/lists"), "*.json"))
	methods := map[string]string{"tools": "tools/list", "resources": "resources/list", "templates": "resources/templates/list", "prompts": "prompts/list"}
	for _, path := range lists {
		var list map[string]struct{ Items []json.RawMessage }
		readJSON(t, path, &list)
		for kind, l := range list {
			member := kind
			if kind == "templates" {
				member = "resourceTemplates"
			}
			for _, item := range l.Items {
				seeds = append(seeds, seed{fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":{%q:[%s]}}`, member, item), methods[kind]})
			}
		}
	}
	var whole []seed
	for _, s := range seeds {
		// Long replies were cut when they were recorded.
		if json.Valid([]byte(s.raw)) {
			whole = append(whole, s)
		}
	}
	if len(truths) == 0 || len(lists) == 0 || len(whole) < 1000 {
		t.Fatalf("%d files of replies, %d of lists, %d messages", len(truths), len(lists), len(whole))
	}
	return whole
}
