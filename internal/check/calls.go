package check

import (
	"cmp"
	"encoding/json"
	"slices"
	"sync"
	"time"

	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
)

// Expect says how a call had to be answered.
type Expect string

// The expectations.
const (
	// Valid: with success.
	Valid Expect = "valid"
	// Invalid: with a rejection, since the arguments break the tool's schema or
	// the maintainers say that they are invalid.
	Invalid Expect = "invalid"
	// Denied: with a rejection, although the shape of the arguments is valid.
	Denied Expect = "denied"
	// Failing: with an error of any kind.
	Failing Expect = "error"
	// Either: in any way, since nobody says how.
	Either Expect = "either"
)

// Call is a call of a tool that a check made and what came of it. It holds
// texts as they came: whoever shows them redacts them.
type Call struct {
	// Check and Probe say who made the call and why.
	Check, Probe string
	Tool         string
	// Arguments are those that were sent, nil for none.
	Arguments json.RawMessage
	// Parameters are the declared names of the tool's arguments.
	Parameters []string
	Expect     Expect
	Answer     reply.Answer
	Reading    reply.Reading
	// Limit is how long the call was waited for, and Took how long its answer
	// took. Took differs from run to run.
	Limit, Took time.Duration
	// Confirmed: a valid call was answered with a success that fits what the
	// maintainers say of it.
	Confirmed bool
	// Want holds the values that a success must hold, by JSON pointer.
	Want map[string]json.RawMessage
	// Secrets names the variables whose values the arguments hold.
	Secrets []string

	// Size is the length of the answer in bytes; Add sets it.
	Size int
	// Cut: the answer was too large to be kept. Its Raw is the beginning, its
	// Result and Error are nil. Add sets it.
	Cut bool
}

// Bounds of what is kept of the calls.
const (
	// CallsPerTool is how many calls of one check to one tool are kept, and
	// MostRead how much of the answer to a valid call is read.
	CallsPerTool = 64
	MostRead     = 1 << 20  // bytes of the answer to a valid call
	keptOther    = 32 << 10 // bytes of another answer
	keptHead     = 4 << 10  // bytes of an answer that is too large
	keptText     = 32 << 10 // bytes of an answer's text
)

// Calls is the record of the calls that checks made, for those that read the
// answers. What it holds of a check and a tool depends on the order of that
// check's calls alone, not on the lanes. A nil Calls keeps nothing. It is safe
// for concurrent use.
type Calls struct {
	mu   sync.Mutex
	made map[callsOf][]Call
}

type callsOf struct{ check, tool string }

// Add keeps a call, if it is one of the first CallsPerTool of its check to its
// tool.
func (c *Calls) Add(call Call) {
	if c == nil {
		return
	}
	call.bound()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.made == nil {
		c.made = map[callsOf][]Call{}
	}
	at := callsOf{call.Check, call.Tool}
	if len(c.made[at]) < CallsPerTool {
		c.made[at] = append(c.made[at], call)
	}
}

// bound cuts an answer down to what may be kept.
func (c *Call) bound() {
	c.Size = len(c.Answer.Raw)
	most := keptOther
	if c.Expect == Valid {
		most = MostRead
	}
	if c.Size > most {
		c.Cut = true
		c.Answer.Raw = slices.Clone(c.Answer.Raw[:keptHead])
		c.Answer.Result, c.Answer.Error = nil, nil
	}
	if len(c.Reading.Text) > keptText {
		c.Reading.Text = string([]byte(c.Reading.Text[:keptText]))
	}
}

// List returns the calls by check and tool, those of one check to one tool in
// the order in which they were made.
func (c *Calls) List() []Call {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	keys := make([]callsOf, 0, len(c.made))
	for at := range c.made {
		keys = append(keys, at)
	}
	slices.SortFunc(keys, func(a, b callsOf) int { return cmp.Or(cmp.Compare(a.check, b.check), cmp.Compare(a.tool, b.tool)) })
	var list []Call
	for _, at := range keys {
		list = append(list, c.made[at]...)
	}
	return list
}

// maxEvidence bounds a text of a finding's evidence, in bytes.
const maxEvidence = 2000

// Evidence is what was sent and what came back, redacted and bounded.
func (c Call) Evidence(r *redact.Redactor) rule.Evidence {
	return rule.Evidence{
		Request: r.Text(string(c.Answer.Request), maxEvidence),
		Reply:   r.Text(string(c.Answer.Raw), maxEvidence),
		Detail:  r.Line(c.Answer.Detail, 200),
	}
}

// Answered reports whether the answer is whole and came as a message.
func (c Call) Answered() bool { return c.Answer.Kind == reply.Answered && !c.Cut }
