package wire

import (
	"bytes"
	"regexp"
	"slices"
	"sync"
)

const (
	// maxLine is how much of a line of a log is looked at, in bytes.
	maxLine = 4 << 10
	// maxPorts is how many ports a log may name.
	maxPorts = 8
)

// serverLog keeps the end of what a server over HTTP writes to stdout and
// stderr, and the ports on which it says that it listens.
type serverLog struct {
	ring
	// named gets a value when a port is named.
	named chan struct{}

	lines sync.Mutex // guards what follows
	line  []byte
	seen  []string
}

func newServerLog() *serverLog {
	return &serverLog{ring: ring{keep: keptStderr}, named: make(chan struct{}, 1)}
}

func (l *serverLog) Write(b []byte) (int, error) {
	l.ring.Write(b)
	l.lines.Lock()
	defer l.lines.Unlock()
	for rest := b; len(rest) > 0; {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		l.line = append(l.line, line[:min(len(line), maxLine-len(l.line))]...)
		if whole {
			l.read()
		}
		rest = after
	}
	return len(b), nil
}

var (
	// says are the words of a server that listens.
	says = regexp.MustCompile(`(?i)listen|running|started|serving|ready|available|server|bound|^\s*https?://\S+\s*$`)
	// places are the forms in which it names its port.
	places = []*regexp.Regexp{
		regexp.MustCompile(`https?://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|\*)(?::(\d{2,5}))\b`),
		regexp.MustCompile(`(?i)\bport\W{1,3}(\d{2,5})\b`),
		regexp.MustCompile(`(?i)\b(?:on|at)\W+(?:[\w.]*|\[::1?\]):(\d{2,5})\b`),
	}
)

// read looks for a port in a whole line. A log that names many is no help.
func (l *serverLog) read() {
	line := l.line
	l.line = l.line[:0]
	if len(l.seen) == maxPorts || !says.Match(line) {
		return
	}
	for _, place := range places {
		m := place.FindSubmatch(line)
		if m == nil || slices.Contains(l.seen, string(m[1])) {
			continue
		}
		l.seen = append(l.seen, string(m[1]))
		select {
		case l.named <- struct{}{}:
		default:
		}
		return
	}
}

// ports are those on which the server says that it listens, in its order.
func (l *serverLog) ports() []string {
	l.lines.Lock()
	defer l.lines.Unlock()
	return slices.Clone(l.seen)
}
