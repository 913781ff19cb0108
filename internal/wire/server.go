package wire

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/sealmark/action/internal/config"
)

// Server says how a server is started and reached: a command over stdio, the
// URL of one that runs, or a command and the URL at which it listens.
// config.Port in either stands for a free port.
type Server struct {
	// Command starts the server; without Args it runs already.
	Command Command
	// URL is where it is reached, "" over stdio.
	URL string
	// Header is sent with each request.
	Header http.Header
	// Limit is how long a server that is started may take to listen.
	Limit time.Duration
}

// HTTP reports whether the server is reached over HTTP.
func (s Server) HTTP() bool { return s.URL != "" }

// Remote reports whether the server runs without us, so that it can't be
// started anew.
func (s Server) Remote() bool { return s.HTTP() && len(s.Command.Args) == 0 }

// Single reports whether no instance can run beside another, since all listen
// on one port.
func (s Server) Single() bool { return s.HTTP() && !s.Remote() && !s.wantsPort() }

func (s Server) wantsPort() bool { return strings.Contains(s.URL, config.Port) }

// Dial connects to a server, and starts it first unless it runs. It waits for
// one that listens until ctx ends. Its errors are those of StartStdio, and
// *ExitError and *SilentError of a server that does not come to listen.
func Dial(ctx context.Context, s Server, limits Limits, h Handler) (Conn, error) {
	switch {
	case s.Remote():
		return DialHTTP(s.URL, s.Header, limits, h), nil
	case !s.HTTP():
		command, err := s.Command.withPort()
		if err != nil {
			return nil, err
		}
		return StartStdio(command, limits, h)
	}
	served, err := Serve(ctx, s)
	if err != nil {
		return nil, err
	}
	return served.dial(s.Header, limits, h), nil
}

// withPort puts a free port into the command, if it asks for one.
func (c Command) withPort() (Command, error) {
	asks := func(list []string) bool { return strings.Contains(strings.Join(list, "\n"), config.Port) }
	if !asks(c.Args) && !asks(c.Env) {
		return c, nil
	}
	port, release, err := freePort()
	if err != nil {
		return c, err
	}
	release() // when the process ends is not known here
	return c.filled(port), nil
}

// filled is the command with a port in place of the placeholder.
func (c Command) filled(port string) Command {
	fill := func(list []string) []string {
		out := make([]string, len(list))
		for i, text := range list {
			out[i] = strings.ReplaceAll(text, config.Port, port)
		}
		return out
	}
	c.Args, c.Env = fill(c.Args), fill(c.Env)
	return c
}
