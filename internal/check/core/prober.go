package core

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// prober is a run of robust-input.
type prober struct {
	env      *check.Env
	limit    time.Duration
	findings *check.Findings
	probes   map[string]int
	tools    map[string]check.Tool

	// instance is the running server, nil when the next call needs a new one.
	instance *check.Instance
	// sent holds the calls sent to instance, and unproven the last of them:
	// those since the last sign of life.
	sent     []call
	unproven int
	// last is what came of the last call.
	last reply.Answer

	hangs, deaths int
	// stopped says why no further call is made, "" while calls are made.
	stopped string
}

// call is one tools/call of the check.
type call struct {
	tool      session.Tool
	probe     string
	arguments json.RawMessage
	valid     bool
	// parameters are the declared names of the tool's arguments.
	parameters []string
}

func (p *prober) tool(ctx context.Context, t session.Tool) {
	calls, why := p.plan(t)
	if len(calls) == 0 {
		p.uncovered(t.Name, why)
		return
	}
	for _, c := range calls {
		if !p.send(ctx, c) {
			return
		}
	}
	p.signOfLife(ctx)
}

// plan returns the calls for a tool, or says why there is none.
func (p *prober) plan(t session.Tool) ([]call, string) {
	parameters := argument.Properties(t.InputSchema)
	if len(parameters) == 0 {
		if hint := t.Annotations.ReadOnlyHint; hint != nil && *hint && argument.Empty(t.InputSchema) {
			return []call{{tool: t, probe: "read-only-no-args", arguments: json.RawMessage(`{}`), valid: true}}, ""
		}
		return nil, "takes no arguments and is not declared read-only: only a call that is known to be harmless could cover it"
	}
	variants, _, err := argument.Robust(t.InputSchema)
	if err != nil {
		return nil, "its input schema can't be used: " + p.env.Redact.Line(err.Error(), 200)
	}
	if len(variants) == 0 {
		return nil, "has no argument that can be malformed safely"
	}
	calls := make([]call, len(variants))
	for i, v := range variants {
		calls[i] = call{tool: t, probe: v.Probe, arguments: v.Arguments, parameters: parameters}
	}
	return calls, ""
}

// send makes a call, reads the answer and records what it shows. It reports
// whether the tool's further calls may be made.
func (p *prober) send(ctx context.Context, c call) bool {
	if !p.ready(ctx) {
		p.uncovered(c.tool.Name, p.stopped)
		return false
	}
	p.probes[c.probe]++
	p.sent = append(p.sent, c)
	p.unproven++
	begin := time.Now()
	answer := p.instance.Call(ctx, c.tool.Name, c.arguments, p.limit)
	if ctx.Err() != nil {
		p.stopped = interrupted
		return false
	}
	p.last = answer
	reading := reply.Read(answer, reply.Question{Arguments: c.arguments, Parameters: c.parameters})
	valid := p.probed(c, answer, reading)
	p.env.Calls.Add(check.Call{Check: "robust-input", Probe: c.probe, Tool: c.tool.Name, Arguments: c.arguments, Parameters: c.parameters,
		Expect: c.expect(), Answer: answer, Reading: reading, Limit: p.limit, Took: time.Since(begin), Confirmed: valid})
	switch {
	case answer.Kind == reply.Closed:
		return p.fault(ctx, c, answer)
	case answer.Kind == reply.Hung && c.valid:
		p.unanswered(ctx, c)
		return false
	case answer.Kind == reply.Hung:
		return p.fault(ctx, c, answer)
	case !c.valid:
		p.read(c, answer, reading)
	}
	if answer.Error != nil {
		return p.signOfLife(ctx)
	}
	return true
}

// ready makes sure that there is a running server.
func (p *prober) ready(ctx context.Context) bool {
	if p.stopped != "" {
		return false
	}
	if p.instance != nil {
		return true
	}
	instance, err := p.env.Lanes.Open(ctx, check.How{})
	if err != nil {
		p.stopped = "the server could not be started again: " + p.env.Redact.Line(err.Error(), 300)
		if ctx.Err() != nil {
			p.stopped = interrupted
		}
		return false
	}
	p.use(instance)
	return true
}

const interrupted = "the run was cut short"

func (p *prober) use(instance *check.Instance) {
	p.instance, p.sent, p.unproven = instance, nil, 0
}

func (c call) expect() check.Expect {
	if c.valid {
		return check.Valid
	}
	return check.Invalid
}

// probed notes for the coverage that the tool was called, and reports whether
// a valid call was answered with success.
func (p *prober) probed(c call, answer reply.Answer, reading reply.Reading) bool {
	t := p.tools[c.tool.Name]
	t.Probed = true
	if c.valid {
		t.Valid = reading.Decision == reply.Accepted
		if !t.Valid {
			t.Uncovered = "its valid call without arguments was not answered with success"
		}
	}
	p.tools[c.tool.Name] = t
	return c.valid && t.Valid
}

// unanswered handles a valid call without an answer. Its outcome is unknown,
// so it is neither sent again nor held against the server.
func (p *prober) unanswered(ctx context.Context, c call) {
	t := p.tools[c.tool.Name]
	t.Uncovered = fmt.Sprintf("its valid call got no answer within %s; it was not sent again, since its outcome is unknown", p.limit)
	p.tools[c.tool.Name] = t
	p.instance.Close(ctx)
	p.instance = nil
}

// signOfLife asks for tools/list, and looks for the call that silenced the
// server if no answer comes.
func (p *prober) signOfLife(ctx context.Context) bool {
	if p.instance == nil || p.unproven == 0 {
		return true
	}
	if p.instance.Alive(ctx, "tools/list", p.limit) {
		p.unproven = 0
		return true
	}
	if ctx.Err() != nil {
		p.stopped = interrupted
		return false
	}
	silent := silence(p.instance)
	silent.Request, silent.Raw = p.last.Request, p.last.Raw
	return p.fault(ctx, p.sent[len(p.sent)-1], silent)
}

func (p *prober) uncovered(tool, why string) {
	t := p.tools[tool]
	if t.Uncovered == "" {
		t.Uncovered = why
	}
	p.tools[tool] = t
}

// end closes the server that is left.
func (p *prober) end() {
	if p.instance != nil {
		p.instance.Close(context.Background())
		p.instance = nil
	}
}

func (p *prober) report(v rule.Verdict, reason string) check.Report {
	return check.Report{Verdict: v, Reason: reason, Findings: p.findings.List(), Probes: p.probes, Tools: p.tools}
}

func (p *prober) verdict(ctx context.Context) check.Report {
	calls := 0
	for _, n := range p.probes {
		calls += n
	}
	found := check.Judge(robustInputInfo, p.findings.List())
	switch {
	case found == rule.Fail:
		return p.report(rule.Fail, p.failReason())
	case p.stopped != "" || ctx.Err() != nil:
		return p.report(rule.Unverified, "Not all tools were called: "+p.stopped+".")
	case found == rule.Partial:
		return p.report(rule.Partial, "The server stayed up, but not each invalid call was rejected cleanly.")
	case calls == 0:
		return p.report(rule.NotApplicable, "No tool has arguments that can be malformed safely, and no valid call was made.")
	}
	return p.report(rule.Pass, fmt.Sprintf("%d calls: each invalid one was rejected cleanly, and the server kept answering.", calls))
}

func (p *prober) failReason() string {
	switch {
	case p.findings.Has("robust.crashed"):
		return "The server died of a malformed call."
	case p.findings.Has("robust.stopped-answering"):
		return "The server stopped answering after a malformed call."
	}
	return "A malformed call got no answer."
}
