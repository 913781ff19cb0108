package suite

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// stockProbes are known calls of the stock-hold fixtures, one line for each
// case of the requirement, by the name of the case.
const stockProbes = `
contract: { allow_tools: "hold*" }
checks: { robust-input: { hang_ms: 2000 } }
probes:
  - { name: valid, tool: hold, args: { sku: filter-blue, quantity: 2 }, expect: ok RECEIPT }
  - { name: valid order, tool: hold_order, args: { order: { sku: filter-blue, quantity: 1 } }, expect: ok }
  - { name: boolean, tool: hold, args: { sku: filter-blue, quantity: true }, expect: invalid }
  - { name: extra warehouse, tool: hold, args: { sku: filter-blue, quantity: 2, warehouse: south }, expect: invalid }
  - { name: string, tool: hold, args: { sku: filter-blue, quantity: "2" }, expect: invalid }
  - { name: zero, tool: hold, args: { sku: filter-blue, quantity: 0 }, expect: invalid }
  - { name: negative, tool: hold, args: { sku: filter-blue, quantity: -1 }, expect: invalid }
  - { name: above, tool: hold, args: { sku: filter-blue, quantity: 5 }, expect: invalid }
  - { name: unknown field, tool: hold, args: { sku: filter-blue, quantity: 2, note: x }, expect: invalid }
  - { name: nested override, tool: hold, args: { sku: filter-blue, quantity: 2, options: { warehouse: south } }, expect: invalid }
  - { name: nested field, tool: hold_order, args: { order: { sku: filter-blue, quantity: 2, warehouse: south } }, expect: invalid }
  - { name: other tenant, tool: hold, args: { sku: filter-red, quantity: 1 }, expect: denied, allowed: { sku: filter-blue, quantity: 1 } }
  - { name: other warehouse, tool: hold, args: { sku: filter-green, quantity: 1 }, expect: denied, allowed: { sku: filter-blue, quantity: 1 } }
  - { name: hold limit, tool: hold, args: { sku: pump-small, quantity: 3 }, expect: error }
`

const receipt = `, result: { /status: mock_intent_recorded, /sku: filter-blue, /quantity: 2, /warehouse: north }`

// stockRun is a run of a stock-hold fixture with all of its calls and intents.
type stockRun struct {
	*result.Result
	calls   []check.Call
	intents []string
}

// runStock runs a stock-hold fixture. keep chooses the probes by their names,
// nil for all.
func runStock(t *testing.T, name string, keep ...string) stockRun {
	t.Helper()
	yaml := strings.Replace(stockProbes, " RECEIPT", receipt, 1)
	if name == "stock-naive" {
		yaml = strings.Replace(stockProbes, " RECEIPT", "", 1)
	}
	if name == "stock-timeout" {
		yaml = strings.Replace(yaml, "expect: ok,", "expect: ok, timeout: 1s,", 1)
	}
	if keep != nil {
		var lines []string
		for line := range strings.Lines(yaml) {
			probe, isProbe := strings.CutPrefix(line, "  - { name: ")
			if probe, _, _ = strings.Cut(probe, ","); !isProbe || slices.Contains(keep, probe) {
				lines = append(lines, line)
			}
		}
		yaml = strings.Join(lines, "")
	}
	file := filepath.Join(t.TempDir(), "intents")
	r := &runner{Run: Run{Config: configure(t, setup{fixture: name, args: []string{file}, yaml: yaml}), Version: "test", Key: "fixture", Shown: []string{"fixture"}},
		reports: map[string]check.Report{}, seconds: map[string]float64{}, catalog: catalog}
	r.prepare()
	r.checks(t.Context())
	res := r.result(t.Context())
	data, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return stockRun{res, r.env.Calls.List(), strings.FieldsFunc(string(data), func(c rune) bool { return c == '\n' })}
}

// decided is how the call of a probe with given arguments was read.
func (s stockRun) decided(t *testing.T, arguments string) check.Call {
	t.Helper()
	for _, c := range s.calls {
		if c.Check == "user-probes" && string(c.Arguments) == arguments {
			return c
		}
	}
	t.Fatalf("no call with %s", arguments)
	return check.Call{}
}

// TestStockHold: each case of the acceptance tests of the requirement, on the
// naive and on the guarded server.
func TestStockHold(t *testing.T) {
	naive, guarded := runStock(t, "stock-naive"), runStock(t, "stock-guarded")
	accepted := func(s stockRun, arguments string) bool { return s.decided(t, arguments).Reading.Decision == "accepted" }
	refused := func(s stockRun, arguments string) bool {
		c := s.decided(t, arguments)
		return c.Reading.Decision == "rejected" && !c.Reading.PlainText
	}
	recorded := func(s stockRun, part string) bool {
		return slices.ContainsFunc(s.intents, func(line string) bool { return strings.Contains(line, part) })
	}

	t.Run("boolean quantity", func(t *testing.T) {
		const candidate = `{"sku":"filter-blue","quantity":true}`
		if !accepted(naive, candidate) || !recorded(naive, `"quantity":true`) {
			t.Error("the naive server does not take it")
		}
		if !slices.Contains(raised(naive.Result), "contract.boolean-as-integer") {
			t.Errorf("the naive server raises %q", raised(naive.Result))
		}
		if !refused(guarded, candidate) || recorded(guarded, "true") {
			t.Error("the guarded server takes it")
		}
	})
	t.Run("exact intent", func(t *testing.T) {
		c := guarded.decided(t, `{"sku":"filter-blue","quantity":2}`)
		if !c.Confirmed || !recorded(guarded, `{"quantity":2,"sku":"filter-blue","warehouse":"north"}`) {
			t.Errorf("confirmed: %v, intents %q", c.Confirmed, guarded.intents)
		}
	})
	t.Run("extra warehouse", func(t *testing.T) {
		const candidate = `{"sku":"filter-blue","quantity":2,"warehouse":"south"}`
		if !accepted(naive, candidate) || !recorded(naive, `"warehouse":"south"`) || !slices.Contains(raised(naive.Result), "contract.authority-override") {
			t.Errorf("the naive server: raised %q", raised(naive.Result))
		}
		if !refused(guarded, candidate) || recorded(guarded, "south") || recorded(guarded, "sm-") {
			t.Errorf("the guarded server: intents %q", guarded.intents)
		}
	})
	t.Run("strings, zero, negatives, above the limit", func(t *testing.T) {
		for _, quantity := range []string{`"2"`, `0`, `-1`, `5`} {
			if !refused(guarded, `{"sku":"filter-blue","quantity":`+quantity+`}`) {
				t.Errorf("%s is not refused", quantity)
			}
		}
		for _, line := range guarded.intents {
			if !strings.Contains(line, `"quantity":1,`) && !strings.Contains(line, `"quantity":2,`) && !strings.Contains(line, `"quantity":4,`) {
				t.Errorf("intent %s", line)
			}
		}
		if !accepted(naive, `{"sku":"filter-blue","quantity":5}`) {
			t.Error("the naive server does not take a quantity above the limit")
		}
	})
	t.Run("unknown and nested fields", func(t *testing.T) {
		for _, candidate := range []string{`{"sku":"filter-blue","quantity":2,"note":"x"}`, `{"sku":"filter-blue","quantity":2,"options":{"warehouse":"south"}}`,
			`{"order":{"sku":"filter-blue","quantity":2,"warehouse":"south"}}`} {
			if !accepted(naive, candidate) || !refused(guarded, candidate) {
				t.Errorf("%s: naive %s, guarded %s", candidate, naive.decided(t, candidate).Reading.Decision, guarded.decided(t, candidate).Reading.Decision)
			}
		}
		if !slices.Contains(raised(naive.Result), "contract.extra-field-forwarded") {
			t.Errorf("the naive server raises %q", raised(naive.Result))
		}
	})
	t.Run("authorization apart from the schema", func(t *testing.T) {
		for _, candidate := range []string{`{"sku":"filter-red","quantity":1}`, `{"sku":"filter-green","quantity":1}`} {
			if !refused(guarded, candidate) || !accepted(naive, candidate) {
				t.Errorf("%s: naive %s, guarded %s", candidate, naive.decided(t, candidate).Reading.Decision, guarded.decided(t, candidate).Reading.Decision)
			}
		}
		if !slices.Contains(raised(naive.Result), "probe.not-denied") || slices.Contains(raised(guarded.Result), "probe.not-denied") {
			t.Error("probe.not-denied is not that of the naive server alone")
		}
	})
	t.Run("no completion without reconciliation", func(t *testing.T) {
		for name, want := range map[string]string{"stock-receipt": "output.receipt-mismatch", "stock-malformed": "output.schema-mismatch", "stock-timeout": "limits.timeout"} {
			r := runStock(t, name, "valid")
			if name == "stock-timeout" && len(r.intents) != 1 {
				t.Errorf("%s: %d intents, so the call was sent again", name, len(r.intents))
			}
			reported := raised(&result.Result{Findings: r.Reported()})
			if !slices.Equal(reported, []string{want}) || r.decided(t, `{"sku":"filter-blue","quantity":2}`).Confirmed || r.Coverage.ToolsValid != 1 || verdict(r.Result, "user-probes") != rule.Unverified {
				t.Errorf("%s: reported %q, coverage %+v\n%s", name, reported, r.Coverage, describe(r.Result))
			}
		}
	})
	t.Run("guarded raises nothing above a note", func(t *testing.T) {
		for _, f := range guarded.Findings {
			if f.Severity.Rank() > rule.Note.Rank() {
				t.Errorf("%s %s %s %+v", f.Rule, f.Subject, f.Message, f.Evidence)
			}
		}
		if verdict(guarded.Result, "user-probes") != rule.Pass || guarded.Coverage.Level != "full" {
			t.Errorf("%+v\n%s", guarded.Coverage, describe(guarded.Result))
		}
	})
}

// TestStockDeterminism: known calls give the same result on any number of
// lanes.
func TestStockDeterminism(t *testing.T) {
	yaml := strings.Replace(stockProbes, " RECEIPT", "", 1)
	var first string
	for _, lanes := range []string{"1", "4"} {
		r := run(t, setup{fixture: "stock-naive", lanes: lanes, yaml: yaml})
		r.Volatile = result.Volatile{}
		data, err := r.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = string(data)
		} else if first != string(data) {
			t.Errorf("on %s lanes the result differs:\n%s\n---\n%s", lanes, first, data)
		}
	}
}
