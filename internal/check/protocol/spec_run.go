package protocol

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sealmark/action/internal/check"
	probing "github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
	schemas "github.com/sealmark/action/internal/spec"
)

// specProber sends the requests of the check spec, one after the other.
type specProber struct {
	env      *check.Env
	limit    time.Duration
	findings *check.Findings
	probes   map[string]int
	codes    []wrongCode

	// instance is the running server, nil when the next request needs one.
	instance *check.Instance
	lost     int
	// missed holds the probes that got no answer, in their order.
	missed []string
	// stopped says why no further request is sent, "" while they are.
	stopped string
}

// maxLost is how many lost servers end the probing.
const maxLost = 3

// Run sends well-formed requests and judges the answers. No tool is called.
func (Spec) Run(ctx context.Context, env *check.Env) check.Report {
	p := &specProber{env: env, limit: env.HangLimit("spec"), findings: check.NewFindings(specInfo), probes: map[string]int{}}
	if _, ok := schemas.For(env.Snapshot.ProtocolVersion); !ok {
		return p.report(rule.NotApplicable, fmt.Sprintf("The negotiated revision %q is none that this check knows.", env.Redact.Line(env.Snapshot.ProtocolVersion, 80)))
	}
	if env.Recorded {
		return p.report(rule.Pass, "The initialize result and the lists of the recorded snapshot keep to the revision "+env.Snapshot.ProtocolVersion+".")
	}
	if env.Config.ActiveProbes == "none" {
		return p.report(rule.Pass, "active_probes is none: only messages that were sent anyway were judged, and none breaks the revision.")
	}
	defer p.end()
	for _, probe := range []func(context.Context){p.ping, p.batch, p.unknownMethod, p.prompts, p.completions, p.resources, p.subscriptions, p.logging} {
		probe(ctx)
	}
	p.end()
	p.versions(ctx)
	p.wrongCodes()
	return p.verdict()
}

func (p *specProber) verdict() check.Report {
	found := check.Judge(specInfo, p.findings.List())
	switch {
	case found == rule.Fail:
		return p.report(rule.Fail, "A well-formed request is answered against the specification.")
	case p.stopped != "":
		return p.report(rule.Unverified, "Not all requests were sent: "+p.stopped+".")
	case len(p.missed) > 0:
		return p.report(rule.Unverified, "Got no answer, which is for other checks to judge: "+strings.Join(p.missed, ", ")+".")
	case found == rule.Partial:
		return p.report(rule.Partial, "The answers depart from the specification.")
	}
	return p.report(rule.Pass, "The messages and answers of the server keep to the revision "+p.env.Snapshot.ProtocolVersion+".")
}

func (p *specProber) report(v rule.Verdict, reason string) check.Report {
	return check.Report{Verdict: v, Reason: reason, Findings: p.findings.List(), Probes: p.probes}
}

// ready makes sure that there is a running server.
func (p *specProber) ready(ctx context.Context) bool {
	if p.stopped != "" || p.instance != nil {
		return p.stopped == ""
	}
	p.instance, p.stopped = p.env.Restart(ctx)
	return p.stopped == ""
}

func (p *specProber) stop(ctx context.Context, why string) {
	if ctx.Err() != nil {
		why = check.Interrupted
	}
	p.stopped = why
}

// ask sends a request. ok is false if no answer came; the probe is then
// missed, since a death or a hang is for other checks to report, and the next
// request goes to a fresh server.
func (p *specProber) ask(ctx context.Context, probe, method string, params any) (a reply.Answer, ok bool) {
	if !p.ready(ctx) {
		return a, false
	}
	p.probes[probe]++
	a = p.instance.Request(ctx, method, params, p.limit)
	if a.Kind == reply.Answered {
		return a, true
	}
	p.lose(ctx, probe)
	return a, false
}

// lose ends a server that left a request unanswered.
func (p *specProber) lose(ctx context.Context, probe string) {
	p.instance.Kill()
	p.instance = nil
	if len(p.missed) == 0 || p.missed[len(p.missed)-1] != probe {
		p.missed = append(p.missed, probe)
	}
	p.lost++
	switch {
	case ctx.Err() != nil:
		p.stop(ctx, "")
	case p.lost >= maxLost:
		p.stop(ctx, fmt.Sprintf("%d requests got no answer", p.lost))
	}
}

func (p *specProber) end() {
	if p.instance != nil {
		p.instance.Close(context.Background())
		p.instance = nil
	}
}

func (p *specProber) add(id string, severity rule.Severity, subject, probe, message string, a reply.Answer) {
	p.findings.Add(rule.Finding{Rule: id, Severity: severity, Subject: subject, Probe: probe, Message: message, Evidence: p.evidence(a)})
}

func (p *specProber) evidence(a reply.Answer) rule.Evidence {
	return probing.Evidence(p.env, a)
}

// since reports whether the negotiated revision is this one or later.
func (p *specProber) since(revision string) bool {
	return p.env.Snapshot.ProtocolVersion >= revision
}

func (p *specProber) declares(path string) bool {
	return declared(p.env.Snapshot.Capabilities, path)
}

// serves reports whether a capability is declared and its list is not refused,
// which is a finding of its own.
func (p *specProber) serves(capability string) bool {
	return p.declares(capability) && p.env.Snapshot.Lists[capability].Refusal() == nil
}

const (
	codeMethodNotFound   = "-32601"
	codeInvalidParams    = "-32602"
	codeResourceNotFound = "-32002"
)

// code is the code of an error that came as a JSON-RPC error, "" for a success
// and for an error status of HTTP.
func code(a reply.Answer) string {
	if a.Error == nil {
		return ""
	}
	return a.Error.Code.String()
}

// wrongCode is an error with another code than the specification names.
type wrongCode struct {
	severity rule.Severity
	probe    string
	text     string
	answer   reply.Answer
}

// wrongCodes adds one finding for all errors with a wrong code, gravest first.
func (p *specProber) wrongCodes() {
	var first *wrongCode
	var texts []string
	for i, w := range p.codes {
		if first == nil || w.severity.Rank() > first.severity.Rank() {
			first = &p.codes[i]
		}
		texts = append(texts, w.text)
	}
	if first == nil {
		return
	}
	evidence := p.evidence(first.answer)
	evidence.Detail = strings.Join(texts, "\n")
	p.findings.Add(rule.Finding{Rule: "spec.error-code", Severity: first.severity, Subject: "server", Probe: first.probe, Count: len(texts),
		Message: "The server uses another error code than the specification names: " + first.text + ".", Evidence: evidence})
}

func (p *specProber) wantCode(severity rule.Severity, probe, what, want string, a reply.Answer) {
	got := code(a)
	if got == "" || got == want {
		return
	}
	p.codes = append(p.codes, wrongCode{severity, probe, fmt.Sprintf("%s is answered with %s, not %s", what, p.env.Redact.Line(got, 40), want), a})
}
