package wire

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestNoEnvironment: a command without an environment does not get ours.
func TestNoEnvironment(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs /bin/cat and /proc")
	}
	t.Setenv("SEALMARK_TEST_SECRET", "do-not-inherit")
	c, err := StartStdio(Command{Args: []string{"/bin/cat", "/proc/self/environ"}}, Limits{}, newEvents().handler())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Kill()
	ended(t, c)
	if n := c.NoiseBytes(); n != 0 {
		t.Errorf("the process has an environment of %d bytes", n)
	}
}

func TestMissingDirectory(t *testing.T) {
	_, err := StartStdio(Command{Args: []string{os.Args[0]}, Dir: t.TempDir() + "/none"}, Limits{}, newEvents().handler())
	if err == nil || !strings.Contains(err.Error(), "working directory") {
		t.Errorf("error %v", err)
	}
}

// TestResumesCutMessage: what is missing of a message whose writing was given
// up comes before the next message, so that the server never reads half of it.
func TestResumesCutMessage(t *testing.T) {
	c, e := start(t, "late-reader", Limits{})
	long := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"result":"%s"}`, strings.Repeat("x", 1<<20))
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	if _, err := c.Send(ctx, []byte(long)); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("error %v", err)
	}
	if _, err := c.Send(t.Context(), []byte(`{"jsonrpc":"2.0","id":2,"result":{}}`)); err != nil {
		t.Fatal(err)
	}
	e.await(t)
	e.await(t)
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.noise) > 0 || len(e.frames) != 2 || len(e.frames[0]) != len(long) {
		t.Errorf("%d frames, noise %q", len(e.frames), e.noise)
	}
}

// TestWaitingWriter: a writer that waits for another one respects its ctx.
func TestWaitingWriter(t *testing.T) {
	c, _ := start(t, "sleep", Limits{})
	first, end := context.WithCancel(t.Context())
	wrote := make(chan error)
	go func() { wrote <- c.SendRaw(first, bytes.Repeat([]byte("x"), 4<<20)) }()
	time.Sleep(100 * time.Millisecond)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	begin := time.Now()
	if err := c.SendRaw(ctx, []byte("y")); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) > 2*time.Second {
		t.Errorf("error %v after %s", err, time.Since(begin))
	}
	end()
	if err := <-wrote; !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestBrokenMessage: a message that never gets complete is noise before
// anything else comes.
func TestBrokenMessage(t *testing.T) {
	_, e := start(t, "broken", Limits{})
	for begin := time.Now(); time.Since(begin) < 10*time.Second; time.Sleep(20 * time.Millisecond) {
		e.mu.Lock()
		n := len(e.noise)
		e.mu.Unlock()
		if n > 0 {
			return
		}
	}
	t.Error("no noise came")
}

// TestKillInterruptsClose: Kill does not wait for a patient Close.
func TestKillInterruptsClose(t *testing.T) {
	c, e := start(t, "deaf", Limits{})
	e.await(t)
	closed := make(chan struct{})
	go func() {
		defer close(closed)
		c.Close(context.Background())
	}()
	time.Sleep(100 * time.Millisecond)
	begin := time.Now()
	c.Kill()
	<-closed
	if took := time.Since(begin); took > 1500*time.Millisecond {
		t.Errorf("took %s", took)
	}
}

func TestToldPerKind(t *testing.T) {
	e := newEvents()
	s := &splitter{limits: Limits{}.withDefaults(), handler: Handler{Frame: func(Frame) {}, Noise: e.handler().Noise}}
	for range 2 * toldNoise {
		s.feed([]byte("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\r\n"))
	}
	s.feed([]byte("banner\n"))
	if n := len(e.noise); n != toldNoise+1 || e.noise[n-1].Kind != NoiseText {
		t.Errorf("told of %d pieces", n)
	}
}

// TestPendingNoise: text counts before its line has ended.
func TestPendingNoise(t *testing.T) {
	s := &splitter{limits: Limits{}.withDefaults(), handler: newEvents().handler()}
	s.feed([]byte("Enter a key: "))
	if n := s.noiseBytes(); n != 13 {
		t.Errorf("%d bytes", n)
	}
}

// TestHTTPHostile: bodies that stall, break off or never end.
func TestHTTPHostile(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		switch r.URL.Path {
		case "/stall":
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, "{")
			w.(http.Flusher).Flush()
			<-r.Context().Done()
		case "/cut":
			w.Header().Set("Content-Length", "1000")
			io.WriteString(w, `{"jsonrpc":"2.0"`)
		case "/comments", "/events":
			w.Header().Set("Content-Type", "text/event-stream")
			line := []byte(strings.Repeat(": nothing\n", 1000))
			if r.URL.Path == "/events" {
				line = []byte(strings.Repeat("data: nothing\n\n", 1000))
			}
			for r.Context().Err() == nil {
				if _, err := w.Write(line); err != nil {
					return
				}
			}
		case "/endless":
			for r.Context().Err() == nil {
				if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<16)); err != nil {
					return
				}
			}
		}
	}))
	defer server.Close()
	limits := Limits{MaxFrame: 1 << 20, MaxNoise: 1 << 20}
	send := func(t *testing.T, path string) (*Receipt, error) {
		c := DialHTTP(server.URL+path, nil, limits, newEvents().handler())
		t.Cleanup(c.Kill)
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		return c.Send(ctx, []byte("{}"))
	}
	t.Run("stall", func(t *testing.T) {
		if _, err := send(t, "/stall"); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v", err)
		}
	})
	t.Run("cut", func(t *testing.T) {
		_, err := send(t, "/cut")
		if err == nil || !strings.Contains(err.Error(), "in the middle of a response") {
			t.Errorf("error %v", err)
		}
	})
	for _, path := range []string{"/comments", "/events"} {
		t.Run(path, func(t *testing.T) {
			receipt, err := send(t, path)
			if err != nil {
				t.Fatal(err)
			}
			select {
			case <-receipt.Ended:
			case <-time.After(20 * time.Second):
				t.Error("the stream is still read")
			}
		})
	}
	t.Run("endless", func(t *testing.T) {
		receipt, err := send(t, "/endless")
		if err != nil || len(receipt.Body) != keptBody {
			t.Errorf("receipt %+v, error %v", receipt, err)
		}
	})
}
