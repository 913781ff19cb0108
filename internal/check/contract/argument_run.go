package contract

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/core"
	"github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// borrowed are the rules of robust-input that a candidate may show where the
// check itself did not.
var borrowed = []string{"robust.crashed", "robust.hang", "robust.stopped-answering", "robust.internal-error", "robust.leaks-internals"}

const (
	// aliveEvery is after how many calls a sign of life is asked for, so that
	// the call that silenced a server is found quickly.
	aliveEvery = 10
	// memory is how many calls are sent again at most to show a fault.
	memory = 200
)

// argumentRun is a run of the check.
type argumentRun struct {
	probe.Prober
	// observe: the whole check is only observed.
	observe bool
	rows    []*row
	// at and candidate are what is being sent.
	at        *row
	candidate argument.Candidate
	// blamed is the tool whose call the last fault comes from.
	blamed *row
	robust check.Report
	groups map[string]*group
	order  []string

	// mayWrite counts the candidates that are kept back since a tool may
	// write, shared those beyond max_total, and left the tools left out.
	mayWrite, shared, left int
	// later counts the calls that were used before something else failed,
	// empty those whose answer said nothing, and hung those without one.
	later, empty, hung int
	// until is when no more is sent, so that a slow server leaves time for
	// the rest of the run.
	until time.Time
}

func newArgumentRun(env *check.Env) *argumentRun {
	info := argumentContractInfo
	var rules []rule.Rule
	for _, id := range borrowed {
		if of, ok := (core.RobustInput{}).Info().Rule(id); ok {
			rules = append(rules, of)
		}
	}
	r := &argumentRun{
		Prober: probe.Prober{Env: env, Check: info.ID, Limit: env.HangLimit(info.ID), Memory: memory, AliveEvery: aliveEvery,
			Findings: check.NewFindings(info, rules...), Probes: map[string]int{}},
		observe: env.Config.Text(info.ID, "mode") == "observe", groups: map[string]*group{},
	}
	r.Answered, r.Faulted = r.answered, r.faulted
	if env.Report != nil {
		r.robust, _ = env.Report("robust-input")
	}
	return r
}

func (r *argumentRun) subject(t session.Tool) string { return probe.Subject(r.Env, t) }

// send sends what is planned.
func (r *argumentRun) send(ctx context.Context) {
	if end, ok := ctx.Deadline(); ok {
		const share = 0.6
		r.until = time.Now().Add(time.Duration(share * float64(time.Until(end))))
	}
	for _, w := range r.rows {
		r.sendTool(ctx, w)
	}
	r.SignOfLife(ctx)
}

func (r *argumentRun) sendTool(ctx context.Context, w *row) {
	for i, c := range w.list {
		if !r.until.IsZero() && time.Now().After(r.until) && r.Stopped == "" {
			r.Stopped = "the calls took too much of the run's time"
		}
		if !r.Ready(ctx) {
			w.rest(i, r.Stopped)
			return
		}
		r.at, r.candidate = w, c
		begin := time.Now()
		goOn := r.Send(ctx, r.call(w, c))
		if w.outcomes[c.ID] == result.Accepted && time.Since(begin) < r.Limit/4 {
			w.prompt = true
		}
		if !goOn && (r.blamed == w || r.Stopped != "") {
			w.rest(i+1, cmp.Or(r.Stopped, "the calls before them took the server down"))
			return
		}
	}
}

// rest keeps back the candidates from the i-th one on.
func (w *row) rest(i int, reason string) {
	if i >= len(w.list) {
		return
	}
	w.kept = append(w.kept, w.list[i:]...)
	w.list = w.list[:i:i]
	w.reasons = append(w.reasons, reason)
}

func (r *argumentRun) call(w *row, c argument.Candidate) probe.Call {
	call := probe.Call{Tool: w.tool, Probe: string(c.Shape), Name: r.name(w, c), Arguments: c.Arguments, Argument: declared(c), Parameters: w.parameters, Outputs: w.outputs}
	if name := lastName(c.Pointer); name != "" && !slices.Contains(call.Parameters, name) {
		call.Parameters = append(slices.Clip(call.Parameters), name)
	}
	if c.Limit != nil && c.Value != nil && (c.Shape == argument.BelowMinimum || c.Shape == argument.AboveMaximum || c.Shape == argument.AtExclusiveMin || c.Shape == argument.AtExclusiveMax) {
		call.Range = &reply.Range{Name: lastName(c.Pointer), Value: c.Value, Limit: c.Limit}
	}
	return call
}

// declared is the place that a candidate breaks; that around an undeclared
// field, which nothing declares.
func declared(c argument.Candidate) string {
	tokens := rawjson.Tokens(c.Pointer)
	switch c.Shape {
	case argument.ExtraField, argument.NestedExtra, argument.PropertyName:
		tokens = tokens[:max(0, len(tokens)-1)]
	}
	return rawjson.Pointer(tokens)
}

// name is the id of a candidate among those of all tools.
func (r *argumentRun) name(w *row, c argument.Candidate) string {
	return r.Env.Redact.Line(w.tool.Name, 80) + "/" + strings.TrimPrefix(r.Env.Redact.Line(c.ID, 160), "/")
}

// answered notes what became of the candidate.
func (r *argumentRun) answered(call probe.Call, answer reply.Answer, reading reply.Reading) {
	w, c := r.at, r.candidate
	outcome := outcomeOf(reading)
	w.outcomes[c.ID] = outcome
	switch outcome {
	case result.Accepted:
		r.accepted(call, answer, reading)
	case result.FailedLater:
		r.later++
	case result.Empty:
		r.empty++
	case result.Hang:
		r.hung++
	case result.Rejected, result.Unrecognised:
		w.rates.Unrecognisable.Of++
		if c.Pointer != "" {
			w.rates.NamedArgument.Of++
			if namesIt(reading.Names, c.Pointer) {
				w.rates.NamedArgument.Count++
			}
		}
		if outcome == result.Unrecognised {
			w.rates.Unrecognisable.Count++
		}
		if reading.Partial != "" {
			r.note("contract.partial-output", partialText, "", call, answer, reading.Partial)
		}
	}
	// What a nearly valid call that was carried out returns may be what was
	// asked for, a log with stack traces, say.
	if answer.Kind == reply.Answered && !(outcome == result.Accepted && c.Near) {
		r.Internals(call, answer, reading)
	}
}

// namesIt reports whether the parameter that a refusal names is on the way to
// the place that is wrong.
func namesIt(name, pointer string) bool {
	return name != "" && slices.ContainsFunc(rawjson.Tokens(pointer), func(s string) bool { return strings.EqualFold(s, name) })
}

func outcomeOf(reading reply.Reading) result.Outcome {
	switch reading.Decision {
	case reply.Crash:
		return result.Crash
	case reply.Hang:
		return result.Hang
	case reply.InternalError:
		return result.InternalError
	case reply.Lenient:
		return result.FailedLater
	case reply.Accepted:
		if reading.Class == reply.Empty {
			return result.Empty
		}
		return result.Accepted
	}
	if reading.PlainText {
		return result.Unrecognised
	}
	return result.Rejected
}

// faulted notes the call that a death, a hang or silence comes from, which may
// be an earlier one than that which showed it.
func (r *argumentRun) faulted(fault probe.Trial, flaky bool) {
	r.blamed = r.at
	if flaky {
		return
	}
	outcome := result.Hang
	if fault.Answer.Kind == reply.Closed {
		outcome = result.Crash
	}
	for _, w := range r.rows {
		for _, c := range w.list {
			if w.tool.Name != fault.Call.Tool.Name || r.name(w, c) != fault.Call.Name {
				continue
			}
			r.blamed = w
			w.outcomes[c.ID] = outcome
			w.hung = w.hung || !c.Near
			now := r.at.outcomes[r.candidate.ID]
			if (w != r.at || c.ID != r.candidate.ID) && (now == result.Crash || now == result.Hang) {
				// Its answer was lost with the server.
				r.at.outcomes[r.candidate.ID] = result.NotSent
			}
			return
		}
	}
}

// left is the name of the member that a pointer to one ends with, which may be
// a number.
func left(pointer string) string {
	parts := rawjson.Tokens(pointer)
	if len(parts) == 0 {
		return ""
	}
	return parts[len(parts)-1]
}

// lastName is the last name of a pointer that is no index.
func lastName(pointer string) string {
	for _, part := range slices.Backward(rawjson.Tokens(pointer)) {
		if strings.Trim(part, "0123456789") != "" {
			return part
		}
	}
	return ""
}
