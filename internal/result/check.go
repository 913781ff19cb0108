package result

import (
	"fmt"
	"slices"

	"github.com/sealmark/action/internal/rule"
)

// letters are the letters of a score.
var letters = []string{"A", "B", "C", "D", "F"}

// Check says what is wrong with a result that was read from elsewhere: a
// value that no run writes. It does not say that the result is true.
func (r *Result) Check() error {
	switch {
	case r.Status != Assessed && r.Status != NotAssessed:
		return fmt.Errorf("status %.40q is not known", r.Status)
	case (r.Score != nil) != (r.Status == Assessed):
		return fmt.Errorf("a result that is %s can't have the score that it has, or lacks", r.Status)
	case r.Status == NotAssessed && r.Reason == nil:
		return fmt.Errorf("a result that is not assessed must say why")
	}
	if s := r.Score; s != nil && (s.Percent < 0 || s.Percent > 100 || !slices.Contains(letters, s.Letter)) {
		return fmt.Errorf("a score of %g %% with the letter %.40q can't be", s.Percent, s.Letter)
	}
	for _, f := range r.Findings {
		if !slices.Contains(rule.Severities, f.Severity) {
			return fmt.Errorf("severity %.40q of the finding %.100q is not known", f.Severity, f.ID)
		}
	}
	return nil
}
