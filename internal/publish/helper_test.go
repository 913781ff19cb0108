package publish

import (
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/publish/fakegithub"
)

// canary is a token that must not show up anywhere.
const canary = "ghs_canary0123456789canary0123456789"

var (
	merge = strings.Repeat("1", 40)
	head  = strings.Repeat("2", 40)
)

// pull is the event of a pull request within the repository.
func pull() gha.Event {
	return gha.Event{
		Name: "pull_request", Owner: "example-barn", Repo: "sheep-mcp", SHA: merge, Ref: "refs/pull/7/merge",
		PullRequest: 7, HeadSHA: head, RunID: "50",
		ServerURL: "https://github.invalid", APIURL: "https://api.github.invalid", GraphQLURL: "https://api.github.invalid/graphql",
	}
}

// newGitHub returns a fake GitHub that all requests of the test go to, and
// that fails the test if one of them was wrong.
func newGitHub(t *testing.T, description string) *fakegithub.GitHub {
	t.Helper()
	g, err := fakegithub.New(description, canary)
	if err != nil {
		t.Fatal(err)
	}
	before := http.DefaultTransport
	http.DefaultTransport = g
	t.Cleanup(func() {
		http.DefaultTransport = before
		for _, p := range g.Problems {
			t.Error(p)
		}
	})
	return g
}

// publisher returns a publisher for an event.
func publisher(t *testing.T, e gha.Event) *Publisher {
	t.Helper()
	p, err := New(e, canary)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// on answers requests whose line holds a text, as often as there are answers;
// the last one goes on.
func on(part string, answers ...fakegithub.Answer) func(*http.Request) *fakegithub.Answer {
	n := 0
	return func(r *http.Request) *fakegithub.Answer {
		if !strings.Contains(r.Method+" "+r.URL.Path, part) {
			return nil
		}
		n++
		return &answers[min(n, len(answers))-1]
	}
}

// once answers like on, but only as often as there are answers.
func once(part string, answers ...fakegithub.Answer) func(*http.Request) *fakegithub.Answer {
	n := 0
	return func(r *http.Request) *fakegithub.Answer {
		if n == len(answers) || !strings.Contains(r.Method+" "+r.URL.Path, part) {
			return nil
		}
		n++
		return &answers[n-1]
	}
}

// says is an answer with GitHub's form of an error.
func says(status int, message string) fakegithub.Answer {
	return fakegithub.Answer{Status: status, Header: map[string]string{"Content-Type": "application/json"}, Body: `{"message": "` + message + `"}`}
}

// hasCanary fails the test if a text holds the token.
func hasCanary(t *testing.T, what, text string) {
	t.Helper()
	if strings.Contains(text, canary) {
		t.Errorf("the token is in %s: %s", what, text)
	}
}

// bubbleStart is when the clock of a bubble starts.
var bubbleStart = time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)

// bubble runs a test with a clock of its own, on which waits cost nothing.
func bubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		// The HTTP client forgets a request only after its time limit if the
		// body was not closed, as go-github does not after an error.
		defer time.Sleep(time.Minute)
		f(t)
	})
}
