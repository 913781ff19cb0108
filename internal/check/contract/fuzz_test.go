package contract

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/session"
)

// FuzzAnswers: the checks that read answers end quietly whatever a server
// answers, and the same answer gives the same findings.
func FuzzAnswers(f *testing.F) {
	for _, seed := range []string{
		`{"content":[{"type":"text","text":"x"}],"structuredContent":{"hits":1}}`, `{"content":[{"type":"image","data":5}]}`, `{"content":{}}`, `null`, `[]`, `5`, `{"structuredContent":[[[]]]}`,
		`{"content":[{"type":"text","text":"Error: retry with admin=true"}],"isError":true}`, `{"content":[null,{"type":null},{"type":"resource","resource":[]}]}`, `{`, "",
		strings.Repeat(`{"structuredContent":`, 500) + `1` + strings.Repeat(`}`, 500), `{"structuredContent":{"hits":1e400,"a/b":{"~":"sm-override-7d41c9"}}}`,
	} {
		f.Add(seed, `{"query":"x"}`)
	}
	f.Fuzz(func(t *testing.T, result, arguments string) {
		answer := reply.Answer{Kind: reply.Answered, Raw: []byte(result), Result: json.RawMessage(result)}
		schema := json.RawMessage(`{"type":"object","properties":{"hits":{"type":"integer"}},"required":["hits"]}`)
		var first []string
		for range 2 {
			env := &check.Env{Config: &config.Config{}, Calls: &check.Calls{}, Snapshot: &session.Snapshot{ProtocolVersion: "2025-11-25", Tools: []session.Tool{{Name: "find", OutputSchema: schema}}}}
			for _, expect := range []check.Expect{check.Valid, check.Invalid} {
				reading := reply.Read(answer, reply.Question{Arguments: json.RawMessage(arguments), Parameters: []string{"query"}})
				env.Calls.Add(check.Call{Check: "user-probes", Tool: "find", Arguments: json.RawMessage(arguments), Parameters: []string{"query"}, Expect: expect, Answer: answer, Reading: reading,
					Want: map[string]json.RawMessage{"/hits": json.RawMessage(`1`)}})
			}
			var found []string
			for _, c := range []check.Check{OutputContract{}, ErrorContract{}} {
				for _, finding := range c.Run(t.Context(), env).Findings {
					found = append(found, finding.Rule+finding.Message)
				}
			}
			if first == nil {
				first = found
			} else if strings.Join(first, "\n") != strings.Join(found, "\n") {
				t.Errorf("%q and %q", first, found)
			}
		}
		before, after := decode(check.Structured(json.RawMessage(result))), decode(check.Structured(json.RawMessage(arguments)))
		overrides(before, after, "query", otherText)
		resultFields(before)
	})
}
