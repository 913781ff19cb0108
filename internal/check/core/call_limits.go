package core

import (
	"context"
	_ "embed"
	"fmt"
	"time"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
)

//go:embed call_limits.md
var callLimitsProse string

// CallLimits looks at the time and the size of the answers to valid calls, and
// at whether slow ones can be cancelled.
type CallLimits struct{}

// Info describes the check.
func (CallLimits) Info() rule.Check { return callLimitsInfo }

var callLimitsInfo = check.MustProse(rule.Check{
	ID: "call-limits", Pack: "core", Weight: rule.Scored, Scope: "server", DecidedBy: "protocol response", Since: check.FirstMethodology,
	Keys: []rule.Key{
		{Name: "checks.call-limits.max_response_kb", Type: rule.Int, Default: 256, Locked: true, Threshold: true, Min: new(1.0),
			Meaning: "How large the answer to a valid call may be, in KiB."},
	},
	Probes: []rule.Probe{
		{ID: "valid-calls", Core: true, Text: "the valid calls that other checks made, by their time and the size of their answers"},
		{ID: "cancel", Text: "a slow call of a read-only tool, made again and cancelled"},
	},
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Partial, When: "a valid call got no answer in its time, or one that is too large"},
		{Verdict: rule.Pass, When: "each valid call was answered in time and within the size"},
		{Verdict: rule.NotApplicable, When: "no valid call was made"},
	},
	Rules: []rule.Rule{
		{ID: "limits.timeout", Severity: rule.Warning, Precision: "medium", Tags: []string{"mcp", "performance"}},
		{ID: "limits.response-too-large", Severity: rule.Warning, Precision: "high", Tags: []string{"mcp", "performance"}},
		{ID: "limits.cancel-ignored", Severity: rule.Note, Precision: "medium", Tags: []string{"mcp", "performance"},
			References: []rule.Reference{{Title: "Model Context Protocol", Revision: "2025-11-25", Section: "Base protocol, Utilities, Cancellation", URL: "https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/cancellation"}}},
	},
}, callLimitsProse, []rule.Reference{
	{Title: "Model Context Protocol", Revision: "2025-11-25", Section: "Base protocol, Lifecycle, Timeouts", URL: "https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle#timeouts"},
})

// Bounds of cancelling.
const (
	slowCall   = time.Second // from which a call is worth cancelling
	maxCancels = 3
	// smallAnswer is the size in bytes up to which an answer is not late for its
	// own length.
	smallAnswer = 64 << 10
)

// Run reads the record of the calls and cancels slow ones.
func (CallLimits) Run(ctx context.Context, env *check.Env) check.Report {
	findings, probes := check.NewFindings(callLimitsInfo), map[string]int{}
	kb, _ := env.Config.Int("call-limits", "max_response_kb")
	var slow []check.Call
	for _, c := range env.Calls.List() {
		if c.Expect != check.Valid {
			continue
		}
		probes["valid-calls"]++
		switch {
		case c.Answer.Kind == reply.Hung && c.Check == userProbesInfo.ID:
			addLimit(env, findings, c, "limits.timeout", fmt.Sprintf("Tool %s does not answer a valid call within %s.", named(env, c), c.Limit))
		case c.Size > kb<<10:
			addLimit(env, findings, c, "limits.response-too-large", fmt.Sprintf("Tool %s answers a valid call with more than %d KiB.", named(env, c), kb))
		}
		if c.Confirmed && c.Took >= slowCall && c.Size <= smallAnswer && env.Snapshot.ReadOnly(c.Tool) && len(slow) < maxCancels {
			slow = append(slow, c)
		}
	}
	if env.Config.ActiveProbes != "none" {
		for _, c := range slow {
			probes["cancel"]++
			cancelled(ctx, env, findings, c)
		}
	}
	list := findings.List()
	report := check.Report{Verdict: check.Judge(callLimitsInfo, list), Findings: list, Probes: probes}
	switch {
	case report.Verdict == rule.Partial:
		report.Reason = "A valid call was answered too late or with too much."
	case probes["valid-calls"] == 0:
		report.Verdict, report.Reason = rule.NotApplicable, "No valid call was made: list some under probes."
	case ctx.Err() != nil:
		report.Verdict, report.Reason = rule.Unverified, "The run was cut short."
	default:
		report.Reason = rule.Counted(probes["valid-calls"], "valid call") + ": each was answered in time and within the size."
	}
	return report
}

func addLimit(env *check.Env, findings *check.Findings, c check.Call, ruleID, message string) {
	findings.Add(rule.Finding{Rule: ruleID, Subject: "tool:" + env.Redact.Line(c.Tool, 256), Message: message, Probe: c.Probe, Evidence: c.Evidence(env.Redact)})
}

func named(env *check.Env, c check.Call) string { return `"` + env.Redact.Line(c.Tool, 80) + `"` }

// cancelled makes a slow call again and cancels it. An answer that comes soon
// after the cancellation may have crossed it; one that comes when the work
// would have been done shows that it went on. It has to do so twice, since any
// answer can be late for once.
func cancelled(ctx context.Context, env *check.Env, findings *check.Findings, c check.Call) {
	var answer reply.Answer
	for range 2 {
		instance, err := env.Lanes.Open(ctx, check.How{})
		if err != nil {
			return
		}
		var late time.Duration
		answer, late = instance.CallAndCancel(ctx, c.Tool, c.Arguments, c.Took/5, 2*c.Took+time.Second)
		instance.Close(ctx)
		if answer.Kind != reply.Answered || answer.Error != nil || late < c.Took*2/5 {
			return
		}
	}
	findings.Add(rule.Finding{Rule: "limits.cancel-ignored", Subject: "tool:" + env.Redact.Line(c.Tool, 256), Probe: "cancel",
		Message: fmt.Sprintf("Tool %s answers a call that was cancelled long before.", named(env, c)), Evidence: probe.Evidence(env, answer)})
}
