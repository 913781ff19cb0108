package config

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sealmark/action/internal/rule"
)

func compile(t *testing.T, checks []rule.Check) *jsonschema.Schema {
	t.Helper()
	data, err := Schema(checks)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("sealmark.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("sealmark.json")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSchemaWithoutChecks(t *testing.T) {
	s := compile(t, nil)
	if err := s.Validate(map[string]any{"lanes": 2}); err != nil {
		t.Error(err)
	}
}

// What Parse takes the schema takes, and what Parse refuses it refuses.
func TestSchemaAgreesWithParse(t *testing.T) {
	schema := compile(t, catalog())
	tests := []struct {
		in    string
		takes bool
	}{
		{"{}", true},
		{"server:\nchecks:\nrules:", true},
		{"server: {command: node x.js}", true},
		{"server: {command: [node, x.js, 3, true, 1.5]}", true},
		{"server: {url: 'http://x/', env: {A: b, C: 1, D: true}, working_directory: x}", true},
		{"server: {env: }", true},
		{"server: {command: []}", false},
		{"server: {command: ''}", false},
		{"server: {command: ' '}", false},
		{"server: {command: 3}", false},
		{"server: {command: null}", false},
		{"server: {command: [a, null]}", false},
		{"server: {command: [a, [b]]}", false},
		{"server: {command: {a: b}}", false},
		{"server: {url: 3}", false},
		{"server: {url: null}", false},
		{"server: {env: [A]}", false},
		{"server: {env: {A: null}}", false},
		{"server: {env: {A: [b]}}", false},
		{"server: {env: {'A B': x}}", false},
		{"server: {env: {'': x}}", false},
		{"server: {other: x}", false},
		{"server: [x]", false},
		{"standard: true", true},
		{"standard: 'true'", false},
		{"standard: null", false},
		{"timeout_sec: 600", true},
		{"timeout_sec: 0.5", true},
		{"timeout_sec: 10m", true},
		{"timeout_sec: 1h2m3.5s", true},
		{"timeout_sec: '30'", true},
		{"timeout_sec: 86400", true},
		{"timeout_sec: 86401", false},
		{"timeout_sec: 0", false},
		{"timeout_sec: 0s", false},
		{"timeout_sec: '0.0'", false},
		{"timeout_sec: -1", false},
		{"timeout_sec: -1s", false},
		{"timeout_sec: soon", false},
		{"timeout_sec: 1 s", false},
		{"timeout_sec: true", false},
		{"timeout_sec: [1]", false},
		{"timeout_sec: null", false},
		{"timeout_start_sec: 3\ntimeout_probe_sec: 500ms", true},
		{"lanes: 0", true},
		{"lanes: 64", true},
		{"lanes: 4.0", true},
		{"lanes: 65", false},
		{"lanes: -1", false},
		{"lanes: 1.5", false},
		{"server: {build: npm ci && npm run build, build_env: {A: 1}}", true},
		{"server: {build: [npm ci, [npm, run, build]]}", true},
		{"server: {build: []}", true},
		{"server: {build: }", true},
		{"server: {build: ''}", false},
		{"server: {build: [[]]}", false},
		{"server: {build: {a: b}}", false},
		{"servers: all", true},
		{"servers: some", false},
		{"servers: [{name: a, command: x, url: 'http://x', env: {A: b}, build: x, working_directory: '.'}, {name: b}]", true},
		{"servers: [{command: x}]", false},
		{"servers: [{name: ../x}]", false},
		{"servers: [{name: a, standard: true}]", false},
		{"servers: {}", false},
		{"servers: []", true},
		{"servers: ", true},
		{"lanes: '1'", false},
		{"active_probes: full", true},
		{"active_probes: Full", false},
		{"fail_on: never", true},
		{"fail_on: ''", false},
		{"fail_on: null", false},
		{"min_score: 99.5", true},
		{"min_score: 100.5", false},
		{"min_score: '99'", false},
		{"min_grade: A", true},
		{"min_grade: ''", true},
		{"min_grade: E", false},
		{"min_coverage: 0", true},
		{"min_coverage: -1", false},
		{"checks: {robust-input: {enabled: false, severity: null, max_tools: 3, hang_ms: null}}", true},
		{"checks: {robust-input: {severity: note, hang_ms: 100}}", true},
		{"checks: {robust-input: }", true},
		{"checks: {robust-input: {max_tools: 0}}", false},
		{"checks: {robust-input: {max_tools: null}}", false},
		{"checks: {robust-input: {hang_ms: 0}}", false},
		{"checks: {robust-input: {severity: high}}", false},
		{"checks: {robust-input: {enabled: null}}", false},
		{"checks: {robust-input: {other: 1}}", false},
		{"checks: {hints: {max_tools: 1}}", false},
		{"checks: {other: {}}", false},
		{"checks: [hints]", false},
		{"contract: {reach: all, allow_tools: ['get_*', 5], observe_tools: x}", true},
		{"contract: {reach: auto, allow_tools: null}", true},
		{"contract:", true},
		{"contract: {reach: null}", false},
		{"contract: {reach: some}", false},
		{"contract: {allow_tools: ['']}", false},
		{"contract: {allow_tools: ''}", false},
		{"contract: {allow_tools: [[a]]}", false},
		{"contract: {allow_tools: {a: b}}", false},
		{"contract: {deny_tools: [a]}", false},
		{"rules: {robust.hang: {severity: note}}", true},
		{"rules: {robust.hang: }", true},
		{"rules: {robust.hang: {severity: null}}", false},
		{"rules: {robust.hang: {enabled: true}}", false},
		{"rules: {robust.other: {severity: note}}", false},
		{"probes:", true},
		{"probes: []", true},
		{"probes: [{tool: x, expect: ok, args: {a: [1, null, {b: c}]}, result: {/a: 1, '': {}}, timeout: 2s, name: n}]", true},
		{"probes: [{tool: x, expect: denied, allowed: {}}]", true},
		{"probes: [{tool: x, expect: invalid, timeout: 0.5}]", true},
		{"probes: {}", false},
		{"probes: [x]", false},
		{"probes: [{tool: x}]", false},
		{"probes: [{expect: ok}]", false},
		{"probes: [{tool: '', expect: ok}]", false},
		{"probes: [{tool: x, expect: maybe}]", false},
		{"probes: [{tool: x, expect: null}]", false},
		{"probes: [{tool: x, expect: ok, args: [1]}]", false},
		{"probes: [{tool: x, expect: ok, other: 1}]", false},
		{"probes: [{tool: x, expect: ok, allowed: {}}]", false},
		{"probes: [{tool: x, expect: denied}]", false},
		{"probes: [{tool: x, expect: error, result: {/a: 1}}]", false},
		{"probes: [{tool: x, expect: ok, result: {a: 1}}]", false},
		{"probes: [{tool: x, expect: ok, timeout: soon}]", false},
		{"other: 1", false},
		{"accept: []", true},
		{"accept:", true},
		{"accept: [{rule: robust.hang, reason: known}]", true},
		{"accept: [{rule: 'robust.*', subject: 'tool:a*', reason: 3, until: 2027-03-31}]", true},
		{"accept: [{rule: robust.hang, reason: known, until: }]", true},
		{"accept: [{rule: robust.hang}]", false},
		{"accept: [{reason: known}]", false},
		{"accept: [{rule: robust.hang, reason: ' '}]", false},
		{"accept: [{rule: robust.hang, reason: known, until: never}]", false},
		{"accept: [{rule: robust.hang, reason: known, other: 1}]", false},
		{"accept: {rule: robust.hang, reason: known}", false},
		{"compare: build", true},
		{"compare: base", false},
		{"baseline: base.json", true},
		{"new_only: true", true},
		{"[]", false},
		{"text", false},
	}
	for _, tt := range tests {
		var doc any
		if err := yaml.Unmarshal([]byte(tt.in), &doc); err != nil {
			t.Fatalf("%s: %v", tt.in, err)
		}
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatalf("%s: %v", tt.in, err)
		}
		instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatalf("%s: %v", tt.in, err)
		}
		if err := schema.Validate(instance); (err == nil) != tt.takes {
			t.Errorf("%s: schema says %v, want it to take it: %v", tt.in, err, tt.takes)
		}
		if _, err := Parse("f.yml", []byte(tt.in), catalog()); (err == nil) != tt.takes {
			t.Errorf("%s: Parse says %v, want it to take it: %v", tt.in, err, tt.takes)
		}
	}
}

// Every object is closed and every setting is described.
func TestSchemaIsClosed(t *testing.T) {
	data, err := Schema(catalog())
	if err != nil {
		t.Fatal(err)
	}
	var root map[string]any
	if err := json.Unmarshal(data, &root); err != nil {
		t.Fatal(err)
	}
	var walk func(path string, n map[string]any)
	walk = func(path string, n map[string]any) {
		properties, isMap := n["properties"].(map[string]any)
		if isMap && n["additionalProperties"] != false {
			t.Errorf("%s is open", path)
		}
		if !isMap && n["description"] == "" {
			t.Errorf("%s has no description", path)
		}
		for name, p := range properties {
			walk(path+"/"+name, p.(map[string]any))
		}
	}
	walk("", root)
	again, err := Schema(catalog())
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("two schemas differ, %v", err)
	}
}
