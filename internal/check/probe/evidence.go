package probe

import (
	"fmt"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// MaxEvidence bounds a text of a finding's evidence, in bytes.
const MaxEvidence = 2000

// Subject is the subject of a finding about a tool.
func Subject(env *check.Env, t session.Tool) string {
	return "tool:" + env.Redact.Line(t.Name, 256)
}

// Argument is a place in the arguments as a finding names it.
func Argument(env *check.Env, pointer string) string { return env.Redact.Line(pointer, 256) }

// Evidence is what was sent and what came back, redacted and bounded.
func Evidence(env *check.Env, answer reply.Answer) rule.Evidence {
	return rule.Evidence{
		Request: env.Redact.Text(string(answer.Request), MaxEvidence),
		Reply:   env.Redact.Text(string(answer.Raw), MaxEvidence),
	}
}

// FaultEvidence is what was sent and what came of it where an answer lacks:
// what was seen instead, the last words of the server, and the requests that
// have to be sent before to show it.
func FaultEvidence(env *check.Env, answer reply.Answer, detail string, before []string) rule.Evidence {
	evidence := Evidence(env, answer)
	evidence.Detail = detail
	evidence.Stderr = redact.Stable(env.Redact.Text(answer.Stderr, MaxEvidence))
	for _, request := range before {
		evidence.Prefix = append(evidence.Prefix, env.Redact.Text(request, MaxEvidence))
	}
	return evidence
}

// Internals records that an answer shows internals, or is an unhandled runtime
// error. A leak and the decision beside it are two faults; a stack trace
// within an unhandled runtime error is one.
func (p *Prober) Internals(c Call, answer reply.Answer, reading reply.Reading) {
	name := p.Env.Redact.Line(c.Tool.Name, 80)
	if reading.Leak != "" && reading.Decision != reply.InternalError {
		p.Add(c, answer, "robust.leaks-internals", reading.Leak,
			fmt.Sprintf("Tool \"%s\" shows internals in its reply to a malformed call (%s): %s.", name, c.name(), reply.PatternText(reading.LeakPattern)))
	}
	if reading.Decision == reply.InternalError {
		p.Add(c, answer, "robust.internal-error", reading.Match,
			fmt.Sprintf("Tool \"%s\" answers a malformed call (%s) with an unhandled runtime error, not with a validation decision.", name, c.name()))
	}
}

// Add records what the answer to a call shows; match is the text that it
// rests on.
func (p *Prober) Add(c Call, answer reply.Answer, ruleID, match, message string) {
	evidence := Evidence(p.Env, answer)
	evidence.Match = p.Env.Redact.Line(match, 300)
	p.Findings.Add(rule.Finding{Rule: ruleID, Subject: Subject(p.Env, c.Tool), Argument: Argument(p.Env, c.Argument), Message: message, Probe: c.name(), Evidence: evidence})
}
