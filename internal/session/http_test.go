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
	case "tools/callcut":
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
	}{
		{"json", reply.Answered, "", ""},
		{"sse", reply.Answered, "", ""},
		{"accepted", reply.Hung, "", "HTTP status 202 Accepted without a reply"},
		{"empty-sse", reply.Hung, "", "HTTP status 200 OK without a reply"},
		{"open-sse", reply.Hung, "", "no answer within 500ms"},
		{"hang", reply.Hung, "", "no answer within 500ms"},
		{"html", reply.Answered, "HTTP status 500 Internal Server Error: <h1>Oops</h1>", "HTTP status 500 Internal Server Error"},
		{"refuse", reply.Answered, "bad", ""},
		{"redirect", reply.Answered, "HTTP status 307 Temporary Redirect: a redirect to " + other.URL + " is not followed", "a redirect to " + other.URL + " was not followed"},
		{"cut", reply.Closed, "", "the connection was closed without a response"},
		{"json", reply.Answered, "", ""},
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
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(status) }))
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	defer server.Close()
	for _, tt := range []struct {
		url    string
		status int
		kind   StartKind
		detail string
	}{
		{closed.URL, 0, Refused, "the server can't be reached: connection refused"},
		{server.URL, http.StatusNotFound, Refused, "HTTP status 404"},
		{server.URL, http.StatusAccepted, BadReply, "HTTP status 202 Accepted without a reply"},
	} {
		status = tt.status
		_, err := Open(t.Context(), Options{Dial: dial(tt.url), StartLimit: enough, ProbeLimit: enough})
		var failed *StartError
		if !errors.As(err, &failed) || failed.Kind != tt.kind || !strings.Contains(failed.Detail, tt.detail) {
			t.Errorf("got %#v", err)
		}
	}
}
