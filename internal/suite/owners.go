package suite

import "github.com/sealmark/action/internal/rule"

// owners lists for a rule those that own the fault when they are raised too:
// the narrower one, or the one that a requirement names.
var owners = []struct{ rule, owner string }{
	{"interop.stock-client-fails", "protocol.version-missing"},
	{"interop.stock-client-fails", "protocol.version-unknown"},
}

// own marks findings whose fault another one owns.
func own(findings []rule.Finding) {
	raised := map[string]string{}
	for _, f := range findings {
		if !f.Flaky {
			raised[f.Rule] = f.ID
		}
	}
	for i := range findings {
		for _, o := range owners {
			if f := &findings[i]; f.Rule == o.rule && f.ExplainedBy == "" {
				f.ExplainedBy = raised[o.owner]
			}
		}
	}
}
