package core

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// userProbes is a run of user-probes.
type userProbes struct {
	env      *check.Env
	findings *check.Findings
	probes   map[string]int
	tools    map[string]check.Tool
	rates    map[string]result.Rates
	// shown holds the names of the probes that showed a finding, by its id.
	shown map[string][]string
	// open says of each probe that could not be decided why.
	open []string
	// stopped says why no further call is made, "" while calls are made.
	stopped string

	// instance is the running server, nil when the next call needs a new one.
	instance *check.Instance
}

// userCall is a call of the check.
type userCall struct {
	probe config.Probe
	tool  session.Tool
	// kind is the id of the kind of call.
	kind      string
	arguments json.RawMessage
	expect    check.Expect
	limit     time.Duration
}

// outcome is what came of a call.
type outcome struct {
	userCall
	answer  reply.Answer
	reading reply.Reading
	// died: the server ended instead of answering, or after it.
	died bool
	// known: the call was answered, or the server died of it.
	known bool
}

func (u *userProbes) limit(p config.Probe) time.Duration {
	if p.Timeout > 0 {
		return p.Timeout
	}
	return u.env.Config.TimeoutProbe
}

// call makes a call once. A death is confirmed where sending the call again
// can do no harm.
func (u *userProbes) call(ctx context.Context, c userCall) outcome {
	c.limit = u.limit(c.probe)
	o := outcome{userCall: c}
	if !u.ready(ctx) {
		return o
	}
	u.probes[c.kind]++
	begin := time.Now()
	o.answer = u.instance.Call(ctx, c.tool.Name, c.arguments, c.limit)
	took := time.Since(begin)
	if ctx.Err() != nil {
		u.stopped, o.answer = check.Interrupted, reply.Answer{}
		return o
	}
	u.note(c.tool.Name, func(t *check.Tool) { t.Probed = true })
	o.read()
	made := check.Call{Check: userProbesInfo.ID, Probe: c.kind, Tool: c.tool.Name, Arguments: c.arguments, Parameters: argument.Properties(c.tool.InputSchema),
		Expect: c.expect, Answer: o.answer, Reading: o.reading, Limit: c.limit, Took: took, Secrets: c.probe.Secrets}
	if c.kind == "ok" {
		made.Want = c.probe.Result
	}
	made.Confirmed = c.expect == check.Valid && o.succeeded() && len(o.answer.Raw) <= check.MostRead && u.unfit(o) == ""
	u.env.Calls.Add(made)
	u.count(o)
	u.after(ctx, &o)
	return o
}

// read reads the answer. That a denial is not marked as an error does not undo
// it.
func (o *outcome) read() {
	o.reading = reply.Read(o.answer, reply.Question{Arguments: o.arguments, Parameters: argument.Properties(o.tool.InputSchema)})
	o.died = o.answer.Kind == reply.Closed
	o.known = o.answer.Kind != reply.Hung
	if o.expect != check.Denied || o.reading.Decision != reply.Accepted {
		return
	}
	if words := reply.Denial(o.answer); words != "" {
		o.reading.Class, o.reading.Decision, o.reading.PlainText, o.reading.Match = reply.Rejected, reply.Rejected, true, words
	}
}

// succeeded reports whether a call was answered with success. What looks like
// a refusal is none where it holds the values that were asked for.
func (o outcome) succeeded() bool {
	if o.reading.Decision == reply.Accepted {
		return true
	}
	return o.kind == "ok" && o.reading.PlainText && o.probe.Result != nil &&
		check.Call{Answer: o.answer, Want: o.probe.Result, Confirmed: true}.Mismatch() == nil
}

// unfit returns the rule that a success breaks, "" if it fits the tool's
// output schema and its request.
func (u *userProbes) unfit(o outcome) string {
	if schema, err := argument.Compile(o.tool.OutputSchema); err == nil && check.StructuredResults(u.env.Snapshot.ProtocolVersion) {
		structured := check.StructuredContent(o.answer.Result)
		if structured == nil {
			return "output.structured-missing"
		}
		if check.Refused(schema, structured) != "" {
			return "output.schema-mismatch"
		}
	}
	if o.kind == "ok" && (check.Call{Answer: o.answer, Want: o.probe.Result, Confirmed: true}).Mismatch() != nil {
		return "output.receipt-mismatch"
	}
	return ""
}

// after looks for a sign of life after a call.
func (u *userProbes) after(ctx context.Context, o *outcome) {
	if o.answer.Kind == reply.Answered {
		if u.instance.Alive(ctx, "tools/list", u.env.HangLimit("robust-input")) {
			return
		}
		if ctx.Err() != nil {
			u.stopped = check.Interrupted
			return
		}
		if u.instance.Ended() {
			exit := u.instance.Exit()
			o.died, o.answer.Detail, o.answer.Stderr = true, exit.String()+" after it had answered the call", exit.Stderr
		}
	}
	u.instance.Kill()
	u.instance = nil
}

// ready makes sure that there is a running server.
func (u *userProbes) ready(ctx context.Context) bool {
	if u.stopped != "" {
		return false
	}
	if u.instance != nil {
		return true
	}
	u.instance, u.stopped = u.env.Restart(ctx)
	return u.stopped == ""
}

// again makes a call that ended the server once more, on a fresh server while
// no other is left, and reports whether that one ended too.
func (u *userProbes) again(ctx context.Context, c userCall) (died bool) {
	u.env.Lanes.Alone(ctx, func(open opener) {
		instance, err := open(ctx)
		if err != nil {
			died = u.env.Server.Remote()
			return
		}
		defer instance.Kill()
		answer := instance.Call(ctx, c.tool.Name, c.arguments, c.limit)
		died = answer.Kind == reply.Closed || answer.Kind == reply.Answered && !instance.Alive(ctx, "tools/list", c.limit) && instance.Ended()
	})
	return died
}

type opener = func(context.Context) (*check.Instance, error)

// harmless reports whether a call may be made twice: the tool says that it
// changes nothing, or the call is one that must be rejected for its shape.
func (u *userProbes) harmless(c userCall) bool {
	return c.expect == check.Invalid || u.env.Snapshot.ReadOnly(c.tool.Name)
}

func (u *userProbes) end() {
	if u.instance != nil {
		u.instance.Close(context.Background())
		u.instance = nil
	}
}

// undecided notes why a probe says nothing.
func (u *userProbes) undecided(p config.Probe, why string) {
	u.open = append(u.open, fmt.Sprintf("%s: %s", u.env.Redact.Line(p.Name, 80), why))
}

func (u *userProbes) note(tool string, change func(*check.Tool)) {
	t := u.tools[tool]
	change(&t)
	u.tools[tool] = t
}

// uncovered says why a call does not cover its tool.
func (u *userProbes) uncovered(o outcome, why string) {
	u.note(o.tool.Name, func(t *check.Tool) {
		if t.Uncovered == "" {
			t.Uncovered = why
		}
	})
}

// add records a finding of a call.
func (u *userProbes) add(ctx context.Context, o outcome, ruleID, message string, explainedBy string) {
	flaky := false
	if o.died && u.harmless(o.userCall) {
		flaky = !u.again(ctx, o.userCall)
	}
	if o.died && !u.harmless(o.userCall) {
		message += " The call was not sent again, since what it did is unknown."
	}
	if flaky {
		message += " It did not happen again on a fresh server."
		u.undecided(o.probe, "the server ended in the call, but not in the same call on a fresh server")
	}
	evidence := probe.Evidence(u.env, o.answer)
	evidence.Match = u.env.Redact.Line(o.reading.Match, 300)
	if o.died {
		evidence.Detail = u.env.Redact.Line(o.answer.Detail, 200)
	}
	id := rule.FindingID(ruleID, probe.Subject(u.env, o.tool))
	if len(u.shown[id]) < maxShown {
		u.shown[id] = append(u.shown[id], u.label(o))
	}
	u.findings.Add(rule.Finding{Rule: ruleID, Subject: probe.Subject(u.env, o.tool), Message: message, Probe: o.kind, Flaky: flaky, ExplainedBy: explainedBy, Evidence: evidence})
}

// maxShown is how many probes are named that showed one finding.
const maxShown = 20

// count counts a call that was answered for the rates. Denials are counted
// apart.
func (u *userProbes) count(o outcome) {
	if o.answer.Kind != reply.Answered {
		return
	}
	rates := u.rates[o.tool.Name]
	decision := o.reading.Decision
	switch {
	case o.expect == check.Valid:
		rates.ValidRejected.Of++
		if decision == reply.Rejected && !o.succeeded() {
			rates.ValidRejected.Count++
		}
	case o.expect == check.Invalid && decision == reply.Accepted:
		rates.InvalidAccepted.Of++
		if o.reading.Class != reply.Empty {
			rates.InvalidAccepted.Count++
		}
	case o.expect == check.Invalid:
		rates.InvalidAccepted.Of++
		if decision == reply.Rejected {
			refusal(&rates, o.reading)
		}
	}
	u.rates[o.tool.Name] = rates
}

func refusal(rates *result.Rates, reading reply.Reading) {
	rates.NamedArgument.Of++
	rates.Unrecognisable.Of++
	if reading.Names != "" {
		rates.NamedArgument.Count++
	}
	if reading.PlainText {
		rates.Unrecognisable.Count++
	}
}

// denial counts a call that had to be denied.
func (u *userProbes) denial(tool string, observed bool) {
	rates := u.rates[tool]
	rates.Denials.Of++
	if observed {
		rates.Denials.Count++
	}
	u.rates[tool] = rates
}
