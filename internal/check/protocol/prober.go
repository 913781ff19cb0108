package protocol

import (
	"context"
	"fmt"
	"time"

	"github.com/sealmark/action/internal/check"
	probing "github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
)

// prober is a run of protocol-probes.
type prober struct {
	env      *check.Env
	limit    time.Duration
	findings *check.Findings
	probes   map[string]int

	// instance is the running server, nil when the next probe needs a new one,
	// and sent what was sent to it.
	instance *check.Instance
	sent     []probe
	// sign is the method that the server gives its signs of life by, "" until
	// it is known.
	sign string

	// leaks are the answers that show internals, until leaked reports them.
	leaks []leak

	deaths, silences int
	// stopped says why no further probe is sent, "" while probes are sent.
	stopped string
	// lost: that is because the server could not be reached again.
	lost bool
}

// outcome is what came of a probe and the sign of life after it.
type outcome struct {
	answer reply.Answer
	// died says how the server died of the probe, "" if it lives.
	died string
}

// fault names what has to be confirmed, "" for nothing.
func (o outcome) fault(pr probe) string {
	switch {
	case o.died != "":
		return "protocol.probe-connection-died"
	case o.answer.Kind == reply.Hung && pr.silence == 0:
		return "protocol.probe-accepted-unanswered"
	}
	return ""
}

// send sends a probe, asks for a sign of life, and records what both show.
func (p *prober) send(ctx context.Context, pr probe) {
	if !p.ready(ctx) {
		return
	}
	p.probes[pr.id]++
	p.sent = append(p.sent, pr)
	seen := p.try(ctx, p.instance, pr)
	switch {
	case ctx.Err() != nil:
		p.stopped = check.Interrupted
	case seen.fault(pr) != "":
		p.fault(ctx, pr, seen)
	default:
		p.read(pr, seen.answer)
	}
}

// ready makes sure that there is a running server that gives signs of life.
func (p *prober) ready(ctx context.Context) bool {
	if p.instance != nil {
		return true
	}
	instance, err := p.env.Lanes.Open(ctx, check.How{})
	if err != nil {
		p.lose("the server could not be reached again: " + p.env.Redact.Line(err.Error(), 300))
		if ctx.Err() != nil {
			p.stopped, p.lost = check.Interrupted, false
		}
		return false
	}
	p.instance, p.sent = instance, nil
	if p.sign != "" {
		return true
	}
	for _, method := range []string{"ping", "tools/list"} {
		if instance.Alive(ctx, method, p.limit) {
			p.sign = method
			return true
		}
	}
	p.stopped = "the server answers neither ping nor tools/list, so its silence says nothing"
	if ctx.Err() != nil {
		p.stopped = check.Interrupted
	}
	return false
}

func (p *prober) lose(why string) { p.stopped, p.lost = why, true }

// try sends a probe to an instance and asks for a sign of life.
func (p *prober) try(ctx context.Context, instance *check.Instance, pr probe) outcome {
	var o outcome
	if pr.raw == nil {
		o.answer = instance.Request(ctx, pr.method, pr.params, p.limit)
	} else {
		o.answer = instance.Raw(ctx, pr.id, func(id string) []byte { return []byte(pr.raw(id)) }, pr.silence)
	}
	if ctx.Err() != nil {
		return o
	}
	switch {
	case o.answer.Cut:
		o.died = o.answer.Detail // a clause of its own
	case o.answer.Kind == reply.Closed:
		o.died = o.answer.Detail + " instead of answering"
	case instance.Alive(ctx, p.sign, p.limit):
	case instance.Ended():
		exit := instance.Exit()
		o.died, o.answer.Stderr = exit.String()+" after the probe", exit.Stderr
	default:
		o.died = "left " + p.sign + " unanswered after the probe"
	}
	return o
}

// fault handles a death or an unanswered probe. It is confirmed on a fresh
// server while no other is left: first the probe alone, then all that was sent
// before it. What shows in neither is flaky.
func (p *prober) fault(ctx context.Context, pr probe, seen outcome) {
	sent, fault := p.sent, seen.fault(pr)
	p.instance.Kill()
	p.instance = nil
	var found outcome
	var before []string
	var gone error
	err := p.env.Lanes.Alone(ctx, func(open func(context.Context) (*check.Instance, error)) {
		p.env.Progress("protocol-probes", "confirming what came of "+pr.id)
		for _, series := range [][]probe{{pr}, sent} {
			if found.fault(pr) == fault || gone != nil || len(series) > 1 && len(sent) == 1 {
				return
			}
			found, before, gone = p.series(ctx, open, series)
		}
	})
	confirmed := found.fault(pr) == fault
	switch {
	case err != nil || ctx.Err() != nil:
		p.stopped = check.Interrupted
		return
	case gone != nil && p.env.Server.Remote() && fault == "protocol.probe-connection-died":
		// Sealmark can't start this server again, and that it is gone is
		// confirmation enough.
		confirmed = true
		p.lose("the server is gone and has to be started again by its owner")
	case gone != nil:
		p.lose("the server could not be started again: " + p.env.Redact.Line(gone.Error(), 300))
	}
	if confirmed && gone == nil {
		seen = found
	}
	p.addFault(pr, fault, seen, before, !confirmed)
	p.count(fault)
}

// series sends probes to a fresh server, and returns what came of the last
// and what was sent before it. Its error is that of a server that can't be
// started.
func (p *prober) series(ctx context.Context, open func(context.Context) (*check.Instance, error), probes []probe) (outcome, []string, error) {
	instance, err := open(ctx)
	if err != nil {
		return outcome{}, nil, err
	}
	defer instance.Kill()
	var before []string
	for i, pr := range probes {
		o := p.try(ctx, instance, pr)
		if i == len(probes)-1 {
			return o, before, nil
		}
		if o.died != "" {
			break
		}
		before = append(before, string(o.answer.Request))
	}
	return outcome{}, nil, nil
}

// count ends the probing after too many deaths or silences.
func (p *prober) count(fault string) {
	if fault == "protocol.probe-connection-died" {
		p.deaths++
	} else {
		p.silences++
	}
	switch {
	case p.stopped != "":
	case p.deaths >= maxDeaths:
		p.stopped = fmt.Sprintf("probing stopped after the server died %d times", maxDeaths)
	case p.silences >= maxSilences:
		p.stopped = fmt.Sprintf("probing stopped after %d probes without an answer", maxSilences)
	}
}

func (p *prober) addFault(pr probe, fault string, o outcome, before []string, flaky bool) {
	after := ""
	if n := len(before); n > 0 {
		after = fmt.Sprintf(" after %d earlier probes", n)
	}
	detail := p.env.Redact.Line(o.died, 200)
	clause := "it " + detail
	if o.answer.Cut {
		clause = detail
	}
	message := fmt.Sprintf("The server does not survive the probe %s%s: %s.", pr.id, after, clause)
	if fault == "protocol.probe-accepted-unanswered" {
		detail = p.env.Redact.Line(o.answer.Detail, 200)
		message = fmt.Sprintf("The probe %s%s got neither a result nor an error: %s.", pr.id, after, detail)
	}
	if flaky {
		message += " It did not happen again on a fresh server."
	}
	finding := rule.Finding{Rule: fault, Subject: pr.subject, Message: message, Probe: pr.id, Flaky: flaky, Evidence: probing.FaultEvidence(p.env, o.answer, detail, before)}
	if pr.silence > 0 {
		// The specification does not ask a server to survive what is no
		// request.
		finding.Severity = rule.Warning
	}
	p.findings.Add(finding)
}

// read records what an answer shows.
func (p *prober) read(pr probe, a reply.Answer) {
	for _, j := range judge(pr, p.env.Snapshot, a) {
		if j.rule == leaks {
			p.leaks = append(p.leaks, leak{pr, j, a})
			continue
		}
		evidence := p.evidence(a)
		evidence.Match = p.env.Redact.Line(j.match, 300)
		if a.Kind != reply.Answered {
			evidence.Detail = p.env.Redact.Line(a.Detail, 200)
		}
		p.findings.Add(rule.Finding{Rule: j.rule, Severity: j.severity, Subject: pr.subject, Message: j.message, Probe: pr.id, Evidence: evidence})
	}
}

func (p *prober) evidence(a reply.Answer) rule.Evidence {
	return probing.Evidence(p.env, a)
}

// end closes the server that is left.
func (p *prober) end() {
	if p.instance != nil {
		p.instance.Close(context.Background())
		p.instance = nil
	}
}
