// Package score turns the verdicts of a result into points, pack percentages,
// a letter with its caps, and coverage. It looks at nothing but the result.
package score

import (
	"fmt"
	"math"
	"slices"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// Letters lists the letters, best first.
var Letters = []string{"A", "B", "C", "D", "F"}

// verified is the share of applicable scored checks that a letter needs.
const (
	verifiedForAny  = 0.5
	verifiedForBest = 0.8
	cappedLetter    = "C"
)

// Letter returns the letter of a percentage, before caps: A from 90, B from
// 80, C from 70, D from 60, else F.
func Letter(percent float64) string {
	for i, from := range []float64{90, 80, 70, 60} {
		if percent >= from {
			return Letters[i]
		}
	}
	return "F"
}

// Worse reports whether letter a is worse than letter b.
func Worse(a, b string) bool {
	return slices.Index(Letters, a) > slices.Index(Letters, b)
}

// Fill computes r.Score and the check counts of r.Coverage from r.Checks. A
// result without an applicable scored check that ran, or with less than half
// of them verified, becomes not assessed (methodology, "From probe to
// letter", 4).
func Fill(r *result.Result) {
	if r.Status == result.NotAssessed {
		return
	}
	score := &result.Score{Packs: []result.Pack{}}
	applicable, verified := 0, 0
	for _, c := range r.Checks {
		if !c.Weight.Scores() || c.Verdict == rule.NotApplicable || c.Verdict == rule.Errored {
			continue
		}
		applicable++
		points, ok := c.Verdict.Points()
		if !ok {
			continue
		}
		verified++
		score.Points += points
		score.Possible++
		pack(score, c.Pack, points)
	}
	r.Coverage.ChecksScored, r.Coverage.ChecksUnverified = applicable, applicable-verified
	switch {
	case applicable == 0 && r.Server.Transport == result.FromSnapshot:
		notAssessed(r, "No scored check that needs the snapshot alone applies.", "Enable checks, or question the running server.")
		return
	case applicable == 0:
		notAssessed(r, "No scored check applies to this server with this configuration.", "Enable checks, or set active_probes to safe.")
		return
	case float64(verified) < verifiedForAny*float64(applicable):
		notAssessed(r, fmt.Sprintf("Only %d of %d scored checks could be run: %s", verified, applicable, firstUnverified(r)),
			"Give the run more time (--timeout), and look at the checks marked unverified.")
		return
	}
	score.Percent = round(100 * score.Points / score.Possible)
	for i := range score.Packs {
		p := &score.Packs[i]
		p.Percent = round(100 * p.Points / p.Possible)
	}
	score.Letter = Letter(100 * score.Points / score.Possible)
	caps(r, score, float64(verified)/float64(applicable))
	r.Score = score
}

func pack(score *result.Score, id string, points float64) {
	i := slices.IndexFunc(score.Packs, func(p result.Pack) bool { return p.ID == id })
	if i < 0 {
		i = len(score.Packs)
		score.Packs = append(score.Packs, result.Pack{ID: id})
	}
	score.Packs[i].Points += points
	score.Packs[i].Possible++
}

// caps lowers the letter for failed checks of weight cap and for a low share
// of verified checks.
func caps(r *result.Result, score *result.Score, verified float64) {
	limit := func(letter, reason string) {
		score.Caps = append(score.Caps, result.Cap{Letter: letter, Reason: reason})
		if Worse(letter, score.Letter) {
			score.Letter = letter
		}
	}
	for _, c := range r.Checks {
		if c.Weight == rule.Cap && c.Verdict == rule.Fail && !lifted(r, c.ID) {
			limit(c.CapsAt, c.ID+" failed")
		}
	}
	if verified < verifiedForBest {
		limit(cappedLetter, fmt.Sprintf("%d of %d scored checks could not be run", r.Coverage.ChecksUnverified, r.Coverage.ChecksScored))
	}
}

// lifted reports whether all that a check failed for is accepted: what is left
// of its findings is milder.
func lifted(r *result.Result, check string) bool {
	accepted, left := 0, 0
	for _, f := range r.Findings {
		switch {
		case f.Check != check || f.Flaky || f.Observed || f.ExplainedBy != "":
		case f.Accepted != nil:
			accepted = max(accepted, f.Severity.Rank())
		default:
			left = max(left, f.Severity.Rank())
		}
	}
	return accepted > left
}

func notAssessed(r *result.Result, text, next string) {
	r.Status = result.NotAssessed
	r.Reason = &result.Reason{Text: text, Next: next}
}

func firstUnverified(r *result.Result) string {
	for _, c := range r.Checks {
		if c.Weight.Scores() && c.Verdict == rule.Unverified {
			return c.ID + ": " + c.Reason
		}
	}
	return "none is left"
}

// Level names the coverage: none, hygiene only, partial or full
// (methodology, "From probe to letter", 5).
func Level(c result.Coverage) string {
	switch {
	case c.ToolsProbed == 0:
		return "none"
	case c.ToolsValid == 0:
		return "hygiene only"
	case c.ToolsProbed < c.ToolsListed || c.ToolsValid < c.ToolsListed:
		return "partial"
	}
	return "full"
}

// Limits are the gates of a run.
type Limits struct {
	// FailOn is error, warning, note or never.
	FailOn string
	// MinScore and MinCoverage are percentages, 0 for none.
	MinScore, MinCoverage float64
	// MinGrade is a letter, "" for none.
	MinGrade string
	// NewOnly: only findings that the base does not have count for FailOn.
	NewOnly bool
}

// Gate fills r.Gate: whether the findings and the score hold the limits. An
// incomplete run does not pass.
func Gate(r *result.Result, l Limits) {
	gate := result.Gate{FailOn: l.FailOn, NewOnly: l.NewOnly && compared(r)}
	fail := func(format string, args ...any) { gate.Reasons = append(gate.Reasons, fmt.Sprintf(format, args...)) }
	if r.Status == result.NotAssessed {
		fail("the server was not assessed")
	}
	if r.Completeness.State == "partial" && r.Completeness.Interrupted {
		fail("the run was cut short")
	}
	noun := "finding"
	if gate.NewOnly {
		noun = "new finding"
	}
	if n := gating(r, l.FailOn, gate.NewOnly); n > 0 {
		fail("%s of level %s or above", rule.Counted(n, noun), l.FailOn)
	}
	if s := r.Score; s != nil {
		if s.Percent < l.MinScore {
			fail("the score of %.1f %% is below %g %%", s.Percent, l.MinScore)
		}
		if l.MinGrade != "" && Worse(s.Letter, l.MinGrade) {
			fail("the grade %s is below %s", s.Letter, l.MinGrade)
		}
		if c := r.Coverage.Percent(); c < l.MinCoverage {
			fail("%.1f %% of the tools were probed, below %g %%", c, l.MinCoverage)
		}
	}
	gate.Passed = len(gate.Reasons) == 0
	r.Gate = gate
}

// compared reports whether it can be told which findings are new.
func compared(r *result.Result) bool { return r.Comparison != nil && r.Comparison.FindingsCompared }

// gating counts the findings that the severity of fail-on catches: all that are
// not accepted, or those of them that are new or became worse.
func gating(r *result.Result, failOn string, newOnly bool) int {
	limit, err := rule.ParseSeverity(failOn)
	if err != nil {
		return 0
	}
	n := 0
	for _, f := range r.Reported() {
		if f.Observed || f.Accepted != nil || f.Severity.Rank() < limit.Rank() {
			continue
		}
		if !newOnly || slices.Contains(r.Comparison.New, f.ID) || slices.Contains(r.Comparison.Worse, f.ID) {
			n++
		}
	}
	return n
}

func round(x float64) float64 { return math.Round(x*10) / 10 }
