package suite

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/fixture"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// known are the probes for the fixtures with one tool that finds articles.
const known = `
probes:
  - { tool: find, args: { query: x, limit: 5, filter: { shelf: a } }, expect: ok }
  - { tool: find, args: { query: "" }, expect: invalid }
  - { tool: find, args: { query: foreign }, expect: denied, allowed: { query: mine } }
  - { tool: find, args: { limit: 0 }, expect: error }
`

const longQuery = `
probes:
  - { tool: find, args: { query: "a query that is so long that nobody would repeat it in an error text" }, expect: invalid }
`

const twice = `
probes:
  - { tool: find, args: { query: 5 }, expect: invalid }
  - { tool: find, args: {}, expect: invalid }
`

const wrongReceipt = `
probes:
  - { tool: find, args: { query: x }, expect: ok, result: { /hits: 2 } }
`

// knownCalls are the fixtures for the checks that rest on known calls, and
// what they must raise, explained findings included.
var knownCalls = []struct {
	fixture, yaml string
	want          []string
	verdict       rule.Verdict // of user-probes
	reported      []string     // what no other finding explains, if it differs
	twin          string
}{
	{fixture: "known", verdict: rule.Pass},
	{fixture: "known-output", verdict: rule.Pass},
	{fixture: "minds-cancel", verdict: rule.Pass},
	{fixture: "names-ignored", verdict: rule.Pass},
	{fixture: "echoes-in-error", verdict: rule.Pass},
	{fixture: "output-all-block-kinds", verdict: rule.Pass},
	{fixture: "known", yaml: twice, verdict: rule.Pass},

	{fixture: "known-refused", want: []string{"probe.not-ok"}, verdict: rule.Fail, twin: "known"},
	{fixture: "known-dies", want: []string{"probe.not-ok"}, verdict: rule.Fail, twin: "known"},
	{fixture: "dies-always", yaml: "probes: [{ tool: search, args: { query: x }, expect: ok }]\n", want: []string{"probe.not-ok", "robust.crashed"}, verdict: rule.Fail, twin: "strict"},
	{fixture: "known", yaml: "probes: [{ tool: absent, args: { query: x }, expect: ok }]\n", verdict: rule.Unverified},
	{fixture: "takes-empty", want: []string{"probe.not-rejected"}, verdict: rule.Fail, twin: "known"},
	{fixture: "fails-empty", want: []string{"probe.not-rejected"}, verdict: rule.Fail, twin: "known"},
	{fixture: "shows-foreign", want: []string{"probe.not-denied"}, verdict: rule.Fail, twin: "known"},
	{fixture: "denies-in-text", want: []string{"error.not-flagged"}, verdict: rule.Pass, twin: "known"},
	{fixture: "denies-with-trace", want: []string{"robust.leaks-internals"}, verdict: rule.Pass, twin: "known"},
	{fixture: "denies-with-nothing", verdict: rule.Unverified, twin: "known"},
	{fixture: "denies-all", want: []string{"probe.not-ok"}, verdict: rule.Fail, twin: "known"},

	{fixture: "known-hangs", yaml: strings.Replace(known, "expect: ok", "expect: ok, timeout: 0.7", 1), want: []string{"limits.timeout"}, verdict: rule.Unverified, twin: "known"},
	{fixture: "large-answer", want: []string{"limits.response-too-large"}, verdict: rule.Pass, twin: "known"},
	{fixture: "ignores-cancel", want: []string{"limits.cancel-ignored"}, verdict: rule.Pass, twin: "minds-cancel"},

	{fixture: "forwards-fields", want: []string{"contract.extra-field-forwarded"}, verdict: rule.Pass, twin: "known"},
	{fixture: "forwards-nested", want: []string{"contract.extra-field-forwarded"}, verdict: rule.Pass, twin: "known"},
	{fixture: "takes-role", want: []string{"contract.authority-override"}, verdict: rule.Pass, twin: "known"},
	{fixture: "takes-shelf", want: []string{"contract.authority-override"}, verdict: rule.Pass, twin: "known"},
	{fixture: "refuses-maximum", want: []string{"contract.valid-rejected"}, verdict: rule.Pass, twin: "known"},

	{fixture: "output-mismatch", want: []string{"output.schema-mismatch", "probe.not-ok"}, verdict: rule.Unverified, reported: []string{"output.schema-mismatch"}, twin: "known-output"},
	{fixture: "output-unstructured", want: []string{"output.structured-missing", "probe.not-ok"}, verdict: rule.Unverified, reported: []string{"output.structured-missing"}, twin: "known-output"},
	{fixture: "known-output", yaml: wrongReceipt, want: []string{"output.receipt-mismatch", "probe.not-ok"}, verdict: rule.Unverified, reported: []string{"output.receipt-mismatch"}},
	{fixture: "output-no-schema", want: []string{"output.schema-uncompilable", "protocol.output-schema-invalid"}, reported: []string{"protocol.output-schema-invalid"}, verdict: rule.Pass, twin: "known-output"},
	{fixture: "output-bad-schema", want: []string{"output.schema-uncompilable"}, verdict: rule.Pass, twin: "known-output"},
	{fixture: "output-error-body", want: []string{"probe.not-ok"}, verdict: rule.Fail, twin: "known"},
	{fixture: "output-wrapped", want: []string{"output.content-missing"}, verdict: rule.Pass, twin: "known"},
	{fixture: "output-one-block", want: []string{"output.content-missing"}, verdict: rule.Pass, twin: "known"},
	{fixture: "output-bad-base64", want: []string{"output.content-invalid"}, verdict: rule.Pass, twin: "output-all-block-kinds"},
	{fixture: "output-unknown-block", want: []string{"output.content-invalid"}, verdict: rule.Pass, twin: "output-all-block-kinds"},
	{fixture: "output-empty", want: []string{"output.empty-success"}, verdict: rule.Pass, twin: "known"},
	{fixture: "output-without-text", want: []string{"output.text-mirror-missing"}, verdict: rule.Pass, twin: "known-output"},

	{fixture: "error-in-text", want: []string{"error.not-flagged"}, verdict: rule.Pass, twin: "known"},
	{fixture: "error-endless", want: []string{"error.unbounded"}, verdict: rule.Pass, twin: "known"},
	{fixture: "error-echoes", yaml: longQuery, want: []string{"error.echoes-arguments"}, verdict: rule.Pass, twin: "known"},
	{fixture: "error-suggests", want: []string{"error.suggests-override"}, verdict: rule.Pass, twin: "known"},
	{fixture: "error-unnamed", yaml: twice, want: []string{"error.unnamed-argument"}, verdict: rule.Pass, twin: "known"},
	{fixture: "error-unstable", yaml: twice, want: []string{"error.unstable"}, verdict: rule.Pass, twin: "known"},
	{fixture: "strict-rpc-32603", yaml: "lanes: 2\n", want: []string{"error.internal-code"}, verdict: rule.NotApplicable, twin: "strict-rpc"},
	{fixture: "text-refusal", yaml: "lanes: 2\n", want: []string{"error.not-flagged", "robust.text-refusal"}, reported: []string{"robust.text-refusal"}, verdict: rule.NotApplicable, twin: "strict"},
}

func TestKnownCalls(t *testing.T) {
	for _, tt := range knownCalls {
		t.Run(tt.fixture, func(t *testing.T) {
			t.Parallel()
			yaml := tt.yaml
			if yaml == "" {
				yaml = known
			}
			r := run(t, setup{fixture: tt.fixture, yaml: yaml})
			want := append([]string{}, tt.want...)
			if got := raised(r); !slices.Equal(got, want) {
				t.Errorf("raised %q, want %q\n%s", got, want, describe(r))
			}
			if tt.reported != nil {
				if got := raised(&result.Result{Findings: r.Reported()}); !slices.Equal(got, tt.reported) {
					t.Errorf("reported %q, want %q", got, tt.reported)
				}
			}
			if got := verdict(r, "user-probes"); got != tt.verdict {
				t.Errorf("user-probes is %s, want %s\n%s", got, tt.verdict, describe(r))
			}
		})
	}
}

// TestProbeSecrets: the value of a variable in a probe is in no output, and is
// put in again when the call is replayed.
func TestProbeSecrets(t *testing.T) {
	t.Setenv("PROBE_QUERY", `a "hidden-7f3" value`)
	s := setup{fixture: "known-refused", yaml: "probes: [{ tool: find, args: { query: '${PROBE_QUERY}' }, expect: ok }]\n"}
	r := run(t, s)
	data, err := r.Marshal()
	if err != nil || strings.Contains(string(data), "hidden-7f3") {
		t.Errorf("%v: the value is in the result:\n%s", err, data)
	}
	i := slices.IndexFunc(r.Findings, func(f rule.Finding) bool { return f.Rule == "probe.not-ok" })
	if i < 0 || !strings.Contains(r.Findings[i].Evidence.Request, "[redacted:PROBE_QUERY]") {
		t.Fatalf("findings %+v", r.Findings)
	}
	c := configure(t, s)
	params := func(tool string) string {
		return restored(c, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"`+tool+`","arguments":{"query":"[redacted:PROBE_QUERY]"}}}`)
	}
	if got := params("find"); !strings.Contains(got, `"query":"a \"hidden-7f3\" value"`) {
		t.Errorf("restored %s", got)
	}
	if got := params("other"); strings.Contains(got, "hidden-7f3") {
		t.Errorf("another tool gets %s", got)
	}
	if answer, err := Replay(t.Context(), Run{Config: c}, []string{r.Findings[i].Evidence.Request}); err != nil || !strings.Contains(string(answer.Result), "index") {
		t.Errorf("replayed: %+v, %v", answer, err)
	}
}

// TestKnownRates: what known calls show is counted, denials apart.
func TestKnownRates(t *testing.T) {
	for name, want := range map[string]result.Rates{
		"known":         {InvalidAccepted: result.Rate{Of: 1}, Denials: result.Rate{Count: 1, Of: 1}, ValidRejected: result.Rate{Of: 4}, NamedArgument: result.Rate{Count: 1, Of: 1}, Unrecognisable: result.Rate{Of: 1}},
		"takes-empty":   {InvalidAccepted: result.Rate{Count: 1, Of: 1}, Denials: result.Rate{Count: 1, Of: 1}, ValidRejected: result.Rate{Of: 4}},
		"denies-all":    {InvalidAccepted: result.Rate{Of: 1}, Denials: result.Rate{Of: 1}, ValidRejected: result.Rate{Count: 2, Of: 2}, NamedArgument: result.Rate{Of: 1}, Unrecognisable: result.Rate{Of: 1}},
		"error-in-text": {InvalidAccepted: result.Rate{Of: 1}, Denials: result.Rate{Count: 1, Of: 1}, ValidRejected: result.Rate{Of: 4}, NamedArgument: result.Rate{Count: 1, Of: 1}, Unrecognisable: result.Rate{Count: 1, Of: 1}},
	} {
		r := run(t, setup{fixture: name, yaml: known, only: []string{"launch", "user-probes", "forwarding"}})
		if r.Rates == nil || r.Rates.Total != want {
			t.Errorf("%s: %+v, want %+v", name, r.Rates, want)
		}
	}
}

// TestKnownCallsOverHTTP: known calls cover the tools of a server that is
// reached by its URL.
func TestKnownCallsOverHTTP(t *testing.T) {
	server := httptest.NewServer(fixture.GoodHTTP())
	defer server.Close()
	r := run(t, setup{fixture: "x", url: server.URL + "/mcp", yaml: `
contract: { allow_tools: "*" }
probes:
  - { tool: add, args: { a: 1, b: 2 }, expect: ok }
  - { tool: greet, args: { name: Ada }, expect: ok }
  - { tool: greet, args: { name: 5 }, expect: invalid }
`})
	if r.Coverage.Level != "full" || verdict(r, "user-probes") != rule.Pass || verdict(r, "forwarding") != rule.Pass || verdict(r, "output-contract") != rule.Pass {
		t.Errorf("coverage %+v\n%s", r.Coverage, describe(r))
	}
	for _, f := range r.Reported() {
		if f.Severity.Rank() > rule.Note.Rank() {
			t.Errorf("%s %s %s", f.Rule, f.Subject, f.Message)
		}
	}
}
