package compare

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// Apply compares a result with its base, keeps the comparison in it, and
// raises what the rules of pack surface find. source says where the base comes
// from, commit which one it is of, "" if that is not known. What an earlier
// comparison left in the result is taken out.
func Apply(now, base *result.Result, source, commit string) {
	now.Findings = slices.DeleteFunc(now.Findings, func(f rule.Finding) bool { return f.Check == surfaceCheck })
	c := Results(now, base)
	c.Base.Source, c.Base.Commit = source, line(commit, 64)
	now.Comparison = c
	check := &result.Check{}
	if i := slices.IndexFunc(now.Checks, func(c result.Check) bool { return c.ID == surfaceCheck }); i >= 0 {
		check = &now.Checks[i]
	}
	if !c.SurfaceCompared {
		check.Verdict, check.Reason = rule.Unverified, "The base can't be compared with. "+strings.Join(c.Incomparable, " ")
		return
	}
	raised := raise(c, bump(base.Server.Version, now.Server.Version), now.Server.Version)
	now.Findings = append(now.Findings, raised...)
	check.Verdict, check.Reason = rule.Pass, "Nothing that clients build on was taken back since the base."
	for _, f := range raised {
		if f.Severity == rule.Warning {
			check.Verdict = rule.Partial
		}
	}
	if n := breaking(c.Surface); n > 0 {
		check.Reason = rule.Counted(n, "breaking change") + " since the base."
	}
	if !c.FindingsCompared {
		return
	}
	for _, f := range raised {
		if !f.Observed && f.ExplainedBy == "" {
			c.New = append(c.New, f.ID)
		}
	}
}

func breaking(changes []result.SurfaceChange) int {
	n := 0
	for _, ch := range changes {
		if ch.Kind == result.Breaking {
			n++
		}
	}
	return n
}

// raise returns the findings of pack surface: one per rule and subject for what
// breaks, and one per rule for the rest, which only informs.
func raise(c *result.Comparison, v versions, version string) []rule.Finding {
	var broken, rest tally
	for _, ch := range c.Surface {
		if ch.Kind == result.Breaking {
			broken.add(ch.Rule, ch.Subject, ch.Text)
		} else {
			rest.add(ch.Rule, "server", ch.Subject+": "+ch.Text)
		}
	}
	for i := range broken {
		f := &broken[i]
		f.Severity = rule.Warning
		if v == announced {
			f.Severity = rule.Note
		}
		f.Message = subject(f.Subject) + " took something back since the base: " + first(*f)
	}
	for i := range rest {
		f := &rest[i]
		f.Severity, f.Observed = rule.Note, true
		f.Message = upper(rule.Counted(f.Count, "change")) + " since the base, not counted as breaking: " + first(*f)
	}
	if v != unchanged || len(broken) == 0 {
		return append(broken, rest...)
	}
	var owner tally
	for _, ch := range c.Surface {
		if ch.Kind == result.Breaking {
			owner.add(breakingUnversioned, "server", ch.Subject+": "+ch.Text)
		}
	}
	f := &owner[0]
	f.Severity = rule.Warning
	f.Message = "The server has " + rule.Counted(f.Count, "breaking change") + " since the base and still calls itself version " + quoted(version) + ": " + first(*f)
	for i := range broken {
		broken[i].ExplainedBy = f.ID
	}
	return slices.Concat(owner, broken, rest)
}

// tally counts changes by rule and subject.
type tally []rule.Finding

// maxNamed bounds the changes that a finding names.
const maxNamed = 20

func (t *tally) add(ruleID, subject, text string) {
	id := rule.FindingID(ruleID, subject)
	i := slices.IndexFunc(*t, func(f rule.Finding) bool { return f.ID == id })
	if i < 0 {
		i = len(*t)
		*t = append(*t, rule.Finding{ID: id, Rule: ruleID, Check: surfaceCheck, Subject: subject, Probe: "definitions"})
	}
	f := &(*t)[i]
	if f.Count++; f.Count == 1 {
		f.Evidence.Detail = text
	} else if f.Count <= maxNamed {
		f.Evidence.Detail += "\n" + text
	}
}

// first is the first change of a finding, with how many more there are.
func first(f rule.Finding) string {
	text, _, _ := strings.Cut(f.Evidence.Detail, "\n")
	switch {
	case f.Count == 2:
		text += " There is 1 more."
	case f.Count > 2:
		text += fmt.Sprintf(" There are %d more.", f.Count-1)
	}
	return text
}

// subject writes the subject of a finding for a sentence.
func subject(s string) string {
	kind, name, ok := strings.Cut(s, ":")
	if !ok {
		return "The server"
	}
	return upper(ofKind[kind].noun) + " " + quoted(name)
}
