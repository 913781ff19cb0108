package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// listener is a server over HTTP, or what fails to become one.
func listener(mode string) {
	port := os.Getenv("PORT")
	switch mode {
	case "listen-never":
		fmt.Println("warming up")
		time.Sleep(time.Hour)
	case "listen-dies":
		time.Sleep(100 * time.Millisecond)
		fmt.Fprintln(os.Stderr, "last words")
		os.Exit(3)
	case "listen-late":
		time.Sleep(300 * time.Millisecond)
	case "listen-log", "listen-port":
		port = "0"
	case "listen-conflict":
		mark, err := os.OpenFile(os.Args[1], os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			mark.Close()
			fmt.Fprintln(os.Stderr, "Error: listen EADDRINUSE: address already in use")
			os.Exit(1)
		}
	}
	l, err := net.Listen("tcp", "127.0.0.1:"+port)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	switch mode {
	case "listen-log":
		fmt.Printf("Server running at http://%s/mcp\n", l.Addr())
	case "listen-port":
		_, port, _ := net.SplitHostPort(l.Addr().String())
		fmt.Fprintln(os.Stderr, "Listening on port "+port)
	}
	http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/exit" {
			fmt.Fprintln(os.Stderr, "told to exit")
			os.Exit(4)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{}}`)
	}))
}

// listening is a server that is started in a mode.
func listening(mode, path string, args ...string) Server {
	return Server{
		Command: Command{Args: append([]string{os.Args[0]}, args...), Env: append(os.Environ(), helper+"="+mode)},
		URL:     "http://127.0.0.1:${PORT}" + path, Limit: 20 * time.Second,
	}
}

func TestServe(t *testing.T) {
	for _, mode := range []string{"listen", "listen-late", "listen-log", "listen-port", "listen-conflict"} {
		t.Run(mode, func(t *testing.T) {
			e := newEvents()
			c, err := Dial(t.Context(), listening(mode, "/mcp", filepath.Join(t.TempDir(), "mark")), Limits{}, e.handler())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Kill()
			if _, err := c.Send(t.Context(), []byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}`)); err != nil {
				t.Fatal(err)
			}
			if got := e.await(t); !strings.Contains(got, `"result"`) {
				t.Errorf("got %s", got)
			}
			c.Close(t.Context())
			address := addressOf(c.(*servedConn).url)
			if listens(context.Background(), address) {
				t.Errorf("something listens at %s after the end", address)
			}
		})
	}
}

func TestServeFails(t *testing.T) {
	_, err := Dial(t.Context(), listening("listen-dies", "/"), Limits{}, newEvents().handler())
	var exit *ExitError
	if !errors.As(err, &exit) || exit.Exit.Code != 3 || !strings.Contains(exit.Exit.Stderr, "last words") {
		t.Errorf("dies: %v", err)
	}
	never := listening("listen-never", "/")
	never.Limit = 500 * time.Millisecond
	_, err = Dial(t.Context(), never, Limits{}, newEvents().handler())
	var silent *SilentError
	if !errors.As(err, &silent) {
		t.Errorf("never: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err = Dial(ctx, listening("listen-never", "/"), Limits{}, newEvents().handler()); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	fixed := listening("listen", "/")
	fixed.URL = "http://" + l.Addr().String() + "/"
	_, err = Dial(t.Context(), fixed, Limits{}, newEvents().handler())
	var taken *TakenError
	if !errors.As(err, &taken) {
		t.Errorf("taken: %v", err)
	}
	_, err = Dial(t.Context(), Server{Command: Command{Args: []string{"/no/such/thing"}}, URL: "http://127.0.0.1:${PORT}/"}, Limits{}, newEvents().handler())
	var missing *NotFoundError
	if !errors.As(err, &missing) {
		t.Errorf("missing: %v", err)
	}
}

// TestServedEnds: the end of the process is what a message and the connection
// end with.
func TestServedEnds(t *testing.T) {
	c, err := Dial(t.Context(), listening("listen", "/exit"), Limits{}, newEvents().handler())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Kill()
	_, err = c.Send(t.Context(), []byte(`{}`))
	var broken *HTTPError
	if err == nil || errors.As(err, &broken) {
		t.Errorf("the error is %v", err)
	}
	if exit := ended(t, c); exit.Code != 4 || !strings.Contains(exit.Stderr, "told to exit") {
		t.Errorf("exit %+v", exit)
	}
}

func TestLogPorts(t *testing.T) {
	for text, want := range map[string][]string{
		"Server listening on http://localhost:3000/mcp\n":            {"3000"},
		"http://127.0.0.1:3001\n":                                    {"3001"},
		"listening on :8080\n":                                       {"8080"},
		"MCP server started on port 4567\n":                          {"4567"},
		"INFO:     Uvicorn running on http://0.0.0.0:8000 (Press)\n": {"8000"},
		"ready at [::]:9090\n":                                       {"9090"},
		"connecting to http://localhost:5432\n":                      nil,
		"listening on port 4000":                                     nil,
		"listening on port 12\nlistening on port 12\n":               {"12"},
		strings.Repeat("x", 3*maxLine) + " listening on port 5000\n": nil,
	} {
		l := newServerLog()
		for i := range len(text) {
			l.Write([]byte(text[i : i+1]))
		}
		if got := l.ports(); !slices.Equal(got, want) {
			t.Errorf("%.60q: got %q, want %q", text, got, want)
		}
	}
}

// FuzzServerLog: nothing that a server writes crashes the reading of its log,
// or grows it.
func FuzzServerLog(f *testing.F) {
	f.Add([]byte("listening on http://localhost:3000\n"))
	f.Add([]byte(strings.Repeat("a", 5000) + "\nport: 99999\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		l := newServerLog()
		for range 3 {
			if n, err := l.Write(b); n != len(b) || err != nil {
				t.Fatal(n, err)
			}
		}
		if len(l.line) > maxLine || len(l.ports()) > maxPorts {
			t.Errorf("a line of %d bytes, %d ports", len(l.line), len(l.ports()))
		}
	})
}
