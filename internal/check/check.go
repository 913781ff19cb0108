// Package check is what a check is and all that a running check may use. The
// checks themselves live in the packages below it, one per pack.
package check

import (
	"context"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// Check questions the server, or reads what others were told, and ends in one
// verdict.
type Check interface {
	// Info describes the check. It is the same at every call.
	Info() rule.Check
	// Run does the work. It returns early, with the verdict Unverified where
	// nothing was found, when ctx ends.
	Run(ctx context.Context, env *Env) Report
}

// Report is how a check ended.
type Report struct {
	Verdict rule.Verdict
	// Reason says in a sentence why.
	Reason   string
	Findings []rule.Finding
	// Probes counts the messages sent, by probe id.
	Probes map[string]int
	// Tools says what was done with each tool, by name.
	Tools map[string]Tool
	// Contract is the matrix of a check that sends malformed arguments by
	// keyword, nil for others.
	Contract *result.Contract
	// Rates counts what the calls of each tool show, by name.
	Rates map[string]result.Rates
	// Lost says why the server could not be reached again, so that the run is
	// not whole; "" if it could.
	Lost string
	// Stop ends the run: the server can't be assessed.
	Stop *result.Reason
}

// Tool says what a check did with a tool.
type Tool struct {
	// Probed: at least one call was sent.
	Probed bool
	// Valid: at least one valid call was answered without error.
	Valid bool
	// Accepted lists the probes whose schema-invalid call succeeded with an
	// answer that says something, in the order in which they were sent.
	Accepted []string
	// Uncovered says why no call that would cover the tool was made, "" if one
	// was.
	Uncovered string
}

// Judge returns the verdict that the confirmed findings give by the rules'
// declared severities: an error fails, a warning costs half, a note nothing
// (methodology, "From probe to letter", 1). Flaky findings and those that
// another finding explains do not count, nor do those that are only observed.
func Judge(info rule.Check, findings []rule.Finding) rule.Verdict {
	worst := 0
	for _, f := range findings {
		if f.Flaky || f.Observed || f.ExplainedBy != "" {
			continue
		}
		worst = max(worst, f.Severity.Rank())
	}
	switch worst {
	case rule.Error.Rank():
		return rule.Fail
	case rule.Warning.Rank():
		return rule.Partial
	}
	return rule.Pass
}
