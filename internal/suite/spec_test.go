package suite

import (
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/fixture"
	"github.com/sealmark/action/internal/rule"
)

// specOnly runs the check spec on a fixture, with a short limit for answers.
func specOnly(name string) setup {
	return setup{fixture: name, only: []string{"spec"}, yaml: "timeout_probe_sec: 1\n"}
}

// TestSpecHostile: what dies or falls silent is for other checks, and no server
// gets a rain of findings or holds the check up.
func TestSpecHostile(t *testing.T) {
	tests := []struct {
		fixture string
		want    []string
		verdict rule.Verdict
	}{
		{"library-mute", []string{}, rule.Unverified},
		{"library-mortal", []string{}, rule.Unverified},
		{"library-agrees", []string{"spec.logging-level", "spec.prompt-required-argument", "spec.resource-not-found", "spec.schema-violation"}, rule.Fail},
		{"library-chatters", []string{}, rule.Pass},
		{"old-2024-11-05", []string{}, rule.Pass},
	}
	for _, tt := range tests {
		t.Run(tt.fixture, func(t *testing.T) {
			t.Parallel()
			begin := time.Now()
			r := run(t, specOnly(tt.fixture))
			if took := time.Since(begin); took > 45*time.Second {
				t.Errorf("took %s", took)
			}
			if got := raised(r); !slices.Equal(got, tt.want) || verdict(r, "spec") != tt.verdict || len(r.Findings) > len(tt.want) {
				t.Errorf("raised %q, want %q and %s\n%s", got, tt.want, tt.verdict, describe(r))
			}
		})
	}
}

// TestSpecPassive: without active probes nothing is asked, the reason says so,
// and what the server sends anyway is judged.
func TestSpecPassive(t *testing.T) {
	for name, want := range map[string]rule.Verdict{"library": rule.Pass, "library-task-support": rule.Fail} {
		s := specOnly(name)
		s.yaml += "active_probes: none\n"
		r := run(t, s)
		for _, c := range r.Checks {
			if c.ID == "spec" && (c.Verdict != want || len(c.Probes) != 0 || want == rule.Pass && !strings.Contains(c.Reason, "active_probes is none")) {
				t.Errorf("%s: %+v", name, c)
			}
		}
	}
}

// TestSpecEvidence: a violation shows its exact place and belongs to the tool.
func TestSpecEvidence(t *testing.T) {
	r := run(t, specOnly("library-task-support"))
	if len(r.Findings) != 1 {
		t.Fatal(describe(r))
	}
	f := r.Findings[0]
	if f.Subject != "tool:search" || !strings.Contains(f.Message, "/result/tools/0/execution/taskSupport") || f.Evidence.Match != `"sometimes"` || !strings.Contains(f.Evidence.Request, `"tools/list"`) {
		t.Errorf("%+v", f)
	}
}

// TestSpecStatic: of a recorded snapshot the lists are judged like those of the
// running server, and no question is asked.
func TestSpecStatic(t *testing.T) {
	for _, name := range []string{"library", "library-task-support", "library-ping-pong"} {
		live, r := run(t, specOnly(name)), static(t, recorded(t, specOnly(name)))
		var want []string
		for _, f := range live.Findings {
			if f.Rule == "spec.schema-violation" {
				want = append(want, f.ID+f.Message)
			}
		}
		var got []string
		for _, f := range raisedBy(r, "spec") {
			got = append(got, f.ID+f.Message)
		}
		if !slices.Equal(got, want) || r.Volatile.Instances != 0 {
			t.Errorf("%s: live %q, static %q\n%s", name, want, got, describe(r))
		}
	}
}

// TestSpecHTTP: over HTTP a right server raises nothing either.
func TestSpecHTTP(t *testing.T) {
	server := httptest.NewServer(fixture.GoodHTTP())
	defer server.Close()
	s := specOnly("x")
	s.url = server.URL + "/mcp"
	if r := run(t, s); len(r.Findings) != 0 || verdict(r, "spec") != rule.Pass {
		t.Error(describe(r))
	}
}

// TestSpecRules: each fixture of the library raises what it is described with,
// so that the table of rules and fixtures is complete.
func TestSpecRules(t *testing.T) {
	described := map[string]bool{}
	for _, name := range fixture.Names() {
		for _, id := range fixture.Describe(name).Rules {
			described[id] = true
		}
	}
	for _, known := range Rules() {
		if strings.HasPrefix(known.ID, "spec.") && !described[known.ID] {
			t.Errorf("no fixture is described with %s", known.ID)
		}
	}
}
