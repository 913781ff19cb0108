package core

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// ok makes a call that must succeed and reports whether it did.
func (u *userProbes) ok(ctx context.Context, p config.Probe, t session.Tool, kind string, arguments json.RawMessage) bool {
	o := u.call(ctx, userCall{probe: p, tool: t, kind: kind, arguments: arguments, expect: check.Valid})
	switch {
	case o.answer.Kind == "":
		return false
	case !o.known:
		u.uncovered(o, fmt.Sprintf("its valid call got no answer within %s; it was not sent again, since its outcome is unknown", o.limit))
		u.undecided(p, fmt.Sprintf("the call got no answer within %s, so its outcome is unknown", o.limit))
		return false
	case o.died:
		u.uncovered(o, "its valid call ended the server")
		u.add(ctx, o, "probe.not-ok", fmt.Sprintf("Tool %s takes the server down in a call that must succeed (%s): %s.", u.name(o), u.label(o), u.env.Redact.Line(o.answer.Detail, 200)), "")
		return false
	case !o.succeeded():
		u.uncovered(o, "its valid call was not answered with success")
		message := fmt.Sprintf("Tool %s does not answer a call that must succeed (%s) with success: %s.", u.name(o), u.label(o), u.said(o))
		if refused := u.refusedBySchema(o); refused != "" {
			message += " The tool's own input schema refuses the arguments too: " + refused + "."
		}
		u.add(ctx, o, "probe.not-ok", message, "")
		return false
	}
	if len(o.answer.Raw) > check.MostRead {
		u.uncovered(o, "its valid call was answered with more than 1 MiB, which is not read")
		u.undecided(p, "the answer has more than 1 MiB and is not read")
		return false
	}
	if broken := u.unfit(o); broken != "" {
		u.uncovered(o, "its valid call was answered with a success that does not fit")
		u.unfitting(ctx, o, broken)
		return false
	}
	u.note(t.Name, func(tool *check.Tool) { tool.Valid = true })
	return true
}

// unfitting records a success that does not fit. output-contract owns the
// fault, if it runs.
func (u *userProbes) unfitting(ctx context.Context, o outcome, broken string) {
	message := fmt.Sprintf("Tool %s answers a call that must succeed (%s) with a success that does not fit: %s.", u.name(o), u.label(o), unfitText[broken])
	owner := ""
	if u.env.Config.Enabled("output-contract") {
		owner = rule.FindingID(broken, probe.Subject(u.env, o.tool))
		u.undecided(o.probe, "the success does not fit: "+unfitText[broken])
	}
	u.add(ctx, o, "probe.not-ok", message, owner)
}

var unfitText = map[string]string{
	"output.structured-missing": "the tool has an output schema and the result no structuredContent",
	"output.schema-mismatch":    "structuredContent breaks the tool's output schema",
	"output.receipt-mismatch":   "the result does not hold the values that probes[].result names",
}

// refused makes a call that must be rejected, or end in any error.
func (u *userProbes) refused(ctx context.Context, p config.Probe, t session.Tool) {
	c := userCall{probe: p, tool: t, kind: string(p.Expect), arguments: p.Args, expect: check.Invalid}
	if p.Expect == config.ExpectError {
		c.expect = check.Failing
	}
	o := u.call(ctx, c)
	decision := o.reading.Decision
	switch {
	case o.answer.Kind == "":
	case !o.known:
		u.undecided(p, fmt.Sprintf("the call got no answer within %s", o.limit))
	case o.died:
		u.add(ctx, o, "probe.not-rejected", fmt.Sprintf("Tool %s takes the server down in a call that must be rejected (%s): %s.", u.name(o), u.label(o), u.env.Redact.Line(o.answer.Detail, 200)), "")
	case decision == reply.Accepted:
		u.add(ctx, o, "probe.not-rejected", fmt.Sprintf("Tool %s answers a call that must be rejected (%s) with success.", u.name(o), u.label(o)), "")
	case c.expect == check.Invalid && decision != reply.Rejected:
		u.add(ctx, o, "probe.not-rejected", fmt.Sprintf("Tool %s fails in a call that must be rejected (%s), but by no validation decision: %s.", u.name(o), u.label(o), u.said(o)), "")
	}
}

// denied makes a call that must be denied and the permitted one beside it. A
// server that refuses both denies nothing.
func (u *userProbes) denied(ctx context.Context, p config.Probe, t session.Tool) {
	o := u.call(ctx, userCall{probe: p, tool: t, kind: "denied", arguments: p.Args, expect: check.Denied})
	if o.answer.Kind == "" {
		return
	}
	allowed := u.stopped == "" && u.ok(ctx, p, t, "allowed", p.Allowed)
	u.denial(t.Name, o.reading.Decision == reply.Rejected && allowed)
	switch decision := o.reading.Decision; {
	case !o.known:
		u.undecided(p, fmt.Sprintf("the call got no answer within %s", o.limit))
	case o.died:
		u.add(ctx, o, "probe.not-denied", fmt.Sprintf("Tool %s takes the server down in a call that must be denied (%s): %s.", u.name(o), u.label(o), u.env.Redact.Line(o.answer.Detail, 200)), "")
	case o.reading.Class == reply.Empty:
		u.undecided(p, "the call was answered with nothing, which is neither access nor a denial")
	case decision == reply.Accepted:
		u.add(ctx, o, "probe.not-denied", fmt.Sprintf("Tool %s answers a call that must be denied (%s) with success.", u.name(o), u.label(o)), "")
	case decision == reply.InternalError:
		u.add(ctx, o, "probe.not-denied", fmt.Sprintf("Tool %s fails in a call that must be denied (%s), but by no decision: %s.", u.name(o), u.label(o), u.said(o)), "")
	case decision == reply.Lenient:
		u.undecided(p, "the call failed for want of another service, which says nothing of a denial")
	case !allowed:
		u.undecided(p, "the permitted call beside the denied one did not succeed, so the refusal shows no denial")
	}
}

// refusedBySchema says in which way the tool's input schema refuses the
// arguments, "" if it does not.
func (u *userProbes) refusedBySchema(o outcome) string {
	schema, err := argument.Compile(o.tool.InputSchema)
	if err != nil {
		return ""
	}
	return u.env.Redact.Line(check.Refused(schema, o.arguments), 200)
}

func (u *userProbes) name(o outcome) string { return `"` + u.env.Redact.Line(o.tool.Name, 80) + `"` }

func (u *userProbes) label(o outcome) string {
	label := u.env.Redact.Line(o.probe.Name, 80)
	if o.kind == "allowed" {
		label += ", allowed"
	}
	return label
}

// said is the beginning of what the server answered.
func (u *userProbes) said(o outcome) string {
	text := u.env.Redact.Line(o.reading.Text, 200)
	if text == "" {
		return "without a word"
	}
	return "\"" + text + "\""
}
