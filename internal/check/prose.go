package check

import "github.com/sealmark/action/internal/rule"

// FirstMethodology is the methodology version that brought the first checks.
const FirstMethodology = "1.0-draft"

// MustProse completes a check's description for use in a package variable:
// its prose, and for each rule the check, the methodology version, that it is
// advice if the check is, and the references where the rule names none of its
// own. It panics if the prose does not fit, which the tests show at once.
func MustProse(c rule.Check, prose string, references []rule.Reference) rule.Check {
	c, err := c.WithProse(prose)
	if err != nil {
		panic(err)
	}
	for i := range c.Rules {
		r := &c.Rules[i]
		r.Check, r.Since, r.Advice = c.ID, c.Since, r.Advice || c.Weight == rule.Advisory
		if len(r.References) == 0 {
			r.References = references
		}
	}
	return c
}
