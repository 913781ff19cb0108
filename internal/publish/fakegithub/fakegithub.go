// Package fakegithub is a GitHub for tests: pull requests and their comments,
// code scanning and the GraphQL viewer, in memory. It checks each request and each
// answer against GitHub's own OpenAPI description. Only tests import it.
package fakegithub

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"
)

// The descriptions that requests are checked against: of github.com, and of
// the oldest GitHub Enterprise Server that is supported.
const (
	Cloud      = "github-subset.json"
	Enterprise = "ghes-subset.json"
)

//go:embed testdata/*.json
var descriptions embed.FS

// Workflow is the login of the token of a workflow.
const Workflow = "github-actions[bot]"

// Comment is a comment of a pull request.
type Comment struct {
	ID          int64
	PullRequest int
	Login, Body string
}

// Upload is a SARIF document that was taken.
type Upload struct {
	CommitSHA, Ref                   string
	CheckoutURI, StartedAt, ToolName string
	// SARIF is the document, decoded and decompressed.
	SARIF []byte
}

// Answer is an answer in place of the right one.
type Answer struct {
	Status int
	Header map[string]string
	// Body is sent as it is.
	Body string
	// Reset breaks the connection, Hang waits until the client gives up.
	Reset, Hang bool
}

// GitHub is a fake GitHub. Its fields may be set before, and read between,
// requests.
type GitHub struct {
	// Token is the one that is let in.
	Token string
	// Login is whose token it is.
	Login        string
	Comments     []Comment
	Uploads      []Upload
	PullRequests []PullRequest
	// Locked: the conversation takes no comment.
	Locked bool
	// Pending is how often an upload's state is pending before it is final;
	// Failure is why it failed, nil if it did not.
	Pending int
	Failure []string
	// PageSize is the most comments on a page, 100 if it is 0.
	PageSize int
	// Fault may answer a request in place of the fake.
	Fault func(r *http.Request) *Answer
	// Before is called for each request before it is served; it may wait.
	Before func(r *http.Request)
	// Log holds the requests, as "METHOD /path?query".
	Log []string
	// Problems are what was wrong with requests, and with our own answers.
	Problems []string

	mu     sync.Mutex
	schema openapi3.Schemas
	router routers.Router
	lastID int64
}

// New returns a fake GitHub that knows a token.
func New(description, token string) (*GitHub, error) {
	data, err := descriptions.ReadFile("testdata/" + description)
	if err != nil {
		return nil, err
	}
	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		return nil, err
	}
	router, err := legacy.NewRouter(doc)
	if err != nil {
		return nil, err
	}
	return &GitHub{Token: token, Login: Workflow, schema: doc.Components.Schemas, router: router, lastID: 1000}, nil
}

// Post adds a comment to pull request 7 as if its author had posted it.
func (g *GitHub) Post(login, body string) Comment { return g.post(7, login, body) }

func (g *GitHub) post(number int, login, body string) Comment {
	g.lastID++
	c := Comment{ID: g.lastID, PullRequest: number, Login: login, Body: body}
	g.Comments = append(g.Comments, c)
	return c
}

// Count is how many requests began with a text, such as "PATCH ".
func (g *GitHub) Count(prefix string) int {
	n := 0
	for _, line := range g.Log {
		if strings.HasPrefix(line, prefix) {
			n++
		}
	}
	return n
}

// RoundTrip serves a request without a network.
func (g *GitHub) RoundTrip(request *http.Request) (response *http.Response, err error) {
	if err := request.Context().Err(); err != nil {
		return nil, err
	}
	served := request.Clone(request.Context())
	served.Host = request.URL.Host
	if served.Body == nil {
		served.Body = http.NoBody
	}
	defer func() {
		if p := recover(); p != nil {
			err = cmp.Or(request.Context().Err(), errors.New("read tcp: connection reset by peer"))
		}
	}()
	recorder := httptest.NewRecorder()
	g.ServeHTTP(recorder, served)
	response = recorder.Result()
	response.Request = request
	return response, nil
}

// ServeHTTP serves GitHub's API at the root and at /api/v3.
func (g *GitHub) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if g.Before != nil {
		g.Before(r)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	r.URL.Path = strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/api/v3"), "/api")
	line := r.Method + " " + r.URL.Path
	if r.URL.RawQuery != "" {
		line += "?" + r.URL.RawQuery
	}
	g.Log = append(g.Log, line)
	body, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	if r.URL.Path == "/graphql" {
		if !g.faulty(w, r) {
			g.graphql(w, r)
		}
		return
	}
	route, params, err := g.router.FindRoute(&http.Request{Method: r.Method, URL: r.URL, Host: r.Host})
	if err != nil {
		g.problem("%s: %v", line, err)
		http.NotFound(w, r)
		return
	}
	input := &openapi3filter.RequestValidationInput{Request: r, PathParams: params, Route: route}
	if err := openapi3filter.ValidateRequest(r.Context(), input); err != nil {
		g.problem("%s: %v", line, err)
	}
	if g.faulty(w, r) {
		return
	}
	recorder := httptest.NewRecorder()
	g.answer(recorder, r, body, params)
	output := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: recorder.Code, Header: recorder.Header()}
	output.SetBodyBytes(recorder.Body.Bytes())
	described := route.Operation.Responses.Status(recorder.Code) != nil
	if err := openapi3filter.ValidateResponse(r.Context(), output); err != nil && described {
		g.problem("%s: the answer of the fake: %v", line, err)
	}
	for name, values := range recorder.Header() {
		w.Header()[name] = values
	}
	w.WriteHeader(recorder.Code)
	w.Write(recorder.Body.Bytes())
}

func (g *GitHub) problem(format string, args ...any) {
	g.Problems = append(g.Problems, fmt.Sprintf(format, args...))
}

// faulty reports whether the answer is one that was asked for in place of the
// right one. Such an answer need not be as described.
func (g *GitHub) faulty(w http.ResponseWriter, r *http.Request) bool {
	if g.Fault == nil {
		return false
	}
	a := g.Fault(r)
	switch {
	case a == nil:
		return false
	case a.Hang:
		g.mu.Unlock()
		<-r.Context().Done()
		g.mu.Lock()
		panic(http.ErrAbortHandler)
	case a.Reset:
		panic(http.ErrAbortHandler)
	}
	for name, value := range a.Header {
		w.Header().Set(name, value)
	}
	w.WriteHeader(a.Status)
	io.WriteString(w, a.Body)
	return true
}

// answer serves one request of the REST API.
func (g *GitHub) answer(w http.ResponseWriter, r *http.Request, body []byte, params map[string]string) {
	if r.Header.Get("Authorization") != "Bearer "+g.Token {
		refuse(w, http.StatusUnauthorized, "Bad credentials")
		return
	}
	switch {
	case strings.HasSuffix(r.URL.Path, "/code-scanning/sarifs"):
		g.upload(w, r, body)
	case strings.Contains(r.URL.Path, "/code-scanning/sarifs/"):
		g.state(w)
	case strings.HasSuffix(r.URL.Path, "/pulls"):
		g.pulls(w, r)
	case strings.Contains(r.URL.Path, "/pulls/"):
		g.pull(w, params["pull_number"])
	case r.Method == http.MethodGet:
		g.list(w, r, params["issue_number"])
	case r.Method == http.MethodPost:
		number, _ := strconv.Atoi(params["issue_number"])
		if text := g.text(w, body); text != "" {
			reply(w, http.StatusCreated, shown(g.post(number, g.Login, text)))
		}
	default:
		g.change(w, r, body, params["comment_id"])
	}
}

// maxBody is the most characters of a comment.
const maxBody = 65536

// text reads the text of a comment, "" if it was refused.
func (g *GitHub) text(w http.ResponseWriter, body []byte) string {
	var c struct{ Body string }
	json.Unmarshal(body, &c)
	switch {
	case g.Locked:
		refuse(w, http.StatusForbidden, "Unable to create comment because issue is locked.")
		return ""
	case utf8.RuneCountInString(c.Body) > maxBody:
		reply(w, http.StatusUnprocessableEntity, map[string]any{
			"message": "Validation Failed", "documentation_url": documentation, "errors": []any{map[string]any{"resource": "IssueComment", "code": "unprocessable", "field": "data", "message": "Body is too long (maximum is 65536 characters)"}},
		})
		return ""
	}
	return c.Body
}

// change edits or deletes a comment. Only its author may.
func (g *GitHub) change(w http.ResponseWriter, r *http.Request, body []byte, id string) {
	i := slices.IndexFunc(g.Comments, func(c Comment) bool { return strconv.FormatInt(c.ID, 10) == id })
	switch {
	case i < 0:
		refuse(w, http.StatusNotFound, "Not Found")
	case !strings.EqualFold(g.Comments[i].Login, g.Login):
		refuse(w, http.StatusForbidden, "Resource not accessible by integration")
	case r.Method == http.MethodDelete:
		g.Comments = slices.Delete(g.Comments, i, i+1)
		w.WriteHeader(http.StatusNoContent)
	default:
		if text := g.text(w, body); text != "" {
			g.Comments[i].Body = text
			reply(w, http.StatusOK, shown(g.Comments[i]))
		}
	}
}

// list serves a page of comments, oldest first, with a link to the next one.
func (g *GitHub) list(w http.ResponseWriter, r *http.Request, number string) {
	var comments []Comment
	for _, c := range g.Comments {
		if strconv.Itoa(c.PullRequest) == number {
			comments = append(comments, c)
		}
	}
	query := r.URL.Query()
	size, page := 30, 1
	if n, err := strconv.Atoi(query.Get("per_page")); err == nil {
		size = n
	}
	if g.PageSize > 0 {
		size = min(size, g.PageSize)
	}
	if n, err := strconv.Atoi(query.Get("page")); err == nil {
		page = max(1, n)
	}
	from := min(len(comments), (page-1)*size)
	to := min(len(comments), from+size)
	if to < len(comments) {
		w.Header().Set("Link", fmt.Sprintf(`<http://%s%s?page=%d>; rel="next"`, r.Host, r.URL.Path, page+1))
	}
	list := []any{}
	for _, c := range comments[from:to] {
		list = append(list, shown(c))
	}
	reply(w, http.StatusOK, list)
}

// upload takes a SARIF document as code scanning does.
func (g *GitHub) upload(w http.ResponseWriter, r *http.Request, body []byte) {
	var sent struct {
		CommitSHA   string `json:"commit_sha"`
		Ref         string `json:"ref"`
		CheckoutURI string `json:"checkout_uri"`
		StartedAt   string `json:"started_at"`
		ToolName    string `json:"tool_name"`
		SARIF       string `json:"sarif"`
	}
	json.Unmarshal(body, &sent)
	packed, err := base64.StdEncoding.DecodeString(sent.SARIF)
	if err != nil {
		g.problem("the SARIF document is no base64: %v", err)
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		g.problem("the SARIF document is not compressed: %v", err)
		refuse(w, http.StatusBadRequest, "invalid sarif")
		return
	}
	document, err := io.ReadAll(unpacked)
	if err != nil || !json.Valid(document) {
		g.problem("the SARIF document is broken: %v", err)
	}
	g.Uploads = append(g.Uploads, Upload{sent.CommitSHA, sent.Ref, sent.CheckoutURI, sent.StartedAt, sent.ToolName, document})
	id := fmt.Sprintf("47177e22-5596-11eb-80a1-c1e54ef9%04d", len(g.Uploads))
	reply(w, http.StatusAccepted, map[string]any{"id": id, "url": "http://" + r.Host + r.URL.Path + "/" + id})
}

// state serves the state of an upload.
func (g *GitHub) state(w http.ResponseWriter) {
	switch {
	case g.Pending > 0:
		g.Pending--
		reply(w, http.StatusOK, map[string]any{"processing_status": "pending"})
	case g.Failure != nil:
		reply(w, http.StatusOK, map[string]any{"processing_status": "failed", "errors": g.Failure, "analyses_url": nil})
	default:
		reply(w, http.StatusOK, map[string]any{"processing_status": "complete", "errors": nil, "analyses_url": "http://api.invalid/analyses"})
	}
}

// graphql answers who the token's owner is.
func (g *GitHub) graphql(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+g.Token {
		refuse(w, http.StatusUnauthorized, "Bad credentials")
		return
	}
	reply(w, http.StatusOK, map[string]any{"data": map[string]any{"viewer": map[string]any{"login": g.Login}}})
}

// shown is a comment as the API shows it.
func shown(c Comment) map[string]any {
	kind := "User"
	if strings.HasSuffix(c.Login, "[bot]") {
		kind = "Bot"
	}
	user := map[string]any{"login": c.Login, "id": 7, "node_id": "U_7", "type": kind, "site_admin": false, "gravatar_id": ""}
	for _, name := range []string{"avatar", "events", "followers", "following", "gists", "html", "organizations", "received_events", "repos", "starred", "subscriptions"} {
		user[name+"_url"] = "http://api.invalid/users/7"
	}
	user["url"] = "http://api.invalid/users/7"
	return map[string]any{
		"id": c.ID, "node_id": fmt.Sprintf("IC_%d", c.ID), "user": user, "body": c.Body, "author_association": "NONE",
		"url": fmt.Sprintf("http://api.invalid/comments/%d", c.ID), "issue_url": "http://api.invalid/issues/7",
		"html_url":   fmt.Sprintf("http://web.invalid/pull/7#issuecomment-%d", c.ID),
		"created_at": "2031-05-06T07:08:09Z", "updated_at": "2031-05-06T07:08:09Z",
	}
}

const documentation = "https://docs.github.com/rest"

func refuse(w http.ResponseWriter, status int, message string) {
	reply(w, status, map[string]any{"message": message, "documentation_url": documentation})
}

func reply(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(value)
}
