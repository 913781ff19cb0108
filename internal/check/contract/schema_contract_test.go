package contract

import (
	"slices"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
	"github.com/sealmark/action/internal/shared"
)

const soundSchema = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"type":"string","maxLength":3}},"additionalProperties":false}`

func readSchemas(t *testing.T, revision string, secrets map[string]string, tools ...session.Tool) check.Report {
	return SchemaContract{}.Run(t.Context(), &check.Env{Redact: redact.New(secrets), Snapshot: &session.Snapshot{ProtocolVersion: revision, Tools: tools}})
}

func TestSchemaContract(t *testing.T) {
	closed := func(member string) string {
		return `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":` + member + `},"additionalProperties":false}`
	}
	tests := []struct {
		name, revision string
		schemas        []string
		verdict        rule.Verdict
		want           []string
	}{
		{"sound", "2025-06-18", []string{soundSchema}, rule.Pass, nil},
		{"no tools", "2025-06-18", nil, rule.NotApplicable, nil},
		{"left to the protocol check", "2025-06-18", []string{``, `null`, `"x"`, `{`, `{"properties":{"a":{"type":"text"}}}`, `{"type":"array","items":{"type":"text"}}`}, rule.NotApplicable, nil},
		{"uncompilable", "2025-06-18", []string{closed(`{"type":"text"}`)}, rule.Fail, []string{"error contract.schema-uncompilable tool:t0"}},
		{"required at the property", "2025-11-25", []string{closed(`{"type":"string","required":true}`)}, rule.Fail, []string{"error contract.schema-uncompilable tool:t0"}},
		{"dangling", "2025-11-25", []string{soundSchema, closed(`{"$ref":"#/$defs/A"}`)}, rule.Fail, []string{"error contract.ref-unresolved tool:t1"}},
		{"anchor", "2025-11-25", []string{closed(`{"$ref":"#here"}`)}, rule.Fail, []string{"error contract.ref-unresolved tool:t0"}},
		{"elsewhere", "2025-11-25", []string{closed(`{"$ref":"https://schemas.example/a.json"}`)}, rule.Partial, []string{"warning contract.ref-unresolved tool:t0"}},
		{"untyped", "2025-11-25", []string{closed(`{}`)}, rule.Pass, []string{"note contract.untyped-property tool:t0"}},
		{"open", "2025-11-25", []string{`{"type":"object","properties":{}}`, soundSchema}, rule.Pass, []string{"note contract.open-object server"}},
		{"unbounded", "2025-11-25", []string{closed(`{"type":"array"}`)}, rule.Pass, []string{"note contract.unbounded server"}},
		{"authority", "2025-11-25", []string{`{"type":"object","properties":{"tenant_id":{"type":"integer"}},"additionalProperties":false}`}, rule.Pass, []string{"note contract.authority-argument server"}},
		{"not quite authority", "2025-11-25", []string{`{"type":"object","properties":{"tenants":{"type":"integer"},"role_name":{"type":"integer"}},"additionalProperties":false}`}, rule.Pass, nil},
		{"unpinned", "2025-06-18", []string{`{"type":"object","additionalProperties":false}`, soundSchema}, rule.Pass, []string{"note contract.dialect-unpinned server"}},
		{"need not be pinned", "2025-11-25", []string{`{"type":"object","additionalProperties":false}`}, rule.Pass, nil},
		{"too large", "2025-11-25", []string{closed(`{"type":"integer","description":"` + strings.Repeat("x", 2<<20) + `"}`)}, rule.Unverified, nil},
		{"unknown dialect", "2025-11-25", []string{`{"$schema":"https://schemas.example/mine","type":"object"}`}, rule.Unverified, nil},
		{"an unknown dialect hides no fault", "2025-11-25", []string{`{"$schema":"https://schemas.example/mine","type":"object"}`, closed(`{"type":"text"}`)}, rule.Fail, []string{"error contract.schema-uncompilable tool:t1"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var tools []session.Tool
			for i, schema := range tt.schemas {
				tools = append(tools, toolOf("t"+string(rune('0'+i)), nil, schema))
			}
			report := readSchemas(t, tt.revision, nil, tools...)
			var got []string
			for _, f := range report.Findings {
				got = append(got, string(f.Severity)+" "+f.Rule+" "+f.Subject)
			}
			if report.Verdict != tt.verdict || !slices.Equal(got, tt.want) || report.Reason == "" {
				t.Errorf("%s (%s) with %q, want %s with %q", report.Verdict, report.Reason, got, tt.verdict, tt.want)
			}
		})
	}
}

// TestSchemaAdvice: advice is given once, with the number of tools, the names
// of the first ones, and nothing secret.
func TestSchemaAdvice(t *testing.T) {
	tools := []session.Tool{toolOf("sound", nil, soundSchema)}
	for i := range 30 {
		tools = append(tools, toolOf("t"+string(rune('A'+i)), nil, `{"type":"object","properties":{"in-s3cr3t-v4lue":{"type":"object","additionalProperties":false},"o":{"type":"object"}},"additionalProperties":false}`))
	}
	report := readSchemas(t, "2025-11-25", map[string]string{"API_TOKEN": "s3cr3t-v4lue"}, tools...)
	if len(report.Findings) != 1 {
		t.Fatalf("%+v", report.Findings)
	}
	f := report.Findings[0]
	if f.Count != 30 || !strings.Contains(f.Message, "30 tools of 31") || !strings.Contains(f.Message, "and 10 more") || strings.Contains(f.Message, "sound") {
		t.Errorf("counted %d: %s", f.Count, f.Message)
	}
	if f.Evidence.Detail != `in "tA": o` {
		t.Errorf("detail %s", f.Evidence.Detail)
	}
	report = readSchemas(t, "2025-11-25", map[string]string{"API_TOKEN": "s3cr3t-v4lue"}, toolOf("s3cr3t-v4lue", nil, `{"type":"object","properties":{"s3cr3t-v4lue":{}},"$ref":"#/s3cr3t-v4lue"}`),
		toolOf("u", nil, `{"type":"object","properties":{"s3cr3t-v4lue":{}}}`))
	if len(report.Findings) != 3 {
		t.Errorf("%+v", report.Findings)
	}
	for _, f := range report.Findings {
		if strings.Contains(f.Message+f.Subject+f.Evidence.Detail, "s3cr3t") {
			t.Errorf("a secret in %+v", f)
		}
	}
}

// TestSchemaCorpus: the schemas of real servers can be used, and get advice
// once per server at most.
func TestSchemaCorpus(t *testing.T) {
	raised := map[string]int{}
	servers := shared.Tools(t)
	for file, list := range servers {
		var tools []session.Tool
		for _, item := range list {
			tools = append(tools, toolOf(item.Name, nil, string(item.InputSchema)))
		}
		report := readSchemas(t, "2025-06-18", nil, tools...)
		if want := rule.Pass; len(tools) > 0 && report.Verdict != want {
			t.Errorf("%s: %s: %s", file, report.Verdict, report.Reason)
		}
		for _, f := range report.Findings {
			raised[f.Rule]++
			if f.Severity != rule.Note {
				t.Errorf("%s: %s: %s", file, f.Rule, f.Message)
			}
		}
	}
	t.Logf("%d servers: %v", len(servers), raised)
}
