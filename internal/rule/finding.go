package rule

import (
	"crypto/sha256"
	"encoding/hex"
)

// Finding is one fault of the server: a rule broken by a subject. There is
// one finding per rule and subject; repeats are counted.
type Finding struct {
	// ID names the finding for replay and comparison; see FindingID.
	ID   string `json:"id"`
	Rule string `json:"rule"`
	// Check is the check that found it.
	Check string `json:"check"`
	// Subject is "server", "tool:NAME", "resource:URI" or "prompt:NAME".
	Subject string `json:"subject"`
	// Argument is the place within the tool's or prompt's arguments that is at
	// fault, as a JSON pointer; "" for none or for several.
	Argument string   `json:"argument,omitempty"`
	Severity Severity `json:"severity"`
	// Message says in one or two sentences what happened; the first names the
	// subject and the fault.
	Message string `json:"message"`
	// Probe is the id of the probe that showed it, "" for none.
	Probe string `json:"probe,omitempty"`
	// Count is how often it was seen, at least 1.
	Count int `json:"count"`
	// Flaky marks a fault that did not show again on a fresh server. It is a
	// note and no verdict rests on it.
	Flaky bool `json:"flaky,omitempty"`
	// Observed marks a finding that is shown but counts for nothing: neither for
	// the score nor for the gate. It is a note.
	Observed bool `json:"observed,omitempty"`
	// ExplainedBy is the id of the finding that owns the fault. A finding with
	// an owner stays out of SARIF, gate and comment.
	ExplainedBy string   `json:"explained_by,omitempty"`
	Evidence    Evidence `json:"evidence"`
	// Location is where the fault can be mended, nil until it is known.
	Location *Location `json:"location,omitempty"`
	// Accepted says why the maintainers live with it, nil if they do not. An
	// accepted finding is shown and counts for nothing else.
	Accepted *Acceptance `json:"accepted,omitempty"`
}

// Acceptance is an accept entry of the configuration.
type Acceptance struct {
	Reason string `json:"reason"`
	// Until is the last day on which it holds, as YYYY-MM-DD, "" for ever.
	Until string `json:"until,omitempty"`
}

// Evidence is what was sent and what came back, redacted and bounded.
type Evidence struct {
	// Request is the message as sent, without its line end.
	Request string `json:"request,omitempty"`
	// Reply is the message as received, "" if none came.
	Reply string `json:"reply,omitempty"`
	// Detail says what was seen when it is not a reply: "no answer within
	// 10 s", "exited with status 1".
	Detail string `json:"detail,omitempty"`
	// Match is the part of the reply that the verdict rests on.
	Match string `json:"match,omitempty"`
	// Candidates are the ids of the malformed arguments that showed it, where
	// there are several. Request and Reply are those of the first.
	Candidates []string `json:"candidates,omitempty"`
	// Stderr holds the last lines the server wrote to stderr before it died.
	Stderr string `json:"stderr,omitempty"`
	// Prefix holds the requests that must be sent first on the same server to
	// show the fault; empty when the request alone shows it.
	Prefix []string `json:"prefix,omitempty"`
}

// Location is a place in the repository.
type Location struct {
	// Path is relative to the repository root, with forward slashes.
	Path string `json:"path"`
	// Line counts from 1.
	Line int `json:"line"`
	// Column counts characters from 1, 0 if it is not known.
	Column int `json:"column,omitempty"`
	// Basis says what the place rests on, "" for Fallback.
	Basis Basis `json:"basis,omitempty"`
}

// Basis says how sure it is that a fault can be mended at a place.
type Basis string

// The bases, surest first.
const (
	// Definition: the subject is registered or declared here.
	Definition Basis = "definition"
	// Mention: its name stands here, and nothing says that it is defined here.
	Mention Basis = "mention"
	// Fallback: a manifest, configuration or workflow file of the server.
	Fallback Basis = "fallback"
)

// FindingID names a finding by its rule and subject. It is the same in each
// run and survives any change of the evidence.
func FindingID(ruleID, subject string) string {
	sum := sha256.Sum256([]byte(ruleID + "\x00" + subject))
	return ruleID + ":" + hex.EncodeToString(sum[:4])
}
