package core

import (
	"context"
	_ "embed"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/rule"
)

//go:embed accepted.md
var acceptedProse string

// Accepted holds the accept entries of the configuration against what was
// found. It sends nothing and finds nothing by itself: internal/accept raises
// its rule when all findings are known.
type Accepted struct{}

// Info describes the check.
func (Accepted) Info() rule.Check { return acceptedInfo }

// Run says that nothing is accepted, which holds until internal/accept is given
// entries.
func (Accepted) Run(context.Context, *check.Env) check.Report {
	return check.Report{Verdict: rule.NotApplicable, Reason: "The configuration accepts nothing."}
}

var acceptedInfo = check.MustProse(rule.Check{
	ID: "accepted", Pack: "core", Weight: rule.Advisory, Scope: "server", DecidedBy: "configuration and findings", Since: check.FirstMethodology,
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Partial, When: "an entry is past its date"},
		{Verdict: rule.Pass, When: "no entry is past its date"},
		{Verdict: rule.NotApplicable, When: "the configuration accepts nothing"},
	},
	Rules: []rule.Rule{
		{ID: "config.stale-accept", Severity: rule.Note, Precision: "very-high", Tags: []string{"mcp", "configuration"}},
	},
}, acceptedProse, nil)
