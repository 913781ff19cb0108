// Package compare compares the result of a run with that of its base: the
// score, the findings, and what the server offers. A base comes from a file
// that anybody may have written, so nothing of it is trusted: it is bounded,
// and its texts are made harmless before they enter the comparison.
package compare

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// Bounds of a comparison.
const (
	maxFindings = 500 // of each list
	maxChanges  = 500 // of the surface
	maxReasons  = 20  // for which two results can't be compared
)

// Results compares a result with its base. It changes neither of them.
func Results(now, base *result.Result) *result.Comparison {
	c := &comparer{now: now, base: base, out: &result.Comparison{
		Base: baseOf(base), New: []string{}, Fixed: []rule.Finding{}, Surface: []result.SurfaceChange{},
	}}
	c.compare()
	return c.out
}

// comparer is a comparison under way.
type comparer struct {
	now, base *result.Result
	out       *result.Comparison
}

func baseOf(r *result.Result) result.Base {
	b := result.Base{Status: result.NotAssessed, Version: line(r.Server.Version, 100), Sealmark: line(r.Sealmark.Version, 100)}
	if r.Status != result.Assessed {
		return b
	}
	b.Status = result.Assessed
	if r.Score != nil {
		b.Percent, b.Letter = new(r.Score.Percent), line(r.Score.Letter, 2)
	}
	return b
}

// why notes a reason for which the two can't be compared, in part or at all.
func (c *comparer) why(format string, args ...any) {
	if len(c.out.Incomparable) < maxReasons {
		c.out.Incomparable = append(c.out.Incomparable, fmt.Sprintf(format, args...))
	}
}

func (c *comparer) compare() {
	if !c.sameServer() || !c.assessed() {
		return
	}
	if c.sameMeasure() {
		c.out.FindingsCompared = true
		c.score()
		c.findings()
	}
	c.surface()
}

// sameServer reports whether both results are of one server: by the key, or,
// in another folder, by the name that the server gives itself.
func (c *comparer) sameServer() bool {
	now, base := c.now.Server, c.base.Server
	switch {
	case now.Key == base.Key:
		return true
	case now.Name != "" && now.Name == base.Name:
		c.why("The base was made under the server key %s, this run under %s; both servers call themselves %s.", quoted(base.Key), quoted(now.Key), quoted(now.Name))
		return true
	}
	c.why("The base is of another server: its key is %s, here it is %s.", quoted(base.Key), quoted(now.Key))
	return false
}

func (c *comparer) assessed() bool {
	switch {
	case c.base.Status != result.Assessed || c.base.Score == nil:
		c.why("The server was not assessed in the base, so there is nothing to compare with.")
	case c.now.Status != result.Assessed || c.now.Score == nil:
		c.why("The server was not assessed now, so it can't be said what changed.")
	default:
		return true
	}
	return false
}

// sameMeasure reports whether verdicts of the two mean the same.
func (c *comparer) sameMeasure() bool {
	same := true
	if now, base := c.now.Sealmark.Methodology, c.base.Sealmark.Methodology; now != base {
		c.why("The base was measured by methodology %s, this run by %s: scores and findings are not compared.", quoted(base), quoted(now))
		same = false
	}
	if only := missing(c.now.Deviations, c.base.Deviations); len(only) > 0 {
		c.why("This run deviates from the standard in %s and the base does not: scores and findings are not compared.", listed(only))
		same = false
	}
	if only := missing(c.base.Deviations, c.now.Deviations); len(only) > 0 {
		c.why("The base deviates from the standard in %s and this run does not: scores and findings are not compared.", listed(only))
		same = false
	}
	return same
}

// missing lists what is in a and not in b.
func missing(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

// score compares the percentages, and names the checks that only one of them
// counts.
func (c *comparer) score() {
	change := math.Round((c.now.Score.Percent-c.base.Score.Percent)*10) / 10
	if math.IsNaN(change) || math.Abs(change) > 100 {
		c.why("The score of the base is no percentage.")
		return
	}
	c.out.Change = &change
	if only := unlike(c.now.Checks, c.base.Checks); len(only) > 0 {
		c.why("The score of the base does not count %s, which could not be run there or which its version does not have.", listed(only))
	}
	if only := unlike(c.base.Checks, c.now.Checks); len(only) > 0 {
		c.why("The score of this run does not count %s, which could not be run now.", listed(only))
	}
}

// unlike lists the checks that count for the score in a, and could not be run
// in b or are not there.
func unlike(a, b []result.Check) []string {
	var ids []string
	for _, check := range a {
		if _, counts := check.Verdict.Points(); !counts || !check.Weight.Scores() {
			continue
		}
		other, there := checkNamed(b, check.ID)
		if !there || other.Verdict == rule.Unverified || other.Verdict == rule.Errored {
			ids = append(ids, check.ID)
		}
	}
	return ids
}

func checkNamed(checks []result.Check, id string) (result.Check, bool) {
	i := slices.IndexFunc(checks, func(c result.Check) bool { return c.ID == id })
	if i < 0 {
		return result.Check{}, false
	}
	return checks[i], true
}

// line makes a text of a result harmless: both may come from a file.
func line(s string, most int) string { return (*redact.Redactor)(nil).Line(s, most) }

// quoted writes a name within a sentence.
func quoted(name string) string { return `"` + line(name, 100) + `"` }

// listed writes names within a sentence.
func listed(names []string) string {
	const most = 8
	shown := make([]string, 0, most)
	for i, name := range names {
		if i == most {
			return strings.Join(shown, ", ") + fmt.Sprintf(" and %d more", len(names)-most)
		}
		shown = append(shown, line(name, 100))
	}
	return strings.Join(shown, ", ")
}
