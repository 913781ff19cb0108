package report

import (
	"cmp"
	"maps"
	"slices"

	"github.com/sealmark/action/internal/result"
)

// timing is how long a part of a run took.
type timing struct {
	part    string
	seconds float64
}

// timings are the parts of a run whose time is known: the start of the server,
// then the checks, the longest first.
func timings(r *result.Result) []timing {
	v := r.Volatile
	const least = 0.05 // what is shown as 0.0 says nothing
	if v.Seconds < least {
		return nil
	}
	var list []timing
	if v.StartSeconds >= least {
		list = append(list, timing{"server start", v.StartSeconds})
	}
	var checks []timing
	for _, id := range slices.Sorted(maps.Keys(v.CheckSeconds)) {
		if v.CheckSeconds[id] >= least {
			checks = append(checks, timing{id, v.CheckSeconds[id]})
		}
	}
	slices.SortStableFunc(checks, func(a, b timing) int { return cmp.Compare(b.seconds, a.seconds) })
	return append(list, checks...)
}
