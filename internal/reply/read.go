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
)

// Question is what an answer answers.
type Question struct {
	// Arguments are the raw arguments of the call. Text that they hold is not
	// held against the reply that repeats it.
	Arguments json.RawMessage
	// Parameters are the declared names, those of nested objects included.
	Parameters []string
}

// Reading is what an answer says.
type Reading struct {
	Class Class
	// Decision is the class without a look at leaks.
	Decision Class
	// PlainText: the refusal stands in the text of a result that is not marked
	// as an error.
	PlainText bool
	// Match is the text that decided, "" if none did.
	Match string
	// Leak is the text that shows internals and LeakPattern the id of its
	// pattern, "" for none.
	Leak, LeakPattern string
	// Names is the declared parameter that a rejection names, "" for none.
	Names string
	// Text is the text of the answer that a client could show, at most
	// 256 KiB of it.
	Text string
}

// Read reads an answer. Of the classes the first that holds is taken: crash,
// hang, internal error, leak, lenient-downstream, rejected, accepted.
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
	if r.Leak != "" && r.Decision != InternalError {
		r.Class = Leak
	}
	return r
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
