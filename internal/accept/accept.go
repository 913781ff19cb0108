// Package accept marks the findings that the maintainers chose to live with,
// and reports entries of the configuration that are stale.
package accept

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

const (
	acceptedCheck = "accepted"
	staleRule     = "config.stale-accept"
)

// Apply marks the findings of r that the entries accept on a day, and reports
// the entries that are stale. place turns the path of a configuration file into
// one that is relative to the repository; ok is false for a file outside of it.
func Apply(r *result.Result, entries []config.Acceptance, day time.Time, place func(path string) (rel string, ok bool)) {
	if len(entries) == 0 {
		return
	}
	today := day.UTC().Format(time.DateOnly)
	verdict, reason := rule.Pass, fmt.Sprintf("No entry is stale, of %d.", len(entries))
	stale := 0
	var raised []rule.Finding
	for i, e := range entries {
		var text string
		switch {
		case e.Until != "" && today > e.Until:
			text = fmt.Sprintf("was accepted until %s, which is past: it accepts nothing any more", e.Until)
			verdict = rule.Partial
		case mark(r.Findings, e) == 0 && sought(r, e):
			text = "takes no finding, although all checks that it concerns were run"
		default:
			continue
		}
		stale++
		raised = append(raised, finding(e, i, text, place))
	}
	if stale > 0 {
		verb := "are"
		if stale == 1 {
			verb = "is"
		}
		reason = fmt.Sprintf("%d of %d entries %s stale.", stale, len(entries), verb)
	}
	r.Findings = append(r.Findings, raised...)
	for i := range r.Checks {
		if c := &r.Checks[i]; c.ID == acceptedCheck {
			c.Verdict, c.Reason = verdict, reason
		}
	}
}

// mark marks the findings that an entry takes and returns how many there are.
// The first entry that takes one holds.
func mark(findings []rule.Finding, e config.Acceptance) int {
	n := 0
	for i := range findings {
		f := &findings[i]
		if !config.Matches(e.Rule, f.Rule) || !config.Matches(e.Subject, f.Subject) || f.Rule == staleRule {
			continue
		}
		n++
		if f.Accepted == nil {
			f.Accepted = &rule.Acceptance{Reason: clean(e.Reason, 500), Until: e.Until}
		}
	}
	return n
}

// sought reports whether all that an entry could take was looked for: each
// check that owns a rule which fits it ended in a verdict, and the run was not
// cut short.
func sought(r *result.Result, e config.Acceptance) bool {
	if r.Status != result.Assessed || r.Completeness.State != "complete" {
		return false
	}
	for _, known := range r.Rules {
		if !config.Matches(e.Rule, known.ID) {
			continue
		}
		i := slices.IndexFunc(r.Checks, func(c result.Check) bool { return c.ID == known.Check })
		if i < 0 {
			return false
		}
		if _, ended := r.Checks[i].Verdict.Points(); !ended {
			return false
		}
	}
	return true
}

func finding(e config.Acceptance, at int, text string, place func(string) (string, bool)) rule.Finding {
	subject := "accept:" + clean(strings.TrimSpace(e.Rule+" "+e.Subject), 200)
	f := rule.Finding{
		ID: rule.FindingID(staleRule, subject), Rule: staleRule, Check: acceptedCheck, Subject: subject, Severity: rule.Note, Count: 1,
		Message:  fmt.Sprintf("Entry accept[%d], %s of %s, %s.", at, clean(e.Rule, 100), clean(e.Subject, 100), text),
		Evidence: rule.Evidence{Detail: "reason: " + clean(e.Reason, 500)},
	}
	if path, ok := place(e.At.File); ok && e.At.Line > 0 {
		f.Location = &rule.Location{Path: path, Line: e.At.Line, Column: e.At.Column, Basis: rule.Definition}
	}
	return f
}

func clean(s string, most int) string { return (*redact.Redactor)(nil).Line(s, most) }
