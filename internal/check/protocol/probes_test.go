package protocol

import (
	"testing"

	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// TestExplained: what follows from how the server takes a method that nobody
// has is no finding of its own, and all else is.
func TestExplained(t *testing.T) {
	const died, silent, answered, mismatch = "protocol.probe-connection-died", "protocol.probe-accepted-unanswered", "protocol.probe-unexpected-answer", "protocol.capability-mismatch"
	tests := []struct {
		cause, rule, subject string
		want                 bool
	}{
		{died, died, "capability:prompts", true},
		{died, died, "method:resources/read", true},
		{died, died, "method:tools/call", false},
		{died, answered, "capability:prompts", false},
		{silent, silent, "method:tools/call", true},
		{silent, answered, "method:tools/call", false},
		{answered, mismatch, "capability:prompts", true},
		{answered, answered, "method:resources/read", true},
		{answered, answered, "method:tools/call", false},
		{mismatch, mismatch, "capability:prompts", false},
	}
	finding := func(id, subject, probe string) rule.Finding {
		return rule.Finding{ID: rule.FindingID(id, subject), Rule: id, Subject: subject, Probe: probe}
	}
	bare := &session.Snapshot{Capabilities: []byte(`{"tools":{}}`)}
	for _, tt := range tests {
		cause := finding(tt.cause, "server", unknownMethod)
		got := explained(bare, []rule.Finding{cause, finding(tt.rule, tt.subject, "other")})
		if (got[1].ExplainedBy == cause.ID) != tt.want || got[0].ExplainedBy != "" {
			t.Errorf("%+v: %+v", tt, got)
		}
	}
	flaky := finding(died, "server", unknownMethod)
	flaky.Flaky = true
	if got := explained(bare, []rule.Finding{flaky, finding(died, "capability:prompts", "other")}); got[1].ExplainedBy != "" {
		t.Errorf("a flaky finding explains %+v", got)
	}
	reads := &session.Snapshot{Capabilities: []byte(`{"resources":{}}`)}
	if got := explained(reads, []rule.Finding{finding(died, "server", unknownMethod), finding(died, "method:resources/read", "other")}); got[1].ExplainedBy != "" {
		t.Errorf("a declared method is explained: %+v", got)
	}
}
