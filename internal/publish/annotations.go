package publish

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// annotations are the findings of all servers as remarks at their places,
// gravest first, and among equals those that the base does not have. A server
// that is not assessed has its reason before them.
func (c *courier) annotations() []gha.Annotation {
	type remark struct {
		gha.Annotation
		known bool // the base has it too
	}
	var list []remark
	for _, report := range c.Reports {
		r := report.Result
		if r.Reason != nil {
			list = append(list, remark{Annotation: at(r.Server.Anchor, gha.Annotation{Level: "error", Title: "Sealmark: not assessed", Message: strings.TrimSpace(r.Reason.Text + " " + r.Reason.Next)})})
		}
		for _, f := range concerning(r) {
			if r.Reason != nil && f.Rule == r.Reason.Rule {
				continue
			}
			place := r.Server.Anchor
			if f.Location != nil {
				place = *f.Location
			}
			known := r.Comparison != nil && !slices.Contains(r.Comparison.New, f.ID)
			list = append(list, remark{at(place, gha.Annotation{Level: string(f.Severity), Title: "Sealmark: " + f.Rule, Message: f.Message}), known})
		}
	}
	slices.SortStableFunc(list, func(a, b remark) int {
		return cmp.Or(cmp.Compare(rule.Severity(b.Level).Rank(), rule.Severity(a.Level).Rank()), compareBool(a.known, b.known))
	})
	var sorted []gha.Annotation
	for _, r := range list {
		r.Path, r.Title, r.Message = c.clean(r.Path), c.clean(r.Title), c.clean(r.Message)
		sorted = append(sorted, r.Annotation)
	}
	return sorted
}

// clean removes the token from a text on one line.
func (c *courier) clean(text string) string { return c.secret.Line(text, 4000) }

// at puts an annotation at a place.
func at(place rule.Location, a gha.Annotation) gha.Annotation {
	a.Path, a.Line, a.Column = place.Path, place.Line, place.Column
	return a
}

// compareBool orders false before true.
func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// concerning are the findings that count: none that another one explains, and
// none that is accepted.
func concerning(r *result.Result) []rule.Finding {
	return slices.DeleteFunc(r.Reported(), func(f rule.Finding) bool { return f.Accepted != nil })
}
