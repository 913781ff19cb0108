package probe

import (
	"context"
	"fmt"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
)

// Trial is what a fresh server did with a series of calls.
type Trial struct {
	// Rule is the fault that showed, "" for none.
	Rule string
	// Call is the call that showed it, Answer what came of that call, and
	// Before the requests that were sent before it.
	Call   Call
	Answer reply.Answer
	Before []string
}

// opener starts a fresh server while no other is left.
type opener = func(context.Context) (*check.Instance, error)

// fault handles a death, a hang or silence after the call c. It is confirmed
// on a fresh server while no other is left: first the call alone, then those
// before it since the last sign of life, one by one, then all that the server
// was sent. What shows in none of these is flaky. It reports whether the
// tool's further calls may be made.
func (p *Prober) fault(ctx context.Context, c Call, seen reply.Answer) bool {
	sent, suspects := p.sent, p.sent[len(p.sent)-p.unproven:]
	if p.Memory > 0 {
		sent = sent[max(0, len(sent)-p.Memory):]
	}
	p.instance.Kill()
	p.instance = nil
	flaky := Trial{Rule: faultRule(seen), Call: c, Answer: seen}
	var found Trial
	var gone error
	err := p.Env.Lanes.Alone(ctx, func(open opener) {
		p.Env.Progress(p.Check, "confirming a fault of "+p.Env.Redact.Line(c.Tool.Name, 80))
		for i := len(suspects) - 1; i >= 0 && found.Rule == "" && gone == nil; i-- {
			found, gone = p.try(ctx, open, suspects[i:i+1])
		}
		if found.Rule == "" && gone == nil && len(sent) > 1 {
			found, gone = p.try(ctx, open, sent)
		}
	})
	switch {
	case err != nil || ctx.Err() != nil:
		p.Stopped = check.Interrupted
		return false
	case gone != nil && p.Env.Server.Remote() && seen.Kind == reply.Closed:
		// Sealmark can't start this server again, and that it is gone is
		// confirmation enough.
		p.found(flaky, false)
		p.Stopped = "the server is gone and has to be started again by its owner"
	case found.Rule == "":
		p.found(flaky, true)
	default:
		p.found(found, false)
	}
	p.count(seen)
	return seen.Kind == reply.Hung && p.Stopped == ""
}

// try sends the calls to a fresh server, then asks for tools/list. Its error
// is that of a server that can't be started.
func (p *Prober) try(ctx context.Context, open opener, calls []Call) (Trial, error) {
	instance, err := open(ctx)
	if err != nil {
		return Trial{}, err
	}
	defer instance.Kill()
	var before []string
	var last reply.Answer
	for i, c := range calls {
		last = instance.Call(ctx, c.Tool.Name, c.Arguments, p.Limit)
		if last.Kind != reply.Answered {
			return Trial{Rule: faultRule(last), Call: c, Answer: last, Before: before}, nil
		}
		if i < len(calls)-1 {
			before = append(before, string(last.Request))
		}
	}
	if instance.Alive(ctx, "tools/list", p.Limit) {
		return Trial{}, nil
	}
	silent := silence(instance)
	silent.Request, silent.Raw = last.Request, last.Raw
	return Trial{Rule: faultRule(silent), Call: calls[len(calls)-1], Answer: silent, Before: before}, nil
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

// found tells of a fault and records it.
func (p *Prober) found(t Trial, flaky bool) {
	if p.Faulted != nil {
		p.Faulted(t, flaky)
	}
	name := p.Env.Redact.Line(t.Call.Tool.Name, 80)
	detail := p.Env.Redact.Line(t.Answer.Detail, 200)
	after := ""
	if n := len(t.Before); n > 0 {
		after = fmt.Sprintf(" after %d earlier calls", n)
	}
	var message string
	switch t.Rule {
	case "robust.crashed":
		message = fmt.Sprintf("Tool \"%s\" takes the server down on a malformed call (%s)%s: %s.", name, t.Call.name(), after, detail)
	case "robust.stopped-answering":
		message = fmt.Sprintf("Tool \"%s\" silences the server: it %s (probe %s%s).", name, detail, t.Call.name(), after)
	default:
		message = fmt.Sprintf("Tool \"%s\" hangs on a malformed call (%s)%s: %s.", name, t.Call.name(), after, detail)
	}
	if flaky {
		message += " It did not happen again on a fresh server."
	}
	p.Findings.Add(rule.Finding{Rule: t.Rule, Subject: Subject(p.Env, t.Call.Tool), Message: message, Probe: t.Call.name(), Flaky: flaky,
		Evidence: FaultEvidence(p.Env, t.Answer, detail, t.Before)})
}
