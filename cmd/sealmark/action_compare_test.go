package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/compare"
	"github.com/sealmark/action/internal/result"
)

// TestActionCompares: the action holds a pull request of a fork against its
// base, whatever baseline the fork commits.
func TestActionCompares(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("git is not installed")
		}
		t.Skip("SKIPPED: git is not installed")
	}
	program, dir := build(t), publicDir(t)
	git := func(args ...string) string {
		t.Helper()
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org",
			"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	put := func(name string, data []byte) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	serve := func(name string) {
		put("sealmark.yml", []byte("server:\n  command: [sealmark, fixture, "+name+"]\n"))
	}
	payload := func(base string) string {
		data, err := os.ReadFile(filepath.Join("..", "..", "internal", "gha", "testdata", "events", "pull_request_fork.json"))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "event.json")
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(string(data), strings.Repeat("3", 40), base)), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	act := func(event string, inputs map[string]string) (step, *result.Result) {
		t.Helper()
		s := runStepAt(t, dir, event, program, newFake(t), "pull_request", "77", inputs)
		r, err := openResult(filepath.Join(dir, s.output("result-file")))
		if err != nil {
			t.Fatalf("%v\n%s%s", err, s.log, s.errors)
		}
		return s, r
	}

	put(".gitignore", []byte("sealmark-*/\noutput\nsummary\n"))
	git("init", "-q", "-b", "main")
	serve("text-refusal")
	git("add", "-A")
	git("commit", "-q", "-m", "base")
	base := git("rev-parse", "HEAD")
	git("checkout", "-q", "-b", "change")
	serve("crash")
	git("commit", "-q", "-a", "-m", "change")

	inputs := map[string]string{"new-only": "true", "compare": "build"}
	s, r := act(payload(base), inputs)
	if c := r.Comparison; s.code != 1 || c == nil || !c.FindingsCompared || c.Base.Source != result.FromBuild || c.Base.Commit != base || len(c.New) != 1 || !r.Gate.NewOnly {
		t.Errorf("code %d, %+v, %+v, %q", s.code, r.Comparison, r.Gate, r.Notices)
	}
	if !strings.Contains(s.log, "::group::Test "+r.Server.Key+" (merge base)") {
		t.Errorf("the log does not tell the two runs apart:\n%s", s.log)
	}
	if strings.Contains(strings.Join(r.Notices, " "), "/tmp/") {
		t.Errorf("a path that is another one each time: %q", r.Notices)
	}
	// The same with a baseline that the fork adds, which has the finding.
	data, err := compare.Baseline(r).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	put(committed, data)
	git("add", "-A")
	git("commit", "-q", "-m", "sly")
	inputs["compare"] = ""
	s, r = act(payload(base), inputs)
	if notices := strings.Join(r.Notices, " "); s.code != 1 || r.Comparison != nil || !strings.Contains(notices, "this change adds "+committed) {
		t.Errorf("code %d, %+v, %q", s.code, r.Comparison, r.Notices)
	}
	// Where the base is not in the checkout, the report says that it can't be told.
	s, r = act(payload(strings.Repeat("3", 40)), inputs)
	if notices := strings.Join(r.Notices, " "); s.code != 0 || r.Comparison == nil || !strings.Contains(notices, "may have altered it") || !strings.Contains(s.page, "fetch-depth: 0") {
		shown, _ := json.Marshal(r.Notices)
		t.Errorf("code %d, %s\n%s", s.code, shown, s.page)
	}
}
