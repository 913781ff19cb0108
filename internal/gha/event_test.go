package gha

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	merge = strings.Repeat("1", 40)
	head  = strings.Repeat("2", 40)
	other = strings.Repeat("4", 40)
)

// read reads an event from a payload, with the environment that the runner
// gives it.
func read(t testing.TB, payload string, env map[string]string) (Event, error) {
	t.Helper()
	all := map[string]string{"GITHUB_REPOSITORY": "example-barn/sheep-mcp", "GITHUB_SHA": merge, "GITHUB_RUN_ID": "42", "GITHUB_RUN_ATTEMPT": "3", "GITHUB_EVENT_PATH": payload}
	for name, value := range env {
		all[name] = value
	}
	return New(&bytes.Buffer{}, environment(all)).Event()
}

// event reads a payload of testdata/events.
func event(t testing.TB, name, payload, ref, workspace string) Event {
	t.Helper()
	e, err := read(t, filepath.Join("testdata", "events", payload+".json"), map[string]string{"GITHUB_EVENT_NAME": name, "GITHUB_REF": ref, "GITHUB_WORKSPACE": workspace})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// checkout makes a checkout of a commit.
func checkout(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, ".git", filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// at is a checkout of a commit.
func at(sha string) map[string]string { return map[string]string{"HEAD": sha + "\n"} }

const pull, main, tag = "refs/pull/7/merge", "refs/heads/main", "refs/tags/v1.2.0"

func TestEvents(t *testing.T) {
	for _, test := range []struct {
		name, payload, ref string
		number             int
		fork               bool
		commit, noUpload   string
	}{
		{"pull_request", "pull_request", pull, 7, false, head, ""},
		{"pull_request", "pull_request_fork", pull, 7, true, head, ""},
		{"pull_request", "pull_request_deleted_fork", pull, 7, true, head, ""},
		{"pull_request", "pull_request_dependabot", pull, 7, false, head, ""},
		{"pull_request", "pull_request_merged", main, 7, false, head, ""},
		{"pull_request_review", "pull_request_review", pull, 7, false, head, ""},
		{"pull_request_target", "pull_request_target", main, 7, true, "", "neither the head"},
		{"push", "push", main, 0, false, merge, ""},
		{"push", "push_tag", tag, 0, false, merge, ""},
		{"merge_group", "merge_group", "refs/heads/gh-readonly-queue/main/pr-7-x", 0, false, merge, "merge queue"},
		{"schedule", "schedule", main, 0, false, merge, ""},
		{"workflow_dispatch", "workflow_dispatch", main, 0, false, merge, ""},
		{"release", "release", tag, 0, false, merge, ""},
		{"issue_comment", "issue_comment_pull", main, 0, false, merge, ""},
		{"issue_comment", "issue_comment_issue", main, 0, false, merge, ""},
		{"workflow_run", "workflow_run_fork", main, 0, false, merge, ""},
		{"repository_dispatch", "pull_request", main, 0, false, merge, ""},
	} {
		e := event(t, test.name, test.payload, test.ref, "")
		if e.Repository() != "example-barn/sheep-mcp" || e.PullRequest != test.number || e.Fork != test.fork {
			t.Errorf("%s: %+v", test.payload, e)
		}
		if proposed := test.number > 0 || test.name == "merge_group" || test.name == "workflow_run" || test.payload == "issue_comment_pull"; e.Proposed() != proposed {
			t.Errorf("%s: proposed %v", test.payload, e.Proposed())
		}
		target := e.Target()
		if target.Commit != test.commit || (target.NoUpload == "") != (test.noUpload == "") || !strings.Contains(target.NoUpload, test.noUpload) {
			t.Errorf("%s: %+v", test.payload, target)
		}
		if test.noUpload == "" && (target.SHA != merge || target.Ref != test.ref) {
			t.Errorf("%s: an analysis of %s %s", test.payload, target.SHA, target.Ref)
		}
		if target.Run != "42.3" || target.RunURL != "https://github.com/example-barn/sheep-mcp/actions/runs/42/attempts/3" {
			t.Errorf("%s: run %s, %s", test.payload, target.Run, target.RunURL)
		}
		if e.APIURL != "https://api.github.com" || e.GraphQLURL != "https://api.github.com/graphql" || e.ServerURL != "https://github.com" {
			t.Errorf("%s: addresses %s, %s, %s", test.payload, e.APIURL, e.GraphQLURL, e.ServerURL)
		}
	}
}

func TestDependabotIsKnownByItsActor(t *testing.T) {
	path := filepath.Join("testdata", "events", "pull_request_dependabot.json")
	for actor, want := range map[string]bool{"dependabot[bot]": true, "ada-example": false, "dependabot": false} {
		e, err := read(t, path, map[string]string{"GITHUB_EVENT_NAME": "pull_request", "GITHUB_ACTOR": actor})
		if err != nil || e.Dependabot != want {
			t.Errorf("%s: %v %v", actor, e.Dependabot, err)
		}
	}
}

func TestTarget(t *testing.T) {
	branch := map[string]string{"HEAD": "ref: refs/heads/main\n", "refs/heads/main": other + "\n"}
	for _, test := range []struct {
		what, name, payload, ref string
		git                      map[string]string
		sha, wantRef, why        string
	}{
		{"the merge", "pull_request", "pull_request", pull, at(merge), merge, pull, ""},
		{"no checkout", "pull_request", "pull_request", pull, nil, merge, pull, ""},
		{"the head is checked out", "pull_request", "pull_request", pull, at(head), head, "refs/pull/7/head", ""},
		{"a later head is checked out", "pull_request", "pull_request_fork", pull, branch, other, "refs/pull/7/head", ""},
		{"a merged pull request", "pull_request", "pull_request_merged", main, at(merge), merge, main, ""},
		{"a push", "push", "push", main, at(merge), merge, main, ""},
		{"a tag", "push", "push_tag", tag, nil, merge, tag, ""},
		{"a broken checkout", "push", "push", main, map[string]string{"HEAD": "ref: ../../etc/passwd"}, merge, main, ""},
		{"another commit is checked out", "workflow_dispatch", "workflow_dispatch", main, at(head), "", "", "checked out"},
		{"a merge queue", "merge_group", "merge_group", "refs/heads/gh-readonly-queue/main/pr-7-x", nil, "", "", "merge queue"},
		{"no ref", "push", "push", "main", nil, "", "", "not known"},
		{"a head in a job that can write", "pull_request_target", "pull_request_target", main, at(head), head, "refs/pull/7/head", ""},
		{"a merge in a job that can write", "pull_request_target", "pull_request_target", main, at(merge), merge, pull, ""},
		{"the base in a job that can write", "pull_request_target", "pull_request_target", main, at(other), "", "", "neither"},
		{"a comment's own checkout", "issue_comment", "issue_comment_pull", main, at(merge), merge, main, ""},
		{"a pull request for a comment", "issue_comment", "issue_comment_pull", main, at(head), "", "", "checked out"},
		{"a fork's code for workflow_run", "workflow_run", "workflow_run_fork", main, at(head), "", "", "checked out"},
	} {
		target := event(t, test.name, test.payload, test.ref, checkout(t, test.git)).Target()
		if target.SHA != test.sha || target.Ref != test.wantRef || (target.NoUpload == "") != (test.why == "") || !strings.Contains(target.NoUpload, test.why) {
			t.Errorf("%s: %+v", test.what, target)
		}
		if tested := strings.TrimSpace(test.git["HEAD"]); objectID.MatchString(tested) && tested != merge && target.Commit != tested {
			t.Errorf("%s: commit %s is named, not %s", test.what, target.Commit, tested)
		}
		// What is not of the pull request is not said on it.
		if silent := target.PullRequest == 0; test.name == "pull_request_target" && silent != (test.why != "") {
			t.Errorf("%s: a comment on %d", test.what, target.PullRequest)
		}
	}
}

// TestCheckoutOf: of several checkouts that counts which holds the folder.
func TestCheckoutOf(t *testing.T) {
	workspace := t.TempDir()
	for _, dir := range []string{".git", "pr/.git", "pr/server", "docs"} {
		if err := os.MkdirAll(filepath.Join(workspace, filepath.FromSlash(dir)), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for folder, want := range map[string]string{"": ".", "docs": ".", "pr": "pr", "pr/server": "pr", "pr/none": "pr", "..": ".", "/etc": "."} {
		if got := checkoutOf(workspace, folder); got != filepath.Join(workspace, want) {
			t.Errorf("%q: %s, want %s", folder, got, want)
		}
	}
}

func TestUntrustedCode(t *testing.T) {
	for _, test := range []struct {
		name, payload string
		git           map[string]string
		want          string
	}{
		{"pull_request", "pull_request_fork", at(head), ""},
		{"pull_request_target", "pull_request_target", at(head), "pull_request_target would run"},
		{"pull_request_target", "pull_request_target", nil, "pull_request_target would run"},
		{"workflow_run", "workflow_run_fork", at(merge), ""},
		{"workflow_run", "workflow_run_fork", nil, "workflow_run would run"}, // nobody knows
		{"workflow_run", "workflow_run_fork", at(head), "workflow_run would run"},
		{"workflow_run", "workflow_run_gone", at(head), "workflow_run would run"},
		{"workflow_run", "workflow_run_own", at(head), ""},
		{"issue_comment", "issue_comment_pull", at(merge), ""},
		{"issue_comment", "issue_comment_pull", at(head), "issue_comment would run"},
		{"issue_comment", "issue_comment_pull", map[string]string{"HEAD": "ref: refs/heads/packed"}, "issue_comment would run"},
		{"issue_comment", "issue_comment_issue", at(head), ""},
		{"push", "push", at(head), ""},
	} {
		why := event(t, test.name, test.payload, main, checkout(t, test.git)).Untrusted()
		if (why == "") != (test.want == "") || !strings.HasPrefix(why, test.want) {
			t.Errorf("%s, %v: %q", test.payload, test.git, why)
		}
	}
}

func TestTriggered(t *testing.T) {
	for payload, foreign := range map[string]bool{"workflow_run_fork": true, "workflow_run_gone": true, "workflow_run_own": false} {
		e := event(t, "workflow_run", payload, main, "")
		if e.Foreign() != foreign || e.Trigger.HeadSHA != head || e.Trigger.HeadBranch != "count-twice" || e.Trigger.Event != "pull_request" {
			t.Errorf("%s: %+v", payload, e.Trigger)
		}
		target := e.Triggered()
		if target.Run != "9001.2" || target.Commit != head || target.RunURL != "https://github.com/example-barn/sheep-mcp/actions/runs/9001/attempts/2" {
			t.Errorf("%s: %+v", payload, target)
		}
	}
	if event(t, "push", "push", main, "").Foreign() {
		t.Error("a push is foreign")
	}
}

func TestBrokenPayloads(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty": "", "list": "[]", "cut": `{"pull_request": {"num`, "types": `{"pull_request": {"number": "seven"}}`, "nothing": `{}`} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, event := range []string{"pull_request", "workflow_run", "issue_comment"} {
			_, err := read(t, path, map[string]string{"GITHUB_EVENT_NAME": event})
			if fault := name != "types" || event == "pull_request"; err != nil && !strings.HasPrefix(err.Error(), "the event ") || err == nil && fault {
				t.Errorf("%s, %s: %v", name, event, err)
			}
		}
	}
	if _, err := read(t, filepath.Join(dir, "missing"), nil); err == nil {
		t.Error("a missing payload gave no error")
	}
	if _, err := New(&bytes.Buffer{}, environment(nil)).Event(); err != nil {
		t.Errorf("outside of a workflow: %v", err)
	}
}

// Whatever a payload holds, an event is read or refused, and what it aims at
// has the form that the API asks for.
func FuzzEvent(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "events", "*.json"))
	if err != nil {
		f.Fatal(err)
	}
	names := []string{"pull_request", "pull_request_target", "pull_request_review", "workflow_run", "issue_comment", "push"}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for i := range names {
			f.Add(uint8(i), data)
		}
	}
	f.Fuzz(func(t *testing.T, which uint8, payload []byte) {
		e := Event{Name: names[int(which)%len(names)], Owner: "example-barn", Repo: "sheep-mcp", SHA: merge, Ref: main, ServerURL: "https://github.com"}
		if e.read(payload) != nil {
			return
		}
		targets := []Target{e.Target()}
		if e.Trigger != nil {
			targets = append(targets, e.Triggered())
		}
		for _, target := range targets {
			for _, sha := range []string{target.Commit, target.SHA} {
				if sha != "" && !objectID.MatchString(sha) {
					t.Errorf("commit %q", sha)
				}
			}
			if target.PullRequest < 0 || strings.ContainsAny(target.RunURL, " \n)<") {
				t.Errorf("%+v", target)
			}
		}
		e.Untrusted()
		e.Foreign()
	})
}
