package core

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

//go:embed user_probes.md
var userProbesProse string

// UserProbes makes the calls that the configuration lists under probes and
// compares what comes of them with what the maintainers expect.
type UserProbes struct{}

// Info describes the check.
func (UserProbes) Info() rule.Check { return userProbesInfo }

var userProbesInfo = check.MustProse(rule.Check{
	ID: "user-probes", Pack: "core", Weight: rule.Scored, Scope: "server", DecidedBy: "protocol response", Since: check.FirstMethodology,
	Probes: []rule.Probe{
		{ID: "ok", Core: true, Text: "a call that must succeed, with a result that fits the tool's output schema"},
		{ID: "invalid", Core: true, Text: "a call that must be rejected by a validation decision"},
		{ID: "denied", Core: true, Text: "a call with arguments of a valid shape that must be rejected"},
		{ID: "allowed", Core: true, Text: "the permitted case beside a denied one, which must succeed"},
		{ID: "error", Core: true, Text: "a call that must end in an error of any kind"},
	},
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Fail, When: "a call ended otherwise than the configuration says"},
		{Verdict: rule.Pass, When: "each call ended as expected, and each denied one beside a permitted one that succeeded"},
		{Verdict: rule.Unverified, When: "a call got no answer in its time, a success did not fit its request, or a probe names a tool that is not listed"},
		{Verdict: rule.NotApplicable, When: "the configuration has no probes, or active_probes is none"},
	},
	Rules: []rule.Rule{
		{ID: "probe.not-ok", Severity: rule.Error, Precision: "high", Tags: []string{"mcp", "correctness"}},
		{ID: "probe.not-rejected", Severity: rule.Error, Precision: "high", Tags: []string{"mcp", "validation"}},
		{ID: "probe.not-denied", Severity: rule.Error, SecuritySeverity: 7.7, Precision: "high", Tags: []string{"mcp", "security", "authorization"}},
	},
}, userProbesProse, []rule.Reference{
	{Title: "Model Context Protocol", Revision: "2025-11-25", Section: "Server features, Tools, Security considerations", URL: "https://modelcontextprotocol.io/specification/2025-11-25/server/tools#security-considerations"},
})

// Run makes the calls in the order of the configuration.
func (UserProbes) Run(ctx context.Context, env *check.Env) check.Report {
	u := &userProbes{env: env, findings: check.NewFindings(userProbesInfo), probes: map[string]int{}, tools: map[string]check.Tool{},
		rates: map[string]result.Rates{}, shown: map[string][]string{}}
	defer u.end()
	switch {
	case len(env.Config.Probes) == 0:
		return u.report(rule.NotApplicable, "The configuration has no probes.")
	case env.Config.ActiveProbes == "none":
		return u.report(rule.NotApplicable, "active_probes is none: no tool was called.")
	}
	for _, p := range env.Config.Probes {
		if u.stopped != "" {
			break
		}
		tool, ok := env.Snapshot.Tool(p.Tool)
		if !ok {
			u.undecided(p, fmt.Sprintf("it names the tool %q, which the server does not list", env.Redact.Line(p.Tool, 80)))
			continue
		}
		env.Progress(userProbesInfo.ID, p.Name)
		switch p.Expect {
		case config.ExpectOK:
			u.ok(ctx, p, tool, "ok", p.Args)
		case config.ExpectDenied:
			u.denied(ctx, p, tool)
		default:
			u.refused(ctx, p, tool)
		}
	}
	return u.verdict(ctx)
}

func (u *userProbes) verdict(ctx context.Context) check.Report {
	n := len(u.env.Config.Probes)
	switch {
	case check.Judge(userProbesInfo, u.findings.List()) == rule.Fail:
		return u.report(rule.Fail, "A call of the configuration ended otherwise than expected.")
	case ctx.Err() != nil:
		return u.report(rule.Unverified, "Not all probes were sent: "+check.Interrupted+".")
	case u.stopped != "":
		return u.report(rule.Unverified, "Not all probes were sent: "+u.stopped+".")
	case len(u.open) == 1:
		return u.report(rule.Unverified, "1 of "+fmt.Sprint(n)+" probes stayed open: "+u.open[0]+".")
	case len(u.open) > 1:
		return u.report(rule.Unverified, fmt.Sprintf("%d of %d probes stayed open, the first since %s.", len(u.open), n, u.open[0]))
	}
	return u.report(rule.Pass, rule.Counted(n, "probe")+": each call ended as expected.")
}

func (u *userProbes) report(v rule.Verdict, reason string) check.Report {
	findings := u.findings.List()
	for i, f := range findings {
		if shown := u.shown[f.ID]; len(shown) > 1 {
			findings[i].Evidence.Candidates = shown
		}
	}
	return check.Report{Verdict: v, Reason: reason, Findings: findings, Probes: u.probes, Tools: u.tools, Rates: u.rates}
}
