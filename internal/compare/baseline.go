package compare

import (
	"slices"
	"time"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// Baseline returns what a comparison needs of a result, small enough to be
// committed and the same for the same behaviour of the server: without
// evidence, texts of rules, notices and times.
func Baseline(r *result.Result) *result.Result {
	b := *r
	b.Comparison, b.Gate, b.Notices, b.Rates = nil, result.Gate{FailOn: r.Gate.FailOn, Passed: r.Gate.Passed}, []string{}, nil
	b.Volatile = result.Volatile{Started: time.Unix(0, 0).UTC(), Commit: r.Volatile.Commit}
	b.Findings = []rule.Finding{}
	for _, f := range r.Findings {
		if !Apart(f) {
			f.Evidence, f.Location, f.Accepted = rule.Evidence{}, nil, nil
			b.Findings = append(b.Findings, f)
		}
	}
	b.Rules = slices.Clone(r.Rules)
	for i, known := range b.Rules {
		b.Rules[i] = rule.Rule{ID: known.ID, Severity: known.Severity, Precision: known.Precision, Since: known.Since, Check: known.Check}
	}
	b.Checks = slices.Clone(r.Checks)
	for i := range b.Checks {
		b.Checks[i].Reason = ""
	}
	return &b
}
