package result

import "github.com/sealmark/action/internal/rule"

// Comparison is what changed since the base.
type Comparison struct {
	Base Base `json:"base"`
	// Change is the score minus the base's, in percentage points rounded to
	// one decimal; nil if either has none.
	Change *float64 `json:"change,omitempty"`
	// New holds the ids of the findings that the base does not have.
	New []string `json:"new"`
	// Fixed holds the findings of the base that are gone.
	Fixed []rule.Finding `json:"fixed"`
	// Unknown holds the findings of the base whose check could not be run now.
	Unknown []rule.Finding `json:"unknown,omitempty"`
	// Surface is what changed in what the server offers.
	Surface []SurfaceChange `json:"surface"`
	// Incomparable says why the two can't be compared in part or at all, empty
	// if they can.
	Incomparable []string `json:"incomparable,omitempty"`
}

// Base is the result that was compared with.
type Base struct {
	// Source says where it comes from: "baseline", "committed" or "build".
	Source string `json:"source"`
	// Commit is the commit it was made of, "" if it is not known.
	Commit string `json:"commit,omitempty"`
	Status Status `json:"status"`
	// Percent and Letter are the score, nil and "" if there is none.
	Percent *float64 `json:"percent,omitempty"`
	Letter  string   `json:"letter,omitempty"`
}

// SurfaceChange is a change in what the server offers.
type SurfaceChange struct {
	// Subject is "server", "tool:NAME", "resource:URI", "prompt:NAME" …
	Subject string `json:"subject"`
	// Kind is "breaking", "added" or "other".
	Kind string `json:"kind"`
	// Text says in a sentence what changed.
	Text string `json:"text"`
}
