package publish

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/publish/fakegithub"
)

// body is a comment of a key, a run and a text.
func body(key, run, text string) string { return Marker(key, run) + "\n" + text + "\n" }

func TestFirstRunPostsSecondRunUpdates(t *testing.T) {
	for _, description := range []string{fakegithub.Cloud, fakegithub.Enterprise} {
		bubble(t, func(t *testing.T) {
			g := newGitHub(t, description)
			p := publisher(t, pull())
			first, notice := p.PostComment(t.Context(), body("a/b", "50", "one"))
			if notice != "" || g.Count("POST /repos/example-barn/sheep-mcp/issues/7/comments") != 1 || len(g.Comments) != 1 {
				t.Fatalf("first run: %q %v", notice, g.Log)
			}
			second, notice := p.PostComment(t.Context(), body("a/b", "51", "two"))
			if notice != "" || first != second || first == "" || g.Count("PATCH ") != 1 || len(g.Comments) != 1 {
				t.Errorf("second run: %q %q %v", second, notice, g.Log)
			}
			if got := g.Comments[0].Body; got != body("a/b", "51", "two") {
				t.Errorf("the comment is %q", got)
			}
			if _, notice = p.PostComment(t.Context(), body("a/b", "52", "two")); notice != "" || g.Count("PATCH ") != 1 {
				t.Errorf("the same text was written again: %q %v", notice, g.Log)
			}
		})
	}
}

func TestWhichCommentIsOurs(t *testing.T) {
	for _, test := range []struct {
		what   string
		before [][2]string // login and body
		login  string
		want   []string // bodies, "=" for ours
	}{
		{"none", nil, fakegithub.Workflow, []string{"="}},
		{"another key", [][2]string{{fakegithub.Workflow, body("other", "1", "x")}}, fakegithub.Workflow, []string{body("other", "1", "x"), "="}},
		{"another author with our marker", [][2]string{{"mallory", body("k", "1", "x")}}, fakegithub.Workflow, []string{body("k", "1", "x"), "="}},
		{"an author whose login is ours without the suffix", [][2]string{{"github-actions", body("k", "1", "x")}}, fakegithub.Workflow, []string{body("k", "1", "x"), "="}},
		{"ours among others", [][2]string{{"mallory", body("k", "1", "x")}, {fakegithub.Workflow, body("k", "1", "x")}}, fakegithub.Workflow, []string{body("k", "1", "x"), "="}},
		{"the marker in the middle", [][2]string{{fakegithub.Workflow, "> " + body("k", "1", "x")}}, fakegithub.Workflow, []string{"> " + body("k", "1", "x"), "="}},
		{"of a person's token", [][2]string{{"Ada-Example", body("k", "1", "x")}}, "ada-example", []string{"="}},
		{"duplicates", [][2]string{{fakegithub.Workflow, body("k", "3", "x")}, {fakegithub.Workflow, body("k", "4", "y")}, {fakegithub.Workflow, body("k", "5", "z")}}, fakegithub.Workflow, []string{"="}},
		{"a later run's", [][2]string{{fakegithub.Workflow, body("k", "51", "later")}}, fakegithub.Workflow, []string{body("k", "51", "later")}},
		{"a later run's among duplicates", [][2]string{{fakegithub.Workflow, body("k", "49", "x")}, {fakegithub.Workflow, body("k", "51", "later")}}, fakegithub.Workflow, []string{body("k", "51", "later")}},
		{"a later attempt's", [][2]string{{fakegithub.Workflow, body("k", "50.2", "later")}}, fakegithub.Workflow, []string{body("k", "50.2", "later")}},
		{"of a version that knew no attempts", [][2]string{{fakegithub.Workflow, "<!-- sealmark:v1 key=k run=49 -->\nold"}}, fakegithub.Workflow, []string{"="}},
		{"ends of lines as a browser sends them", [][2]string{{fakegithub.Workflow, strings.ReplaceAll(body("k", "1", "x"), "\n", "\r\n")}}, fakegithub.Workflow, []string{"="}},
	} {
		t.Run(test.what, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				g := newGitHub(t, fakegithub.Cloud)
				for _, c := range test.before {
					g.Post(c[0], c[1])
				}
				g.Login = test.login
				ours := body("k", "50", "now")
				address, notice := publisher(t, pull()).PostComment(t.Context(), ours)
				if kept := strings.HasPrefix(notice, "The comment was left as it is"); kept != strings.HasPrefix(test.what, "a later") || !kept && notice != "" || address == "" {
					t.Errorf("%q %q", address, notice)
				}
				var got []string
				for _, c := range g.Comments {
					got = append(got, strings.Replace(c.Body, ours, "=", 1))
				}
				if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", test.want) {
					t.Errorf("the comments are %q, want %q", got, test.want)
				}
			})
		})
	}
}

func TestOurCommentIsFoundOnALaterPage(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		for i := range 319 {
			g.Post("ada-example", fmt.Sprint("talk ", i))
		}
		g.Post(g.Login, body("k", "1", "old"))
		for i := range 80 {
			g.Post("ada-example", fmt.Sprint("more talk ", i))
		}
		_, notice := publisher(t, pull()).PostComment(t.Context(), body("k", "50", "new"))
		if notice != "" || g.Count("PATCH ") != 1 || g.Count("POST /repos") != 0 || g.Count("GET ") != 4 || len(g.Comments) != 400 {
			t.Errorf("%q %v", notice, g.Log)
		}
	})
}

// Another job posts between our look and our own post.
func TestTwoJobsThatPostAtOnceLeaveOneComment(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		g.Fault = func(r *http.Request) *fakegithub.Answer {
			if r.Method == http.MethodPost && len(g.Comments) == 0 {
				g.Post(g.Login, body("k", "49", "of the other job"))
			}
			return nil
		}
		address, notice := publisher(t, pull()).PostComment(t.Context(), body("k", "50", "ours"))
		if notice != "" || len(g.Comments) != 1 || g.Comments[0].Body != body("k", "50", "ours") || !strings.HasSuffix(address, fmt.Sprint(g.Comments[0].ID)) {
			t.Errorf("%q %q %+v", address, notice, g.Comments)
		}
	})
}

func TestACommentThatCannotBeEditedIsLeft(t *testing.T) {
	for _, status := range []int{403, 404} {
		bubble(t, func(t *testing.T) {
			g := newGitHub(t, fakegithub.Cloud)
			old := g.Post(g.Login, body("k", "1", "old"))
			g.Fault = on(fmt.Sprintf("PATCH /repos/example-barn/sheep-mcp/issues/comments/%d", old.ID), says(status, "no"))
			p := publisher(t, pull())
			for _, run := range []string{"50", "51", "52"} {
				if _, notice := p.PostComment(t.Context(), body("k", run, "text of "+run)); notice != "" {
					t.Error(notice)
				}
			}
			if len(g.Comments) != 2 || g.Comments[1].Body != body("k", "52", "text of 52") {
				t.Errorf("status %d: %+v", status, g.Comments)
			}
		})
	}
}

func TestWithoutPullRequestNothingIsSent(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		e := pull()
		e.PullRequest = 0
		if address, notice := publisher(t, e).PostComment(t.Context(), body("k", "1", "x")); address != "" || notice != "" || len(g.Log) != 0 {
			t.Errorf("%q %q %v", address, notice, g.Log)
		}
	})
}

func TestWhenCommentsAreRefused(t *testing.T) {
	limit := says(403, "You have exceeded a secondary rate limit")
	limit.Body = `{"message": "You have exceeded a secondary rate limit", "documentation_url": "https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"}`
	limitFor := limit
	limitFor.Header = map[string]string{"Retry-After": "7"}
	tooMany := says(429, "slow down")
	tooMany.Header["Retry-After"] = "9"
	spent := says(403, "API rate limit exceeded")
	spent.Header["X-RateLimit-Remaining"], spent.Header["X-RateLimit-Limit"] = "0", "1000"
	spent.Header["X-RateLimit-Reset"] = fmt.Sprint(time.Date(2100, 1, 1, 0, 0, 0, 0, time.UTC).Unix())
	tooLong := says(429, "slow down")
	tooLong.Header["Retry-After"] = "100000"
	soon := says(403, "API rate limit exceeded")
	soon.Header["X-RateLimit-Remaining"], soon.Header["X-RateLimit-Limit"] = "0", "1000"
	soon.Header["X-RateLimit-Reset"] = fmt.Sprint(bubbleStart.Add(20 * time.Second).Unix())
	for _, test := range []struct {
		what   string
		fork   bool
		fault  func(*http.Request) *fakegithub.Answer
		notice string // "" if it works in the end
		least  time.Duration
		most   time.Duration
	}{
		{"no permission", false, on("POST /repos", says(403, "Resource not accessible by integration")), "pull-requests: write", 0, 0},
		{"a fork", true, on("POST /repos", says(403, "Resource not accessible by integration")), "the token of a fork's pull request only reads", 0, 0},
		{"not found", false, on("GET /repos", says(404, "Not Found")), "Not Found (HTTP status 404)", 0, 0},
		{"a limit that names a time", false, once("POST /repos", limitFor), "", 7 * time.Second, 8 * time.Second},
		{"a limit without a time", false, once("POST /repos", limit), "", time.Minute, time.Minute},
		{"a limit for ever", false, on("POST /repos", limit), "the rate of requests is limited", time.Minute, patience},
		{"status 429", false, once("GET /repos", tooMany), "", 9 * time.Second, 9 * time.Second},
		{"the hour's requests are spent", false, on("GET /repos", spent), "the rate of requests is limited", 0, 0},
		{"502 twice", false, once("GET /repos", fakegithub.Answer{Status: 502, Body: "<html>"}, fakegithub.Answer{Status: 502}), "", time.Second, 20 * time.Second},
		{"502 for ever", false, on("POST /repos", fakegithub.Answer{Status: 502, Body: "<html>"}), "Bad Gateway (HTTP status 502)", time.Second, patience},
		{"a connection that breaks", false, once("/repos", fakegithub.Answer{Reset: true}, fakegithub.Answer{Reset: true}), "", time.Second, 20 * time.Second},
		{"connections that all break", false, on("/repos", fakegithub.Answer{Reset: true}), "connection reset by peer", time.Second, patience},
		{"no answer once", false, once("GET /repos", fakegithub.Answer{Hang: true}), "", 30 * time.Second, 40 * time.Second},
		{"no answer for ever", false, on("GET /repos", fakegithub.Answer{Hang: true}), "no answer in time", 30 * time.Second, patience},
		{"a wait beyond all patience", false, on("POST /repos", tooLong), "the rate of requests is limited", 0, 0},
		{"the hour's requests are back soon", false, once("GET /repos", soon), "", 20 * time.Second, 25 * time.Second},
		{"who we are is limited", false, once("/graphql", tooMany), "", 9 * time.Second, 9 * time.Second},
		{"who we are is not said", false, on("/graphql", says(403, "Resource not accessible by integration")), "", 0, 0},
		{"a locked conversation", false, on("POST /repos", says(403, "Unable to create comment because issue is locked.")), "the conversation is locked", 0, 0},
		{"gone", false, on("POST /repos", says(410, "This issue was deleted")), "This issue was deleted", 0, 0},
		{"validation", false, on("POST /repos", says(422, "Validation Failed")), "Validation Failed", 0, 0},
		{"broken JSON", false, on("GET /repos", fakegithub.Answer{Status: 200, Header: map[string]string{"Content-Type": "application/json"}, Body: "[{"}), "GitHub says: ", 0, patience},
	} {
		t.Run(test.what, func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				g := newGitHub(t, fakegithub.Cloud)
				g.Fault = test.fault
				e := pull()
				e.Fork = test.fork
				start := time.Now()
				address, notice := publisher(t, e).PostComment(t.Context(), body("k", "50", "x"))
				took := time.Since(start)
				if took < test.least || took > test.most {
					t.Errorf("it took %s", took)
				}
				switch {
				case test.notice == "" && (notice != "" || address == "" || len(g.Comments) != 1):
					t.Errorf("%q %q %v", address, notice, g.Log)
				case test.notice != "" && (!strings.Contains(notice, test.notice) || address != ""):
					t.Errorf("%q %q", address, notice)
				}
				hasCanary(t, "the notice", notice)
				if test.what == "broken JSON" {
					g.Problems = nil // the fake's own answer was meant to be wrong
				}
			})
		})
	}
}

// A post that fails after it arrived must not be posted again.
func TestAPostThatArrivedIsNotRepeated(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		failed := false
		g.Fault = func(r *http.Request) *fakegithub.Answer {
			if r.Method != http.MethodPost || failed || r.URL.Path == "/graphql" {
				return nil
			}
			failed = true
			g.Post(g.Login, body("k", "50", "x"))
			return &fakegithub.Answer{Status: 504}
		}
		_, notice := publisher(t, pull()).PostComment(t.Context(), body("k", "50", "x"))
		if notice != "" || len(g.Comments) != 1 || g.Count("POST /repos") != 1 {
			t.Errorf("%q %v", notice, g.Log)
		}
	})
}

// What we post is what we look for, whatever the key.
func TestMarkerRoundTrip(t *testing.T) {
	for _, key := range []string{"sealmark/a-server", "", "a b", "-->", "<!-- sealmark -->@everyone", "ключ", "a\nb"} {
		for _, run := range []string{"1", "", "x", "18446744073709551615"} {
			m := marker.FindStringSubmatch(Marker(key, run) + "\n")
			if m == nil {
				t.Errorf("%q, %q: %s is not found", key, run, Marker(key, run))
				continue
			}
			if strings.Count(m[0], "-->") != 1 || strings.Contains(m[1], "@") {
				t.Errorf("%q: %s", key, m[0])
			}
		}
	}
}

// A token that is no workflow's must not lose sight of its comment because
// GitHub was slow to say whose it is.
func TestALoginIsAskedForAgain(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		g.Login = "ada-example"
		g.Post(g.Login, body("k", "49", "old"))
		g.Fault = once("/graphql", fakegithub.Answer{Status: 502}, fakegithub.Answer{Reset: true})
		if _, notice := publisher(t, pull()).PostComment(t.Context(), body("k", "50", "new")); notice != "" || len(g.Comments) != 1 {
			t.Errorf("%q %+v", notice, g.Comments)
		}
	})
}

// Somebody deletes our comment between our look and our change.
func TestACommentThatIsDeletedMeanwhile(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		g.Post(g.Login, body("k", "49", "old"))
		g.Before = func(r *http.Request) {
			if r.Method == http.MethodPatch {
				g.Comments = nil
			}
		}
		address, notice := publisher(t, pull()).PostComment(t.Context(), body("k", "50", "new"))
		if notice != "" || len(g.Comments) != 1 || g.Comments[0].Body != body("k", "50", "new") || address == "" {
			t.Errorf("%q %+v", notice, g.Comments)
		}
	})
}

// A foreign comment that holds our marker is neither changed nor deleted.
func TestAForeignCommentWithOurMarkerIsLeft(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		g.Post("mallory", body("k", "18446744073709551615", "all is well"))
		_, notice := publisher(t, pull()).PostComment(t.Context(), body("k", "50", "ours"))
		if notice != "" || len(g.Comments) != 2 || g.Comments[0].Login != "mallory" || g.Comments[1].Body != body("k", "50", "ours") || g.Count("PATCH")+g.Count("DELETE") != 0 {
			t.Errorf("%q %+v %v", notice, g.Comments, g.Log)
		}
	})
}
