package wire

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// helper names the small program that a test process runs in place of tests.
const helper = "SEALMARK_WIRE_HELPER"

func TestMain(m *testing.M) {
	switch os.Getenv(helper) {
	case "":
		os.Exit(m.Run())
	case "echo":
		io.Copy(os.Stdout, os.Stdin)
	case "exit":
		fmt.Fprintln(os.Stderr, "last words")
		os.Exit(3)
	case "sleep":
		time.Sleep(time.Hour)
	case "deaf-sleep":
		fmt.Println(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		ignoreTerm()
		time.Sleep(time.Hour)
	case "stderr":
		io.WriteString(os.Stderr, strings.Repeat("log line\n", 1<<20/9))
		fmt.Println(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		io.Copy(io.Discard, os.Stdin)
	case "zero":
		zero := make([]byte, 1<<16)
		for {
			if _, err := os.Stdout.Write(zero); err != nil {
				os.Exit(1)
			}
		}
	case "yes":
		line := []byte(strings.Repeat("y\n", 1<<15))
		for {
			if _, err := os.Stdout.Write(line); err != nil {
				os.Exit(1)
			}
		}
	case "open-brace":
		os.Stdout.WriteString("{")
		zero := bytes.Repeat([]byte("x"), 1<<16)
		for {
			if _, err := os.Stdout.Write(zero); err != nil {
				os.Exit(1)
			}
		}
	case "empty-lines":
		lines := bytes.Repeat([]byte("\n"), 1<<16)
		for {
			if _, err := os.Stdout.Write(lines); err != nil {
				os.Exit(1)
			}
		}
	case "blanks":
		blank := bytes.Repeat([]byte(" "), 1<<16)
		for {
			if _, err := os.Stdout.Write(blank); err != nil {
				os.Exit(1)
			}
		}
	case "env":
		for _, v := range os.Environ() {
			fmt.Fprintln(os.Stderr, v)
		}
	case "late-reader":
		time.Sleep(3 * time.Second)
		io.Copy(os.Stdout, os.Stdin)
	case "broken":
		fmt.Println(`{"jsonrpc":"2.0","id":1,"result":{}`)
		time.Sleep(time.Hour)
	case "deaf":
		ignoreTerm()
		fmt.Println(`{"jsonrpc":"2.0","id":1,"result":{}}`)
		time.Sleep(time.Hour)
	case "big":
		fmt.Printf(`{"jsonrpc":"2.0","id":1,"result":{"text":"%s"}}`+"\n", strings.Repeat("x", 20<<20))
		io.Copy(io.Discard, os.Stdin)
	case "close-stdout":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "fork":
		child := exec.Command(os.Args[0])
		child.Env = append(os.Environ(), helper+"=sleep")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		child.Start()
		fmt.Printf(`{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", child.Process.Pid)
		os.Exit(0)
	default:
		listener(os.Getenv(helper))
	}
	os.Exit(0)
}

// events collects what comes over a connection.
type events struct {
	mu     sync.Mutex
	frames []string
	noise  []Noise
	got    chan struct{}
}

func newEvents() *events { return &events{got: make(chan struct{}, 1000)} }

func (e *events) handler() Handler {
	return Handler{
		Frame: func(f Frame) {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.frames = append(e.frames, string(f.Raw))
			e.got <- struct{}{}
		},
		Noise: func(n Noise) {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.noise = append(e.noise, n)
		},
	}
}

func (e *events) await(t *testing.T) string {
	t.Helper()
	select {
	case <-e.got:
	case <-time.After(20 * time.Second):
		t.Fatal("no frame came")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.frames[len(e.frames)-1]
}

func start(t *testing.T, mode string, limits Limits) (Conn, *events) {
	t.Helper()
	e := newEvents()
	c, err := StartStdio(Command{Args: []string{os.Args[0]}, Env: append(os.Environ(), helper+"="+mode)}, limits, e.handler())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Kill)
	return c, e
}

func ended(t *testing.T, c Conn) Exit {
	t.Helper()
	select {
	case <-c.Done():
	case <-time.After(20 * time.Second):
		t.Fatal("the connection did not end")
	}
	return c.Exit()
}

func TestEcho(t *testing.T) {
	before := runtime.NumGoroutine()
	c, e := start(t, "echo", Limits{})
	message := `{"jsonrpc":"2.0","id":1,"result":{}}`
	if _, err := c.Send(t.Context(), []byte(message)); err != nil {
		t.Fatal(err)
	}
	if got := e.await(t); got != message {
		t.Errorf("got %s", got)
	}
	c.Close(t.Context())
	if exit := c.Exit(); exit.Code != 0 || exit.Signal != "" {
		t.Errorf("exit %+v", exit)
	}
	c.Close(t.Context())
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

func TestExit(t *testing.T) {
	c, _ := start(t, "exit", Limits{})
	exit := ended(t, c)
	if exit.Code != 3 || !strings.Contains(exit.Stderr, "last words") || exit.String() != "exited with status 3" {
		t.Errorf("exit %+v: %s", exit, exit)
	}
	// A write to a process that is gone fails and hangs nothing.
	for range 3 {
		c.Send(t.Context(), []byte("{}"))
	}
}

func TestStderrIsDrained(t *testing.T) {
	c, e := start(t, "stderr", Limits{})
	e.await(t)
	if n := len(c.Stderr()); n == 0 || n > keptStderr {
		t.Errorf("%d bytes of stderr are kept", n)
	}
}

// TestFlood: endless output ends the process, and little of it is kept.
func TestFlood(t *testing.T) {
	for _, mode := range []string{"zero", "yes", "open-brace", "empty-lines", "blanks"} {
		t.Run(mode, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			c, e := start(t, mode, Limits{MaxFrame: 16 << 20})
			exit := ended(t, c)
			runtime.ReadMemStats(&after)
			if !exit.Flooded {
				t.Errorf("exit %+v after %d bytes", exit, c.NoiseBytes())
			}
			e.mu.Lock()
			defer e.mu.Unlock()
			if len(e.noise) > toldNoise {
				t.Errorf("told of %d pieces of noise", len(e.noise))
			}
			if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 50<<20 {
				t.Errorf("the heap grew by %d MiB", grown>>20)
			}
		})
	}
}

func TestBigFrame(t *testing.T) {
	_, e := start(t, "big", Limits{})
	if n := len(e.await(t)); n < 20<<20 {
		t.Errorf("got %d bytes", n)
	}
}

func TestKillsWhoIgnoresTerm(t *testing.T) {
	c, e := start(t, "deaf-sleep", Limits{})
	e.await(t)
	begin := time.Now()
	c.Close(t.Context())
	if took := time.Since(begin); took > stdinWait+termWait+3*time.Second {
		t.Errorf("took %s", took)
	}
	if exit := c.Exit(); runtime.GOOS != "windows" && exit.Signal != "SIGKILL" {
		t.Errorf("exit %+v", exit)
	}
}

func TestClosedStdout(t *testing.T) {
	c, _ := start(t, "close-stdout", Limits{})
	if exit := ended(t, c); !exit.Running {
		t.Errorf("exit %+v", exit)
	}
	c.Kill()
}

// TestGrandchild: a process that the server left behind does not keep the
// connection, and is gone after it.
func TestGrandchild(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("process groups are a Unix thing")
	}
	c, e := start(t, "fork", Limits{})
	var m struct{ ID int }
	json.Unmarshal([]byte(e.await(t)), &m)
	ended(t, c)
	c.Kill()
	for range 200 {
		state, err := os.ReadFile("/proc/" + strconv.Itoa(m.ID) + "/stat")
		if err != nil || bytes.Contains(state, []byte(") Z ")) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("process %d is still there", m.ID)
}

// TestDeafServer: writing to a server that does not read respects ctx.
func TestDeafServer(t *testing.T) {
	c, _ := start(t, "sleep", Limits{})
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	begin := time.Now()
	_, err := c.Send(ctx, bytes.Repeat([]byte("x"), 4<<20))
	if !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) > 5*time.Second {
		t.Errorf("error %v after %s", err, time.Since(begin))
	}
}

func TestNotFound(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(dir+"/plain", []byte("no program"), 0o600)
	for _, args := range [][]string{{"/no/such/thing"}, {"no-such-program-anywhere"}, {""}, {dir}, {dir + "/plain"}} {
		_, err := StartStdio(Command{Args: args, Env: os.Environ()}, Limits{}, newEvents().handler())
		var missing *NotFoundError
		if !errors.As(err, &missing) {
			t.Errorf("%q: %v", args, err)
		}
	}
}

// noiseKinds lists the kinds of noise in order.
func noiseKinds(list []Noise) []NoiseKind {
	kinds := []NoiseKind{}
	for _, n := range list {
		kinds = append(kinds, n.Kind)
	}
	return kinds
}

func TestSplitter(t *testing.T) {
	const reply = `{"jsonrpc":"2.0","id":1,"result":{}}`
	tests := []struct {
		name, in string
		frames   []string
		noise    []NoiseKind
	}{
		{"one", reply + "\n", []string{reply}, nil},
		{"without an end", reply, []string{reply}, nil},
		{"two", reply + "\n" + reply + "\n", []string{reply, reply}, nil},
		{"blank lines", "\n\n" + reply + "\n\n", []string{reply}, nil},
		{"banner", "hello\n" + reply + "\n", []string{reply}, []NoiseKind{NoiseText}},
		{"json that is no message", "42\n{}\n[]\n\"x\"\nnull\n" + reply + "\n", []string{reply}, []NoiseKind{NoiseText, NoiseText, NoiseText, NoiseText, NoiseText}},
		{"result without jsonrpc", `{"id":1,"result":{}}` + "\n", []string{`{"id":1,"result":{}}`}, nil},
		{"wrong case", `{"ID":1,"RESULT":{}}` + "\n", nil, []NoiseKind{NoiseText}},
		{"bom", "\ufeff" + reply + "\n", []string{reply}, []NoiseKind{NoiseBOM}},
		{"crlf", reply + "\r\n", []string{reply}, []NoiseKind{NoiseLineBreak}},
		{"not utf-8", `{"jsonrpc":"2.0","id":1,"result":{"a":"` + "\xff" + `"}}` + "\n", []string{`{"jsonrpc":"2.0","id":1,"result":{"a":"` + "\xff" + `"}}`}, []NoiseKind{NoiseBadUTF8}},
		{"split", "{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": {}\n}\n" + reply + "\n", []string{"{\n  \"jsonrpc\": \"2.0\",\n  \"id\": 1,\n  \"result\": {}\n}", reply}, []NoiseKind{NoiseSplit}},
		{"dump", "[Breadcrumb] {\n  message: 'x',\n}\n" + reply + "\n", []string{reply}, []NoiseKind{NoiseText, NoiseText, NoiseText}},
		{"open brace", "{\n  a: 1\n" + reply + "\n", []string{reply}, []NoiseKind{NoiseText}},
		{"headers", "Content-Length: 36\r\n\r\n" + reply + "Content-Length: 36\r\n\r\n" + reply, []string{reply, reply}, []NoiseKind{NoiseHeader, NoiseHeader}},
		{"further headers", "Content-Length: 36\r\nContent-Type: application/json\r\n\r\n" + reply, []string{reply}, []NoiseKind{NoiseHeader}},
		{"header that counts the line end", "Content-Length: 37\n\n" + reply + "\n" + reply + "\n", []string{reply, reply}, []NoiseKind{NoiseHeader}},
		{"pretty body", "Content-Length: 38\n\n{\n\"jsonrpc\":\"2.0\",\n\"id\":1,\"result\":{}}" + reply + "\n", []string{"{\n\"jsonrpc\":\"2.0\",\n\"id\":1,\"result\":{}}", reply}, []NoiseKind{NoiseHeader}},
		{"logged header, short", "HTTP 200\ncontent-length: 7\n\n" + reply + "\n", []string{reply}, []NoiseKind{NoiseText, NoiseText}},
		{"logged header, long", "content-length: 500\n\n" + reply + "\n" + reply + "\n", []string{reply, reply}, []NoiseKind{NoiseText}},
		{"logged header, no empty line", "content-length: 36\n" + reply + "\n", []string{reply}, []NoiseKind{NoiseText}},
		{"logged header, then text", "content-length: 36\n\nhello\n" + reply + "\n", []string{reply}, []NoiseKind{NoiseText, NoiseText}},
		{"header at the end", "Content-Length: 36\n", nil, []NoiseKind{NoiseText}},
		{"split with an object on one line", "{\"jsonrpc\":\"2.0\",\n\"id\":1,\"result\":{\"a\":[\n{\"b\":1}\n]}}\n", []string{"{\"jsonrpc\":\"2.0\",\n\"id\":1,\"result\":{\"a\":[\n{\"b\":1}\n]}}"}, []NoiseKind{NoiseSplit}},
		{"split inside a string", "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"a\":\"b\nc\"}}\n" + reply + "\n", []string{reply}, []NoiseKind{NoiseText, NoiseText}},
		{"web log", `{"level":30,"method":"GET","url":"/"}` + "\n" + reply + "\n", []string{reply}, []NoiseKind{NoiseText}},
		{"indented", "   " + reply + "\n", []string{reply}, nil},
		{"many blanks", strings.Repeat(" ", 1000) + reply + "\n", []string{reply}, nil},
		{"full-width text", "\uff01\uff01\n" + reply + "\n", []string{reply}, []NoiseKind{NoiseText}},
		{"batch", "[" + reply + "," + reply + "]\n", []string{reply, reply}, nil},
		{"broken reply", `{"jsonrpc":"2.0","id":1,"error":{"code":1}` + "\n" + reply + "\n", []string{reply}, []NoiseKind{NoiseText}},
		{"nul bytes", "\x00\x00\n" + reply + "\n", []string{reply}, []NoiseKind{NoiseText}},
		{"duplicate keys", `{"jsonrpc":"2.0","id":1,"id":2,"result":{}}` + "\n", []string{`{"jsonrpc":"2.0","id":1,"id":2,"result":{}}`}, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, size := range []int{1, 7, 1 << 20} {
				e := newEvents()
				s := &splitter{limits: Limits{}.withDefaults(), handler: e.handler()}
				for rest := []byte(tt.in); len(rest) > 0; {
					n := min(size, len(rest))
					s.feed(rest[:n])
					rest = rest[n:]
				}
				s.end()
				if !slices.Equal(e.frames, tt.frames) {
					t.Errorf("in pieces of %d: frames %q, want %q", size, e.frames, tt.frames)
				}
				want := tt.noise
				if want == nil {
					want = []NoiseKind{}
				}
				if got := noiseKinds(e.noise); !slices.Equal(got, want) {
					t.Errorf("in pieces of %d: noise %q, want %q", size, got, want)
				}
			}
		})
	}
}

func TestOversizeFrame(t *testing.T) {
	e := newEvents()
	s := &splitter{limits: Limits{MaxFrame: 100, MaxNoise: 1 << 20}, handler: e.handler()}
	s.feed([]byte(`{"jsonrpc":"2.0","id":1,"result":"` + strings.Repeat("x", 200) + "\"}\n"))
	if len(e.frames) != 0 || len(e.noise) != 1 || e.noise[0].Kind != NoiseOversize || s.noise == 0 {
		t.Errorf("frames %q, noise %v", e.frames, e.noise)
	}
}

func FuzzSplitter(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}`+"\n"), 3)
	f.Add([]byte("Content-Length: 5\r\n\r\n{\n}\n[1,{}]\n\ufeff{}\r\n"), 1)
	f.Add([]byte("{\n\"a\":1\n}\n{\n"), 2)
	f.Fuzz(func(t *testing.T, data []byte, size int) {
		e := newEvents()
		s := &splitter{limits: Limits{MaxFrame: 1 << 16, MaxNoise: 1 << 20}, handler: Handler{
			Frame: func(fr Frame) {
				if len(fr.Raw) > 1<<20 || !json.Valid(fr.Raw) {
					t.Errorf("a frame that is no JSON: %q", fr.Raw)
				}
			},
			Noise: e.handler().Noise,
		}}
		size = max(1, size%4096)
		for rest := data; len(rest) > 0; {
			n := min(size, len(rest))
			s.feed(rest[:n])
			rest = rest[n:]
		}
		s.end()
	})
}

func TestEventReader(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"lf", "data: a\n\ndata: b\n\n", []string{"a", "b"}},
		{"crlf", "data: a\r\n\r\n", []string{"a"}},
		{"cr", "data: a\r\rdata:b\r\r", []string{"a", "b"}},
		{"lines", "data: a\ndata: b\n\n", []string{"a\nb"}},
		{"comment and fields", ": hello\nid: 1\nevent: message\nretry: 5\ndata: a\n\n", []string{"a"}},
		{"without data", "event: ping\n\ndata: a\n\n", []string{"a"}},
		{"empty data", "id: 1\ndata:\n\ndata: a\n\n", []string{"", "a"}},
		{"cut short", "data: a\n\ndata: b\n", []string{"a"}},
		{"bom", "\ufeffdata: a\n\n", []string{"a"}},
		{"too large", "data: " + strings.Repeat("x", 2000) + "\n\n", nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for r := newEventReader(strings.NewReader(tt.in), 1000); ; {
				e, err := r.next()
				if err != nil {
					break
				}
				got = append(got, string(e.data))
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func FuzzEventReader(f *testing.F) {
	f.Add([]byte("data: a\n\nid:1\r\ndata\r\r"))
	f.Add([]byte(": c\ndata: {}\ndata: x\n\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		r := newEventReader(bytes.NewReader(data), 1<<12)
		for {
			e, err := r.next()
			if err != nil {
				return
			}
			if len(e.data) > 1<<13 {
				t.Errorf("an event of %d bytes", len(e.data))
			}
		}
	})
}

func TestHTTP(t *testing.T) {
	const reply = `{"jsonrpc":"2.0","id":1,"result":{}}`
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other origin was asked") }))
	defer other.Close()
	var session, deleted string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete {
			deleted = r.Header.Get("Mcp-Session-Id")
			return
		}
		body, _ := io.ReadAll(r.Body)
		session = r.Header.Get("Mcp-Session-Id")
		switch string(body) {
		case "json":
			w.Header().Set("Mcp-Session-Id", "abc")
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, reply)
		case "sse":
			w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
			io.WriteString(w, "event: message\ndata: "+reply+"\n\n")
		case "accepted":
			w.WriteHeader(http.StatusAccepted)
		case "error":
			w.WriteHeader(http.StatusInternalServerError)
			io.WriteString(w, "<h1>Oops</h1>")
		case "rpc-error":
			w.WriteHeader(http.StatusBadRequest)
			io.WriteString(w, `{"jsonrpc":"2.0","id":1,"error":{"code":-32600,"message":"no"}}`)
		case "same-origin":
			if r.URL.Path == "/next" {
				io.WriteString(w, reply)
				return
			}
			http.Redirect(w, r, "/next", http.StatusTemporaryRedirect)
		case "loop":
			http.Redirect(w, r, "/mcp", http.StatusTemporaryRedirect)
		case "moved":
			http.Redirect(w, r, "/next", http.StatusMovedPermanently)
		case "other-origin":
			http.Redirect(w, r, other.URL, http.StatusTemporaryRedirect)
		case "with-secrets":
			http.Redirect(w, r, strings.Replace(other.URL, "//", "//user:word@", 1)+"?state=1#x", http.StatusTemporaryRedirect)
		case "no-address":
			w.Header().Set("Location", `//elsewhere\x`)
			w.WriteHeader(http.StatusFound)
		}
	}))
	defer server.Close()
	tests := []struct {
		message          string
		frames, status   int
		redirect, starts string
	}{
		{"json", 1, 200, "", ""},
		{"sse", 1, 200, "", ""},
		{"accepted", 0, 202, "", ""},
		{"error", 0, 500, "", "<h1>"},
		{"rpc-error", 1, 400, "", ""},
		{"same-origin", 1, 200, "", ""},
		{"loop", 0, 307, "/mcp", ""},
		{"moved", 0, 301, "/next", ""},
		{"other-origin", 0, 307, other.URL, ""},
		{"with-secrets", 0, 307, other.URL, ""},
		{"no-address", 0, 302, "", ""},
	}
	e := newEvents()
	c := DialHTTP(server.URL+"/mcp", http.Header{}, Limits{}, e.handler())
	for _, tt := range tests {
		e.mu.Lock()
		e.frames = nil
		e.mu.Unlock()
		receipt, err := c.Send(t.Context(), []byte(tt.message))
		if err != nil {
			t.Fatalf("%s: %v", tt.message, err)
		}
		<-receipt.Ended
		e.mu.Lock()
		if len(e.frames) != tt.frames || receipt.Status != tt.status || receipt.Redirect != tt.redirect || receipt.CrossOrigin != (tt.redirect == other.URL) || !strings.HasPrefix(string(receipt.Body), tt.starts) {
			t.Errorf("%s: %d frames, receipt %+v", tt.message, len(e.frames), receipt)
		}
		e.mu.Unlock()
	}
	if session != "abc" {
		t.Errorf("the session id sent is %q", session)
	}
	c.Close(t.Context())
	c.Kill()
	if deleted != "abc" {
		t.Errorf("the session deleted is %q", deleted)
	}
}

func TestSameOrigin(t *testing.T) {
	const home = "https://Example.test/mcp"
	for _, tt := range []struct {
		to   string
		want bool
	}{
		{"https://example.test:443/other", true},
		{"https://example.test:8443/mcp", false},
		{"http://example.test/mcp", false},
		{"https://www.example.test/mcp", false},
	} {
		from, err := url.Parse(home)
		if err != nil {
			t.Fatal(err)
		}
		to, err := url.Parse(tt.to)
		if err != nil {
			t.Fatal(err)
		}
		if got := sameOrigin(from, to); got != tt.want {
			t.Errorf("from %s to %s: %v", home, tt.to, got)
		}
	}
}

func TestHTTPErrors(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		if r.URL.Path == "/hang" {
			<-r.Context().Done()
			return
		}
		conn, _, _ := w.(http.Hijacker).Hijack()
		conn.Close()
	}))
	url := server.URL
	c := DialHTTP(url+"/cut", nil, Limits{}, newEvents().handler())
	_, err := c.Send(t.Context(), []byte("{}"))
	if err == nil || !strings.Contains(err.Error(), "closed without a response") {
		t.Errorf("a cut connection: %v", err)
	}
	c.Kill()
	c = DialHTTP(url+"/hang", nil, Limits{}, newEvents().handler())
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := c.Send(ctx, []byte("{}")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a hanging server: %v", err)
	}
	c.Kill()
	server.Close()
	c = DialHTTP(url, nil, Limits{}, newEvents().handler())
	_, err = c.Send(t.Context(), []byte("{}"))
	var failed *HTTPError
	if !errors.As(err, &failed) || err.Error() != "connection refused" {
		t.Errorf("a closed port: %v", err)
	}
	c.Kill()
}
