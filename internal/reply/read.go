package reply

import "encoding/json"

// Class is how an answer is read.
type Class string

// The classes, in the order in which the first that holds is taken.
const (
	Crash         Class = "crash"
	Hang          Class = "hang"
	InternalError Class = "internal-error"
	Leak          Class = "leak"
	Lenient       Class = "lenient-downstream"
	Rejected      Class = "rejected"
	Accepted      Class = "accepted"
	// Clamped and Empty are kinds of accepted: the reply shows the limit in
	// place of the value out of range that was sent, or it says nothing.
	Clamped Class = "clamped"
	Empty   Class = "empty"
)

// Question is what an answer answers.
type Question struct {
	// Arguments are the raw arguments of the call. Text that they hold is not
	// held against the reply that repeats it.
	Arguments json.RawMessage
	// Parameters are the declared names, those of nested objects included.
	Parameters []string
	// Outputs are the declared members of the tool's structured output.
	Outputs []string
	// Range is set for a call with a number out of range.
	Range *Range
}

// Reading is what an answer says.
type Reading struct {
	Class Class
	// Decision is the class without a look at leaks, and Accepted for what is
	// clamped or empty.
	Decision Class
	// PlainText: the refusal stands in the text of a result that is not marked
	// as an error.
	PlainText bool
	// Match is the text that decided, "" if none did.
	Match string
	// Leak is the text that shows internals and LeakPattern the id of its
	// pattern, "" for none.
	Leak, LeakPattern string
	// Partial is the output that a rejection shows beside its refusal, "" for
	// none.
	Partial string
	// Names is the declared parameter that a rejection names, "" for none.
	Names string
	// Text is the text of the answer that a client could show, at most
	// 256 KiB of it.
	Text string
}

// Read reads an answer. Of the classes the first that holds is taken: crash,
// hang, internal error, leak, lenient-downstream, rejected, accepted; and of what
// is accepted: clamped, empty.
//
// An answer with neither a result nor an error is no success, so it counts as
// rejected; that it is malformed is for another check to say.
func Read(a Answer, q Question) Reading {
	switch a.Kind {
	case Closed:
		return Reading{Class: Crash, Decision: Crash}
	case Hung:
		return Reading{Class: Hang, Decision: Hang}
	}
	h := hear(a)
	own := oursIn(q.Arguments)
	text := own.without(h.text)
	r := h.decide(text, own, parameters(q.Parameters))
	r.Text = h.text
	r.Leak, r.LeakPattern = leak(text)
	r.Class = r.Decision
	switch r.Decision {
	case Accepted:
		r.accepted(a, h, q)
	case Rejected:
		r.Partial = partial(a, h, q.Outputs)
	}
	if r.Leak != "" && r.Decision != InternalError {
		r.Class = Leak
	}
	return r
}

// accepted looks closer at a call that was accepted.
func (r *Reading) accepted(a Answer, h heard, q Question) {
	if q.Range != nil {
		if piece := q.Range.clamped(h.text + "\n" + string(h.structured)); piece != "" {
			r.Class, r.Match = Clamped, piece
			return
		}
	}
	if empty(a.Result) {
		r.Class = Empty
	}
}

// decide reads an answer whose text is given without what we sent ourselves.
func (h heard) decide(text string, own ours, names declared) Reading {
	refusal := ""
	if !h.failed {
		if refusal = refused(own.without(h.first), h.structured, names); refusal == "" {
			return Reading{Decision: Accepted}
		}
	}
	r := Reading{Decision: Rejected, Match: refusal, PlainText: !h.failed}
	var phrase string
	r.Names, phrase = names.named(h.text)
	if word := runtimeError(text, names, r.Names != ""); word != "" {
		r.Decision, r.Match = InternalError, word
		return r
	}
	if word := failedFetch(text); word != "" && r.Names == "" && !schemaDecision(text) {
		r.Decision, r.Match = Lenient, word
		return r
	}
	if r.Match == "" {
		r.Match = phrase
	}
	return r
}
