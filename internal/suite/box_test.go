package suite

import (
	"slices"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/check/core"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// TestUnready: a server that is not started has a reason and a next step; a
// build that failed is a finding, and what is no fault of the server is none.
func TestUnready(t *testing.T) {
	for _, tt := range []struct {
		u    core.Unready
		want []string
	}{
		{core.Unready{BuildFailed: true, Text: "the build failed: make exited with status 2", Next: "Look.", Log: "make: *** no rule"}, []string{"launch.build-failed"}},
		{core.Unready{Text: "cargo is not installed", Next: "Install it."}, nil},
	} {
		r := Run{Config: configure(t, setup{fixture: "accepts"}), Unready: &tt.u}.Do(t.Context())
		if r.Status != result.NotAssessed || r.Score != nil || r.Reason == nil || r.Reason.Next != tt.u.Next || r.Volatile.Instances != 0 {
			t.Errorf("%+v: status %q, reason %+v", tt.u, r.Status, r.Reason)
		}
		if got := raised(r); !slices.Equal(got, tt.want) && len(got)+len(tt.want) > 0 {
			t.Errorf("raised %q, want %q", got, tt.want)
		}
	}
}

// TestCanaries: a server that asks for a variable is tested with a harmless
// one, in every instance, and the result names it.
func TestCanaries(t *testing.T) {
	r := run(t, setup{fixture: "needs-env"})
	if r.Status != result.Assessed || !slices.Equal(r.Server.Canaries, []string{"DEMO_API_KEY"}) || len(raised(r)) > 0 && slices.Contains(raised(r), "launch.missing-config") {
		t.Errorf("%q %q\n%s", r.Status, r.Server.Canaries, describe(r))
	}
	if len(r.Notices) != 1 || !strings.Contains(r.Notices[0], "without DEMO_API_KEY") {
		t.Errorf("notices %q", r.Notices)
	}
}

// TestServed: servers that are started and listen are tested as those over
// stdio are; what takes them down is seen as the end of their process, and the
// result does not depend on their ports.
func TestServed(t *testing.T) {
	served := func(name string) *result.Result {
		c := configure(t, setup{fixture: name})
		c.URL = "http://127.0.0.1:" + config.Port + "/mcp"
		return Run{Config: c, Version: "test", Key: "fixture", Shown: []string{"fixture"}}.Do(t.Context())
	}
	var documents []string
	for range 2 {
		r := served("listens")
		if r.Status != result.Assessed || r.Server.Transport != "streamable-http" || slices.ContainsFunc(r.Findings, func(f rule.Finding) bool { return f.Severity == "error" }) {
			t.Fatalf("%s", describe(r))
		}
		r.Volatile = result.Volatile{}
		document, err := r.Marshal()
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, string(document))
	}
	if documents[0] != documents[1] {
		t.Error("two runs differ")
	}
	r := served("listens-crashes")
	i := slices.IndexFunc(r.Findings, func(f rule.Finding) bool { return strings.Contains(f.Message, "exited with status 3") && !f.Flaky })
	if i < 0 || !strings.Contains(r.Findings[i].Evidence.Stderr, "unexpected message") {
		t.Errorf("no finding of the end of the process:\n%s", describe(r))
	}
}
