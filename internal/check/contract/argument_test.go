package contract

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/check/probe"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
)

// runFor returns a run of the check for tools with the given settings, with
// nothing sent yet.
func runFor(t *testing.T, yaml string, robust check.Report, tools ...session.Tool) *argumentRun {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sealmark.yml")
	if err := os.WriteFile(path, []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Build(config.Sources{Path: path, Command: []string{"x"}}, []rule.Check{{ID: "launch"}, argumentContractInfo})
	if err != nil {
		t.Fatal(err)
	}
	return newArgumentRun(&check.Env{Config: c, Redact: redact.New(nil), Snapshot: &session.Snapshot{Tools: tools},
		Report: func(string) (check.Report, bool) { return robust, true }})
}

func toolOf(name string, readOnly *bool, schema string) session.Tool {
	return session.Tool{Name: name, InputSchema: json.RawMessage(schema), Annotations: session.Annotations{ReadOnlyHint: readOnly}}
}

const twoNumbers = `{"type":"object","properties":{"a":{"type":"integer","minimum":1},"b":{"type":"integer","maximum":9}},"required":["a","b"]}`

// TestReach: what is nearly valid goes to read-only tools, those that are
// named, and all if the user says so.
func TestReach(t *testing.T) {
	tests := []struct {
		yaml string
		// near says which tools get what is nearly valid.
		near []string
	}{
		{"", []string{"reads"}},
		{"contract: {reach: auto}", []string{"reads"}},
		{"contract: {reach: read-only}", []string{"reads"}},
		{"contract: {reach: all}", []string{"reads", "writes", "unknown"}},
		{"contract: {allow_tools: ['un*']}", []string{"reads", "unknown"}},
	}
	for _, tt := range tests {
		r := runFor(t, tt.yaml, check.Report{}, toolOf("reads", new(true), twoNumbers), toolOf("writes", new(false), twoNumbers), toolOf("unknown", nil, twoNumbers))
		r.plan(t.Context())
		var near []string
		for _, w := range r.rows {
			if slices.ContainsFunc(w.list, func(c argument.Candidate) bool { return c.Near }) {
				near = append(near, w.tool.Name)
			} else if len(w.kept) == 0 || !strings.Contains(strings.Join(w.reasons, ";"), "may write") {
				t.Errorf("%q, %s: %d kept back because of %q", tt.yaml, w.tool.Name, len(w.kept), w.reasons)
			}
			if len(w.list) == 0 {
				t.Errorf("%q: nothing is sent to %s", tt.yaml, w.tool.Name)
			}
		}
		if !slices.Equal(near, tt.near) {
			t.Errorf("%q: nearly valid calls go to %q, want %q", tt.yaml, near, tt.near)
		}
	}
}

// TestReachOfNamesakes: where two tools have one name, what is nearly valid is
// sent only if both change nothing.
func TestReachOfNamesakes(t *testing.T) {
	for _, second := range []*bool{nil, new(false)} {
		r := runFor(t, "", check.Report{}, toolOf("twice", new(true), twoNumbers), toolOf("twice", second, twoNumbers))
		r.plan(t.Context())
		if len(r.rows) != 1 || r.mayWrite == 0 || slices.ContainsFunc(r.rows[0].list, func(c argument.Candidate) bool { return c.Near }) {
			t.Errorf("%d rows, %d kept back", len(r.rows), r.mayWrite)
		}
	}
}

// TestRequiredNumber: an argument whose name is a number is declared like any
// other, so that its absence is tried.
func TestRequiredNumber(t *testing.T) {
	r := runFor(t, "", check.Report{}, toolOf("reads", new(true), `{"type":"object","properties":{"7":{"type":"integer"},"b":{"type":"integer"}},"required":["7","b","ghost"]}`))
	r.plan(t.Context())
	var missing []string
	for _, c := range r.rows[0].list {
		if c.Shape == argument.RequiredIgnored {
			missing = append(missing, c.ID)
		}
	}
	if want := []string{"7/required-missing", "b/required-missing"}; !slices.Equal(missing, want) {
		t.Errorf("sent without %q, want %q", missing, want)
	}
}

// TestShare: where there are too many candidates, each tool gets the same
// share, and what is left out is counted.
func TestShare(t *testing.T) {
	var tools []session.Tool
	for i := range 10 {
		tools = append(tools, toolOf(fmt.Sprint("tool", i), new(true), twoNumbers))
	}
	tools = append(tools, toolOf("small", new(true), `{"type":"object","properties":{"a":{"type":"string"}}}`), tools[0])
	r := runFor(t, "checks: {argument-contract: {max_total: 43}}", check.Report{}, tools...)
	r.plan(t.Context())
	total := 0
	for _, w := range r.rows {
		total += len(w.list)
		if w.tool.Name != "small" && len(w.list) != 4 {
			t.Errorf("%s gets %d", w.tool.Name, len(w.list))
		}
	}
	if len(r.rows) != 11 || total > 43 || r.shared == 0 || !strings.Contains(r.keptBack(), "max_total") {
		t.Errorf("%d rows, %d calls, %d left out: %s", len(r.rows), total, r.shared, r.keptBack())
	}
	r = runFor(t, "checks: {argument-contract: {max_candidates: 3}}", check.Report{}, tools[0])
	r.plan(t.Context())
	if len(r.rows[0].list) != 3 || !strings.Contains(strings.Join(r.rows[0].reasons, ";"), "beyond the first 3") {
		t.Errorf("%d candidates, %q", len(r.rows[0].list), r.rows[0].reasons)
	}
}

// TestLeftOut: a tool that robust-input has seen die or hang gets no call, one
// with a flaky fault does; a schema that is none is said.
func TestLeftOut(t *testing.T) {
	robust := check.Report{Findings: []rule.Finding{{Rule: "robust.hang", Subject: "tool:hangs"}, {Rule: "robust.crashed", Subject: "tool:flaky", Flaky: true}}}
	r := runFor(t, "", robust, toolOf("hangs", new(true), twoNumbers), toolOf("flaky", new(true), twoNumbers), toolOf("broken", new(true), `{"type":5}`), toolOf("none", new(true), ``))
	r.plan(t.Context())
	if len(r.rows[0].list) != 0 || len(r.rows[0].kept) == 0 || r.left != 1 || len(r.rows[1].list) == 0 {
		t.Errorf("%d and %d are sent, %d tools left out", len(r.rows[0].list), len(r.rows[1].list), r.left)
	}
	for _, w := range r.rows[2:] {
		if len(w.list) != 0 || len(w.reasons) != 1 || !strings.Contains(w.reasons[0], "can't be used") {
			t.Errorf("%s: %d are sent, %q", w.tool.Name, len(w.list), w.reasons)
		}
	}
}

// TestUndeclared: an argument that is required but not declared is not left
// out to see whether it is required.
func TestUndeclared(t *testing.T) {
	r := runFor(t, "", check.Report{}, toolOf("x", new(true), `{"type":"object","properties":{"a":{"type":"string"}},"required":["a","ghost"]}`))
	r.plan(t.Context())
	w := r.rows[0]
	required := func(list []argument.Candidate) (names []string) {
		for _, c := range list {
			if c.Shape == argument.RequiredIgnored {
				names = append(names, c.Pointer)
			}
		}
		return names
	}
	if got := required(w.list); !slices.Equal(got, []string{"/a"}) || !slices.Equal(required(w.kept), []string{"/ghost"}) || len(w.reasons) != 1 {
		t.Errorf("sent %q, kept %q, %q", got, required(w.kept), w.reasons)
	}
}

func TestExplained(t *testing.T) {
	tests := []struct {
		accepted string
		shape    argument.Shape
		pointer  string
		want     bool
	}{
		{argument.MissingRequired, argument.RequiredIgnored, "/a", true},
		{argument.MissingRequired, argument.RequiredIgnored, "/a/b", false},
		{argument.NestedItem, argument.RequiredIgnored, "/items/0/id", true},
		{argument.NestedItem, argument.RequiredIgnored, "/a", false},
		{argument.WrongTypes, argument.WrongType, "/a", true},
		{argument.ExtraArgument, argument.BooleanAsInteger, "/a", true},
		{argument.WrongTypes, argument.StringCoerced, "/a/b", false},
		{argument.StringAsObject, argument.WrongType, "/a", false},
		{argument.Nulls, argument.NullAccepted, "/a", true},
		{argument.Nulls, argument.WrongType, "/a", false},
		{argument.WrongTypes, argument.EnumIgnored, "/a", false},
		{argument.WrongTypes, argument.BelowMinimum, "/a", false},
		{argument.MissingRequired, argument.ArgumentsArray, "", true},
		{argument.WrongTypes, argument.ArgumentsString, "", false},
		{argument.MissingRequired, argument.ExtraField, "/x", false},
	}
	for _, tt := range tests {
		if got := explained(check.Tool{Accepted: []string{tt.accepted}}, argument.Candidate{Shape: tt.shape, Pointer: tt.pointer}); got != tt.want {
			t.Errorf("%s accepted, %s at %q: explained %v", tt.accepted, tt.shape, tt.pointer, got)
		}
	}
}

// TestShapes: each shape has a rule that is declared, a probe, and a text with
// room for the arguments.
func TestShapes(t *testing.T) {
	for _, s := range shapes {
		if _, ok := argumentContractInfo.Rule(s.rule); !ok {
			t.Errorf("%s: the rule %s is not declared", s.id, s.rule)
		}
		if !slices.ContainsFunc(argumentContractInfo.Probes, func(p rule.Probe) bool { return p.ID == string(s.id) }) {
			t.Errorf("%s is no probe", s.id)
		}
		if strings.Contains(s.text, "%s") == onceForServer(s.rule) {
			t.Errorf("%s: %q", s.id, s.text)
		}
	}
	if len(shapes) != len(argumentContractInfo.Probes) {
		t.Errorf("%d shapes, %d probes", len(shapes), len(argumentContractInfo.Probes))
	}
}

// TestNames: where a candidate is broken, in words.
func TestNames(t *testing.T) {
	tests := []struct {
		shape                argument.Shape
		pointer, place, last string
	}{
		{argument.WrongType, "/a", "a", "a"},
		{argument.WrongType, "/items/0/id", "items[0].id", "id"},
		{argument.ItemType, "/items/0", "items[0]", "items"},
		{argument.WrongType, "/a~1b/c~0d", "a/b.c~d", "c~d"},
		{argument.ExtraField, "/sm_unexpected", "sm_unexpected", "sm_unexpected"},
		{argument.Combinator, "", "the arguments as a whole", ""},
		{argument.ArgumentsNull, "", "null", ""},
	}
	r := &argumentRun{Prober: probe.Prober{Env: &check.Env{Redact: redact.New(nil)}}}
	for _, tt := range tests {
		r.candidate = argument.Candidate{Shape: tt.shape, Pointer: tt.pointer}
		if got := r.place(); got != tt.place || lastName(tt.pointer) != tt.last {
			t.Errorf("%s: %q and %q", tt.pointer, got, lastName(tt.pointer))
		}
	}
	for _, tt := range []struct {
		name, pointer string
		want          bool
	}{{"id", "/items/0/id", true}, {"ITEMS", "/items/0/id", true}, {"other", "/id", false}, {"", "/id", false}, {"id", "", false}} {
		if got := namesIt(tt.name, tt.pointer); got != tt.want {
			t.Errorf("%q names %q: %v", tt.name, tt.pointer, got)
		}
	}
}

func TestOutcome(t *testing.T) {
	for class, want := range map[reply.Class]result.Outcome{
		reply.Crash: result.Crash, reply.Hang: result.Hang, reply.InternalError: result.InternalError, reply.Lenient: result.FailedLater,
		reply.Accepted: result.Accepted, reply.Rejected: result.Rejected,
	} {
		if got := outcomeOf(reply.Reading{Decision: class}); got != want {
			t.Errorf("%s is %s, want %s", class, got, want)
		}
	}
	if got := outcomeOf(reply.Reading{Decision: reply.Accepted, Class: reply.Empty}); got != result.Empty {
		t.Errorf("an empty success is %s", got)
	}
	if got := outcomeOf(reply.Reading{Decision: reply.Rejected, PlainText: true}); got != result.Unrecognised {
		t.Errorf("a refusal in text is %s", got)
	}
}

// TestLost: a fault that an earlier call caused is that call's outcome, and
// the call whose answer was lost with the server was not answered by anybody.
func TestLost(t *testing.T) {
	r := runFor(t, "", check.Report{}, toolOf("x", new(true), twoNumbers))
	r.plan(t.Context())
	w := r.rows[0]
	first, second := w.list[0], w.list[1]
	r.at, r.candidate = w, second
	w.outcomes[first.ID], w.outcomes[second.ID] = result.Rejected, result.Crash
	fault := probe.Trial{Call: r.call(w, first), Answer: reply.Answer{Kind: reply.Closed}}
	r.faulted(fault, true)
	if w.outcomes[first.ID] != result.Rejected {
		t.Error("a flaky fault changes an outcome")
	}
	r.faulted(fault, false)
	if r.blamed != w || w.outcomes[first.ID] != result.Crash || w.outcomes[second.ID] != result.NotSent {
		t.Errorf("%v", w.outcomes)
	}
	r.faulted(probe.Trial{Call: r.call(w, second), Answer: reply.Answer{Kind: reply.Hung}}, false)
	if w.outcomes[second.ID] != result.Hang {
		t.Errorf("%v", w.outcomes)
	}
}

// TestLeakOfAccepted: what a carried out call returns is no leak, what a
// refusal shows is one.
func TestLeakOfAccepted(t *testing.T) {
	for text, want := range map[string]int{
		`{"content":[{"type":"text","text":"TypeError: x is undefined\n    at run (/srv/app/dist/tools.js:10:5)"}],"isError":true}`:              1,
		`{"content":[{"type":"text","text":"bad request\n    at run (/srv/app/dist/tools.js:10:5)"}],"isError":true}`:                            1,
		`{"content":[{"type":"text","text":"12 matches in app.log:\n12:00 started\n    at run (/srv/app/dist/tools.js:10:5)"}],"isError":false}`: 0,
	} {
		r := runFor(t, "", check.Report{}, toolOf("a", new(true), twoNumbers))
		r.plan(t.Context())
		w := r.rows[0]
		for _, c := range w.list {
			if c.Shape != argument.BelowMinimum {
				continue
			}
			r.at, r.candidate = w, c
			call := r.call(w, c)
			answer := reply.Answer{Kind: reply.Answered, Raw: json.RawMessage(text), Result: json.RawMessage(text)}
			r.answered(call, answer, reply.Read(answer, reply.Question{Arguments: c.Arguments, Parameters: w.parameters}))
			break
		}
		robust := 0
		for _, f := range r.finish() {
			if strings.HasPrefix(f.Rule, "robust.") {
				robust++
			}
		}
		if robust != want {
			t.Errorf("%d findings of robust-input, want %d, for %s", robust, want, text)
		}
	}
}
