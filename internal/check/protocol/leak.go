package protocol

import (
	"fmt"
	"strings"

	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
)

// leaks is the rule on answers that show internals.
const leaks = "protocol.probe-leaks-internals"

// leak is an answer that shows internals.
type leak struct {
	probe     probe
	judgement judgement
	answer    reply.Answer
}

// leaked adds the findings on answers that show internals: one for the server
// for each kind that the answers to several methods show, since one handler of
// errors makes them all.
func (p *prober) leaked() {
	var order []string
	kinds := map[string][]leak{}
	for _, l := range p.leaks {
		if kinds[l.judgement.kind] == nil {
			order = append(order, l.judgement.kind)
		}
		kinds[l.judgement.kind] = append(kinds[l.judgement.kind], l)
	}
	p.leaks = nil
	for _, kind := range order {
		p.leak(kinds[kind])
	}
}

// leak adds the finding on answers that show internals of one kind.
func (p *prober) leak(list []leak) {
	first := list[0]
	subject := first.probe.subject
	var probes []string
	for _, l := range list {
		probes = append(probes, l.probe.id)
		if l.probe.subject != subject {
			subject = "server"
		}
	}
	message := first.judgement.message
	evidence := p.evidence(first.answer)
	evidence.Match = p.env.Redact.Line(first.judgement.match, 300)
	if len(list) > 1 {
		message += fmt.Sprintf(" So do the answers to %d more.", len(list)-1)
		evidence.Detail = "probes: " + strings.Join(probes, ", ")
	}
	p.findings.Add(rule.Finding{Rule: leaks, Subject: subject, Message: message, Probe: first.probe.id, Count: len(list), Evidence: evidence})
}
