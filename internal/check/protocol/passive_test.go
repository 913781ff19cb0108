package protocol

import (
	"encoding/json"
	"testing"

	"github.com/yosida95/uritemplate/v3"
)

func TestSaysRequired(t *testing.T) {
	tests := []struct {
		schema string
		want   bool
	}{
		{`{"description":"(required) The id."}`, true},
		{`{"description":"The id [REQUIRED]"}`, true},
		{`{"description":"**Required** The id."}`, true},
		{`{"description":"Required. The id."}`, true},
		{`{"description":"REQUIRED - the id"}`, true},
		{`{"description":"The id. This field is required."}`, true},
		{`{"description":"Required when no name is given."}`, false},
		{`{"description":"(required if name is empty)"}`, false},
		{`{"description":"(required) unless name is given"}`, false},
		{`{"description":"Required: either this or name."}`, false},
		{`{"description":"Required scope of access"}`, false},
		{`{"description":"The required scope."}`, false},
		{`{"description":"Optional. Not (required)."}`, false},
		{`{"description":"(required) The id.","default":"x"}`, false},
		{`{"description":""}`, false},
		{`{"description":7}`, false},
		{`true`, false},
	}
	for _, tt := range tests {
		if got := saysRequired(json.RawMessage(tt.schema)); got != tt.want {
			t.Errorf("%s: %v", tt.schema, got)
		}
	}
}

func TestLastWord(t *testing.T) {
	for name, want := range map[string]string{
		"command": "command", "shellCommand": "command", "run_script": "script", "shell-cmd": "cmd", "COMMAND": "command",
		"commandLine": "line", "description": "description", "scripture": "scripture", "": "", "__": "",
	} {
		if got := lastWord(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestFreeText(t *testing.T) {
	for schema, want := range map[string]bool{
		`{"type":"string"}`: true, `{}`: true, `true`: true, `{"type":["string","null"]}`: true,
		`{"type":"array","items":{"type":"string"}}`: true, `{"type":"array"}`: true,
		`{"type":"boolean"}`: false, `{"type":"integer"}`: false, `{"type":["null","boolean"]}`: false,
		`{"type":"string","enum":["status"]}`: false, `{"const":"status"}`: false, `false`: false,
		`{"type":"array","items":{"enum":["a"]}}`: false,
	} {
		if got := freeText(json.RawMessage(schema)); got != want {
			t.Errorf("%s: %v", schema, got)
		}
	}
}

func TestHintFault(t *testing.T) {
	for tool, faulty := range map[string]bool{
		`{}`: false, `{"annotations":{}}`: false, `{"annotations":{"title":"T","openWorldHint":false,"mine":7}}`: false,
		`{"annotations":null}`: true, `{"annotations":[]}`: true, `{"annotations":{"readOnlyHint":null}}`: true,
		`{"annotations":{"destructiveHint":"no"}}`: true, `{"annotations":{"title":7}}`: true,
	} {
		if got := hintFault(json.RawMessage(tool)); (got != "") != faulty {
			t.Errorf("%s: %q", tool, got)
		}
	}
}

func TestMime(t *testing.T) {
	for value, want := range map[string]bool{
		`"text/plain"`: true, `"text/plain; charset=utf-8"`: true, `"application/vnd.api+json"`: true, `"text/html;profile=mcp-app"`: true, `"image/*"`: true,
		`"markdown"`: false, `""`: false, `"/plain"`: false, `"text/"`: false, `"text/plain x"`: false, `7`: false, `null`: false,
	} {
		if got := mimeOK(json.RawMessage(value)); got != want {
			t.Errorf("%s: %v", value, got)
		}
	}
	if !mimeOK(nil) {
		t.Error("an absent media type is at fault")
	}
}

func TestSchemeOf(t *testing.T) {
	for uri, want := range map[string]string{
		"https://example.com/a": "https", "FILE:///a": "file", "note://a": "note", "urn:x:y": "urn", "db+pg://h/%zz": "db+pg", "scheme with space://x": "",
		"notes/a": "", "/a": "", "": "", "a b": "", "::": "",
	} {
		if got := schemeOf(uri); got != want {
			t.Errorf("%s: %q, want %q", uri, got, want)
		}
	}
}

func TestArgumentFault(t *testing.T) {
	for arguments, faulty := range map[string]bool{
		`[]`: false, `[{"name":"a"},{"name":"b","required":true}]`: false,
		`{}`: true, `null`: true, `[{}]`: true, `[{"name":""}]`: true, `[{"name":"a"},{"name":"a"}]`: true, `[{"name":"a","required":"yes"}]`: true, `[7]`: true,
	} {
		if got := argumentFault(json.RawMessage(arguments)); (got != "") != faulty {
			t.Errorf("%s: %q", arguments, got)
		}
	}
	if argumentFault(nil) != "" {
		t.Error("absent arguments are at fault")
	}
}

// TestTemplates: what the library takes for a URI template is what RFC 6570
// has.
func TestTemplates(t *testing.T) {
	for template, want := range map[string]bool{
		"note://{id}": true, "{+path}": true, "https://example.com{/segments*}{?q,page}": true, "note://{a.b}": true, "note://plain": true, "note://{id:3}": true,
		"note://{id": false, "note://id}": false, "note://{user-id}": false, "note://{}": false, "note://{a b}": false,
	} {
		if _, err := uritemplate.New(template); (err == nil) != want {
			t.Errorf("%s: %v", template, err)
		}
	}
}
