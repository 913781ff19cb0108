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

// event reads a payload of testdata/events, with the environment of its
// event.
func event(t *testing.T, name, payload, ref, workspace string) Event {
	t.Helper()
	e, err := New(&bytes.Buffer{}, environment(map[string]string{
		"GITHUB_EVENT_NAME": name, "GITHUB_REPOSITORY": "example-barn/sheep-mcp", "GITHUB_SHA": merge, "GITHUB_REF": ref,
		"GITHUB_EVENT_PATH": filepath.Join("testdata", "events", payload+".json"), "GITHUB_WORKSPACE": workspace, "GITHUB_RUN_ID": "42",
	})).Event()
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

func TestEvents(t *testing.T) {
	const pull, main = "refs/pull/7/merge", "refs/heads/main"
	for _, test := range []struct {
		name, payload, ref string
		number             int
		fork               bool
		commit             string
	}{
		{"pull_request", "pull_request", pull, 7, false, head},
		{"pull_request", "pull_request_fork", pull, 7, true, head},
		{"pull_request", "pull_request_deleted_fork", pull, 7, true, head},
		{"pull_request_target", "pull_request_target", main, 7, true, head},
		{"push", "push", main, 0, false, merge},
		{"merge_group", "merge_group", "refs/heads/gh-readonly-queue/main/pr-7-x", 0, false, merge},
		{"workflow_dispatch", "workflow_dispatch", main, 0, false, merge},
	} {
		e := event(t, test.name, test.payload, test.ref, "")
		if e.Owner != "example-barn" || e.Repo != "sheep-mcp" || e.PullRequest != test.number || e.Fork != test.fork || e.Target().Commit != test.commit {
			t.Errorf("%s: %+v", test.payload, e)
		}
		if e.APIURL != "https://api.github.com" || e.GraphQLURL != "https://api.github.com/graphql" {
			t.Errorf("%s: addresses %s, %s", test.payload, e.APIURL, e.GraphQLURL)
		}
	}
}

func TestTarget(t *testing.T) {
	const pull, main = "refs/pull/7/merge", "refs/heads/main"
	at := func(sha string) map[string]string { return map[string]string{"HEAD": sha + "\n"} }
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
		{"a push", "push", "push", main, at(merge), merge, main, ""},
		{"a tag", "push", "push", "refs/tags/v1", nil, merge, "refs/tags/v1", ""},
		{"a broken checkout", "push", "push", main, map[string]string{"HEAD": "ref: ../../etc/passwd"}, merge, main, ""},
		{"another commit is checked out", "workflow_dispatch", "workflow_dispatch", main, at(head), "", "", "checked out"},
		{"a merge queue", "merge_group", "merge_group", "refs/heads/gh-readonly-queue/main/pr-7-x", nil, "", "", "merge queue"},
		{"no ref", "push", "push", "main", nil, "", "", "not known"},
	} {
		target := event(t, test.name, test.payload, test.ref, checkout(t, test.git)).Target()
		if target.SHA != test.sha || target.Ref != test.wantRef || (target.NoUpload == "") != (test.why == "") || !strings.Contains(target.NoUpload, test.why) {
			t.Errorf("%s: %+v", test.what, target)
		}
	}
}

func TestBrokenPayloads(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"empty": "", "list": "[]", "cut": `{"pull_request": {"num`, "types": `{"pull_request": {"number": "seven"}}`} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := New(&bytes.Buffer{}, environment(map[string]string{"GITHUB_EVENT_PATH": path, "GITHUB_EVENT_NAME": "pull_request"})).Event()
		if err == nil || !strings.HasPrefix(err.Error(), "the event ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := New(&bytes.Buffer{}, environment(map[string]string{"GITHUB_EVENT_PATH": filepath.Join(dir, "missing")})).Event(); err == nil {
		t.Error("a missing payload gave no error")
	}
	if _, err := New(&bytes.Buffer{}, environment(nil)).Event(); err != nil {
		t.Errorf("outside of a workflow: %v", err)
	}
}
