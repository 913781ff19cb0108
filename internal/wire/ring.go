package wire

import (
	"regexp"
	"sync"
)

// ring keeps the end of a stream.
type ring struct {
	mu   sync.Mutex
	keep int
	tail []byte
	// port is a free port that was chosen, which is not shown; "" for none.
	port string
}

func (r *ring) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := len(b)
	if n > r.keep {
		b = b[n-r.keep:]
	}
	r.tail = append(r.tail, b...)
	if over := len(r.tail) - r.keep; over > r.keep {
		r.tail = append(r.tail[:0], r.tail[over:]...)
	}
	return n, nil
}

func (r *ring) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return hide(string(r.tail[max(0, len(r.tail)-r.keep):]), r.port)
}

// hide writes <port> for a port that was chosen, which differs from run to run.
func hide(text, port string) string {
	if port == "" {
		return text
	}
	return regexp.MustCompile(`\b`+port+`\b`).ReplaceAllString(text, "<port>")
}
