package publish

import (
	"fmt"
	"slices"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// Distrust makes a result that was read from elsewhere fit to be shown under
// our name: the texts of the rules are ours, not those of the document. It
// returns what of the result code scanning may have: findings of rules that we
// don't know stay out, and the result says so.
func Distrust(r *result.Result, catalog []rule.Check) *result.Result {
	r.Rules = nil
	for _, c := range catalog {
		r.Rules = append(r.Rules, c.Rules...)
	}
	known := *r
	known.Findings = slices.DeleteFunc(slices.Clone(r.Findings), func(f rule.Finding) bool {
		return !slices.ContainsFunc(r.Rules, func(ours rule.Rule) bool { return ours.ID == f.Rule })
	})
	if left := len(r.Findings) - len(known.Findings); left > 0 {
		r.Notices = append([]string{fmt.Sprintf("Not uploaded to code scanning: %d of the findings, whose rules this version of Sealmark does not know.", left)}, r.Notices...)
	}
	return &known
}
