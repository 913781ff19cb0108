package core

import (
	"context"
	"fmt"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
)

// trial is what a fresh server did with a series of calls.
type trial struct {
	// rule is the fault that showed, "" for none.
	rule string
	// call is the call that showed it, answer what came of that call, and
	// before the requests that were sent before it.
	call   call
	answer reply.Answer
	before []string
}

type opener = func(context.Context) (*check.Instance, error)

// fault handles a death, a hang or silence after the call c. It is confirmed
// on a fresh server while no other is left: first the call alone, then those
// before it since the last sign of life, one by one, then all that the server
// was sent. What shows in none of these is flaky. It reports whether the
// tool's further calls may be made.
func (p *prober) fault(ctx context.Context, c call, seen reply.Answer) bool {
	sent, suspects := p.sent, p.sent[len(p.sent)-p.unproven:]
	p.instance.Kill()
	p.instance = nil
	flaky := trial{rule: faultRule(seen), call: c, answer: seen}
	var found trial
	var gone error
	err := p.env.Lanes.Alone(ctx, func(open opener) {
		p.env.Progress("robust-input", "confirming a fault of "+p.env.Redact.Line(c.tool.Name, 80))
		for i := len(suspects) - 1; i >= 0 && found.rule == "" && gone == nil; i-- {
			found, gone = p.try(ctx, open, suspects[i:i+1])
		}
		if found.rule == "" && gone == nil && len(sent) > 1 {
			found, gone = p.try(ctx, open, sent)
		}
	})
	switch {
	case err != nil || ctx.Err() != nil:
		p.stopped = interrupted
		return false
	case gone != nil && p.env.Config.URL != "" && seen.Kind == reply.Closed:
		// Sealmark can't start this server again, and that it is gone is
		// confirmation enough.
		p.add(flaky, false)
		p.stopped = "the server is gone and has to be started again by its owner"
	case found.rule == "":
		p.add(flaky, true)
	default:
		p.add(found, false)
	}
	p.count(seen)
	return seen.Kind == reply.Hung && p.stopped == ""
}

// count ends the probing after three hangs or three deaths.
func (p *prober) count(seen reply.Answer) {
	if seen.Kind == reply.Hung {
		p.hangs++
	} else {
		p.deaths++
	}
	switch {
	case p.stopped != "":
	case p.hangs >= maxHangs:
		p.stopped = fmt.Sprintf("probing stopped after %d hangs", maxHangs)
	case p.deaths >= maxHangs:
		p.stopped = fmt.Sprintf("probing stopped after the server died %d times", maxHangs)
	}
}

// try sends the calls to a fresh server, then asks for tools/list. Its error
// is that of a server that can't be started.
func (p *prober) try(ctx context.Context, open opener, calls []call) (trial, error) {
	instance, err := open(ctx)
	if err != nil {
		return trial{}, err
	}
	defer instance.Kill()
	var before []string
	var last reply.Answer
	for i, c := range calls {
		last = instance.Call(ctx, c.tool.Name, c.arguments, p.limit)
		if last.Kind != reply.Answered {
			return trial{rule: faultRule(last), call: c, answer: last, before: before}, nil
		}
		if i < len(calls)-1 {
			before = append(before, string(last.Request))
		}
	}
	if instance.Alive(ctx, "tools/list", p.limit) {
		return trial{}, nil
	}
	silent := silence(instance)
	silent.Request, silent.Raw = last.Request, last.Raw
	return trial{rule: faultRule(silent), call: calls[len(calls)-1], answer: silent, before: before}, nil
}

// silence says what is wrong with a server that left tools/list unanswered.
func silence(instance *check.Instance) reply.Answer {
	if instance.Ended() {
		exit := instance.Exit()
		return reply.Answer{Kind: reply.Closed, Detail: exit.String() + " after it had answered the call", Stderr: exit.Stderr}
	}
	return reply.Answer{Kind: reply.Hung, Detail: afterAnswer}
}

const afterAnswer = "answered the call, then left tools/list unanswered"

func faultRule(a reply.Answer) string {
	switch {
	case a.Kind == reply.Closed:
		return "robust.crashed"
	case a.Detail == afterAnswer:
		return "robust.stopped-answering"
	}
	return "robust.hang"
}

func (p *prober) add(t trial, flaky bool) {
	name := p.env.Redact.Line(t.call.tool.Name, 80)
	detail := p.env.Redact.Line(t.answer.Detail, 200)
	after := ""
	if n := len(t.before); n > 0 {
		after = fmt.Sprintf(" after %d earlier calls", n)
	}
	var message string
	switch t.rule {
	case "robust.crashed":
		message = fmt.Sprintf("Tool \"%s\" takes the server down on a malformed call (%s)%s: %s.", name, t.call.probe, after, detail)
	case "robust.stopped-answering":
		message = fmt.Sprintf("Tool \"%s\" silences the server: it %s (probe %s%s).", name, detail, t.call.probe, after)
	default:
		message = fmt.Sprintf("Tool \"%s\" hangs on a malformed call (%s)%s: %s.", name, t.call.probe, after, detail)
	}
	if flaky {
		message += " It did not happen again on a fresh server."
	}
	evidence := p.evidence(t.answer)
	evidence.Detail = detail
	evidence.Stderr = redact.Stable(p.env.Redact.Text(t.answer.Stderr, maxEvidence))
	for _, request := range t.before {
		evidence.Prefix = append(evidence.Prefix, p.env.Redact.Text(request, maxEvidence))
	}
	p.findings.Add(rule.Finding{Rule: t.rule, Subject: subject(p.env, t.call.tool), Message: message, Probe: t.call.probe, Flaky: flaky, Evidence: evidence})
}

// maxEvidence bounds a text of a finding's evidence, in bytes.
const maxEvidence = 2000
