package contract

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// TestOutputUnread: answers that are too large to be read are no reason to say
// that there were none, let alone that they are well formed.
func TestOutputUnread(t *testing.T) {
	small := json.RawMessage(`{"content":[{"type":"text","text":"x"}]}`)
	large := json.RawMessage(`{"content":[{"type":"text","text":"` + string(bytes.Repeat([]byte("x"), 2<<20)) + `"}]}`)
	for _, tt := range []struct {
		results []json.RawMessage
		want    rule.Verdict
	}{
		{nil, rule.NotApplicable},
		{[]json.RawMessage{small}, rule.Pass},
		{[]json.RawMessage{large}, rule.Unverified},
		{[]json.RawMessage{large, small}, rule.Pass},
	} {
		calls := &check.Calls{}
		for _, result := range tt.results {
			calls.Add(check.Call{Check: "user-probes", Tool: "a", Expect: check.Valid, Answer: reply.Answer{Kind: reply.Answered, Raw: result, Result: result}})
		}
		env := &check.Env{Calls: calls, Redact: redact.New(nil), Snapshot: &session.Snapshot{ProtocolVersion: "2025-11-25"}}
		if got := (OutputContract{}).Run(t.Context(), env); got.Verdict != tt.want {
			t.Errorf("%d results: %s (%s), want %s", len(tt.results), got.Verdict, got.Reason, tt.want)
		}
	}
}

// TestBaseReason: where no valid arguments could be made the matrix says so.
func TestBaseReason(t *testing.T) {
	r := runFor(t, "", check.Report{}, toolOf("a", new(true), `{"type":"object","properties":{"b":{"type":"string","pattern":"[^\\s\\S]"}},"required":["b"]}`), toolOf("c", new(true), twoNumbers))
	r.plan(t.Context())
	lines := r.matrix().Tools
	if !strings.Contains(lines[0].NotSent, "none could be made") || lines[1].NotSent != "" {
		t.Errorf("%q and %q", lines[0].NotSent, lines[1].NotSent)
	}
}
