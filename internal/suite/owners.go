package suite

import (
	"slices"
	"strings"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

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

// ownForwarded marks the finding that tools take an argument which their schema
// excludes, if forwarding shows of each of these tools that the argument takes
// effect, which is the graver side of the same fault. Where nothing else is
// left of argument-contract, forwarding alone costs points.
func ownForwarded(res *result.Result, info rule.Check) {
	const accepted = "contract.extra-field-accepted"
	at := slices.IndexFunc(res.Findings, func(f rule.Finding) bool { return f.Rule == accepted && f.ExplainedBy == "" })
	if at < 0 {
		return
	}
	f := &res.Findings[at]
	shown := f.Evidence.Candidates
	if len(shown) == 0 {
		shown = []string{f.Probe}
	}
	if f.Observed || f.Count != len(shown) {
		return
	}
	owner := ""
	for _, candidate := range shown {
		tool, _ := strings.CutSuffix(candidate, "/"+string(argument.ExtraField))
		id := forwards(res.Findings, "tool:"+tool)
		if id == "" {
			return
		}
		if owner == "" {
			owner = id
		}
	}
	f.ExplainedBy = owner
	own := slices.DeleteFunc(slices.Clone(res.Findings), func(f rule.Finding) bool { return f.Check != info.ID })
	line := slices.IndexFunc(res.Checks, func(c result.Check) bool { return c.ID == info.ID })
	if line >= 0 && res.Checks[line].Verdict == rule.Partial && check.Judge(info, own) == rule.Pass {
		res.Checks[line].Verdict = rule.NotApplicable
		res.Checks[line].Reason += " What was accepted is reported by forwarding, which costs points for it."
	}
}

// forwards returns the finding that a tool passes on what it does not declare,
// "" if there is none.
func forwards(findings []rule.Finding, subject string) string {
	for _, ruleID := range []string{"contract.authority-override", "contract.extra-field-forwarded"} {
		for _, f := range findings {
			if f.Rule == ruleID && f.Subject == subject && f.Check == "forwarding" && f.ExplainedBy == "" && !f.Flaky {
				return f.ID
			}
		}
	}
	return ""
}
