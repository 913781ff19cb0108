package core

import (
	"fmt"

	"github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/reply"
)

// read records what the answer to a schema-invalid call shows.
func (r *robust) read(c probe.Call, answer reply.Answer, reading reply.Reading) {
	name := r.Env.Redact.Line(c.Tool.Name, 80)
	r.Internals(c, answer, reading)
	switch reading.Decision {
	case reply.Lenient:
		r.Add(c, answer, "robust.lenient-downstream", reading.Match,
			fmt.Sprintf("Tool \"%s\" used the invalid arguments (%s) before it failed further on.", name, c.Probe))
	case reply.Accepted:
		if reading.Class != reply.Empty {
			r.accepted(c)
		}
		r.Add(c, answer, "robust.accepted-invalid", "",
			fmt.Sprintf("Tool \"%s\" accepted schema-invalid arguments (%s) without any refusal.", name, c.Probe))
	case reply.Rejected:
		if reading.PlainText {
			r.Add(c, answer, "robust.text-refusal", reading.Match,
				fmt.Sprintf("Tool \"%s\" refuses invalid arguments (%s) in plain text, without isError: a client can't tell the refusal from a success.", name, c.Probe))
		}
	}
}

// accepted notes for other checks which shapes a tool took for certain.
func (r *robust) accepted(c probe.Call) {
	t := r.tools[c.Tool.Name]
	t.Accepted = append(t.Accepted, c.Probe)
	r.tools[c.Tool.Name] = t
}
