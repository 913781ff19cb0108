package session

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/fixture"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/wire"
)

func TestMain(m *testing.M) {
	fixture.FromEnv()
	os.Exit(m.Run())
}

// open starts a fixture. Its Observer collects the raw messages.
func open(t *testing.T, name string, observer func(Event)) (*Session, error) {
	t.Helper()
	s, err := Open(t.Context(), Options{
		Dial: func(h wire.Handler) (wire.Conn, error) {
			return wire.StartStdio(wire.Command{Args: []string{os.Args[0]}, Env: append(os.Environ(), fixture.Variable+"="+name)}, wire.Limits{}, h)
		},
		StartLimit: 3 * time.Second, ProbeLimit: 5 * time.Second, Observer: observer,
	})
	if err == nil {
		t.Cleanup(s.Kill)
	}
	return s, err
}

func TestRevisions(t *testing.T) {
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		name := "old-" + version
		if version == Offered {
			name = "strict"
		}
		s, err := open(t, name, nil)
		if err != nil {
			t.Fatal(err)
		}
		snap, err := s.Snapshot(t.Context())
		if err != nil || snap.ProtocolVersion != version || len(snap.Tools) != 1 || !snap.Lists["tools"].Complete() {
			t.Errorf("%s: %+v, %v", version, snap, err)
		}
	}
}

// TestSnapshot reads all pages of all lists of a server on an SDK.
func TestSnapshot(t *testing.T) {
	s, err := open(t, "good", nil)
	if err != nil {
		t.Fatal(err)
	}
	snap, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(snap.Tools) != 3 || len(snap.Resources) != 1 || len(snap.Templates) != 1 || len(snap.Prompts) != 1 || snap.Name != "good" || snap.Version != "1.0.0" {
		t.Errorf("%+v", snap)
	}
	for name, state := range snap.Lists {
		if !state.Complete() {
			t.Errorf("%s: %s", name, state.Gap())
		}
	}
	for _, tool := range snap.Tools {
		if hint := tool.Annotations.ReadOnlyHint; tool.Name == "clock" && (hint == nil || !*hint) {
			t.Errorf("%s is not read-only: %s", tool.Name, tool.Raw)
		}
	}
	if Label(snap.Resources[0]) != "note://hello" || Label(snap.Templates[0]) != "note://{id}" || Label(snap.Prompts[0]) != "summary" {
		t.Errorf("labels %q %q %q", Label(snap.Resources[0]), Label(snap.Templates[0]), Label(snap.Prompts[0]))
	}
	s.Close(t.Context())
	if !s.Ended() || s.Exit().Code != 0 {
		t.Errorf("exit %+v", s.Exit())
	}
}

func TestCursorLoop(t *testing.T) {
	s, err := open(t, "cursor-loop", nil)
	if err != nil {
		t.Fatal(err)
	}
	snap, err := s.Snapshot(t.Context())
	if err != nil || !strings.Contains(snap.Lists["tools"].Gap(), "repeats itself") {
		t.Errorf("%+v, %v", snap, err)
	}
}

func TestStartErrors(t *testing.T) {
	tests := []struct {
		name   string
		kind   StartKind
		detail string
	}{
		{"exits-at-once", Exited, "the server exited with status 1 before it answered initialize; its last words: Error: no configuration file"},
		{"sleeps", Timeout, "the server did not answer initialize within 3s"},
		{"wrong-ids", Timeout, "within 3s"},
		{"string-ids", Timeout, "within 3s"},
		{"flood", Flooded, "flooded stdout"},
		{"bad-init-reply", BadReply, "the result of initialize has no protocolVersion"},
		{"init-error", BadReply, "the server refused initialize: not today"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := open(t, tt.name, nil)
			var failed *StartError
			if !errors.As(err, &failed) || failed.Kind != tt.kind || !strings.Contains(failed.Detail, tt.detail) {
				t.Errorf("got %+v, want %s: %s", err, tt.kind, tt.detail)
			}
		})
	}
}

// TestEvents: the observer sees each message with its phase, and our answers
// to the server's own requests.
func TestEvents(t *testing.T) {
	events := make(chan Event, 100)
	s, err := open(t, "asks-client", func(e Event) { events <- e })
	if err != nil {
		t.Fatal(err)
	}
	answer := s.Call(t.Context(), "search", json.RawMessage(`{"query":"x"}`), 5*time.Second)
	if answer.Kind != reply.Answered || answer.Error != nil {
		t.Fatalf("%+v", answer)
	}
	if e := <-events; e.Direction != Out || e.Phase != Boot || !strings.Contains(string(e.Raw), `"initialize"`) {
		t.Errorf("first event %+v", e)
	}
	refused, ponged := false, false
	deadline := time.After(10 * time.Second)
	for !refused || !ponged {
		select {
		case e := <-events:
			raw := string(e.Raw)
			refused = refused || e.Direction == Out && strings.Contains(raw, `"id":1,"error":{"code":-32601`)
			ponged = ponged || e.Direction == Out && strings.Contains(raw, `"id":"p","result":{}`)
			if e.Direction == In && strings.Contains(raw, "sampling") && e.Phase != "tools/call search" {
				t.Errorf("phase %q", e.Phase)
			}
		case <-deadline:
			t.Fatalf("sampling refused: %v, ping answered: %v", refused, ponged)
		}
	}
}

func TestAnswers(t *testing.T) {
	tests := []struct {
		fixture string
		kind    reply.Kind
		detail  string
	}{
		{"strict", reply.Answered, ""},
		{"dies-always", reply.Closed, "exited with status 1"},
		{"hang-all", reply.Hung, "no answer within 300ms"},
	}
	for _, tt := range tests {
		s, err := open(t, tt.fixture, nil)
		if err != nil {
			t.Fatal(err)
		}
		limit := 300 * time.Millisecond
		if tt.kind != reply.Hung {
			limit = 10 * time.Second
		}
		a := s.Call(t.Context(), "search", json.RawMessage(`{}`), limit)
		if a.Kind != tt.kind || a.Detail != tt.detail || len(a.Request) == 0 {
			t.Errorf("%s: %+v", tt.fixture, a)
		}
		if tt.kind == reply.Closed && a.Stderr != "bye\n" {
			t.Errorf("stderr %q", a.Stderr)
		}
	}
}

func TestCancelled(t *testing.T) {
	s, err := open(t, "hang-all", nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if a := s.Call(ctx, "search", json.RawMessage(`{}`), time.Minute); a.Kind != reply.Hung || a.Detail != "cancelled" {
		t.Errorf("%+v", a)
	}
}

// TestHTTPAnswers: an error status is an answer, a success without a reply is
// silence, a broken connection is a close.
func TestHTTPAnswers(t *testing.T) {
	var protocol string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		json.NewDecoder(r.Body).Decode(&m)
		switch m.Method {
		case "initialize":
			w.Header().Set("Content-Type", "application/json")
			w.Write([]byte(`{"jsonrpc":"2.0","id":` + string(m.ID) + `,"result":{"protocolVersion":"2025-06-18","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}`))
		case "status":
			protocol = r.Header.Get("Mcp-Protocol-Version")
			w.WriteHeader(http.StatusBadGateway)
			w.Write([]byte("<h1>bad gateway</h1>"))
		case "silence":
			w.WriteHeader(http.StatusAccepted)
		case "empty-stream":
			w.Header().Set("Content-Type", "text/event-stream")
		case "close":
			conn, _, _ := w.(http.Hijacker).Hijack()
			conn.Close()
		}
	}))
	defer server.Close()
	s, err := Open(t.Context(), Options{StartLimit: 5 * time.Second, ProbeLimit: 5 * time.Second,
		Dial: func(h wire.Handler) (wire.Conn, error) { return wire.DialHTTP(server.URL, nil, wire.Limits{}, h), nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Kill()
	tests := []struct {
		method string
		kind   reply.Kind
		detail string
	}{
		{"status", reply.Answered, "HTTP status 502 Bad Gateway"},
		{"silence", reply.Hung, "HTTP status 202 Accepted without a reply"},
		{"empty-stream", reply.Hung, "HTTP status 200 OK without a reply"},
		{"close", reply.Closed, "the connection was closed without a response"},
	}
	for _, tt := range tests {
		a := s.Request(t.Context(), tt.method, nil, 5*time.Second)
		if a.Kind != tt.kind || a.Detail != tt.detail || (a.Error != nil) != (tt.kind == reply.Answered) {
			t.Errorf("%s: %+v", tt.method, a)
		}
	}
	if protocol != "2025-06-18" {
		t.Errorf("the protocol version sent is %q", protocol)
	}
}

func TestLastLine(t *testing.T) {
	tests := []struct{ in, want string }{
		{"", ""},
		{"Error: x\n    at main (a.js:1:2)\n\nNode.js v20.1.0\n", "Error: x"},
		{"Traceback (most recent call last):\n  File \"x\"\nValueError: y\n", "ValueError: y"},
		{"one\n}\n", "one"},
	}
	for _, tt := range tests {
		if got := lastLine(tt.in); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}
