package gha

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// octokit names the folder that scripts/octokit fills.
const octokit = "SEALMARK_OCTOKIT"

// payload is one of GitHub's example payloads.
type payload = map[string]any

// find follows a path of names through a payload; nil if it ends before.
func find(p any, path ...string) any {
	for _, name := range path {
		object, ok := p.(payload)
		if !ok {
			return nil
		}
		p = object[name]
	}
	return p
}

func text(p any, path ...string) string {
	s, _ := find(p, path...).(string)
	return s
}

// examples reads GitHub's example payloads, by event.
func examples(t *testing.T) map[string][]payload {
	t.Helper()
	dir := os.Getenv(octokit)
	if dir == "" {
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is not set; scripts/octokit prints it", octokit)
		}
		t.Skipf("SKIPPED: %s is not set; scripts/octokit prints it", octokit)
	}
	data, err := os.ReadFile(filepath.Join(dir, "api.github.com-index.json"))
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Name     string
		Examples []payload
	}
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	events := map[string][]payload{}
	for _, e := range list {
		events[e.Name] = e.Examples
	}
	events["pull_request_target"] = events["pull_request"] // the same payload
	return events
}

// expected is what an example must give, and the environment that the runner
// gives with it (GitHub documentation, "Events that trigger workflows").
type expected struct {
	sha, ref, commit string
	number           int
}

// expectations say for each event what its examples must give, read from the
// payload without the code under test.
var expectations = map[string]func(payload) expected{
	"pull_request":                onPull,
	"pull_request_review":         onPull,
	"pull_request_review_comment": onPull,
	"pull_request_target": func(p payload) expected {
		e := onPull(p)
		e.sha, e.ref = text(p, "pull_request", "base", "sha"), "refs/heads/"+text(p, "pull_request", "base", "ref")
		e.commit = "" // the code that is tested is whatever the workflow checks out
		return e
	},
	"push": func(p payload) expected {
		if find(p, "deleted") == true {
			return onDefault(p)
		}
		return expected{sha: text(p, "after"), ref: text(p, "ref"), commit: text(p, "after")}
	},
	"merge_group": func(p payload) expected {
		sha := text(p, "merge_group", "head_sha")
		return expected{sha: sha, ref: text(p, "merge_group", "head_ref"), commit: sha}
	},
	"release": func(p payload) expected {
		return expected{sha: merge, ref: "refs/tags/" + text(p, "release", "tag_name"), commit: merge}
	},
	"workflow_dispatch": func(p payload) expected { return expected{sha: merge, ref: text(p, "ref"), commit: merge} },
	"workflow_run":      onDefault, "issue_comment": onDefault, "repository_dispatch": onDefault,
	"check_run": onDefault, "check_suite": onDefault, "status": onDefault,
}

func onPull(p payload) expected {
	number, _ := find(p, "pull_request", "number").(float64)
	e := expected{sha: merge, ref: fmt.Sprintf("refs/pull/%d/merge", int(number)), commit: text(p, "pull_request", "head", "sha"), number: int(number)}
	if find(p, "pull_request", "merged") == true {
		e.ref = "refs/heads/" + text(p, "pull_request", "base", "ref")
	}
	return e
}

func onDefault(p payload) expected {
	return expected{sha: merge, ref: "refs/heads/" + text(p, "repository", "default_branch"), commit: merge}
}

// GitHub's own payloads give the right commit, ref and pull request.
func TestExamplePayloads(t *testing.T) {
	events := examples(t)
	for name, expect := range expectations {
		if len(events[name]) == 0 {
			t.Errorf("there is no example of %s", name)
		}
		for i, p := range events[name] {
			t.Run(fmt.Sprintf("%s %d", name, i), func(t *testing.T) {
				want := expect(p)
				e, target := readExample(t, name, p, want)
				if target.Commit != want.commit || e.PullRequest != want.number || e.Fork {
					t.Errorf("commit %s, pull request %d, fork %v; want %+v", target.Commit, e.PullRequest, e.Fork, want)
				}
				switch {
				case name == "merge_group" || name == "pull_request_target":
					if target.NoUpload == "" || target.SHA != "" {
						t.Errorf("an analysis of %+v", target)
					}
				case target.NoUpload != "" || target.SHA != want.sha || target.Ref != want.ref:
					t.Errorf("an analysis of %+v, want %+v", target, want)
				}
				if name == "workflow_run" {
					checkTrigger(t, e, p)
				}
			})
		}
	}
}

// The same pull requests from a fork, and from one that is deleted.
func TestExamplePayloadsOfForks(t *testing.T) {
	for _, p := range examples(t)["pull_request"] {
		want := onPull(p)
		head := find(p, "pull_request", "head").(payload)
		for _, repo := range []any{payload{"full_name": "ada-example/fork"}, nil} {
			head["repo"] = repo
			e, target := readExample(t, "pull_request", p, want)
			if !e.Fork || target.Commit != want.commit || target.PullRequest != want.number {
				t.Errorf("%v: fork %v, %+v", repo, e.Fork, target)
			}
		}
	}
}

func readExample(t *testing.T, name string, p payload, want expected) (Event, Target) {
	t.Helper()
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "event.json")
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	e, err := read(t, path, map[string]string{
		"GITHUB_EVENT_NAME": name, "GITHUB_SHA": want.sha, "GITHUB_REF": want.ref, "GITHUB_REPOSITORY": text(p, "repository", "full_name"),
	})
	if err != nil {
		t.Fatal(err)
	}
	return e, e.Target()
}

func checkTrigger(t *testing.T, e Event, p payload) {
	t.Helper()
	run := e.Trigger
	id, _ := find(p, "workflow_run", "id").(float64)
	if run.HeadSHA != text(p, "workflow_run", "head_sha") || run.HeadBranch != text(p, "workflow_run", "head_branch") || run.Event != text(p, "workflow_run", "event") || run.ID != fmt.Sprint(int64(id)) {
		t.Errorf("the run is %+v", run)
	}
	if e.Foreign() != (run.HeadRepository != e.Repository()) {
		t.Errorf("%s is foreign to %s: %v", run.HeadRepository, e.Repository(), e.Foreign())
	}
}
