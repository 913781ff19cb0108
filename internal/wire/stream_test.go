package wire

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestResume: a stream with event ids that ends too soon is taken up again,
// within bounds.
func TestResume(t *testing.T) {
	const reply = "data: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}\n\n"
	const note = "id: n\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\",\"params\":{}}\n\n"
	tests := []struct {
		name string
		// streams are what the server sends, one after the other; "" is 405,
		// "cut" breaks the connection.
		streams []string
		frames  int
		resumed []string // the ids sent
		broken  bool
	}{
		{"whole", []string{"id: a\n" + reply}, 1, nil, false},
		{"once", []string{"id: a\nretry: 1\ndata:\n\n", reply}, 1, []string{"a"}, false},
		{"twice", []string{"id: a\nretry: 1\ndata:\n\n", note, reply}, 2, []string{"a", "n"}, false},
		{"without id", []string{"retry: 1\ndata:\n\n"}, 0, nil, false},
		{"id that fits no header", []string{"id: a\tb\nretry: 1\ndata:\n\n"}, 0, nil, false},
		{"not supported", []string{"id: a\nretry: 1\ndata:\n\n", ""}, 0, []string{"a"}, false},
		{"cut", []string{"id: a\nretry: 1\ndata:\n\n", "cut", ""}, 0, []string{"a", "a"}, true},
		{"endless", slices.Repeat([]string{"id: a\nretry: 0\nretry: 1\ndata:\n\n"}, 2*maxResumes), 0, slices.Repeat([]string{"a"}, maxResumes), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var mu sync.Mutex
			var resumed []string
			next := 0
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				mu.Lock()
				defer mu.Unlock()
				if r.Method == http.MethodGet {
					resumed = append(resumed, r.Header.Get("Last-Event-ID"))
				}
				stream := tt.streams[next]
				next++
				switch stream {
				case "":
					w.WriteHeader(http.StatusMethodNotAllowed)
				case "cut":
					w.Header().Set("Content-Type", "text/event-stream")
					fmt.Fprint(w, ": begun\n")
					w.(http.Flusher).Flush()
					panic(http.ErrAbortHandler)
				default:
					w.Header().Set("Content-Type", "text/event-stream")
					io.WriteString(w, stream)
				}
			}))
			defer server.Close()
			e := newEvents()
			c := DialHTTP(server.URL, nil, Limits{}, e.handler())
			defer c.Kill()
			receipt, err := c.Send(t.Context(), []byte("{}"))
			if err != nil {
				t.Fatal(err)
			}
			<-receipt.Ended
			var cut *HTTPError
			if errors.As(receipt.Err, &cut) != tt.broken {
				t.Errorf("ended with %v", receipt.Err)
			}
			mu.Lock()
			defer mu.Unlock()
			e.mu.Lock()
			defer e.mu.Unlock()
			if len(e.frames) != tt.frames || !slices.Equal(resumed, tt.resumed) {
				t.Errorf("%d frames, taken up after %q", len(e.frames), resumed)
			}
		})
	}
}

// TestKillWhileWaiting: the end of a connection does not wait for a stream that
// is to be taken up again.
func TestKillWhileWaiting(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		io.WriteString(w, "id: a\nretry: 5000\ndata:\n\n")
	}))
	defer server.Close()
	c := DialHTTP(server.URL, nil, Limits{}, newEvents().handler())
	receipt, err := c.Send(t.Context(), []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	c.Kill()
	if took := time.Since(begin); took > 3*time.Second {
		t.Errorf("Kill took %s", took)
	}
	<-receipt.Ended
}
