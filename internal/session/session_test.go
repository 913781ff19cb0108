package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/wire"
)

const enough = 20 * time.Second

// log collects the events of a session.
type log struct {
	mu     sync.Mutex
	events []Event
}

func (l *log) observe(e Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.events = append(l.events, e)
}

func (l *log) find(d Direction, part string) *Event {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.events {
		if e.Direction == d && (bytes.Contains(e.Raw, []byte(part)) || bytes.Contains(e.Noise.Text, []byte(part))) {
			return &e
		}
	}
	return nil
}

func options(mode string, l *log) Options {
	return Options{
		Dial: func(h wire.Handler) (wire.Conn, error) {
			return wire.StartStdio(wire.Command{Args: []string{os.Args[0]}, Env: append(os.Environ(), helper+"="+mode)}, wire.Limits{}, h)
		},
		StartLimit: enough, ProbeLimit: enough, Observer: l.observe,
	}
}

func open(t *testing.T, mode string) (*Session, *log) {
	t.Helper()
	l := &log{}
	s, err := Open(t.Context(), options(mode, l))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s, l
}

func TestGoodServer(t *testing.T) {
	before := runtime.NumGoroutine()
	l := &log{}
	s, err := Open(t.Context(), options("good", l))
	if err != nil {
		t.Fatal(err)
	}
	if s.StartTime() <= 0 {
		t.Error("no start time")
	}
	for range 2 { // both forms of ids
		if !s.Alive(t.Context(), "ping", enough) {
			t.Error("no answer to ping")
		}
	}
	if l.find(Out, `"id":1001,`) == nil || l.find(Out, `"id":"sm-1002"`) == nil || l.find(Out, "notifications/initialized") == nil {
		t.Errorf("sent %v", l.events)
	}
	if e := l.find(In, `"id":1001`); e == nil || e.Phase != Boot {
		t.Errorf("the initialize reply came in %+v", e)
	}
	snap, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	yes := true
	want := Tool{Name: "a", Title: "T", Description: "D", Annotations: Annotations{ReadOnlyHint: &yes}}
	if len(snap.Tools) != 1 {
		t.Fatalf("tools %+v", snap.Tools)
	}
	got := snap.Tools[0]
	if got.Name != want.Name || got.Title != want.Title || got.Description != want.Description || got.Annotations.DestructiveHint != nil ||
		got.Annotations.ReadOnlyHint == nil || !*got.Annotations.ReadOnlyHint || string(got.InputSchema) != `{"type":"object"}` || got.OutputSchema == nil {
		t.Errorf("tool %+v", got)
	}
	if snap.Name != "raw" || snap.Version != "1.2" || snap.ProtocolVersion != "2025-11-25" || snap.Instructions != "be kind" {
		t.Errorf("snapshot %+v", snap)
	}
	for list, gap := range map[string]string{
		"tools":              "",
		"resources":          "",
		"resource templates": `resources/templates/list was answered with the error "unknown method"`,
		"prompts":            `the result of prompts/list has no array "prompts"`,
	} {
		if state := snap.Lists[list]; state.Gap() != gap || state.Complete() != (gap == "") || (state.Refusal() != nil) != (list == "resource templates") {
			t.Errorf("%s: %+v", list, state)
		}
	}
	if len(snap.Unnamed) != 2 || string(snap.Unnamed[1]) != "7" {
		t.Errorf("unnamed tools %s", snap.Unnamed)
	}
	s.Close(t.Context())
	if exit := s.Exit(); exit.Code != 0 || !s.Ended() {
		t.Errorf("exit %+v", exit)
	}
	s.Close(t.Context())
	s.Kill()
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

func TestLists(t *testing.T) {
	s, _ := open(t, "lists")
	snap, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(snap.Tools) != 2 || !snap.Lists["tools"].Complete() {
		t.Errorf("tools %+v", snap.Tools)
	}
	if len(snap.Resources) != 2 || !strings.Contains(snap.Lists["resources"].Gap(), "repeats itself") || Label(snap.Resources[0]) != "x:1" {
		t.Errorf("%d resources: %s", len(snap.Resources), snap.Lists["resources"].Gap())
	}
	if gap := snap.Lists["resource templates"].Gap(); !strings.Contains(gap, "stopped after 100 pages") {
		t.Errorf("templates: %s", gap)
	}
	if gap := snap.Lists["prompts"].Gap(); !strings.Contains(gap, "nextCursor") || len(snap.Prompts) != 1 {
		t.Errorf("prompts: %s", gap)
	}
}

// TestUnadvertised: a list is asked for only where the capability is there.
func TestUnadvertised(t *testing.T) {
	for _, mode := range []string{"bare", "strange-version"} {
		s, l := open(t, mode)
		snap, err := s.Snapshot(t.Context())
		if err != nil || len(snap.Lists) != 0 || l.find(Out, "/list") != nil {
			t.Errorf("%s: %+v, %v", mode, snap, err)
		}
		if mode == "strange-version" && snap.ProtocolVersion != "2031-01-01" {
			t.Errorf("version %s", snap.ProtocolVersion)
		}
	}
}

// TestNullCapabilities: a capability that is null is there if its list can be
// read, and absent if not.
func TestNullCapabilities(t *testing.T) {
	s, _ := open(t, "null-capabilities")
	snap, err := s.Snapshot(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(snap.Lists) != 1 || len(snap.Tools) != 1 || !snap.Advertises("tools") {
		t.Errorf("lists %v", snap.Lists)
	}
	for _, name := range []string{"resources", "prompts", "completions", "logging"} {
		if snap.Advertises(name) {
			t.Errorf("%s is advertised", name)
		}
	}
}

func TestStartErrors(t *testing.T) {
	tests := []struct {
		mode   string
		limit  time.Duration
		kind   StartKind
		detail string
	}{
		{"exit", enough, Exited, "the server exited with status 3 before it answered initialize; its last words: Error: no such module"},
		{"flood", enough, Flooded, "flooded stdout"},
		{"silent", time.Second, Timeout, "did not answer initialize within 1s"},
		{"prompt", time.Second, Timeout, "it wrote text to stdout that is no protocol message"},
		{"echo", enough, BadReply, "its own text sent back"},
		{"zero-ids", time.Second, BadReply, "a reply with the id 0 came instead"},
		{"refuses", enough, BadReply, "wrong version"},
		{"result-array", enough, BadReply, "not an object"},
		{"no-members", enough, BadReply, "no protocolVersion"},
		{"version-number", enough, BadReply, "no protocolVersion"},
	}
	for _, tt := range tests {
		t.Run(tt.mode, func(t *testing.T) {
			o := options(tt.mode, &log{})
			o.StartLimit = tt.limit
			_, err := Open(t.Context(), o)
			var failed *StartError
			if !errors.As(err, &failed) || failed.Kind != tt.kind || !strings.Contains(failed.Detail, tt.detail) {
				t.Errorf("got %#v", err)
			}
		})
	}
}

// TestNoVersion: a result that lacks nothing but its version can be used, and
// is judged elsewhere.
func TestNoVersion(t *testing.T) {
	s, _ := open(t, "no-version")
	if a := s.Call(t.Context(), "ok", nil, enough); a.Kind != reply.Answered {
		t.Errorf("answer %+v", a)
	}
}

func TestOfferedVersion(t *testing.T) {
	for version, offered := range map[string]string{"": Offered, "1999-01-01": "1999-01-01"} {
		l := &log{}
		o := options("good", l)
		o.Version = version
		s, err := Open(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		s.Kill()
		if l.find(Out, `"protocolVersion":"`+offered+`"`) == nil {
			t.Errorf("%s was not offered", offered)
		}
	}
}

// TestRaw: a message that is no request is sent as it is, and an answer with
// its id is awaited.
func TestRaw(t *testing.T) {
	s, _ := open(t, "good")
	send := func(format string) reply.Answer {
		return s.Raw(t.Context(), "raw", func(id string) []byte { return fmt.Appendf(nil, format, id) }, 300*time.Millisecond)
	}
	if a := send(`{"jsonrpc":"2.0","id":%s,"method":"ping","params":{}}`); a.Kind != reply.Answered || a.Error != nil {
		t.Errorf("answer %+v", a)
	}
	if a := send(`{"jsonrpc":"2.0","id":%s,"result":{}}`); a.Kind != reply.Hung {
		t.Errorf("answer %+v", a)
	}
}

func TestNotFound(t *testing.T) {
	_, err := Open(t.Context(), Options{StartLimit: enough, ProbeLimit: enough, Dial: func(h wire.Handler) (wire.Conn, error) {
		return wire.StartStdio(wire.Command{Args: []string{"/no/such/thing"}}, wire.Limits{}, h)
	}})
	var failed *StartError
	if !errors.As(err, &failed) || failed.Kind != NotFound || !strings.Contains(failed.Detail, "/no/such/thing") {
		t.Errorf("got %v", err)
	}
}

func TestOpenCancelled(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if _, err := Open(ctx, options("silent", &log{})); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) > 10*time.Second {
		t.Errorf("got %v after %s", err, time.Since(begin))
	}
}

func TestCalls(t *testing.T) {
	tests := []struct {
		tool   string
		limit  time.Duration
		kind   reply.Kind
		result string // of an answer
		err    *reply.RPCError
		detail string
	}{
		{"ok", enough, reply.Answered, `{"content":[{"type":"text","text":"fine"}]}`, nil, ""},
		{"arguments", enough, reply.Answered, `{"got":false}`, nil, ""},
		{"die", enough, reply.Closed, "", nil, "exited with status 7"},
		{"die-after", enough, reply.Answered, "{}", nil, ""},
		{"hang", 300 * time.Millisecond, reply.Hung, "", nil, "no answer within 300ms"},
		{"type-changed", 300 * time.Millisecond, reply.Hung, "", nil, `no answer within 300ms; a reply with the id "1003" came instead`},
		{"null-id", 300 * time.Millisecond, reply.Hung, "", nil, "no answer within 300ms; a reply with the id null came instead"},
		{"wrong-case", 300 * time.Millisecond, reply.Hung, "", nil, "no answer within 300ms"},
		{"no-jsonrpc", enough, reply.Answered, "{}", nil, ""},
		{"noise", enough, reply.Answered, "{}", nil, ""},
		{"split", enough, reply.Answered, "{}", nil, ""},
		{"batch", enough, reply.Answered, "{}", nil, ""},
		{"twice", enough, reply.Answered, `{"n":1}`, nil, ""},
		{"neither", enough, reply.Answered, "", nil, ""},
		{"error", enough, reply.Answered, "", &reply.RPCError{Code: "-32602", Message: "bad"}, ""},
		{"error-text", enough, reply.Answered, "", &reply.RPCError{Message: "boom"}, ""},
		{"error-null", enough, reply.Answered, "", &reply.RPCError{Message: "null"}, ""},
		{"error-odd", enough, reply.Answered, "", &reply.RPCError{Message: `{"a":1}`, Data: json.RawMessage("[1]")}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.tool, func(t *testing.T) {
			s, l := open(t, "good")
			s.Alive(t.Context(), "ping", enough)
			a := s.Call(t.Context(), tt.tool, nil, tt.limit)
			if a.Kind != tt.kind || string(a.Result) != tt.result || a.Detail != tt.detail {
				t.Errorf("answer %+v", a)
			}
			if (a.Error == nil) != (tt.err == nil) || tt.err != nil && (a.Error.Code != tt.err.Code || a.Error.Message != tt.err.Message || !bytes.Equal(a.Error.Data, tt.err.Data)) {
				t.Errorf("error %+v", a.Error)
			}
			if _, err := json.Marshal(a.Error); err != nil {
				t.Error(err)
			}
			if !json.Valid(a.Request) || !bytes.Contains(a.Request, []byte(`"name":"`+tt.tool+`"`)) {
				t.Errorf("request %s", a.Request)
			}
			switch tt.tool {
			case "die":
				if !strings.Contains(a.Stderr, "out of luck") || !s.Ended() {
					t.Errorf("stderr %q", a.Stderr)
				}
			case "noise":
				if e := l.find(NoiseEvent, "called noise"); e == nil || e.Phase != "tools/call noise" {
					t.Errorf("noise %+v", e)
				}
			default:
				if tt.tool != "die-after" && !s.Alive(t.Context(), "ping", enough) {
					t.Error("the session is dead")
				}
			}
		})
	}
}

// TestLateReply: a reply that comes after the limit is neither matched nor a
// stray one.
func TestLateReply(t *testing.T) {
	s, _ := open(t, "good")
	for _, id := range []string{"1001", `"sm-1002"`} {
		s.frame(wire.Frame{Raw: []byte(`{"jsonrpc":"2.0","id":` + id + `,"result":{}}`)})
	}
	if a := s.Call(t.Context(), "hang", nil, 200*time.Millisecond); a.Detail != "no answer within 200ms" {
		t.Errorf("answer %+v", a)
	}
}

func TestCancelled(t *testing.T) {
	s, _ := open(t, "good")
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if a := s.Call(ctx, "hang", nil, enough); a.Kind != reply.Hung || a.Detail != "cancelled" {
		t.Errorf("answer %+v", a)
	}
}

func TestBigMessages(t *testing.T) {
	s, _ := open(t, "good")
	if a := s.Call(t.Context(), "big", nil, enough); a.Kind != reply.Answered || len(a.Raw) < 20<<20 {
		t.Errorf("%s, %d bytes", a.Kind, len(a.Raw))
	}
	long := json.RawMessage(`{"a":"` + strings.Repeat("x", 1<<20) + `"}`)
	if a := s.Call(t.Context(), "ok", long, enough); a.Kind != reply.Answered {
		t.Errorf("answer %s: %s", a.Kind, a.Detail)
	}
}

func TestStderrFlood(t *testing.T) { open(t, "stderr-flood") }

func TestBanner(t *testing.T) {
	_, l := open(t, "banner")
	if e := l.find(NoiseEvent, "Demo server"); e == nil || e.Phase != Boot {
		t.Errorf("noise %+v", e)
	}
}

// TestDeafServer: a request that the server takes no notice of ends in time.
func TestDeafServer(t *testing.T) {
	s, _ := open(t, "good")
	begin := time.Now()
	if a := s.Call(t.Context(), "close-stdin", nil, 300*time.Millisecond); a.Kind != reply.Hung {
		t.Errorf("answer %+v", a)
	}
	if a := s.Call(t.Context(), "ok", nil, enough); a.Kind != reply.Closed || a.Detail != "no longer reads its stdin" {
		t.Errorf("answer %+v", a)
	}
	if took := time.Since(begin); took > exitWait+5*time.Second {
		t.Errorf("took %s", took)
	}
}

// TestServerAsks: a server's requests are answered, from the first moment on,
// and by their own ids.
func TestServerAsks(t *testing.T) {
	s, l := open(t, "asks-first")
	for begin := time.Now(); l.find(Response, `"id":"s"`) == nil && time.Since(begin) < enough; {
		time.Sleep(10 * time.Millisecond)
	}
	s.Alive(t.Context(), "ping", enough)
	s.Close(t.Context())
	want := []string{
		`{"jsonrpc":"2.0","id":1001,"result":{}}`,
		`{"jsonrpc":"2.0","id":"s","error":{"code":-32601,"message":"Method not found"}}`,
	}
	if got := strings.Split(strings.TrimSpace(s.Exit().Stderr), "\n"); !slices.Equal(got, want) {
		t.Errorf("the server got %q", got)
	}
}

// TestServerAsksEndlessly: requests without end cost no goroutines.
func TestServerAsksEndlessly(t *testing.T) {
	before := runtime.NumGoroutine()
	s, _ := open(t, "asks-endlessly")
	if n := runtime.NumGoroutine(); n > before+20 {
		t.Errorf("%d goroutines before, %d now", before, n)
	}
	if a := s.Call(t.Context(), "ok", nil, enough); a.Kind != reply.Answered {
		t.Errorf("answer %+v", a)
	}
}

// TestNoneLeft: a server that ignores EOF and SIGTERM, and its child that
// holds stdout, are both gone after the end.
func TestNoneLeft(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("signals are a Unix thing")
	}
	t.Run("deaf", func(t *testing.T) {
		s, _ := open(t, "ignores-eof")
		begin := time.Now()
		s.Close(t.Context())
		if took := time.Since(begin); took > 9*time.Second {
			t.Errorf("took %s", took)
		}
		if exit := s.Exit(); exit.Signal != "SIGKILL" {
			t.Errorf("exit %+v", exit)
		}
	})
	t.Run("child", func(t *testing.T) {
		s, _ := open(t, "fork")
		if a := s.Call(t.Context(), "die", nil, enough); a.Kind != reply.Closed || a.Detail != "exited with status 7" {
			t.Errorf("answer %+v", a)
		}
		s.Kill()
		match := regexp.MustCompile(`child (\d+)`).FindStringSubmatch(s.Exit().Stderr)
		if match == nil {
			t.Fatalf("stderr %q", s.Exit().Stderr)
		}
		gone(t, match[1])
	})
}

// gone waits until a process is dead, or only waits to be reaped.
func gone(t *testing.T, pid string) {
	t.Helper()
	for range 200 {
		state, err := os.ReadFile("/proc/" + pid + "/stat")
		if err != nil || bytes.Contains(state, []byte(") Z ")) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %s is still there", pid)
}

func TestRequestThatCannotBeEncoded(t *testing.T) {
	s, _ := open(t, "good")
	if a := s.Request(t.Context(), "ping", json.RawMessage("{"), enough); a.Kind != reply.Hung || !strings.Contains(a.Detail, "encoded") {
		t.Errorf("answer %+v", a)
	}
}

func TestSnapshotOfDeadServer(t *testing.T) {
	s, _ := open(t, "good")
	s.Call(t.Context(), "die", nil, enough)
	_, err := s.Snapshot(t.Context())
	var failed *StartError
	if !errors.As(err, &failed) || failed.Kind != Exited {
		t.Errorf("error %v", err)
	}
}
