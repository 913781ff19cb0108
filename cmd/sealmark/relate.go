package main

import (
	"context"
	"fmt"

	"github.com/sealmark/action/internal/accept"
	"github.com/sealmark/action/internal/compare"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/suite"
)

// again builds and tests the server of a result as it was in the base, and
// says which commit that is.
type again func() (base *result.Result, commit string, err error)

// relate compares a result with its base, marks what is accepted of it, and
// makes score and gate of what is left.
func (p *pipeline) relate(ctx context.Context, c *config.Config, r *result.Result, build again) {
	base, err := p.findBase(ctx, c, r, build)
	switch {
	case err != nil:
		r.Notices = append(r.Notices, "There is no comparison with the base: "+(*redact.Redactor)(nil).Line(err.Error(), 500)+".")
	case base.result != nil:
		compare.Apply(r, base.result, base.source, base.commit)
	}
	r.Notices = append(r.Notices, base.notices...)
	if c.NewOnly && (r.Comparison == nil || !r.Comparison.FindingsCompared) {
		r.Notices = append(r.Notices, "new_only has no base whose findings can be compared, so the gate counts all findings.")
	} else if c.NewOnly && len(r.Comparison.Unsure) > 0 {
		r.Notices = append(r.Notices, fmt.Sprintf("It can't be told of %d findings whether they are new, since the base did not look for them; the gate does not count them.", len(r.Comparison.Unsure)))
	}
	accept.Apply(r, c.Accept, r.Volatile.Started, func(path string) (string, bool) { return inside(p.root, path) })
	suite.Settle(r, c)
}
