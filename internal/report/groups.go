package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/compare"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// groups are the findings by what a reader has to do with them, each gravest
// first. None of them is explained by another finding.
type groups struct {
	// compared: there is a base to tell new findings from old ones.
	compared bool
	// fresh are those that the base does not have, or has with a milder
	// severity; without a base, all.
	fresh []rule.Finding
	// worse names those of them that the base has with a milder severity.
	worse map[string]bool
	// unsure are those that the base does not have and did not look for.
	unsure []rule.Finding
	// known are those that the base has too.
	known []rule.Finding
	// beside are those that tell of the comparison and the configuration, which
	// no base has.
	beside []rule.Finding
	// accepted are those that the maintainers live with.
	accepted []rule.Finding
	// fixed are findings of the base that are gone, unknown those that could
	// not be looked for.
	fixed, unknown []rule.Finding
}

// grouped sorts the findings of a result. One that was read from a file may
// name findings that it does not have.
func grouped(r *result.Result) groups {
	g := groups{}
	fresh, unsure := map[string]bool{}, map[string]bool{}
	if c := r.Comparison; c != nil && c.FindingsCompared {
		g.compared, g.fixed, g.unknown = true, byRank(c.Fixed), byRank(c.Unknown)
		fresh, g.worse, unsure = set(c.New), set(c.Worse), set(c.Unsure)
	}
	for _, f := range findings(r) {
		switch {
		case f.Accepted != nil:
			g.accepted = append(g.accepted, f)
		case !g.compared || fresh[f.ID] || g.worse[f.ID]:
			g.fresh = append(g.fresh, f)
		case compare.Apart(f):
			g.beside = append(g.beside, f)
		case unsure[f.ID]:
			g.unsure = append(g.unsure, f)
		default:
			g.known = append(g.known, f)
		}
	}
	return g
}

func set(ids []string) map[string]bool {
	all := make(map[string]bool, len(ids))
	for _, id := range ids {
		all[id] = true
	}
	return all
}

// drop leaves out a finding that is shown elsewhere.
func (g *groups) drop(id string) {
	for _, list := range []*[]rule.Finding{&g.fresh, &g.unsure, &g.known, &g.beside} {
		*list = slices.DeleteFunc(*list, func(f rule.Finding) bool { return f.ID == id })
	}
}

// findings are those that a reader should see, gravest first: not those that
// another one explains.
func findings(r *result.Result) []rule.Finding {
	list := make([]rule.Finding, 0, len(r.Findings))
	for _, f := range r.Findings {
		if f.ExplainedBy == "" {
			list = append(list, f)
		}
	}
	return byRank(list)
}

// older says of a passed gate that counts new findings alone what it did not
// count; "" if that is nothing.
func older(r *result.Result) string {
	if !r.Gate.NewOnly || !r.Gate.Passed {
		return ""
	}
	n := 0
	for _, f := range grouped(r).known {
		if r.Gate.FailOn != "never" && !f.Observed && !f.Flaky && f.Severity.Rank() >= rule.Severity(r.Gate.FailOn).Rank() {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return ", since only new findings count; " + rule.Counted(n, "older one") + " would fail it"
}

func byRank(list []rule.Finding) []rule.Finding {
	list = slices.Clone(list)
	slices.SortStableFunc(list, func(a, b rule.Finding) int { return cmp.Compare(b.Severity.Rank(), a.Severity.Rank()) })
	return list
}

// grave splits a list into errors and warnings, and the rest.
func grave(list []rule.Finding) (grave, mild []rule.Finding) {
	for i, f := range list {
		if f.Severity.Rank() <= rule.Note.Rank() {
			return list[:i], list[i:]
		}
	}
	return list, nil
}

// severities counts a list: "2 errors and 1 warning".
func severities(list []rule.Finding) string {
	var parts []string
	for _, s := range rule.Severities {
		n := 0
		for _, f := range list {
			if f.Severity == s {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, rule.Counted(n, string(s)))
		}
	}
	if len(parts) == 0 {
		return rule.Counted(len(list), "finding")
	}
	return and(parts)
}

// and joins the parts of a list as a sentence does.
func and(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}

// repeats says how often a finding was seen and whether it showed again.
func repeats(f rule.Finding) string {
	var marks []string
	if f.Count > 1 {
		marks = append(marks, fmt.Sprintf("seen %d times", f.Count))
	}
	if f.Observed {
		marks = append(marks, "only observed: it counts neither for the score nor for the gate")
	}
	if f.Flaky {
		marks = append(marks, "flaky: it did not show again on a fresh server")
	}
	if len(marks) == 0 {
		return ""
	}
	return " (" + strings.Join(marks, "; ") + ")"
}

// said is what a finding says, with its subject if the message does not name
// it.
func said(f rule.Finding) string {
	_, name, named := strings.Cut(f.Subject, ":")
	if !named || name == "" || strings.Contains(f.Message, name) {
		return f.Message
	}
	return f.Subject + ": " + f.Message
}

// whereabouts is where a finding can be mended as path:line, "" if that is not
// known.
func whereabouts(f rule.Finding) string {
	l := f.Location
	if l == nil || l.Path == "" || l.Basis == rule.Fallback || l.Basis == "" {
		return ""
	}
	if l.Line < 1 {
		return l.Path
	}
	return fmt.Sprintf("%s:%d", l.Path, l.Line)
}

// acceptance says why and how long a finding is accepted.
func acceptance(a *rule.Acceptance) string {
	said := "accepted: " + a.Reason
	if a.Until != "" {
		said += " (until " + a.Until + ")"
	}
	return said
}
