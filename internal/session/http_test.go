package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sealmark/action/internal/fixture"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/wire"
)

// web is an MCP server over HTTP. A call does what the name of its tool says.
type web struct {
	mu        sync.Mutex
	elsewhere string
	requests  []*http.Request
}

func (h *web) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	h.requests = append(h.requests, r)
	h.mu.Unlock()
	if r.Method == http.MethodDelete {
		return
	}
	var m incoming
	body, _ := io.ReadAll(r.Body)
	json.Unmarshal(body, &m)
	reply := func(result string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, result)
	}
	switch m.Method + m.Params.Name {
	case "initialize":
		w.Header().Set("Mcp-Session-Id", "s-1")
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, reply(initialized))
	case "notifications/initialized", "tools/callaccepted":
		w.WriteHeader(http.StatusAccepted)
	case "ping", "tools/calljson":
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, reply("{}"))
	case "tools/callsse":
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, ": hello\r\nid: 1\r\ndata:\r\n\r\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\"}\r\n\r\nevent: message\r\ndata: %s\r\n\r\n", reply(`{"sse":true}`))
	case "tools/callempty-sse":
		w.Header().Set("Content-Type", "text/event-stream")
	case "tools/callopen-sse":
		w.Header().Set("Content-Type", "text/event-stream")
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	case "tools/callhang":
		<-r.Context().Done()
	case "tools/callhtml":
		w.WriteHeader(http.StatusInternalServerError)
		io.WriteString(w, "<h1>Oops</h1>")
	case "tools/callrefuse":
		w.WriteHeader(http.StatusBadRequest)
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":%s,"error":{"code":-32602,"message":"bad"}}`, m.ID)
	case "tools/callredirect":
		http.Redirect(w, r, h.elsewhere, http.StatusTemporaryRedirect)
	case "tools/callfound":
		http.Redirect(w, r, "/found", http.StatusFound)
	case "tools/callnot-modified":
		w.WriteHeader(http.StatusNotModified)
	case "tools/callcut":
		panic(http.ErrAbortHandler)
	case "tools/callcut-sse":
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "data: {\"jsonrpc\":")
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
}

func dial(url string) func(wire.Handler) (wire.Conn, error) {
	return func(h wire.Handler) (wire.Conn, error) { return wire.DialHTTP(url, nil, wire.Limits{}, h), nil }
}

func TestHTTPSession(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("another origin was asked") }))
	defer other.Close()
	h := &web{elsewhere: other.URL}
	server := httptest.NewServer(h)
	defer server.Close()
	s, err := Open(t.Context(), Options{Dial: dial(server.URL), StartLimit: enough, ProbeLimit: enough})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		tool    string
		kind    reply.Kind
		message string // of the error
		detail  string
		http    *reply.HTTP
	}{
		{"json", reply.Answered, "", "", &reply.HTTP{Status: 200, ContentType: "application/json"}},
		{"sse", reply.Answered, "", "", &reply.HTTP{Status: 200, ContentType: "text/event-stream"}},
		{"accepted", reply.Hung, "", "HTTP status 202 Accepted without a reply", &reply.HTTP{Status: 202, NoReply: true}},
		{"empty-sse", reply.Hung, "", "HTTP status 200 OK without a reply", &reply.HTTP{Status: 200, ContentType: "text/event-stream", NoReply: true}},
		{"open-sse", reply.Hung, "", "no answer within 500ms", &reply.HTTP{Status: 200, ContentType: "text/event-stream"}},
		{"hang", reply.Hung, "", "no answer within 500ms", nil},
		{"html", reply.Answered, "HTTP status 500 Internal Server Error: <h1>Oops</h1>", "HTTP status 500 Internal Server Error", &reply.HTTP{Status: 500, ContentType: "text/html", NoReply: true}},
		{"refuse", reply.Answered, "bad", "", &reply.HTTP{Status: 400, ContentType: "text/plain"}},
		{"redirect", reply.Answered, "HTTP status 307 Temporary Redirect: a redirect to another origin, " + other.URL + ", is not followed",
			"a redirect to another origin, " + other.URL + ", is not followed", &reply.HTTP{Status: 307, NoReply: true, Redirect: other.URL, CrossOrigin: true}},
		{"found", reply.Answered, "HTTP status 302 Found: a redirect to /found is not followed", "a redirect to /found is not followed", &reply.HTTP{Status: 302, NoReply: true, Redirect: "/found"}},
		{"not-modified", reply.Answered, "HTTP status 304 Not Modified: ", "HTTP status 304 Not Modified", &reply.HTTP{Status: 304, NoReply: true}},
		{"cut", reply.Closed, "", "the connection was closed without a response", nil},
		{"cut-sse", reply.Closed, "", "the connection was closed in the middle of a response", &reply.HTTP{Status: 200, ContentType: "text/event-stream"}},
		{"json", reply.Answered, "", "", &reply.HTTP{Status: 200, ContentType: "application/json"}},
	}
	for _, tt := range tests {
		t.Run(tt.tool, func(t *testing.T) {
			begin := time.Now()
			a := s.Call(t.Context(), tt.tool, nil, 500*time.Millisecond)
			message := ""
			if a.Error != nil {
				message = a.Error.Message
			}
			if a.Kind != tt.kind || message != tt.message || a.Detail != tt.detail {
				t.Errorf("answer %+v, error %q", a, message)
			}
			if a.HTTP != nil {
				a.HTTP.Body = nil
			}
			if diff := cmp.Diff(tt.http, a.HTTP); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if time.Since(begin) > 5*time.Second {
				t.Errorf("took %s", time.Since(begin))
			}
		})
	}
	if s.Ended() {
		t.Error("the session has ended")
	}
	s.Close(t.Context())
	h.mu.Lock()
	defer h.mu.Unlock()
	last := h.requests[len(h.requests)-1]
	if last.Method != http.MethodDelete || last.Header.Get("Mcp-Session-Id") != "s-1" || last.Header.Get("Mcp-Protocol-Version") != "2025-11-25" {
		t.Errorf("last request %s %v", last.Method, last.Header)
	}
	if first := h.requests[0]; first.Header.Get("Mcp-Protocol-Version") != "" || first.Header.Get("Accept") != "application/json, text/event-stream" {
		t.Errorf("first request %v", first.Header)
	}
}

func TestHTTPStartErrors(t *testing.T) {
	status := http.StatusNotFound
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if status == http.StatusTemporaryRedirect {
			http.Redirect(w, r, "http://elsewhere.test/mcp", status)
			return
		}
		w.WriteHeader(status)
	}))
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	defer server.Close()
	for _, tt := range []struct {
		url    string
		status int
		kind   StartKind
		detail string
		http   *reply.HTTP
	}{
		{closed.URL, 0, Refused, "the server can't be reached: connection refused", nil},
		{server.URL, http.StatusNotFound, Refused, "HTTP status 404", &reply.HTTP{Status: 404, NoReply: true}},
		{server.URL, http.StatusAccepted, BadReply, "HTTP status 202 Accepted without a reply", &reply.HTTP{Status: 202, NoReply: true}},
		{server.URL, http.StatusTemporaryRedirect, Refused, "a redirect to another origin, http://elsewhere.test/mcp, is not followed",
			&reply.HTTP{Status: 307, NoReply: true, Redirect: "http://elsewhere.test/mcp", CrossOrigin: true}},
	} {
		status = tt.status
		_, err := Open(t.Context(), Options{Dial: dial(tt.url), StartLimit: enough, ProbeLimit: enough})
		var failed *StartError
		if !errors.As(err, &failed) || failed.Kind != tt.kind || !strings.Contains(failed.Detail, tt.detail) {
			t.Errorf("got %#v", err)
			continue
		}
		if diff := cmp.Diff(tt.http, failed.HTTP, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
	}
}

// TestHTTPFixtures: each way to answer over HTTP, good and bad, is told apart
// in the answer to a request that has to be refused.
func TestHTTPFixtures(t *testing.T) {
	for _, tt := range []struct {
		name                string
		kind                reply.Kind
		unanswered, refused bool
		redirect            string
	}{
		{"good-http", reply.Answered, false, false, ""},
		{"http-strict", reply.Answered, false, false, ""},
		{"http-sse", reply.Answered, false, false, ""},
		{"http-resumes", reply.Answered, false, false, ""},
		{"http-same-origin", reply.Answered, false, false, ""},
		{"http-error-status", reply.Answered, false, true, ""},
		{"http-no-reply", reply.Hung, true, false, ""},
		{"http-no-reply-sse", reply.Hung, true, false, ""},
		{"http-redirects", reply.Answered, false, false, "http://127.0.0.1:9/elsewhere"},
		{"http-drops", reply.Closed, false, false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := httptest.NewServer(fixture.HTTP(tt.name))
			defer server.Close()
			s, err := Open(t.Context(), Options{Dial: dial(server.URL + "/mcp"), StartLimit: enough, ProbeLimit: enough})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close(t.Context())
			a := s.Request(t.Context(), "no/such-method", nil, enough)
			redirect := ""
			if a.HTTP != nil && a.HTTP.CrossOrigin {
				redirect = a.HTTP.Redirect
			}
			if a.Kind != tt.kind || a.HTTP.Unanswered() != tt.unanswered || a.HTTP.Refused() != tt.refused || redirect != tt.redirect {
				t.Errorf("answer %+v, HTTP %+v", a, a.HTTP)
			}
			if a.Kind == reply.Answered && a.Error == nil {
				t.Errorf("no error in %+v", a)
			}
			if !s.Alive(t.Context(), "ping", enough) {
				t.Error("no answer to ping afterwards")
			}
			if snap, err := s.Snapshot(t.Context()); err != nil || len(snap.Tools) == 0 || !snap.Lists["tools"].Complete() {
				t.Errorf("snapshot %+v, %v", snap, err)
			}
		})
	}
}
