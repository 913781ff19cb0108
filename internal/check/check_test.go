package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/session"
	"github.com/sealmark/action/internal/wire"
)

var info = rule.Check{ID: "x", Rules: []rule.Rule{{ID: "a.error", Severity: rule.Error}, {ID: "a.warning", Severity: rule.Warning}, {ID: "a.note", Severity: rule.Note}}}

func TestJudge(t *testing.T) {
	f := func(s rule.Severity) rule.Finding { return rule.Finding{Severity: s} }
	tests := []struct {
		findings []rule.Finding
		want     rule.Verdict
	}{
		{nil, rule.Pass},
		{[]rule.Finding{f(rule.Note)}, rule.Pass},
		{[]rule.Finding{f(rule.Note), f(rule.Warning)}, rule.Partial},
		{[]rule.Finding{f(rule.Warning), f(rule.Error)}, rule.Fail},
		{[]rule.Finding{{Severity: rule.Error, Flaky: true}}, rule.Pass},
		{[]rule.Finding{{Severity: rule.Error, ExplainedBy: "y"}}, rule.Pass},
		{[]rule.Finding{{Severity: rule.Error, Observed: true}}, rule.Pass},
	}
	for _, tt := range tests {
		if got := Judge(info, tt.findings); got != tt.want {
			t.Errorf("%v: %s, want %s", tt.findings, got, tt.want)
		}
	}
}

// TestFindings: one finding per rule and subject; a confirmed one replaces a
// flaky one.
func TestFindings(t *testing.T) {
	f := NewFindings(info)
	f.Add(rule.Finding{Rule: "a.note", Subject: "server"})
	f.Add(rule.Finding{Rule: "a.error", Subject: "tool:b", Flaky: true, Message: "first"})
	f.Add(rule.Finding{Rule: "a.error", Subject: "tool:b", Message: "second"})
	f.Add(rule.Finding{Rule: "a.error", Subject: "tool:b", Message: "third"})
	f.Add(rule.Finding{Rule: "a.error", Subject: "tool:a"})
	f.Add(rule.Finding{Rule: "a.warning", Subject: "tool:a", Flaky: true})
	var got []string
	for _, x := range f.List() {
		got = append(got, fmt.Sprintf("%s %s %s %s %d %v", x.Severity, x.Rule, x.Subject, x.Message, x.Count, x.Flaky))
	}
	want := []string{"error a.error tool:a  1 false", "error a.error tool:b second 3 false", "note a.note server  1 false", "note a.warning tool:a  1 true"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	f.Add(rule.Finding{Rule: "a.error", Subject: "tool:c", Argument: "/x"})
	f.Add(rule.Finding{Rule: "a.error", Subject: "tool:c", Argument: "/x"})
	f.Add(rule.Finding{Rule: "a.error", Subject: "tool:d", Argument: "/x"})
	f.Add(rule.Finding{Rule: "a.error", Subject: "tool:d", Argument: "/y"})
	if list := f.List(); list[2].Argument != "/x" || list[3].Argument != "" {
		t.Errorf("arguments %q and %q, want that of all or none", list[2].Argument, list[3].Argument)
	}
	if !f.Has("a.error") || f.Has("a.warning") {
		t.Error("Has counts flaky findings, or not the others")
	}
	defer func() {
		if recover() == nil {
			t.Error("an undeclared rule is no panic")
		}
	}()
	f.Add(rule.Finding{Rule: "a.unknown"})
}

// TestTape: what is kept does not depend on the order of the sessions, and is
// bounded.
func TestTape(t *testing.T) {
	secrets := redact.New(map[string]string{"TOKEN": "secret-value"})
	record := func(order ...string) string {
		tape := NewTape(secrets)
		for _, text := range order {
			observe := tape.Observer("")
			observe(session.Event{Direction: session.Out, Raw: []byte("request of " + text), Phase: session.Boot})
			observe(session.Event{Direction: session.NoiseEvent, Noise: wire.Noise{Kind: wire.NoiseText, Text: []byte(text)}, Phase: session.Boot})
			observe(session.Event{Direction: session.In, Raw: []byte("reply secret-value " + text), Phase: "tools/call " + text})
		}
		var b strings.Builder
		tape.Noise(func(at NoiseAt, seen Seen) { fmt.Fprintf(&b, "%v %s %s\n", at, seen.Request, seen.Text) })
		tape.Echoes(func(at EchoAt, seen Seen) { fmt.Fprintf(&b, "%v %s %s\n", at, seen.Request, seen.Text) })
		fmt.Fprint(&b, tape.Frames())
		return b.String()
	}
	if a, b := record("x", "y"), record("y", "x"); a != b || !strings.Contains(a, "{TOKEN tools/call x} request of x reply") {
		t.Errorf("%s\n---\n%s", a, b)
	}
	tape := NewTape(secrets)
	observe := tape.Observer("again")
	for i := range 3 * maxEntries {
		observe(session.Event{Direction: session.NoiseEvent, Noise: wire.Noise{Kind: wire.NoiseText, Text: []byte("x")}, Phase: fmt.Sprint(i)})
	}
	n := 0
	tape.Noise(func(at NoiseAt, _ Seen) {
		n++
		if !strings.HasPrefix(at.Phase, "again: ") {
			t.Errorf("phase %q", at.Phase)
		}
	})
	if n != maxEntries {
		t.Errorf("%d entries are kept", n)
	}
}
