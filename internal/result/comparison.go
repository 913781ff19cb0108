package result

import "github.com/sealmark/action/internal/rule"

// Comparison is what changed since the base.
type Comparison struct {
	Base Base `json:"base"`
	// FindingsCompared: without it New, Fixed, Unknown, Worse and Unsure are
	// empty and say nothing.
	FindingsCompared bool `json:"findings_compared"`
	// SurfaceCompared: without it Surface is empty and says nothing.
	SurfaceCompared bool `json:"surface_compared"`
	// Change is the score minus the base's, in percentage points rounded to
	// one decimal; nil if either has none, or if they don't measure the same.
	Change *float64 `json:"change,omitempty"`
	// New holds the ids of the findings that the base does not have.
	New []string `json:"new"`
	// Worse holds the ids of those that the base has with a milder severity.
	Worse []string `json:"worse,omitempty"`
	// Unsure holds the ids of those that the base does not have and could not
	// have: their check was not run there, or its version lacks the rule.
	Unsure []string `json:"unsure,omitempty"`
	// Fixed holds the findings of the base that are gone.
	Fixed []rule.Finding `json:"fixed"`
	// Unknown holds the findings of the base that were not found and were not
	// looked for as the base did: their check, or its calls, could not be run.
	Unknown []rule.Finding `json:"unknown,omitempty"`
	// Surface is what changed in what the server offers, breaking changes first.
	Surface []SurfaceChange `json:"surface"`
	// SurfaceLeft counts the changes that are left out of Surface, which is
	// bounded. No breaking one is among them unless all in Surface are.
	SurfaceLeft int `json:"surface_left,omitempty"`
	// Incomparable says why the two can't be compared in part or at all, in
	// sentences, empty if they can.
	Incomparable []string `json:"incomparable,omitempty"`
}

// The sources of a base.
const (
	// FromBaseline is a file that the user named.
	FromBaseline = "baseline"
	// FromCommitted is the file that is committed in the repository.
	FromCommitted = "committed"
	// FromBuild is a run of the merge base.
	FromBuild = "build"
)

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
	// Version is the version that the server gave itself, "" for none.
	Version string `json:"version,omitempty"`
	// Sealmark is the version of Sealmark that made it.
	Sealmark string `json:"sealmark,omitempty"`
}

// The kinds of a change of the surface.
const (
	// Breaking: a client that used the server before may fail now.
	Breaking = "breaking"
	// Added: there is more than before.
	Added = "added"
	// Other: something else changed, or it can't be said whether it breaks.
	Other = "other"
)

// SurfaceChange is a change in what the server offers.
type SurfaceChange struct {
	// Subject is "server", "tool:NAME", "resource:URI", "prompt:NAME" …
	Subject string `json:"subject"`
	// Kind is "breaking", "added" or "other".
	Kind string `json:"kind"`
	// Rule is the rule of pack surface that names such a change.
	Rule string `json:"rule"`
	// Text says in a sentence what changed.
	Text string `json:"text"`
}
