package publish

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/publish/fakegithub"
)

const document = `{"version":"2.1.0","runs":[]}`

func TestUpload(t *testing.T) {
	for _, description := range []string{fakegithub.Cloud, fakegithub.Enterprise} {
		bubble(t, func(t *testing.T) {
			g := newGitHub(t, description)
			g.Pending = 2
			start := time.Now()
			if notice := publisher(t, pull()).UploadSARIF(t.Context(), []byte(document), time.Time{}); notice != "" {
				t.Error(notice)
			}
			if len(g.Uploads) != 1 {
				t.Fatalf("%d uploads", len(g.Uploads))
			}
			if u := g.Uploads[0]; u.ToolName != "Sealmark" || u.CheckoutURI != "" || u.StartedAt != "" {
				t.Errorf("uploaded %+v", u)
			}
			if u := g.Uploads[0]; u.CommitSHA != merge || u.Ref != "refs/pull/7/merge" || string(u.SARIF) != document {
				t.Errorf("uploaded %+v", u)
			}
			if took := time.Since(start); took != 35*time.Second {
				t.Errorf("looked after 5, 10 and 20 s: %s in all", took)
			}
		})
	}
}

func TestUploadToAnEnterpriseServer(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Enterprise)
		e := pull()
		e.APIURL, e.GraphQLURL = "https://github.barn.invalid/api/v3", "https://github.barn.invalid/api/graphql"
		p := publisher(t, e)
		if notice := p.UploadSARIF(t.Context(), []byte(document), time.Time{}); notice != "" || len(g.Uploads) != 1 {
			t.Errorf("%q, %d uploads", notice, len(g.Uploads))
		}
		if _, notice := p.PostComment(t.Context(), body("k", "1", "x")); notice != "" || g.Count("POST /graphql") != 1 {
			t.Errorf("%q %v", notice, g.Log)
		}
	})
}

func TestWhatAnUploadSays(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		e := pull()
		e.Workspace = "/github/work space"
		notice := publisher(t, e).UploadSARIF(t.Context(), []byte(document), time.Date(2031, 2, 3, 4, 5, 6, 0, time.UTC))
		if u := g.Uploads[0]; notice != "" || u.CheckoutURI != "file:///github/work%20space" || u.StartedAt != "2031-02-03T04:05:06Z" {
			t.Errorf("%q, uploaded %+v", notice, u)
		}
	})
}

func TestMergeQueuesAreNotUploaded(t *testing.T) {
	g := newGitHub(t, fakegithub.Cloud)
	e := pull()
	e.Name, e.PullRequest, e.Ref = "merge_group", 0, "refs/heads/gh-readonly-queue/main/pr-7-x"
	if notice := publisher(t, e).UploadSARIF(t.Context(), []byte(document), time.Time{}); !strings.Contains(notice, "merge queue") || len(g.Log) != 0 {
		t.Errorf("%q %v", notice, g.Log)
	}
}

func TestWhenUploadsAreRefused(t *testing.T) {
	const post, get = "POST /repos/example-barn/sheep-mcp/code-scanning/sarifs", "GET /repos/example-barn/sheep-mcp/code-scanning/sarifs/"
	tooMany := says(429, "slow down")
	tooMany.Header["Retry-After"] = "50"
	limited := says(403, "You have exceeded a secondary rate limit")
	limited.Header["Retry-After"] = "9"
	for _, test := range []struct {
		what             string
		fork, dependabot bool
		fault            func(*http.Request) *fakegithub.Answer
		failure          []string
		pending          int
		notice           string // "" for none
		posts            int
		most             time.Duration
	}{
		{what: "no permission", fault: on(post, says(403, "Resource not accessible by integration")), notice: "security-events: write", posts: 1},
		{what: "a fork", fork: true, fault: on(post, says(403, "Resource not accessible by integration")), notice: "the token of a fork's pull request only reads", posts: 1},
		{what: "no Advanced Security", fault: on(post, says(403, "Advanced Security must be enabled for this repository to use code scanning.")), notice: "Code scanning is not available for this repository", posts: 1},
		{what: "no Code Security", fault: on(post, says(403, "Code Security must be enabled for this repository to use code scanning.")), notice: "Code scanning is not available", posts: 1},
		{what: "a passing 404", fault: once(post, says(404, "commit not found")), posts: 2, most: 30 * time.Second},
		{what: "a lasting 404", fault: on(post, says(404, "ref not found in this repository")), notice: "ref not found in this repository (HTTP status 404)", posts: 2, most: 30 * time.Second},
		{what: "a run that Dependabot started", dependabot: true, fault: on(post, says(403, "Resource not accessible by integration")), notice: "unless the workflow itself gives more. Add this to the job: permissions: { contents: read, security-events: write", posts: 1},
		{what: "a bad ref", fault: on(post, says(422, "ref 'refs/heads/gone' not found in this repository")), notice: "ref 'refs/heads/gone' not found in this repository (HTTP status 422)", posts: 1},
		{what: "no code scanning", fault: on(post, says(404, "Code scanning is not enabled for this repository")), notice: "Code scanning is not available", posts: 1},
		{what: "a limit that names a time", fault: once(post, limited), posts: 2, most: 20 * time.Second},
		{what: "a connection that breaks", fault: once(post, fakegithub.Answer{Reset: true}), posts: 2, most: 30 * time.Second},
		{what: "no answer once", fault: once(post, fakegithub.Answer{Hang: true}), posts: 2, most: 45 * time.Second},
		{what: "bad SARIF", fault: on(post, says(400, "Invalid SARIF")), notice: "Invalid SARIF", posts: 1},
		{what: "too large", fault: on(post, says(413, "Too large")), notice: "Too large", posts: 1},
		{what: "502 twice", fault: once(post, fakegithub.Answer{Status: 502}, fakegithub.Answer{Status: 502}), posts: 3, most: 30 * time.Second},
		{what: "503 for ever", fault: on(post, says(503, "Unavailable")), notice: "Unavailable (HTTP status 503)", posts: maxTries, most: patience},
		{what: "limited for ever", fault: on(post, tooMany), notice: "the rate of requests is limited", posts: 3, most: patience},
		{what: "an odd success", fault: on(post, fakegithub.Answer{Status: 200, Header: map[string]string{"Content-Type": "application/json"}, Body: "{}"}), notice: "unexpected HTTP status 200", posts: 1},
		{what: "processing failed", failure: []string{"rejecting SARIF, as there are more runs than allowed", "locationFromSarifResult: expected an artifact location"}, notice: "rejecting SARIF, as there are more runs than allowed; locationFromSarifResult: expected an artifact location", posts: 1, most: 5 * time.Second},
		{what: "pending for ever", pending: 1000, notice: "had not processed them in time", posts: 1, most: patience},
		{what: "the state can't be read", fault: on(get, says(403, "Resource not accessible by integration")), notice: "is not known: Resource not accessible", posts: 1, most: 5 * time.Second},
		{what: "the state is late", fault: once(get, says(404, "Not Found"), fakegithub.Answer{Status: 502}), posts: 1, most: 35 * time.Second},
	} {
		t.Run(test.what, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				g := newGitHub(t, fakegithub.Cloud)
				g.Fault, g.Failure, g.Pending = test.fault, test.failure, test.pending
				e := pull()
				e.Fork, e.Dependabot = test.fork, test.dependabot
				start := time.Now()
				notice := publisher(t, e).UploadSARIF(t.Context(), []byte(document), time.Time{})
				if (notice == "") != (test.notice == "") || !strings.Contains(notice, test.notice) {
					t.Errorf("notice %q", notice)
				}
				if n := g.Count(post); n != test.posts {
					t.Errorf("%d uploads: %v", n, g.Log)
				}
				if took := time.Since(start); took > max(test.most, 5*time.Second) {
					t.Errorf("it took %s", took)
				}
				hasCanary(t, "the notice", notice)
				if test.what == "an odd success" {
					g.Problems = nil
				}
			})
		})
	}
}
