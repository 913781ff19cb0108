package probe

import (
	"context"
	"fmt"
	"time"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/reply"
)

// MaxFaults is how many hanging calls, and how many deaths, end the probing.
const MaxFaults = 3

// Prober makes the calls of a check one after the other on one server, and
// starts a fresh one after a fault. End is called when all is done.
type Prober struct {
	Env *check.Env
	// Check is the id of the check for the progress.
	Check string
	// Limit is how long a call may take.
	Limit    time.Duration
	Findings *check.Findings
	// Memory is how many of the last calls are sent again at most to show a
	// fault that no call shows alone; 0 for all that the server was sent.
	Memory int
	// AliveEvery is after how many calls a sign of life is asked for; 0 for
	// after each protocol error.
	AliveEvery int
	// Probes counts the calls by probe id.
	Probes map[string]int
	// Answered hears of each answer that came, before signs of life.
	Answered func(Call, reply.Answer, reply.Reading)
	// Unanswered hears of a valid call without an answer. Its outcome is
	// unknown, so it is neither sent again nor held against the server.
	Unanswered func(Call)
	// Faulted hears of each fault before it is recorded; nil for nobody.
	Faulted func(fault Trial, flaky bool)
	// Stopped says why no further call is made, "" while calls are made.
	Stopped string

	// instance is the running server, nil when the next call needs a new one.
	instance *check.Instance
	// sent holds the calls sent to instance, and unproven the last of them:
	// those since the last sign of life.
	sent     []Call
	unproven int
	// last is what came of the last call.
	last reply.Answer

	hangs, deaths int
}

// Use makes the next calls on a server that runs already; nil does nothing.
func (p *Prober) Use(instance *check.Instance) {
	p.instance, p.sent, p.unproven = instance, nil, 0
}

// Send makes a call, and confirms the fault that shows. It reports whether the
// tool's further calls may be made.
func (p *Prober) Send(ctx context.Context, c Call) bool {
	if !p.Ready(ctx) {
		return false
	}
	p.Probes[c.Probe]++
	p.sent = append(p.sent, c)
	p.unproven++
	begin := time.Now()
	answer := p.instance.Call(ctx, c.Tool.Name, c.Arguments, p.Limit)
	if ctx.Err() != nil {
		p.Stopped = check.Interrupted
		return false
	}
	p.last = answer
	reading := reply.Read(answer, c.question())
	p.Env.Calls.Add(check.Call{Check: p.Check, Probe: c.Probe, Tool: c.Tool.Name, Arguments: c.Arguments, Parameters: c.Parameters,
		Expect: c.expect(), Answer: answer, Reading: reading, Limit: p.Limit, Took: time.Since(begin), Confirmed: c.Valid && reading.Decision == reply.Accepted})
	p.Answered(c, answer, reading)
	switch {
	case answer.Kind == reply.Closed:
		return p.fault(ctx, c, answer)
	case answer.Kind == reply.Hung && c.Valid:
		p.Unanswered(c)
		p.instance.Close(ctx)
		p.instance = nil
		return false
	case answer.Kind == reply.Hung:
		return p.fault(ctx, c, answer)
	case answer.Error != nil && p.AliveEvery == 0, p.AliveEvery > 0 && p.unproven >= p.AliveEvery:
		return p.SignOfLife(ctx)
	}
	return true
}

// Ready makes sure that there is a running server. It reports whether calls
// can be made; Stopped says why not.
func (p *Prober) Ready(ctx context.Context) bool {
	if p.Stopped != "" {
		return false
	}
	if p.instance != nil {
		return true
	}
	instance, why := p.Env.Restart(ctx)
	if why != "" {
		p.Stopped = why
		return false
	}
	p.Use(instance)
	return true
}

// SignOfLife asks for tools/list, and looks for the call that silenced the
// server if no answer comes. It reports whether the tool's further calls may
// be made.
func (p *Prober) SignOfLife(ctx context.Context) bool {
	if p.instance == nil || p.unproven == 0 {
		return true
	}
	if p.instance.Alive(ctx, "tools/list", p.Limit) {
		p.unproven = 0
		return true
	}
	if ctx.Err() != nil {
		p.Stopped = check.Interrupted
		return false
	}
	silent := silence(p.instance)
	silent.Request, silent.Raw = p.last.Request, p.last.Raw
	return p.fault(ctx, p.sent[len(p.sent)-1], silent)
}

// End closes the server that is left.
func (p *Prober) End() {
	if p.instance != nil {
		p.instance.Close(context.Background())
		p.instance = nil
	}
}

// count ends the probing after three hangs or three deaths.
func (p *Prober) count(seen reply.Answer) {
	if seen.Kind == reply.Hung {
		p.hangs++
	} else {
		p.deaths++
	}
	switch {
	case p.Stopped != "":
	case p.hangs >= MaxFaults:
		p.Stopped = fmt.Sprintf("probing stopped after %d hangs", MaxFaults)
	case p.deaths >= MaxFaults:
		p.Stopped = fmt.Sprintf("probing stopped after the server died %d times", MaxFaults)
	}
}
