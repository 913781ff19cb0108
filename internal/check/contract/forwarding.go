package contract

import (
	"context"
	_ "embed"
	"strings"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

//go:embed forwarding.md
var forwardingProse string

// Forwarding adds fields to calls that are known to be valid and looks whether
// they take effect, and makes valid calls at the edge of what the schema
// allows.
type Forwarding struct{}

// Info describes the check.
func (Forwarding) Info() rule.Check { return forwardingInfo }

var forwardingInfo = check.MustProse(rule.Check{
	ID: "forwarding", Pack: "contract", Weight: rule.Scored, Scope: "server", DecidedBy: "protocol response", Since: check.FirstMethodology,
	Probes: []rule.Probe{
		{ID: "extra-field", Core: true, Text: "a valid call with one more argument, `sm_unexpected`"},
		{ID: "nested-field", Core: true, Text: "a valid call with the same field inside an object that it passes"},
		{ID: "authority-fields", Core: true, Text: "a valid call with `tenant`, `tenant_id`, `role`, `approved`, `is_admin` and `permissions`, as far as the tool does not declare them"},
		{ID: "result-fields", Core: true, Text: "a valid call with members of its own result as arguments, holding other values"},
		{ID: "boundary", Core: true, Text: "valid calls with an argument at its minimum, at its maximum, or at another member of its enum"},
	},
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Fail, When: "an added field took effect or came back in the structured result, or a call at the edge of the schema was rejected as invalid"},
		{Verdict: rule.Pass, When: "no added field showed in a result, and the calls at the edge were not rejected as invalid"},
		{Verdict: rule.Unverified, When: "a call got no answer"},
		{Verdict: rule.NotApplicable, When: "no valid call of the configuration succeeded, or only such to tools that may write and that contract.allow_tools does not name"},
	},
	Rules: []rule.Rule{
		{ID: "contract.extra-field-forwarded", Severity: rule.Error, SecuritySeverity: 6.5, Precision: "high", Tags: []string{"mcp", "security", "validation"}},
		{ID: "contract.authority-override", Severity: rule.Error, SecuritySeverity: 8.1, Precision: "high", Tags: []string{"mcp", "security", "authorization"}},
		{ID: "contract.valid-rejected", Severity: rule.Error, Precision: "medium", Tags: []string{"mcp", "validation"}},
	},
}, forwardingProse, []rule.Reference{
	{Title: "JSON Schema", Revision: "2020-12", Section: "Understanding JSON Schema, object, Additional properties", URL: "https://json-schema.org/understanding-json-schema/reference/object#additionalproperties"},
	{Title: "Model Context Protocol", Revision: "2025-11-25", Section: "Server features, Tools, Security considerations", URL: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations"},
})

// Run derives calls from the first valid call of each tool that succeeded.
func (Forwarding) Run(ctx context.Context, env *check.Env) check.Report {
	f := &forwarding{env: env, findings: check.NewFindings(forwardingInfo), probes: map[string]int{}, rates: map[string]result.Rates{}}
	defer f.end()
	if env.Config.ActiveProbes == "none" {
		return f.report(rule.NotApplicable, "active_probes is none: no tool was called.")
	}
	bases, unsent := f.bases()
	switch {
	case len(bases) == 0 && len(unsent) > 0:
		return f.report(rule.NotApplicable, "Nothing was sent, since the tools may write: "+strings.Join(unsent, ", ")+". Name them under contract.allow_tools if that does no harm.")
	case len(bases) == 0:
		return f.report(rule.NotApplicable, "No valid call with arguments is listed under probes with expect: ok.")
	}
	for _, b := range bases {
		env.Progress(forwardingInfo.ID, env.Redact.Line(b.tool.Name, 80))
		f.fields(ctx, b)
		f.boundaries(ctx, b)
	}
	return f.verdict(ctx, len(bases), unsent)
}

func (f *forwarding) verdict(ctx context.Context, tools int, unsent []string) check.Report {
	left := ""
	if len(unsent) > 0 {
		left = " Not sent to tools that may write: " + strings.Join(unsent, ", ") + "."
	}
	switch {
	case check.Judge(forwardingInfo, f.findings.List()) == rule.Fail:
		return f.report(rule.Fail, "A field that was added to a valid call took effect, or a valid call was rejected."+left)
	case ctx.Err() != nil:
		return f.report(rule.Unverified, "The run was cut short.")
	case f.open != "":
		return f.report(rule.Unverified, "Not all calls were answered: "+f.open+".")
	}
	return f.report(rule.Pass, rule.Counted(tools, "tool")+": no added field showed in a result."+left)
}

func (f *forwarding) report(v rule.Verdict, reason string) check.Report {
	return check.Report{Verdict: v, Reason: reason, Findings: f.findings.List(), Probes: f.probes, Rates: f.rates}
}

// base is a valid call that succeeded.
type base struct {
	check.Call
	tool session.Tool
	// result is the structured part of its result, nil if there is none.
	result any
}

// bases lists the first confirmed call of each tool, and the tools for which
// there is one but that can't be called with what is derived from it.
func (f *forwarding) bases() (list []base, unsent []string) {
	seen := map[string]bool{}
	for _, c := range f.env.Calls.List() {
		tool, ok := f.env.Snapshot.Tool(c.Tool)
		if !ok || !c.Confirmed || c.Check != userProbes || seen[c.Tool] || len(argument.Properties(tool.InputSchema)) == 0 {
			continue
		}
		seen[c.Tool] = true
		if !f.env.Snapshot.ReadOnly(c.Tool) && !f.env.Config.Contract.MayWrite(c.Tool) {
			unsent = append(unsent, f.env.Redact.Line(c.Tool, 80))
			continue
		}
		list = append(list, base{c, tool, decode(check.Structured(c.Answer.Result))})
	}
	return list, unsent
}

// userProbes is the check whose valid calls are derived from.
const userProbes = "user-probes"
