package core

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// robust is a run of robust-input.
type robust struct {
	probe.Prober
	tools map[string]check.Tool
}

func newRobust(info rule.Check, env *check.Env) *robust {
	r := &robust{tools: map[string]check.Tool{}, Prober: probe.Prober{
		Env: env, Check: info.ID, Limit: env.HangLimit(info.ID), Findings: check.NewFindings(info), Probes: map[string]int{},
	}}
	r.Answered, r.Unanswered = r.answered, r.unanswered
	return r
}

func (r *robust) tool(ctx context.Context, t session.Tool) {
	calls, why := r.plan(t)
	if len(calls) == 0 {
		r.uncovered(t.Name, why)
		return
	}
	for _, c := range calls {
		if !r.Ready(ctx) {
			r.uncovered(t.Name, r.Stopped)
			return
		}
		if !r.Send(ctx, c) {
			return
		}
	}
	r.SignOfLife(ctx)
}

// plan returns the calls for a tool, or says why there is none.
func (r *robust) plan(t session.Tool) ([]probe.Call, string) {
	parameters := argument.Properties(t.InputSchema)
	if len(parameters) == 0 {
		if r.Env.Snapshot.ReadOnly(t.Name) && argument.Empty(t.InputSchema) {
			return []probe.Call{{Tool: t, Probe: "read-only-no-args", Arguments: json.RawMessage(`{}`), Valid: true}}, ""
		}
		return nil, "takes no arguments and is not declared read-only: list a call under probes to cover it"
	}
	variants, _, err := argument.Robust(t.InputSchema)
	if err != nil {
		return nil, "its input schema can't be used: " + r.Env.Redact.Line(err.Error(), 200)
	}
	if len(variants) == 0 {
		return nil, "has no argument that can be malformed safely: list a call under probes to cover it"
	}
	calls := make([]probe.Call, len(variants))
	for i, v := range variants {
		calls[i] = probe.Call{Tool: t, Probe: v.Probe, Arguments: v.Arguments, Argument: malformed(v, parameters), Parameters: parameters}
	}
	return calls, ""
}

// malformed is the only argument that a variant breaks, as a JSON pointer, ""
// if there are several.
func malformed(v argument.Variant, parameters []string) string {
	switch {
	case v.Target != "":
		return rawjson.Pointer([]string{v.Target})
	case len(parameters) == 1 && v.Probe != argument.ExtraArgument:
		return rawjson.Pointer(parameters)
	}
	return ""
}

// answered notes for the coverage that the tool was called, and reads the
// answer.
func (r *robust) answered(c probe.Call, answer reply.Answer, reading reply.Reading) {
	t := r.tools[c.Tool.Name]
	t.Probed = true
	if c.Valid {
		t.Valid = reading.Decision == reply.Accepted
		if !t.Valid {
			t.Uncovered = "its valid call without arguments was not answered with success"
		}
	}
	r.tools[c.Tool.Name] = t
	if !c.Valid && answer.Kind == reply.Answered {
		r.read(c, answer, reading)
	}
}

// unanswered handles a valid call without an answer.
func (r *robust) unanswered(c probe.Call) {
	t := r.tools[c.Tool.Name]
	t.Uncovered = fmt.Sprintf("its valid call got no answer within %s; it was not sent again, since its outcome is unknown", r.Limit)
	r.tools[c.Tool.Name] = t
}

func (r *robust) uncovered(tool, why string) {
	t := r.tools[tool]
	if t.Uncovered == "" {
		t.Uncovered = why
	}
	r.tools[tool] = t
}

func (r *robust) report(v rule.Verdict, reason string) check.Report {
	return check.Report{Verdict: v, Reason: reason, Findings: r.Findings.List(), Probes: r.Probes, Tools: r.tools}
}

func (r *robust) verdict(ctx context.Context) check.Report {
	calls := 0
	for _, n := range r.Probes {
		calls += n
	}
	found := check.Judge(robustInputInfo, r.Findings.List())
	switch {
	case found == rule.Fail:
		return r.report(rule.Fail, r.failReason())
	case r.Stopped != "" || ctx.Err() != nil:
		return r.report(rule.Unverified, "Not all tools were called: "+r.Stopped+".")
	case found == rule.Partial:
		return r.report(rule.Partial, "The server stayed up, but not each invalid call was rejected cleanly.")
	case calls == 0:
		return r.report(rule.NotApplicable, "No tool has arguments that can be malformed safely, and no valid call was made.")
	}
	return r.report(rule.Pass, rule.Counted(calls, "call")+": each invalid one was rejected cleanly, and the server kept answering.")
}

func (r *robust) failReason() string {
	switch {
	case r.Findings.Has("robust.crashed"):
		return "The server died of a malformed call."
	case r.Findings.Has("robust.stopped-answering"):
		return "The server stopped answering after a malformed call."
	}
	return "A malformed call got no answer."
}
