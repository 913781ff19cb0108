package suite

import (
	"fmt"
	"slices"
	"testing"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// TestObserve: what is only observed is shown and counts for nothing.
func TestObserve(t *testing.T) {
	for name, yaml := range map[string]string{
		"check": "checks: { argument-contract: { mode: observe } }\n",
		"tools": "contract: { observe_tools: ['*'] }\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := run(t, setup{fixture: "keyword-none", yaml: yaml})
			if !slices.Equal(raised(r), raised(run(t, setup{fixture: "keyword-none", yaml: patient}))) || verdict(r, "argument-contract") != rule.NotApplicable {
				t.Errorf("raised %q, verdict %s", raised(r), verdict(r, "argument-contract"))
			}
			for _, f := range r.Findings {
				if f.Check == "argument-contract" && (!f.Observed || f.Severity != rule.Note) {
					t.Errorf("%s is %s, observed %v", f.ID, f.Severity, f.Observed)
				}
			}
			if !r.Gate.Passed || r.Score.Percent != 100 || len(r.Deviations) != 1 || r.Contract.Total[result.Accepted] == 0 {
				t.Errorf("gate %+v, score %+v, deviations %q, outcomes %v", r.Gate, r.Score, r.Deviations, r.Contract.Total)
			}
		})
	}
	t.Run("one tool", func(t *testing.T) {
		t.Parallel()
		r := run(t, setup{fixture: "keyword-none", yaml: "contract: { observe_tools: [enum] }\n"})
		for _, f := range r.Findings {
			if f.Observed != (f.Subject == "tool:enum") {
				t.Errorf("%s of %s: observed %v", f.Rule, f.Subject, f.Observed)
			}
		}
		if verdict(r, "argument-contract") != rule.Fail || r.Gate.Passed {
			t.Errorf("verdict %s, gate %+v", verdict(r, "argument-contract"), r.Gate)
		}
	})
	// A fault under a borrowed rule is observed as well.
	t.Run("crash", func(t *testing.T) {
		t.Parallel()
		r := run(t, setup{fixture: "range-crash", yaml: "checks: { argument-contract: { mode: observe } }\n"})
		i := slices.IndexFunc(r.Findings, func(f rule.Finding) bool { return f.Rule == "robust.crashed" })
		if len(raised(r)) != 1 || i < 0 || !r.Findings[i].Observed || !r.Gate.Passed {
			t.Errorf("gate %+v, %s", r.Gate, describe(r))
		}
	})
}

// TestBorrowedRules: what only a candidate brings to light is a finding of the
// contract's check under robust-input's rule, and costs points once.
func TestBorrowedRules(t *testing.T) {
	r := run(t, setup{fixture: "range-crash"})
	f := r.Findings[0]
	if f.Check != "argument-contract" || f.Probe != "print/count/above-maximum" || verdict(r, "argument-contract") != rule.Fail || verdict(r, "robust-input") != rule.Pass {
		t.Errorf("%+v, verdicts %s and %s", f, verdict(r, "argument-contract"), verdict(r, "robust-input"))
	}
	row := r.Contract.Tools[0]
	if row.Cells["above-maximum"][result.Crash] != 1 || row.Total[result.NotSent] == 0 || row.NotSent == "" {
		t.Errorf("%+v", row)
	}
	// The other tool gets its calls all the same, whichever way the first dies.
	for _, name := range []string{"range-strict", "range-crash", "range-deaf", "range-hang"} {
		r := run(t, setup{fixture: name})
		if row := r.Contract.Tools[1]; row.Total[result.Rejected] != row.Total.Sent() || row.Total[result.NotSent] != 0 {
			t.Errorf("%s: %v", name, row.Total)
		}
	}
	// What robust-input has found is not said twice.
	for name, id := range map[string]string{"internal-error": "robust.internal-error", "leak-node": "robust.leaks-internals", "crash": "robust.crashed"} {
		r := run(t, setup{fixture: name, yaml: shortHangs + "contract: { reach: all }\n"})
		if got := raised(r); !slices.Equal(got, []string{id}) || r.Findings[0].Check != "robust-input" {
			t.Errorf("%s: %s", name, describe(r))
		}
	}
}

// TestOwner: the same fault of the same argument is robust-input's, and the
// matrix shows it all the same.
func TestOwner(t *testing.T) {
	r := run(t, setup{fixture: "accepts", yaml: shortHangs + "contract: { reach: all }\n"})
	owner := rule.FindingID("robust.accepted-invalid", "tool:search")
	for _, f := range r.Findings {
		if f.Check == "argument-contract" && f.ExplainedBy != owner {
			t.Errorf("%s is explained by %q", f.ID, f.ExplainedBy)
		}
	}
	if len(r.Findings) < 3 || verdict(r, "argument-contract") != rule.NotApplicable || verdict(r, "robust-input") != rule.Partial || !r.Gate.Passed || r.Contract.Total[result.Accepted] != r.Contract.Total.Sent() {
		t.Errorf("gate %+v, outcomes %v\n%s", r.Gate, r.Contract.Total, describe(r))
	}
	// Without robust-input nobody else says it.
	r = run(t, setup{fixture: "accepts", yaml: "contract: { reach: all }\n", only: []string{"argument-contract"}})
	if verdict(r, "argument-contract") != rule.Fail || slices.ContainsFunc(r.Findings, func(f rule.Finding) bool { return f.ExplainedBy != "" }) {
		t.Errorf("%s", describe(r))
	}
}

// TestRates: the counts fit together and stand in the result per tool and in
// total.
func TestRates(t *testing.T) {
	r := run(t, setup{fixture: "demo-fixed", yaml: "contract: { reach: all }\n"})
	total := r.Rates.Total
	if total.InvalidAccepted != (result.Rate{Count: 0, Of: r.Contract.Total.Sent()}) || total.Unrecognisable.Of != r.Contract.Total[result.Rejected] || total.NamedArgument.Count == 0 || r.Contract.Corpus != "1" {
		t.Errorf("%+v, outcomes %v", total, r.Contract.Total)
	}
	var sum result.Rates
	for _, tool := range r.Rates.Tools {
		sum.Add(tool.Rates)
	}
	if sum != total || len(r.Rates.Tools) != len(r.Snapshot.Tools) {
		t.Errorf("the tools add up to %+v, the total is %+v", sum, total)
	}
	sent := 0
	for _, c := range r.Checks {
		for _, n := range c.Probes {
			if c.ID == "argument-contract" {
				sent += n
			}
		}
	}
	if sent != r.Contract.Total.Sent() {
		t.Errorf("%d calls are counted, the matrix has %d", sent, r.Contract.Total.Sent())
	}
	for _, tool := range r.Contract.Tools {
		fmt.Fprintln(t.Output(), tool.Tool, tool.Total)
	}
}

// TestMayWrite: by default a tool that may write gets no nearly valid call,
// the reason says how to widen that, and it costs nothing.
func TestMayWrite(t *testing.T) {
	r := run(t, setup{fixture: "refuses-null"})
	if verdict(r, "argument-contract") != rule.NotApplicable || r.Contract.Total[result.NotSent] == 0 || r.Contract.Total.Sent() != 0 || r.Rates != nil {
		t.Errorf("outcomes %v\n%s", r.Contract.Total, describe(r))
	}
	r = run(t, setup{fixture: "accepts-null", yaml: "contract: { allow_tools: ['sea*'] }\n"})
	if r.Contract.Total[result.NotSent] != 0 || r.Contract.Total[result.Accepted] != 1 {
		t.Errorf("outcomes %v\n%s", r.Contract.Total, describe(r))
	}
	r = run(t, setup{fixture: "keyword-none", yaml: "active_probes: none\n"})
	if verdict(r, "argument-contract") != rule.NotApplicable || r.Contract != nil {
		t.Errorf("%s", describe(r))
	}
}

// TestStockContract: the naive stock-hold server takes a boolean for a
// quantity, numbers out of range and fields that it does not know; the guarded
// one takes none of it.
func TestStockContract(t *testing.T) {
	const all = "contract: { reach: all }\n"
	r := run(t, setup{fixture: "stock-naive", yaml: all})
	for _, want := range []string{"contract.boolean-as-integer tool:hold", "contract.bounds-ignored tool:hold", "contract.extra-field-accepted server", "contract.nested-extra-accepted server"} {
		if !slices.ContainsFunc(r.Reported(), func(f rule.Finding) bool { return f.Rule+" "+f.Subject == want }) {
			t.Errorf("no %s: %s", want, describe(r))
		}
	}
	// It returns nothing for what its own check refuses: that is no acceptance.
	if row := r.Contract.Tools[0]; row.Cells["string-coerced"][result.Empty] != 1 || row.Cells["boolean-as-integer"][result.Accepted] != 1 {
		t.Errorf("%v", row.Cells)
	}
	r = run(t, setup{fixture: "stock-guarded", yaml: all})
	if len(r.Findings) != 0 || verdict(r, "argument-contract") != rule.Pass || r.Contract.Total[result.Rejected] != r.Contract.Total.Sent() {
		t.Errorf("outcomes %v, %s", r.Contract.Total, describe(r))
	}
}

// TestUndecided: calls that were used and failed further on are no acceptance
// and no rejection. Where robust-input says so it is its matter.
func TestUndecided(t *testing.T) {
	r := run(t, setup{fixture: "lenient", yaml: "contract: { reach: all }\n"})
	if verdict(r, "argument-contract") != rule.NotApplicable || r.Contract.Total[result.FailedLater] == 0 || len(raised(r)) != 1 {
		t.Errorf("outcomes %v\n%s", r.Contract.Total, describe(r))
	}
	r = run(t, setup{fixture: "lenient", yaml: "contract: { reach: all }\n", only: []string{"argument-contract", "stdio-clean", "secret-echo"}})
	if verdict(r, "argument-contract") != rule.Unverified || len(r.Findings) != 0 {
		t.Errorf("outcomes %v\n%s", r.Contract.Total, describe(r))
	}
}
