package check

import (
	"cmp"
	"slices"

	"github.com/sealmark/action/internal/rule"
)

// Findings collects the findings of a check: one per rule and subject, with
// repeats counted.
type Findings struct {
	info     rule.Check
	borrowed []rule.Rule
	all      map[string]*rule.Finding
}

// NewFindings returns an empty collection for the check. Rules that other
// checks own may be borrowed: their findings belong to this check.
func NewFindings(info rule.Check, borrowed ...rule.Rule) *Findings {
	return &Findings{info: info, borrowed: borrowed, all: map[string]*rule.Finding{}}
}

// rule returns a rule that the check declares or borrows.
func (f *Findings) rule(id string) (rule.Rule, bool) {
	if r, ok := f.info.Rule(id); ok {
		return r, true
	}
	return rule.Check{Rules: f.borrowed}.Rule(id)
}

// Add adds a finding, whose Rule, Subject, Message and Evidence are set. The
// severity is the rule's own unless it is set; a flaky finding is a note, and
// so is one that is only observed. Of
// several findings with one rule and subject the first is kept and counts the
// others, but a confirmed one replaces a flaky one. Add panics if the check
// neither declares nor borrows the rule.
func (f *Findings) Add(finding rule.Finding) {
	r, ok := f.rule(finding.Rule)
	if !ok {
		panic("check " + f.info.ID + " raises the undeclared rule " + finding.Rule)
	}
	finding.ID = rule.FindingID(finding.Rule, finding.Subject)
	finding.Check = f.info.ID
	if finding.Severity == "" {
		finding.Severity = r.Severity
	}
	if finding.Flaky || finding.Observed {
		finding.Severity = rule.Note
	}
	finding.Count = max(1, finding.Count)
	known := f.all[finding.ID]
	if known == nil {
		f.all[finding.ID] = &finding
		return
	}
	count := known.Count + finding.Count
	if known.Flaky && !finding.Flaky {
		*known = finding
	} else if known.Argument != finding.Argument {
		known.Argument = "" // several
	}
	known.Count = count
}

// Has reports whether there is a confirmed finding of the rule.
func (f *Findings) Has(ruleID string) bool {
	for _, finding := range f.all {
		if finding.Rule == ruleID && !finding.Flaky {
			return true
		}
	}
	return false
}

// List returns the findings in the order of Sort.
func (f *Findings) List() []rule.Finding {
	list := make([]rule.Finding, 0, len(f.all))
	for _, finding := range f.all {
		list = append(list, *finding)
	}
	Sort(list)
	return list
}

// Sort orders findings by severity, gravest first, then by rule and subject.
func Sort(findings []rule.Finding) {
	slices.SortFunc(findings, func(a, b rule.Finding) int {
		return cmp.Or(
			cmp.Compare(b.Severity.Rank(), a.Severity.Rank()),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Subject, b.Subject),
		)
	})
}
