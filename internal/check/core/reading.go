package core

import (
	"fmt"

	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
)

// read records what the answer to a schema-invalid call shows. A leak and the
// decision beside it are two faults; a stack trace within an unhandled runtime
// error is one.
func (p *prober) read(c call, answer reply.Answer, reading reply.Reading) {
	name := p.env.Redact.Line(c.tool.Name, 80)
	if reading.Leak != "" && reading.Decision != reply.InternalError {
		p.addReading(c, answer, "robust.leaks-internals", reading.Leak,
			fmt.Sprintf("Tool \"%s\" shows internals in its reply to a malformed call (%s): %s.", name, c.probe, reply.PatternText(reading.LeakPattern)))
	}
	switch reading.Decision {
	case reply.InternalError:
		p.addReading(c, answer, "robust.internal-error", reading.Match,
			fmt.Sprintf("Tool \"%s\" answers a malformed call (%s) with an unhandled runtime error, not with a validation decision.", name, c.probe))
	case reply.Lenient:
		p.addReading(c, answer, "robust.lenient-downstream", reading.Match,
			fmt.Sprintf("Tool \"%s\" used the invalid arguments (%s) before it failed further on.", name, c.probe))
	case reply.Accepted:
		p.addReading(c, answer, "robust.accepted-invalid", "",
			fmt.Sprintf("Tool \"%s\" accepted schema-invalid arguments (%s) without any refusal.", name, c.probe))
	case reply.Rejected:
		if reading.PlainText {
			p.addReading(c, answer, "robust.text-refusal", reading.Match,
				fmt.Sprintf("Tool \"%s\" refuses invalid arguments (%s) in plain text, without isError: a client can't tell the refusal from a success.", name, c.probe))
		}
	}
}

func (p *prober) addReading(c call, answer reply.Answer, ruleID, match, message string) {
	evidence := p.evidence(answer)
	evidence.Match = p.env.Redact.Line(match, 300)
	p.findings.Add(rule.Finding{Rule: ruleID, Subject: subject(p.env, c.tool), Message: message, Probe: c.probe, Evidence: evidence})
}

// evidence is what was sent and what came back.
func (p *prober) evidence(answer reply.Answer) rule.Evidence {
	return rule.Evidence{
		Request: p.env.Redact.Text(string(answer.Request), maxEvidence),
		Reply:   p.env.Redact.Text(string(answer.Raw), maxEvidence),
	}
}
