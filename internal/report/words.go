package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// The sentences of this file hold foreign texts as they are: whoever writes
// them escapes them whole.

// serverName is what a server is called.
func serverName(r *result.Result) string {
	for _, name := range []string{r.Server.Name, r.Server.Key} {
		if strings.TrimSpace(name) != "" {
			return name
		}
	}
	return "the server"
}

// assessed reports whether a result has a score. One that was read from a file
// may lack it, whatever its status says.
func assessed(r *result.Result) bool { return r.Status == result.Assessed && r.Score != nil }

func reasonText(r *result.Result) string {
	if r.Reason == nil {
		return ""
	}
	return r.Reason.Text
}

func number(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") }

// grade is the score in words, and how it differs from the base's.
func grade(r *result.Result) string {
	said := "grade " + r.Score.Letter + ", " + number(r.Score.Percent) + " %"
	if change := changed(r); change != "" {
		said += ", " + change
	}
	return said
}

// changed says how the score differs from the base's, "" if there is nothing
// to compare.
func changed(r *result.Result) string {
	c := r.Comparison
	if c == nil || c.Change == nil || !assessed(r) {
		return ""
	}
	from := ""
	if c.Base.Letter != "" && c.Base.Letter != r.Score.Letter {
		from = c.Base.Letter
	}
	points := number(math.Abs(*c.Change)) + " points"
	if points == "1 points" {
		points = "1 point"
	}
	switch {
	case *c.Change > 0:
		return "up " + points + prefixed(" from ", from)
	case *c.Change < 0:
		return "down " + points + prefixed(" from ", from)
	case from != "":
		return "was " + from
	}
	return "unchanged"
}

func prefixed(before, s string) string {
	if s == "" {
		return ""
	}
	return before + s
}

// baseLine says what the base was, if the server itself has no score to
// compare.
func baseLine(r *result.Result) string {
	c := r.Comparison
	if c == nil || assessed(r) || c.Base.Percent == nil {
		return ""
	}
	return fmt.Sprintf("The base has %s, %s %%.", c.Base.Letter, number(*c.Base.Percent))
}

// tally says what became of the findings since the base: what is new, what is
// gone, and what else there is.
func (g groups) tally() (fresh, fixed, others string) {
	var parts []string
	add := func(n int, said string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, said))
		}
	}
	if !g.compared {
		add(len(g.accepted), "accepted")
		if len(g.fresh) == 0 {
			return "No findings", "", strings.Join(parts, ", ")
		}
		return severities(g.fresh), "", strings.Join(parts, ", ")
	}
	graver := 0
	for _, f := range g.fresh {
		if g.worse[f.ID] {
			graver++
		}
	}
	fresh = "No new findings"
	switch n := len(g.fresh); {
	case n > 0 && graver == n:
		fresh = rule.Counted(n, "finding") + " graver than before (" + severities(g.fresh) + ")"
	case graver > 0:
		fresh = rule.Counted(n, "finding") + " new or graver than before (" + severities(g.fresh) + ")"
	case n > 0:
		fresh = rule.Counted(n, "new finding") + " (" + severities(g.fresh) + ")"
	}
	if n := len(g.fixed); n > 0 {
		fixed = fmt.Sprintf("%d fixed", n)
	}
	add(len(g.unsure), "that the base was not tested for")
	add(len(g.known), "as before")
	add(len(g.accepted), "accepted")
	add(len(g.unknown), "of the base could not be checked")
	return fresh, fixed, strings.Join(parts, ", ")
}

// surface says what changed in what the server offers: what breaks clients, and
// the rest.
func surface(r *result.Result) (breaks, others []result.SurfaceChange) {
	if r.Comparison == nil {
		return nil, nil
	}
	var added, rest []result.SurfaceChange
	for _, c := range r.Comparison.Surface {
		switch c.Kind {
		case result.Breaking:
			breaks = append(breaks, c)
		case result.Added:
			added = append(added, c)
		default:
			rest = append(rest, c)
		}
	}
	return breaks, append(added, rest...)
}

// surfaceLeft counts the changes that the result says nothing of but their
// number.
func surfaceLeft(r *result.Result) int {
	if r.Comparison == nil {
		return 0
	}
	return max(0, r.Comparison.SurfaceLeft)
}

// coverage says how much of the server was seen.
func coverage(r *result.Result) string {
	c := r.Coverage
	if c.ToolsListed == 0 {
		return "The server lists no tools."
	}
	tools := fmt.Sprintf("%d of %s were probed", c.ToolsProbed, rule.Counted(c.ToolsListed, "tool"))
	switch {
	case c.ToolsProbed == 0:
		return fmt.Sprintf("None of %s was probed.", rule.Counted(c.ToolsListed, "tool"))
	case c.ToolsListed == 1:
		tools = "The only tool was probed"
	case c.ToolsProbed == c.ToolsListed:
		tools = fmt.Sprintf("All %d tools were probed", c.ToolsListed)
	}
	switch {
	case c.ToolsValid == 0:
		return tools + ", but no valid call was answered without an error: how they do their work was not seen."
	case c.ToolsValid == c.ToolsListed && c.ToolsListed == 1:
		return tools + ", with a valid call that succeeded."
	case c.ToolsValid == c.ToolsListed:
		return tools + ", each with a valid call that succeeded."
	}
	return tools + fmt.Sprintf(", %d with a valid call that succeeded.", c.ToolsValid)
}

// unverified lists the checks that should have been run and could not be.
func unverified(r *result.Result) []result.Check {
	var list []result.Check
	for _, c := range r.Checks {
		if c.Verdict == rule.Unverified || c.Verdict == rule.Errored {
			list = append(list, c)
		}
	}
	return list
}

// conditions says under which conditions the server ran, as far as they limit
// what the result is worth.
func conditions(r *result.Result) []string {
	var list []string
	if names := r.Server.Canaries; len(names) > 0 {
		list = append(list, "The server got made-up values for "+and(firsts(names, maxNotices))+", since it does not start without them. How it does with real ones was not seen.")
	}
	if i := r.Server.Isolation; i != nil && len(i.Breaches) > 0 {
		list = append(list, "Isolation stopped or ended what the build or the server did: "+strings.Join(firsts(i.Breaches, maxNotices), "; ")+".")
	}
	return list
}

// isolation says what build and server were kept away from, and what not; ""
// if that is not known.
func isolation(r *result.Result) string {
	i := r.Server.Isolation
	if i == nil {
		return ""
	}
	built := r.Server.Plan != nil && len(r.Server.Plan.Build) > 0
	who, own := "The server", "its"
	switch {
	case r.Reason != nil && (r.Reason.Rule == "" || r.Reason.Rule == "launch.command-not-found" && !built):
		return "" // nothing ran
	case r.Reason != nil && (r.Reason.Rule == "launch.build-failed" || r.Reason.Rule == "launch.command-not-found"):
		who = "The build"
	case built:
		who, own = "Build and server", "their"
	}
	if !i.User && !i.Copy && i.Network != "off" {
		return who + " ran without isolation."
	}
	ran := []string{"as the user that Sealmark runs as"}
	if i.User {
		ran = []string{"as a user of " + own + " own"}
	}
	if i.Copy {
		ran = append(ran, "in a copy of the checkout")
	} else {
		ran = append(ran, "in the checkout itself")
	}
	if i.Network == "off" {
		ran = append(ran, "without a network")
	} else {
		ran = append(ran, "with a network")
	}
	return who + " ran " + and(ran) + "."
}

// checked splits the checks of a result into those that say something, and
// those that were not run for a reason that all of them have, "" for none. Only
// a server that was not assessed has such a reason.
func checked(r *result.Result) (list, skipped []result.Check, reason string) {
	if assessed(r) {
		return r.Checks, nil, ""
	}
	for _, c := range r.Checks {
		if c.Verdict != rule.Unverified {
			list = append(list, c)
			continue
		}
		if reason == "" {
			reason = c.Reason
		}
		if c.Reason != reason {
			return r.Checks, nil, ""
		}
		skipped = append(skipped, c)
	}
	if len(skipped) < 2 {
		return r.Checks, nil, ""
	}
	return list, skipped, reason
}

// errorLike are words of a line that says what went wrong.
var errorLike = []string{"error", "fatal", "panic", "exception", "cannot", "can't", "could not", "not found", "no such", "failed", "unable to"}

// firstError is the line of a log that says first what went wrong; the last one
// if none does.
func firstError(log string) string {
	last := ""
	for line := range strings.Lines(log) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		last = line
		lower := strings.ToLower(line)
		if slices.ContainsFunc(errorLike, func(word string) bool { return strings.Contains(lower, word) }) {
			return line
		}
	}
	return last
}
