package publish

import (
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/publish/fakegithub"
)

const fork = "ada-example/sheep-mcp"

// finished is the event of a run for a fork's pull request that has ended.
func finished() gha.Event {
	e := pull()
	e.Name, e.PullRequest, e.HeadSHA, e.SHA, e.Ref = "workflow_run", 0, "", strings.Repeat("9", 40), "refs/heads/main"
	e.ServerURL = "https://github.invalid"
	e.Trigger = &gha.Trigger{ID: "9001", Attempt: "2", Event: "pull_request", HeadSHA: head, HeadBranch: "count-twice", HeadRepository: fork}
	return e
}

// ours is the pull request of that run.
var ours = fakegithub.PullRequest{Number: 7, HeadRepository: fork, HeadBranch: "count-twice", HeadSHA: head}

func with(change func(*fakegithub.PullRequest)) fakegithub.PullRequest {
	p := ours
	change(&p)
	return p
}

// The pull request is the one whose head the run was about, whatever else is
// open; without one, nothing is sent.
func TestTheRunsPullRequestIsFound(t *testing.T) {
	next := strings.Repeat("5", 40)
	for _, test := range []struct {
		what   string
		event  func(*gha.Event)
		pulls  []fakegithub.PullRequest
		number int
		why    string
	}{
		{what: "a fork's", pulls: []fakegithub.PullRequest{ours}, number: 7},
		{what: "one of the repository itself", event: func(e *gha.Event) { e.Trigger.HeadRepository = "example-barn/sheep-mcp" },
			pulls: []fakegithub.PullRequest{with(func(p *fakegithub.PullRequest) { p.HeadRepository = "example-barn/sheep-mcp" })}, number: 7},
		{what: "among others", pulls: []fakegithub.PullRequest{
			with(func(p *fakegithub.PullRequest) { p.Number, p.HeadRepository = 3, "mallory/sheep-mcp" }),
			with(func(p *fakegithub.PullRequest) { p.Number, p.HeadRepository = 4, "ada-example/another-fork" }),
			with(func(p *fakegithub.PullRequest) { p.Number, p.HeadBranch = 5, "other-branch" }),
			with(func(p *fakegithub.PullRequest) { p.Number, p.BaseRepository = 6, "example-barn/wool-mcp" }),
			ours,
		}, number: 7},
		{what: "none", why: "no open pull request has the head " + head},
		{what: "a closed one", pulls: []fakegithub.PullRequest{with(func(p *fakegithub.PullRequest) { p.Closed = true })}, why: "no open pull request"},
		{what: "another fork with the same commit", pulls: []fakegithub.PullRequest{with(func(p *fakegithub.PullRequest) { p.HeadRepository = "ada-example/other" })}, why: "no open pull request"},
		{what: "one that has moved on", pulls: []fakegithub.PullRequest{with(func(p *fakegithub.PullRequest) { p.HeadSHA = next })}, why: "pull request 7 is at another commit than " + head},
		{what: "two of the same head", pulls: []fakegithub.PullRequest{ours, with(func(p *fakegithub.PullRequest) { p.Number = 8 })}, why: "pull requests [7 8] have the same head"},
		{what: "a run for a push", event: func(e *gha.Event) { e.Trigger.Event = "push" }, pulls: []fakegithub.PullRequest{ours}, why: "started by push"},
		{what: "a run of a dangerous event", event: func(e *gha.Event) { e.Trigger.Event = "pull_request_target" }, pulls: []fakegithub.PullRequest{ours}, why: "started by pull_request_target"},
		{what: "a fork that is gone", event: func(e *gha.Event) { e.Trigger.HeadRepository = "" }, pulls: []fakegithub.PullRequest{ours}, why: "is gone"},
		{what: "a name that is none", event: func(e *gha.Event) { e.Trigger.HeadRepository = "a/b/../../c?x" }, pulls: []fakegithub.PullRequest{ours}, why: "is gone"},
		{what: "no commit", event: func(e *gha.Event) { e.Trigger.HeadSHA = "" }, pulls: []fakegithub.PullRequest{ours}, why: "is gone"},
	} {
		t.Run(test.what, func(t *testing.T) {
			for _, description := range []string{fakegithub.Cloud, fakegithub.Enterprise} {
				bubble(t, func(t *testing.T) {
					g := newGitHub(t, description)
					g.PullRequests = test.pulls
					e := finished()
					if test.event != nil {
						test.event(&e)
					}
					target, err := publisher(t, e).Locate(t.Context(), Place{})
					if err != nil || target.PullRequest != test.number || !strings.Contains(target.NoComment, test.why) || (target.NoComment == "") != (test.why == "") {
						t.Fatalf("%+v, %v", target, err)
					}
					want := gha.Target{Commit: head, SHA: head, Ref: "refs/pull/7/head", PullRequest: 7, Run: "9001.2", RunURL: "https://github.invalid/example-barn/sheep-mcp/actions/runs/9001/attempts/2"}
					if test.why == "" && !reflect.DeepEqual(target, want) {
						t.Errorf("%+v, want %+v", target, want)
					}
					if test.why != "" && target.NoUpload == "" {
						t.Errorf("an analysis of %+v", target)
					}
					if test.why != "" {
						d := delivery(assessed(tools(1)...))
						d.Target = &target
						deliver(t, e, d)
						if len(g.Comments)+len(g.Uploads) != 0 {
							t.Errorf("something was sent: %v", g.Log)
						}
					}
				})
			}
		})
	}
}

func TestWhenThePullRequestCannotBeFound(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		g.PullRequests = []fakegithub.PullRequest{ours}
		g.Fault = once("/pulls", fakegithub.Answer{Status: 502}, fakegithub.Answer{Reset: true})
		if target, err := publisher(t, finished()).Locate(t.Context(), Place{}); err != nil || target.PullRequest != 7 {
			t.Errorf("after two faults: %+v, %v", target, err)
		}
		g.Fault = on("/pulls", says(403, "Resource not accessible by integration, "+canary))
		_, err := publisher(t, finished()).Locate(t.Context(), Place{})
		if err == nil || !strings.Contains(err.Error(), "not accessible") {
			t.Fatal(err)
		}
		hasCanary(t, "the error", err.Error())
	})
}

func TestThePlaceThatAUserNames(t *testing.T) {
	for _, test := range []struct {
		what  string
		place Place
		want  gha.Target
		err   string
	}{
		{"a pull request", Place{PullRequest: 7}, gha.Target{Commit: head, SHA: head, Ref: "refs/pull/7/head", PullRequest: 7, Run: "50.1"}, ""},
		{"with its head", Place{PullRequest: 7, Commit: head}, gha.Target{Commit: head, SHA: head, Ref: "refs/pull/7/head", PullRequest: 7, Run: "50.1"}, ""},
		{"with another commit", Place{PullRequest: 7, Commit: merge}, gha.Target{}, "is at commit"},
		{"a missing one", Place{PullRequest: 8}, gha.Target{}, "pull request 8 can't be read: Not Found"},
		{"a branch", Place{Commit: merge, Ref: "refs/heads/main"}, gha.Target{Commit: merge, SHA: merge, Ref: "refs/heads/main", Run: "50.1"}, ""},
		{"half a place", Place{Commit: merge}, gha.Target{Commit: merge, SHA: merge, NoUpload: "it needs both a commit and a ref", Run: "50.1"}, ""},
		{"none", Place{}, pull().Target(), ""},
	} {
		bubble(t, func(t *testing.T) {
			g := newGitHub(t, fakegithub.Cloud)
			g.PullRequests = []fakegithub.PullRequest{ours}
			target, err := publisher(t, pull()).Locate(t.Context(), test.place)
			if test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) || test.err == "" && (err != nil || !reflect.DeepEqual(target, test.want)) {
				t.Errorf("%s: %+v, %v", test.what, target, err)
			}
		})
	}
}

// A late result of an older run neither replaces a newer one nor doubles it.
func TestAnOlderRunsResultIsNotPublishedOverANewer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		g.PullRequests = []fakegithub.PullRequest{ours}
		newest := g.Post(g.Login, body("sealmark/sheep/", "9001.3", "newer"))
		target, err := publisher(t, finished()).Locate(t.Context(), Place{})
		if err != nil {
			t.Fatal(err)
		}
		d := delivery(assessed(tools(1)...))
		d.Target = &target
		deliver(t, finished(), d)
		if len(g.Comments) != 1 || g.Comments[0] != newest || g.Count(http.MethodPatch) != 0 {
			t.Errorf("%+v", g.Comments)
		}
	})
}
