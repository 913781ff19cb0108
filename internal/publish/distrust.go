package publish

import (
	"fmt"
	"slices"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// Distrust makes a result that was read from elsewhere fit to be shown under
// our name: the texts of the rules are ours, not those of the document.
// Findings of rules that we don't know are left out, and said to be.
func Distrust(r *result.Result, catalog []rule.Check) {
	r.Rules = nil
	for _, c := range catalog {
		r.Rules = append(r.Rules, c.Rules...)
	}
	known := func(id string) bool {
		return slices.ContainsFunc(r.Rules, func(known rule.Rule) bool { return known.ID == id })
	}
	before := len(r.Findings)
	r.Findings = slices.DeleteFunc(r.Findings, func(f rule.Finding) bool { return !known(f.Rule) })
	if left := before - len(r.Findings); left > 0 {
		r.Notices = append([]string{fmt.Sprintf("%d findings are left out: this version of Sealmark does not know their rules.", left)}, r.Notices...)
	}
}
