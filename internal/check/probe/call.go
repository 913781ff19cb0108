// Package probe calls tools on a running server, watches for signs of life,
// and confirms death, hanging and silence on a fresh server. The checks that
// send malformed arguments share it, so that a fault is confirmed and worded
// in one way.
package probe

import (
	"encoding/json"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/session"
)

// Call is one tools/call.
type Call struct {
	Tool session.Tool
	// Probe is the id of the kind of call, by which calls are counted.
	Probe string
	// Name is what a message calls this very call; "" for Probe.
	Name      string
	Arguments json.RawMessage
	// Argument is the place in Arguments that is malformed, as a JSON pointer;
	// "" for none or for several.
	Argument string
	// Valid: the arguments are valid, so that an answer is not held against
	// the server.
	Valid bool
	// Parameters are the declared names of the tool's arguments.
	Parameters []string
	// Outputs are the declared members of the tool's structured output.
	Outputs []string
	// Range is set for a number out of range.
	Range *reply.Range
}

func (c Call) question() reply.Question {
	return reply.Question{Arguments: c.Arguments, Parameters: c.Parameters, Outputs: c.Outputs, Range: c.Range}
}

func (c Call) expect() check.Expect {
	if c.Valid {
		return check.Valid
	}
	return check.Invalid
}

func (c Call) name() string {
	if c.Name != "" {
		return c.Name
	}
	return c.Probe
}
