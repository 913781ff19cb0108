package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/shared"
)

// official judges messages by the published schema of a revision. It shares
// nothing with the shapes that it is held against.
type official struct {
	revision string
	// method is that of the last message judged.
	method   string
	message  *jsonschema.Schema
	request  *jsonschema.Schema
	byMethod map[string]*jsonschema.Schema
	results  map[string]*jsonschema.Schema
}

// resultNames are the definitions of results by the method of the request.
var resultNames = map[string]string{
	"initialize": "InitializeResult", "ping": "EmptyResult", "logging/setLevel": "EmptyResult", "resources/subscribe": "EmptyResult", "resources/unsubscribe": "EmptyResult",
	"tools/list": "ListToolsResult", "tools/call": "CallToolResult",
	"resources/list": "ListResourcesResult", "resources/templates/list": "ListResourceTemplatesResult", "resources/read": "ReadResourceResult",
	"prompts/list": "ListPromptsResult", "prompts/get": "GetPromptResult", "completion/complete": "CompleteResult",
	"tasks/get": "GetTaskResult", "tasks/cancel": "CancelTaskResult", "tasks/list": "ListTasksResult", "tasks/result": "GetTaskPayloadResult",
}

func loadOfficial(t *testing.T, revision string) *official {
	t.Helper()
	data, err := os.ReadFile(shared.Need(t, "schemas/"+revision+".json"))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	// Formats are annotations unless a validator is told to assert them; the
	// draft-07 files would have it assert them here.
	for _, name := range []string{"uri", "uri-template", "byte"} {
		compiler.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	if err := compiler.AddResource("official:x", doc); err != nil {
		t.Fatal(err)
	}
	section := "definitions"
	all, ok := doc.(map[string]any)[section].(map[string]any)
	if !ok {
		section = "$defs"
		all = doc.(map[string]any)[section].(map[string]any)
	}
	get := func(name string) *jsonschema.Schema {
		if all[name] == nil {
			return nil
		}
		schema, err := compiler.Compile("official:x#/" + section + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return schema
	}
	o := &official{revision: revision, message: get("JSONRPCMessage"), request: get("JSONRPCRequest"), byMethod: map[string]*jsonschema.Schema{}, results: map[string]*jsonschema.Schema{}}
	for method, name := range resultNames {
		if schema := get(name); schema != nil {
			o.results[method] = schema
		}
	}
	for _, union := range []string{"ServerRequest", "ServerNotification"} {
		for _, ref := range all[union].(map[string]any)["anyOf"].([]any) {
			name := filepath.Base(ref.(map[string]any)["$ref"].(string))
			method := all[name].(map[string]any)["properties"].(map[string]any)["method"].(map[string]any)["const"].(string)
			o.byMethod[method] = get(name)
		}
	}
	return o
}

// valid is the published verdict on a message.
func (o *official) valid(value any, method string) bool {
	o.method = method
	if o.message.Validate(value) != nil {
		return false
	}
	message, ok := value.(map[string]any)
	if !ok {
		return true
	}
	if m, ok := message["method"].(string); ok {
		schema := o.byMethod[m]
		return schema == nil || schema.Validate(value) == nil
	}
	schema := o.results[method]
	result, ok := message["result"]
	return !ok || schema == nil || schema.Validate(result) == nil
}

// difference is a kind of message on which we differ from the published schema
// on purpose.
type difference struct {
	name, reason string
	// ours is our verdict: true for valid.
	ours    bool
	applies func(o *official, message map[string]any) bool
}

// keywords reports whether each violation that we see is of the keyword.
func keywords(o *official, m map[string]any, keyword string) bool {
	raw, _ := json.Marshal(m)
	ours, _ := For(o.revision)
	violations := ours.Message(raw, o.method)
	return !slices.ContainsFunc(violations, func(v Violation) bool { return v.Keyword != keyword })
}

func has(message map[string]any, name string) bool { _, ok := message[name]; return ok }

var differences = []difference{
	{"result and error", "exactly one of both is allowed (Base protocol, Responses); the schema leaves other members open", false,
		func(_ *official, m map[string]any) bool {
			return has(m, "result") && has(m, "error") && !has(m, "method")
		}},
	{"request that only passes as a notification", "a notification has no id (Base protocol, Notifications), so a message with an id has to be a request; the schema sees a notification with one more member", false,
		func(o *official, m map[string]any) bool {
			return has(m, "method") && has(m, "id") && o.request.Validate(m) != nil
		}},
	{"error without a usable id", "JSON-RPC 2.0, section 5, answers an unreadable request with the id null; revisions up to 2025-06-18 have no other form for it, and later ones leave the id out", true,
		func(_ *official, m map[string]any) bool {
			return has(m, "error") && m["id"] == nil && !has(m, "method")
		}},
	{"base64", "the schema gives the format byte, and prose (Server features, Resources, Security considerations) that binary data is encoded properly; the published schema is used without formats", false,
		func(o *official, m map[string]any) bool { return keywords(o, m, "format") }},
	{"key of _meta", "the prose gives a grammar for keys since 2025-06-18 (Base protocol, _meta); the schema takes any", false,
		func(o *official, m map[string]any) bool {
			return o.revision >= "2025-06-18" && keywords(o, m, "propertyNames")
		}},
	{"request without an id", "without an id it is a notification that has no rule of its own", true,
		func(_ *official, m map[string]any) bool { return has(m, "method") && !has(m, "id") }},
}

// TestOfficial holds our verdicts against the published schemas: on each
// message that a real server sent, on a written one for each shape, and on
// mutations of both.
func TestOfficial(t *testing.T) {
	shared.Need(t, "schemas")
	seeds := append(slices.Clone(written), recorded(t)...)
	used := map[string]int{}
	for _, revision := range Revisions {
		o := loadOfficial(t, revision)
		ours, _ := For(revision)
		judged, invalid, failed := 0, 0, 0
		compare := func(value any, method, what string) {
			raw, err := json.Marshal(value)
			if err != nil {
				t.Fatal(err)
			}
			judged++
			want, violations := o.valid(value, method), ours.Message(raw, method)
			got := len(violations) == 0
			if !want {
				invalid++
			}
			if got == want {
				return
			}
			message, _ := value.(map[string]any)
			for _, d := range differences {
				if message != nil && d.ours == got && d.applies(o, message) {
					used[d.name]++
					return
				}
			}
			if failed++; failed <= 10 {
				t.Errorf("%s, answer to %q, %s: official %t, ours %t %v\n%.600s", revision, method, what, want, got, violations, raw)
			}
		}
		seen := map[string]bool{}
		for _, s := range seeds {
			value := parse(t, s.raw)
			compare(value, s.method, "as it came")
			shape := s.method + shapeOf(value)
			if seen[shape] {
				continue
			}
			seen[shape] = true
			mutate(value, func(what string) { compare(value, s.method, what) })
		}
		t.Logf("%s: %d messages judged, %d of them invalid", revision, judged, invalid)
		if judged < 10_000 || invalid < 1000 {
			t.Errorf("%s: only %d messages were judged, %d of them invalid", revision, judged, invalid)
		}
	}
	for _, d := range differences {
		if used[d.name] == 0 {
			t.Errorf("no message shows the difference %q", d.name)
		}
	}
}

func parse(t *testing.T, raw string) any {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(raw))
	if err != nil {
		t.Fatalf("%v: %s", err, raw)
	}
	return value
}

// shapeOf writes names and types without values, so that messages alike are
// mutated once. Of long texts and big lists the first items count.
func shapeOf(value any) string {
	switch v := value.(type) {
	case map[string]any:
		var b strings.Builder
		b.WriteByte('{')
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if name == "properties" || name == "$defs" || name == "structuredContent" {
				b.WriteString(name)
				continue
			}
			fmt.Fprintf(&b, "%s:%s,", name, shapeOf(v[name]))
		}
		return b.String() + "}"
	case []any:
		if len(v) == 0 {
			return "[]"
		}
		return "[" + shapeOf(v[0]) + "]"
	}
	return fmt.Sprintf("%T", value)
}

// replacements are put in the place of each value.
var replacements = []any{nil, true, json.Number("7"), json.Number("-1"), json.Number("1.5"), "sm-other", []any{}, []any{"x"}, map[string]any{}}

// mutate calls yield with each mutation of the message in place, and leaves it
// as it was. The order is fixed.
func mutate(root any, yield func(what string)) {
	const most = 40 // places of one message
	places := 0
	var walk func(at string, value any, set func(any))
	walk = func(at string, value any, set func(any)) {
		if places++; places > most {
			return
		}
		if at != "" {
			for _, r := range replacements {
				set(r)
				yield(fmt.Sprintf("%s = %v", at, r))
			}
			set(value)
		}
		switch v := value.(type) {
		case map[string]any:
			v["sm-added"] = json.Number("1")
			yield(at + " with one more member")
			delete(v, "sm-added")
			v["_sm"] = json.Number("1")
			yield(at + " with an odd member")
			delete(v, "_sm")
			for i, name := range slices.Sorted(maps.Keys(v)) {
				member := v[name]
				delete(v, name)
				yield(at + " without " + name)
				v[name] = member
				if i == 2 && strings.HasSuffix(at, "/properties") {
					break // the rest of the names that a server chose
				}
				walk(at+"/"+rawjson.Escape(name), member, func(r any) { v[name] = r })
			}
			if at == "" {
				for _, name := range []string{"result", "error", "id"} {
					if !has(v, name) {
						v[name] = map[string]any{"code": json.Number("1"), "message": "m"}
						yield("with " + name)
						delete(v, name)
					}
				}
			}
		case []any:
			for i := range min(len(v), 2) {
				walk(fmt.Sprintf("%s/%d", at, i), v[i], func(r any) { v[i] = r })
			}
		}
	}
	walk("", root, nil)
}
