package contract

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/core"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
)

//go:embed error_contract.md
var errorContractProse string

// ErrorContract reads the refusals of all calls: whether a client can tell
// them from a success, and whether a caller can repair the call by them.
type ErrorContract struct{}

// Info describes the check.
func (ErrorContract) Info() rule.Check { return errorContractInfo }

var errorContractInfo = check.MustProse(rule.Check{
	ID: "error-contract", Pack: "contract", Weight: rule.Scored, Scope: "server", DecidedBy: "output", Since: check.FirstMethodology,
	Probes: []rule.Probe{
		{ID: "refusals", Core: true, Text: "read off the refusals of all calls that other checks made"},
	},
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Partial, When: "a refusal is not flagged, very long, repeats the arguments, suggests to take more authority, or shows internals that robust-input did not see"},
		{Verdict: rule.Pass, When: "each refusal is flagged, short and keeps to itself what it was sent"},
		{Verdict: rule.NotApplicable, When: "no call was refused"},
	},
	Rules: []rule.Rule{
		{ID: "error.not-flagged", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "error.unbounded", Severity: rule.Warning, Precision: "very-high", Tags: []string{"mcp", "usability"}},
		{ID: "error.echoes-arguments", Severity: rule.Warning, SecuritySeverity: 3.1, Precision: "high", Tags: []string{"mcp", "information-disclosure"}},
		{ID: "error.suggests-override", Severity: rule.Warning, SecuritySeverity: 5.3, Precision: "medium", Tags: []string{"mcp", "security", "authorization"}},
		{ID: "error.unnamed-argument", Severity: rule.Note, Precision: "medium", Tags: []string{"mcp", "usability"}},
		{ID: "error.unstable", Severity: rule.Note, Precision: "high", Tags: []string{"mcp", "usability"}},
		{ID: "error.internal-code", Severity: rule.Note, Precision: "very-high", Tags: []string{"mcp", "validation"}},
	},
}, errorContractProse, []rule.Reference{
	{Title: "Model Context Protocol", Revision: "2025-11-25", Section: "Server features, Tools, Error handling", URL: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling"},
})

// refusals is a run of the check.
type refusals struct {
	env      *check.Env
	findings *check.Findings
	// seen holds the refusals.
	seen []check.Call
}

// Run reads the record of the calls.
func (ErrorContract) Run(_ context.Context, env *check.Env) check.Report {
	leaks, _ := (core.RobustInput{}).Info().Rule(leaksInternals)
	r := &refusals{env: env, findings: check.NewFindings(errorContractInfo, leaks)}
	calls := env.Calls.List()
	r.leaks(calls)
	for _, c := range calls {
		if c.Expect == check.Valid || c.Answer.Kind != reply.Answered || c.Reading.Decision != reply.Rejected {
			continue
		}
		r.seen = append(r.seen, c)
	}
	for _, c := range r.seen {
		r.read(c)
	}
	r.unnamed()
	r.unstable()
	r.internalCode()
	list := r.findings.List()
	report := check.Report{Verdict: check.Judge(errorContractInfo, list), Findings: list, Probes: map[string]int{"refusals": len(r.seen)}}
	switch {
	case len(r.seen) == 0 && len(list) == 0:
		report.Verdict, report.Reason = rule.NotApplicable, "No call was refused."
	case report.Verdict == rule.Partial:
		report.Reason = "A refusal is not what a caller can use."
	default:
		report.Reason = rule.Counted(len(r.seen), "refusal") + ": none is unflagged, endless or tells too much."
	}
	return report
}

// maxRefusal is how long the text of a refusal may be, in bytes.
const maxRefusal = 8 << 10

// read reads a refusal by itself.
func (r *refusals) read(c check.Call) {
	if c.Reading.PlainText {
		r.add(c, "error.not-flagged", c.Reading.Match, r.robustOwner(c.Tool), fmt.Sprintf("Tool %s refuses a call (%s) in a result that is not marked as an error.", r.name(c), c.Probe))
	}
	if len(c.Reading.Text) > maxRefusal {
		r.add(c, "error.unbounded", "", "", fmt.Sprintf("Tool %s refuses a call (%s) with more than %d KiB of text.", r.name(c), c.Probe, maxRefusal>>10))
	}
	if echoed := r.echoed(c); echoed != "" {
		r.add(c, "error.echoes-arguments", "", "", fmt.Sprintf("Tool %s repeats %s in its refusal of a call (%s).", r.name(c), echoed, c.Probe))
	}
	if words := suggestion(c.Reading.Text, c.Parameters); words != "" {
		r.add(c, "error.suggests-override", words, "", fmt.Sprintf("Tool %s suggests in its refusal of a call (%s) to try again with more authority.", r.name(c), c.Probe))
	}
}

// robustOwner is the finding of robust-input that says of the tool that it
// refuses in plain text, "" if there is none: the rule that a requirement
// names owns the fault.
func (r *refusals) robustOwner(tool string) string {
	for _, c := range r.seen {
		if c.Tool == tool && c.Check == "robust-input" && c.Reading.PlainText {
			return rule.FindingID("robust.text-refusal", r.subject(c))
		}
	}
	return ""
}

func (r *refusals) subject(c check.Call) string { return "tool:" + r.env.Redact.Line(c.Tool, 256) }

func (r *refusals) name(c check.Call) string { return `"` + r.env.Redact.Line(c.Tool, 80) + `"` }

func (r *refusals) add(c check.Call, ruleID, match, owner, message string) {
	evidence := c.Evidence(r.env.Redact)
	evidence.Match = r.env.Redact.Line(match, 300)
	r.findings.Add(rule.Finding{Rule: ruleID, Subject: r.subject(c), Message: message, Probe: c.Probe, ExplainedBy: owner, Evidence: evidence})
}
