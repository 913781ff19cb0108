package suite

import (
	"testing"

	"github.com/sealmark/action/internal/check/contract"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// TestOwnForwarded: that an excluded argument is taken and that it takes effect
// is one fault, if it is so of each tool.
func TestOwnForwarded(t *testing.T) {
	const pack = "argument-contract"
	accepted := func(candidates ...string) rule.Finding {
		f := rule.Finding{ID: "accepted", Rule: "contract.extra-field-accepted", Check: pack, Subject: "server", Severity: rule.Warning, Count: len(candidates), Probe: candidates[0]}
		if len(candidates) > 1 {
			f.Evidence.Candidates = candidates
		}
		return f
	}
	forwarded := func(id, ruleID, tool string) rule.Finding {
		return rule.Finding{ID: id, Rule: "contract." + ruleID, Check: "forwarding", Subject: "tool:" + tool, Severity: rule.Error}
	}
	other := rule.Finding{ID: "other", Rule: "contract.length-ignored", Check: pack, Subject: "tool:a", Severity: rule.Warning}
	flaky := forwarded("f", "extra-field-forwarded", "a")
	flaky.Flaky = true
	cut := accepted("a/extra-field")
	cut.Count = 65
	tests := []struct {
		name     string
		findings []rule.Finding
		owner    string
		verdict  rule.Verdict
	}{
		{"forwarded", []rule.Finding{accepted("a/extra-field"), forwarded("f", "extra-field-forwarded", "a")}, "f", rule.NotApplicable},
		{"authority first", []rule.Finding{accepted("a/extra-field"), forwarded("f", "extra-field-forwarded", "a"), forwarded("g", "authority-override", "a")}, "g", rule.NotApplicable},
		{"both tools", []rule.Finding{accepted("a/extra-field", "b/extra-field"), forwarded("f", "extra-field-forwarded", "a"), forwarded("g", "extra-field-forwarded", "b")}, "f", rule.NotApplicable},
		{"one tool of two", []rule.Finding{accepted("a/extra-field", "b/extra-field"), forwarded("f", "extra-field-forwarded", "a")}, "", rule.Partial},
		{"something else besides", []rule.Finding{accepted("a/extra-field"), forwarded("f", "extra-field-forwarded", "a"), other}, "f", rule.Partial},
		{"another rule of forwarding", []rule.Finding{accepted("a/extra-field"), forwarded("f", "valid-rejected", "a")}, "", rule.Partial},
		{"flaky", []rule.Finding{accepted("a/extra-field"), flaky}, "", rule.Partial},
		{"more tools than are named", []rule.Finding{cut, forwarded("f", "extra-field-forwarded", "a")}, "", rule.Partial},
	}
	for _, tt := range tests {
		r := &result.Result{Findings: tt.findings, Checks: []result.Check{{ID: pack, Verdict: rule.Partial}, {ID: "forwarding", Verdict: rule.Fail}}}
		ownForwarded(r, contract.ArgumentContract{}.Info())
		if got := r.Findings[0].ExplainedBy; got != tt.owner {
			t.Errorf("%s: explained by %q, want %q", tt.name, got, tt.owner)
		}
		if got := r.Checks[0].Verdict; got != tt.verdict || r.Checks[1].Verdict != rule.Fail {
			t.Errorf("%s: %s and %s, want %s and fail", tt.name, got, r.Checks[1].Verdict, tt.verdict)
		}
	}
}
