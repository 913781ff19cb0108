package core

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/rule"
)

//go:embed robust_input.md
var robustInputProse string

// RobustInput calls tools with arguments that break the tool's own schema and
// watches whether the server rejects them cleanly and stays alive.
type RobustInput struct{}

var robustReferences = []rule.Reference{
	{Title: "Model Context Protocol", Revision: "2025-11-25", Section: "Server features, Tools, Error handling", URL: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#error-handling"},
	{Title: "Model Context Protocol", Revision: "2024-11-05", Section: "Server features, Tools, Security considerations", URL: "https://modelcontextprotocol.io/specification/2024-11-05/server/tools#security-considerations"},
}

// Info describes the check.
func (RobustInput) Info() rule.Check { return robustInputInfo }

var robustInputInfo = check.MustProse(rule.Check{
	ID: "robust-input", Pack: "core", Weight: rule.Scored, Scope: "server", DecidedBy: "protocol response", Since: check.FirstMethodology,
	Keys: []rule.Key{
		{Name: "checks.robust-input.hang_ms", Type: rule.Int, Nullable: true, Locked: true, Min: new(1.0),
			Meaning: "Milliseconds that a call may take on bad input before it counts as hanging. null means the larger of 2000 and timeout_probe_sec * 1000."},
		{Name: "checks.robust-input.max_tools", Type: rule.Int, Default: 25, Locked: true, Threshold: true, Min: new(1.0),
			Meaning: "The most tools that the check calls, taken in the order of the listing."},
	},
	Probes: []rule.Probe{
		{ID: "missing-required", Core: true, Text: "`{}`, when the tool has required arguments"},
		{ID: "wrong-types", Core: true, Text: "each typed argument gets a value of another JSON type"},
		{ID: "nulls", Core: true, Text: "each typed argument is null"},
		{ID: "extra-argument", Core: true, Text: "wrong types and one more argument, `sm_unexpected`"},
		{ID: "string-as-object", Core: true, Text: "each string argument gets an object, a second wrong type after the number"},
		{ID: "nested-string", Core: true, Text: "a string in place of a required array of objects; one more call for a tool that has one"},
		{ID: "nested-item", Core: true, Text: "a required array of objects holds one item without its required fields, when the items declare some; one more call for a tool that has one"},
		{ID: "read-only-no-args", Text: "`{}` for a tool without arguments that declares `readOnlyHint: true`: a valid call, counted for coverage"},
		{ID: "robust.lenient-downstream", Core: true, Part: true, Text: "read off a reply: an error that reports a failed fetch and names no parameter, so the bad argument was used before anything failed"},
		{ID: "robust.internal-error", Core: true, Part: true, Text: "read off a reply: an error that is an unhandled runtime error, so nothing decided to reject the call"},
	},
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Fail, When: "the server exited or stopped answering, or a call got no answer within the hang limit"},
		{Verdict: rule.Partial, When: "a reply shows a stack trace or an internal path, reports an unhandled runtime error or a failed fetch in place of a validation decision, or a schema-invalid call succeeded without any refusal"},
		{Verdict: rule.Pass, When: "each invalid call was rejected cleanly and the server kept answering"},
		{Verdict: rule.NotApplicable, When: "no tool has arguments that can be malformed safely and no valid call was made, or active_probes is none"},
	},
	Rules: []rule.Rule{
		{ID: "robust.crashed", Severity: rule.Error, SecuritySeverity: 7.5, Precision: "very-high", Tags: []string{"mcp", "robustness", "denial-of-service"}},
		{ID: "robust.hang", Severity: rule.Error, SecuritySeverity: 6.5, Precision: "high", Tags: []string{"mcp", "robustness", "denial-of-service"}},
		{ID: "robust.stopped-answering", Severity: rule.Error, SecuritySeverity: 7.5, Precision: "high", Tags: []string{"mcp", "robustness", "denial-of-service"}},
		{ID: "robust.leaks-internals", Severity: rule.Warning, SecuritySeverity: 4.3, Precision: "high", Tags: []string{"mcp", "information-disclosure"}},
		{ID: "robust.accepted-invalid", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "robust.lenient-downstream", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "robust.internal-error", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "validation", "robustness"}},
		{ID: "robust.text-refusal", Severity: rule.Note, Precision: "high", Tags: []string{"mcp", "validation"}},
	},
}, robustInputProse, robustReferences)

// Run probes the tools one after the other; the whole check is one unit, since
// it stops after three hangs.
func (c RobustInput) Run(ctx context.Context, env *check.Env) check.Report {
	p := newRobust(c.Info(), env)
	p.Use(env.Take())
	defer p.End()
	if env.Config.ActiveProbes == "none" {
		for _, t := range env.Snapshot.Tools {
			p.uncovered(t.Name, "active_probes is none")
		}
		return p.report(rule.NotApplicable, "active_probes is none: no tool was called.")
	}
	most, _ := env.Config.Int("robust-input", "max_tools")
	for i, t := range env.Snapshot.Tools {
		switch {
		case i >= most:
			p.uncovered(t.Name, fmt.Sprintf("beyond the first %d tools (checks.robust-input.max_tools)", most))
		case p.Stopped != "":
			p.uncovered(t.Name, p.Stopped)
		default:
			p.tool(ctx, t)
		}
	}
	return p.verdict(ctx)
}
