package publish

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

const (
	token = "ghs_canaryTokenThatMustNotLeak"
	sha   = "1111111111111111111111111111111111111111"
	me    = "github-actions[bot]"
)

type comment struct {
	ID      int64             `json:"id"`
	Body    string            `json:"body"`
	User    map[string]string `json:"user"`
	HTMLURL string            `json:"html_url"`
}

// github is a fake of GitHub's API.
type fakeGitHub struct {
	t        *testing.T
	mu       sync.Mutex
	comments []comment
	uploads  []map[string]string
	requests []string
	// fail answers a request in place of the API, if it returns true.
	fail func(w http.ResponseWriter, r *http.Request, n int) bool
	// state is what an upload ends in.
	state string
	spec  *contract
}

func (g *fakeGitHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	body, _ := io.ReadAll(r.Body)
	g.requests = append(g.requests, r.Method+" "+r.URL.Path)
	if got := r.Header.Get("Authorization"); got != "Bearer "+token {
		g.t.Errorf("%s %s without the token: %q", r.Method, r.URL.Path, got)
	}
	n := 0
	for _, past := range g.requests {
		if past == r.Method+" "+r.URL.Path {
			n++
		}
	}
	if g.fail != nil && g.fail(w, r, n) {
		return
	}
	status, answer := g.answer(r, body)
	g.spec.check(g.t, r, body, status, answer)
	w.Header().Set("Content-Type", "application/json")
	if next := g.next(r); next != "" {
		w.Header().Set("Link", next)
	}
	w.WriteHeader(status)
	w.Write(answer)
}

func (g *fakeGitHub) next(r *http.Request) string {
	page, _ := strconv.Atoi(r.URL.Query().Get("page"))
	if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, "/comments") && max(page, 1)*100 < len(g.comments) {
		return fmt.Sprintf(`<http://%s%s?per_page=100&page=%d>; rel="next"`, r.Host, r.URL.Path, max(page, 1)+1)
	}
	return ""
}

func (g *fakeGitHub) answer(r *http.Request, body []byte) (int, []byte) {
	const repo = "/repos/octo-org/parcel-desk"
	var sent struct{ Body string }
	json.Unmarshal(body, &sent)
	id := func() int64 {
		n, _ := strconv.ParseInt(r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:], 10, 64)
		return n
	}
	switch {
	case r.URL.Path == "/graphql":
		return 200, []byte(`{"data":{"viewer":{"login":"github-actions[bot]"}}}`)
	case r.Method == http.MethodPost && r.URL.Path == repo+"/code-scanning/sarifs":
		var upload map[string]string
		json.Unmarshal(body, &upload)
		g.uploads = append(g.uploads, upload)
		return 202, []byte(`{"id":"47177e22-5596-11eb-80a1-c1e54ef945c6","url":"https://api.github.com/x"}`)
	case r.Method == http.MethodGet && strings.HasPrefix(r.URL.Path, repo+"/code-scanning/sarifs/"):
		state := g.state
		if state == "" {
			state = `{"processing_status":"complete","analyses_url":"https://api.github.com/x"}`
		}
		return 200, []byte(state)
	case r.Method == http.MethodGet && r.URL.Path == repo+"/issues/7/comments":
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		from := min(max(page-1, 0)*100, len(g.comments))
		data, _ := json.Marshal(full(g.comments[from:min(from+100, len(g.comments))]...))
		return 200, data
	case r.Method == http.MethodPost && r.URL.Path == repo+"/issues/7/comments":
		c := comment{int64(len(g.comments) + 1000), sent.Body, map[string]string{"login": me}, fmt.Sprintf("https://github.com/octo-org/parcel-desk/pull/7#issuecomment-%d", len(g.comments)+1000)}
		g.comments = append(g.comments, c)
		data, _ := json.Marshal(full(c)[0])
		return 201, data
	case r.Method == http.MethodPatch:
		for i := range g.comments {
			if g.comments[i].ID == id() {
				g.comments[i].Body = sent.Body
				data, _ := json.Marshal(full(g.comments[i])[0])
				return 200, data
			}
		}
	case r.Method == http.MethodDelete:
		for i := range g.comments {
			if g.comments[i].ID == id() {
				g.comments = append(g.comments[:i], g.comments[i+1:]...)
				return 204, nil
			}
		}
	}
	return 404, []byte(`{"message":"Not Found"}`)
}

// full adds the members that GitHub's description demands of a comment.
func full(list ...comment) []map[string]any {
	out := []map[string]any{}
	for _, c := range list {
		out = append(out, map[string]any{
			"id": c.ID, "node_id": "IC_1", "url": "https://api.github.com/c", "html_url": c.HTMLURL, "body": c.Body,
			"user": map[string]any{"login": c.User["login"], "id": 1, "node_id": "U_1", "avatar_url": "https://a.example/a", "gravatar_id": "", "url": "https://a.example/u",
				"html_url": "https://a.example/h", "followers_url": "https://a.example/f", "following_url": "https://a.example/f", "gists_url": "https://a.example/g", "starred_url": "https://a.example/s",
				"subscriptions_url": "https://a.example/s", "organizations_url": "https://a.example/o", "repos_url": "https://a.example/r", "events_url": "https://a.example/e",
				"received_events_url": "https://a.example/e", "type": "Bot", "site_admin": false},
			"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z", "issue_url": "https://api.github.com/i", "author_association": "NONE",
		})
	}
	return out
}

// delivered runs Deliver against the fake and returns the log, the outputs and
// the summary.
func delivered(t *testing.T, g *fakeGitHub, change func(*Delivery, *gha.Event)) (log, outputs, summary string) {
	t.Helper()
	g.t = t
	if g.spec == nil {
		g.spec = loadContract(t)
	}
	server := httptest.NewServer(g)
	defer server.Close()
	dir := t.TempDir()
	vars := map[string]string{"GITHUB_OUTPUT": filepath.Join(dir, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(dir, "summary")}
	var out bytes.Buffer
	event := gha.Event{Name: "pull_request", Owner: "octo-org", Repo: "parcel-desk", SHA: sha, Ref: "refs/pull/7/merge", PullRequest: 7,
		HeadSHA: "2222222222222222222222222222222222222222", APIURL: server.URL, GraphQLURL: server.URL + "/graphql", RunID: "100"}
	d := Delivery{Result: sample(3), SARIF: []byte(`{"version":"2.1.0"}`), ResultFile: "/tmp/r.json", SARIFFile: "/tmp/r.sarif", Key: "sealmark/desk", Token: token, Comment: true, Upload: true, Annotations: true}
	if change != nil {
		change(&d, &event)
	}
	firstWait = time.Millisecond
	t.Cleanup(func() { firstWait = 2 * time.Second })
	Deliver(t.Context(), gha.New(&out, func(name string) string { return vars[name] }), event, d)
	read := func(name string) string {
		data, _ := os.ReadFile(vars[name])
		return string(data)
	}
	log, outputs, summary = out.String(), read("GITHUB_OUTPUT"), read("GITHUB_STEP_SUMMARY")
	for name, text := range map[string]string{"log": log, "outputs": outputs, "summary": summary} {
		if strings.Contains(text, token) {
			t.Errorf("the token is in the %s", name)
		}
	}
	return log, outputs, summary
}

// sample is a result with n findings of hostile tools.
func sample(n int) *result.Result {
	r := &result.Result{
		SchemaVersion: result.SchemaVersion, Status: result.Assessed, Server: result.Server{Key: "desk", Transport: "stdio", Anchor: rule.Location{Path: "package.json", Line: 1}},
		Completeness: result.Completeness{State: "complete"}, Score: &result.Score{Percent: 50, Letter: "F"}, Coverage: result.Coverage{Level: "partial"}, Gate: result.Gate{FailOn: "error"},
	}
	for i := range n {
		subject := fmt.Sprintf("tool:<!-- sealmark -->@everyone ![x](http://evil.example/) %04d", i)
		r.Findings = append(r.Findings, rule.Finding{ID: rule.FindingID("robust.hang", subject), Rule: "robust.hang", Check: "robust-input", Subject: subject, Severity: rule.Error, Message: "Tool " + subject + " hangs.", Count: 1,
			Evidence: rule.Evidence{Request: strings.Repeat("x", 500), Reply: "```\n@everyone"}})
	}
	return r
}

func (g *fakeGitHub) count(method, part string) int {
	n := 0
	for _, r := range g.requests {
		if strings.HasPrefix(r, method+" ") && strings.Contains(r, part) {
			n++
		}
	}
	return n
}

// TestDeliver: one upload with the right commit and ref, a first comment, and
// on the second run the same comment updated.
func TestDeliver(t *testing.T) {
	g := &fakeGitHub{}
	log, outputs, summary := delivered(t, g, nil)
	if len(g.uploads) != 1 || g.uploads[0]["commit_sha"] != sha || g.uploads[0]["ref"] != "refs/pull/7/merge" {
		t.Fatalf("uploads %v", g.uploads)
	}
	packed, _ := base64.StdEncoding.DecodeString(g.uploads[0]["sarif"])
	unzip, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	if document, _ := io.ReadAll(unzip); string(document) != `{"version":"2.1.0"}` {
		t.Errorf("uploaded %s", document)
	}
	if len(g.comments) != 1 || !strings.Contains(outputs, g.comments[0].HTMLURL) || g.count("POST", "/comments") != 1 {
		t.Errorf("comments %v, outputs %s", g.comments, outputs)
	}
	if !strings.Contains(outputs, "grade<<") || strings.Contains(summary, "not posted") || !strings.Contains(log, "::error ") {
		t.Errorf("log %s, outputs %s, summary %s", log, outputs, summary)
	}
	delivered(t, g, func(d *Delivery, e *gha.Event) { d.Result.Score.Letter, e.RunID = "A", "101" })
	if len(g.comments) != 1 || g.count("PATCH", "/comments") != 1 || !strings.Contains(g.comments[0].Body, "Sealmark: A") {
		t.Errorf("after the second run: %v", g.comments)
	}
	delivered(t, g, func(d *Delivery, e *gha.Event) { d.Result.Score.Letter, e.RunID = "A", "102" })
	if g.count("PATCH", "/comments") != 1 {
		t.Error("an unchanged comment was written again")
	}
	delivered(t, g, func(d *Delivery, e *gha.Event) { d.Result.Score.Letter, e.RunID = "B", "99" })
	if !strings.Contains(g.comments[0].Body, "Sealmark: A") {
		t.Error("an older run overwrote a newer comment")
	}
}

// TestDenied: with 403 on every write each finding is still once in the log
// and in the summary, and each failure is said once.
func TestDenied(t *testing.T) {
	for _, fork := range []bool{false, true} {
		g := &fakeGitHub{fail: func(w http.ResponseWriter, r *http.Request, _ int) bool {
			if r.Method == http.MethodGet || r.URL.Path == "/graphql" {
				return false
			}
			w.WriteHeader(http.StatusForbidden)
			io.WriteString(w, `{"message":"Resource not accessible by integration"}`)
			return true
		}}
		log, outputs, summary := delivered(t, g, func(_ *Delivery, e *gha.Event) { e.Fork = fork })
		if n := strings.Count(log, "::error "); n != 3 {
			t.Errorf("%d annotations", n)
		}
		if !strings.Contains(summary, "not uploaded") || !strings.Contains(summary, "No comment was posted") || strings.Count(summary, "not accessible") != 2 {
			t.Errorf("summary %s", summary)
		}
		if !strings.Contains(outputs, "findings<<") {
			t.Errorf("outputs %s", outputs)
		}
		if g.count("POST", "sarifs") != 1 {
			t.Errorf("what is forbidden was asked %d times", g.count("POST", "sarifs"))
		}
	}
}

func TestNoCodeScanning(t *testing.T) {
	g := &fakeGitHub{fail: func(w http.ResponseWriter, r *http.Request, _ int) bool {
		if !strings.Contains(r.URL.Path, "sarifs") {
			return false
		}
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, `{"message":"Code Security must be enabled for this repository to use code scanning."}`)
		return true
	}}
	_, _, summary := delivered(t, g, nil)
	if strings.Count(summary, "Code scanning is not available") != 1 || len(g.comments) != 1 {
		t.Errorf("summary %s", summary)
	}
}

// TestTransient: errors that pass are tried again.
func TestTransient(t *testing.T) {
	t.Run("502 twice", func(t *testing.T) {
		g := &fakeGitHub{fail: func(w http.ResponseWriter, r *http.Request, n int) bool {
			if r.Method == http.MethodPost && strings.Contains(r.URL.Path, "sarifs") && n <= 2 {
				w.WriteHeader(http.StatusBadGateway)
				return true
			}
			return false
		}}
		_, _, summary := delivered(t, g, nil)
		if len(g.uploads) != 1 || strings.Contains(summary, "not uploaded") {
			t.Errorf("uploads %v, summary %s", g.uploads, summary)
		}
	})
	t.Run("secondary rate limit", func(t *testing.T) {
		g := &fakeGitHub{fail: func(w http.ResponseWriter, r *http.Request, n int) bool {
			if r.Method == http.MethodPost && strings.Contains(r.URL.Path, "/comments") && n == 1 {
				w.Header().Set("Retry-After", "1")
				w.WriteHeader(http.StatusForbidden)
				io.WriteString(w, `{"message":"You have exceeded a secondary rate limit","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api#about-secondary-rate-limits"}`)
				return true
			}
			return false
		}}
		delivered(t, g, nil)
		if len(g.comments) != 1 {
			t.Errorf("comments %v", g.comments)
		}
	})
	t.Run("a post that arrived although it failed", func(t *testing.T) {
		g := &fakeGitHub{}
		g.fail = func(w http.ResponseWriter, r *http.Request, n int) bool {
			if r.Method == http.MethodPost && strings.Contains(r.URL.Path, "/comments") && n == 1 {
				g.comments = append(g.comments, comment{1, Marker("sealmark/desk", "100") + "\nold", map[string]string{"login": me}, "https://github.com/x"})
				w.WriteHeader(http.StatusBadGateway)
				return true
			}
			return false
		}
		delivered(t, g, nil)
		if len(g.comments) != 1 || strings.HasSuffix(g.comments[0].Body, "old") {
			t.Errorf("comments %v", g.comments)
		}
	})
}

func TestProcessing(t *testing.T) {
	g := &fakeGitHub{state: `{"processing_status":"failed","analyses_url":null,"errors":["expected at least one location"]}`}
	_, _, summary := delivered(t, g, nil)
	if !strings.Contains(summary, "expected at least one location") {
		t.Errorf("summary %s", summary)
	}
}

// TestComments: whose comment is ours, over many pages.
func TestComments(t *testing.T) {
	mine := Marker("sealmark/desk", "5") + "\n"
	g := &fakeGitHub{}
	for i := range 250 {
		g.comments = append(g.comments, comment{int64(i + 1), "hello", map[string]string{"login": "person"}, ""})
	}
	g.comments[3].Body = mine + "pasted by somebody else"
	g.comments[120] = comment{121, Marker("sealmark/other", "5") + "\nanother server's", map[string]string{"login": me}, ""}
	g.comments[201] = comment{202, mine + "first", map[string]string{"login": me}, "https://github.com/first"}
	g.comments[240] = comment{241, mine + "twin", map[string]string{"login": me}, ""}
	_, outputs, _ := delivered(t, g, nil)
	if len(g.comments) != 249 || g.comments[3].Body != mine+"pasted by somebody else" || !strings.Contains(g.comments[120].Body, "another") || strings.Contains(g.comments[201].Body, "first") {
		t.Errorf("%d comments: %.80q %.80q %.80q", len(g.comments), g.comments[3].Body, g.comments[120].Body, g.comments[201].Body)
	}
	if !strings.Contains(outputs, "https://github.com/first") || g.count("POST", "/comments") != 0 {
		t.Errorf("outputs %s", outputs)
	}
}

func TestEventsWithoutDelivery(t *testing.T) {
	g := &fakeGitHub{}
	_, _, summary := delivered(t, g, func(_ *Delivery, e *gha.Event) { e.Name, e.PullRequest = "merge_group", 0 })
	if len(g.uploads)+len(g.comments) != 0 || !strings.Contains(summary, "merge queue") {
		t.Errorf("uploads %v, summary %s", g.uploads, summary)
	}
	_, _, summary = delivered(t, g, func(d *Delivery, _ *gha.Event) { d.Result.Status, d.Result.Score = result.NotAssessed, nil })
	if len(g.uploads) != 0 || len(g.comments) != 1 || !strings.Contains(summary, "not assessed") {
		t.Errorf("uploads %v, summary %s", g.uploads, summary)
	}
	g = &fakeGitHub{}
	delivered(t, g, func(d *Delivery, _ *gha.Event) { d.Token = "" })
	delivered(t, g, func(d *Delivery, _ *gha.Event) { d.Upload, d.Comment, d.Annotations = false, false, false })
	if len(g.requests) != 0 {
		t.Errorf("requests %v", g.requests)
	}
}

// TestSize: 3,000 findings fit, and hostile names stay harmless.
func TestSize(t *testing.T) {
	g := &fakeGitHub{}
	_, _, summary := delivered(t, g, func(d *Delivery, _ *gha.Event) { d.Result = sample(3000) })
	body := g.comments[0].Body
	if len(body) >= 65_536 || len(summary) > 1<<20 {
		t.Errorf("the comment has %d bytes, the summary %d", len(body), len(summary))
	}
	rest := strings.TrimPrefix(body, Marker("sealmark/desk", "100"))
	if strings.Contains(rest, "sealmark:v1") {
		t.Error("a second marker is in the comment")
	}
}

// TestRedirect: the token goes to no other host.
func TestRedirect(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the other host was asked, with %q", r.Header.Get("Authorization"))
	}))
	defer other.Close()
	g := &fakeGitHub{fail: func(w http.ResponseWriter, r *http.Request, _ int) bool {
		http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		return true
	}}
	delivered(t, g, nil)
}
