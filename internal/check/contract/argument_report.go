package contract

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// maxUnmade bounds the candidates per tool of which the result says why they
// were not made.
const maxUnmade = 10

// report makes the report of the check.
func (r *argumentRun) report(ctx context.Context) check.Report {
	report := check.Report{Findings: r.finish(), Probes: r.Probes, Tools: map[string]check.Tool{}, Rates: map[string]result.Rates{}}
	matrix := r.matrix()
	for i, w := range r.rows {
		sent := matrix.Tools[i].Total.Sent()
		if sent == 0 {
			continue
		}
		w.rates.InvalidAccepted.Of = sent
		report.Tools[w.tool.Name] = check.Tool{Probed: true}
		report.Rates[w.tool.Name] = w.rates
	}
	report.Contract = matrix
	report.Verdict, report.Reason = r.verdict(ctx, report)
	return report
}

// matrix counts the outcomes by tool and shape.
func (r *argumentRun) matrix() *result.Contract {
	m := &result.Contract{Corpus: argument.CorpusVersion, Reach: "read-only", Observed: r.observe, Shapes: []string{}, Tools: []result.ContractTool{}, Total: result.Outcomes{}}
	if r.Env.Config.Contract.Reach == "all" {
		m.Reach = "all"
	}
	occurs := map[string]bool{}
	for _, w := range r.rows {
		line := result.ContractTool{Tool: r.Env.Redact.Line(w.tool.Name, 256), Observed: w.observed, Cells: map[string]result.Outcomes{}, Total: result.Outcomes{}, NotSent: strings.Join(w.reasons, "; ")}
		add := func(c argument.Candidate, outcome result.Outcome) {
			id := string(named(c.Shape).id)
			occurs[id] = true
			if line.Cells[id] == nil {
				line.Cells[id] = result.Outcomes{}
			}
			line.Cells[id][outcome]++
			line.Total[outcome]++
			m.Total[outcome]++
		}
		for _, c := range w.list {
			outcome, sent := w.outcomes[c.ID]
			if !sent {
				outcome = result.NotSent
			}
			add(c, outcome)
		}
		for _, c := range w.kept {
			add(c, result.NotSent)
		}
		for i, u := range w.unmade {
			if i == maxUnmade {
				break
			}
			line.NotMade = append(line.NotMade, result.NotMade{Candidate: r.Env.Redact.Line(u.ID, 160), Shape: string(u.Shape), Reason: r.Env.Redact.Line(u.Reason, 200)})
		}
		m.Tools = append(m.Tools, line)
	}
	for _, s := range shapes {
		if occurs[string(s.id)] {
			m.Shapes = append(m.Shapes, string(s.id))
		}
	}
	return m
}

func (r *argumentRun) verdict(ctx context.Context, report check.Report) (rule.Verdict, string) {
	total := report.Contract.Total
	sent, accepted := total.Sent(), total[result.Accepted]
	enforced := 0
	for _, t := range report.Contract.Tools {
		if !t.Observed {
			enforced += t.Total.Sent()
		}
	}
	found := check.Judge(argumentContractInfo, report.Findings)
	seen := fmt.Sprintf("%d of %s accepted", accepted, rule.Counted(sent, "malformed call"))
	if sent == 0 {
		return r.nothingSent(ctx)
	}
	switch {
	case enforced == 0:
		return rule.NotApplicable, fmt.Sprintf("Only observed, without points: %s.", seen) + r.keptBack()
	case found == rule.Fail:
		return found, r.because(report.Findings, seen) + r.keptBack()
	case r.Stopped != "" || ctx.Err() != nil:
		return rule.Unverified, fmt.Sprintf("Not all malformed calls were made: %s.", r.stoppedBy(ctx)) + r.keptBack()
	case found == rule.Partial:
		return found, r.because(report.Findings, seen) + r.keptBack()
	case r.undecided(total) > sent/2 && r.lenient():
		return rule.NotApplicable, fmt.Sprintf("Most malformed calls were used before something else failed, which robust-input reports; %s.", seen) + r.keptBack()
	case r.undecided(total) > sent/2:
		return rule.Unverified, fmt.Sprintf("Most malformed calls were neither rejected nor carried out; %s.", seen) + r.keptBack()
	case explainedOnly(report.Findings):
		return rule.NotApplicable, fmt.Sprintf("%s, which robust-input reports and costs points for.", seen) + r.keptBack()
	case accepted > 0:
		return rule.Pass, fmt.Sprintf("%s, which is a matter of notes.", seen) + r.keptBack()
	}
	return rule.Pass, fmt.Sprintf("%s, and none was accepted.", rule.Counted(sent, "malformed call")) + r.keptBack()
}

// undecided counts the calls that show neither a rejection nor an acceptance.
func (r *argumentRun) undecided(total result.Outcomes) int {
	return total[result.FailedLater] + total[result.Empty] + total[result.Hang]
}

// lenient reports whether robust-input has seen it too wherever arguments were
// used before something else failed.
func (r *argumentRun) lenient() bool {
	for _, w := range r.rows {
		for _, outcome := range w.outcomes {
			if f, ok := r.robustFinding("robust.lenient-downstream", w.tool); outcome == result.FailedLater && (!ok || f.Flaky) {
				return false
			}
		}
	}
	return true
}

// explainedOnly reports whether there are findings of an error or a warning,
// all of which another check owns.
func explainedOnly(findings []rule.Finding) bool {
	return slices.ContainsFunc(findings, func(f rule.Finding) bool {
		return f.ExplainedBy != "" && f.Severity.Rank() > rule.Note.Rank()
	})
}

// because says why the verdict is no pass.
func (r *argumentRun) because(findings []rule.Finding, seen string) string {
	for _, f := range findings {
		if strings.HasPrefix(f.Rule, "robust.") && f.Severity == rule.Error && !f.Observed {
			return "A malformed call takes the server down or gets no answer; " + seen + "."
		}
	}
	return seen + "."
}

func (r *argumentRun) stoppedBy(ctx context.Context) string {
	if r.Stopped == "" && ctx.Err() != nil {
		return check.Interrupted
	}
	return r.Stopped
}

func (r *argumentRun) nothingSent(ctx context.Context) (rule.Verdict, string) {
	switch {
	case r.Stopped != "" || ctx.Err() != nil:
		return rule.Unverified, fmt.Sprintf("No malformed call was made: %s.", r.stoppedBy(ctx))
	case r.left > 0:
		return rule.Unverified, "No malformed call was made, since robust-input has seen the tools take the server down or hang." + r.keptBack()
	case r.mayWrite > 0:
		return rule.NotApplicable, "No malformed call was made." + r.keptBack()
	}
	return rule.NotApplicable, "No tool has an argument that could be broken in one place."
}

// keptBack says what the verdict leaves open: which answers said nothing, which
// candidates were not sent, and how to widen that.
func (r *argumentRun) keptBack() string {
	text := ""
	if n := r.later; n > 0 {
		text += fmt.Sprintf(" %d were used before something else failed.", n)
	}
	if n := r.empty; n > 0 {
		text += fmt.Sprintf(" %d were answered with nothing at all.", n)
	}
	if n := r.hung; n > 0 {
		text += fmt.Sprintf(" %d got no answer within %s.", n, r.Limit)
	}
	if r.mayWrite > 0 {
		verb := "were"
		if r.mayWrite == 1 {
			verb = "was"
		}
		text += fmt.Sprintf(" %s %s not sent, since their tools may write: name tools in contract.allow_tools, or set contract.reach to all for a server that can do no harm.", rule.Counted(r.mayWrite, "nearly valid call"), verb)
	}
	if r.shared > 0 {
		text += fmt.Sprintf(" %d more were left out by checks.argument-contract.max_total.", r.shared)
	}
	return text
}
