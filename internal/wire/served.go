package wire

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/sealmark/action/internal/config"
)

// ExitError says that a server ended before it listened.
type ExitError struct{ Exit Exit }

func (e *ExitError) Error() string { return "the server " + e.Exit.String() + " before it listened" }

// SilentError says that a server did not come to listen in time.
type SilentError struct {
	Address string
	Limit   time.Duration
	Exit    Exit
}

func (e *SilentError) Error() string {
	return fmt.Sprintf("nothing listened at %s within %s", e.Address, e.Limit)
}

// TakenError says that somebody else listens where the server should.
type TakenError struct{ Address string }

func (e *TakenError) Error() string {
	return fmt.Sprintf("another program listens at %s already", e.Address)
}

// Served is a server that we started and that listens.
type Served struct {
	// URL is where, with its port.
	URL     string
	process *child
	release []func() // of ports
	freed   sync.Once
}

// maxConflicts is how often a server is started again with another port, after
// somebody has taken the free one in between.
const maxConflicts = 3

// conflict are the words for a port that is taken.
var conflict = regexp.MustCompile(`(?i)EADDRINUSE|address (?:is )?already in use|only one usage of each socket address`)

// Serve starts a server and waits until it listens, or ends, or its limit or
// ctx is over.
func Serve(ctx context.Context, s Server) (*Served, error) {
	for tries := 1; ; tries++ {
		served, err := serve(ctx, s)
		var exit *ExitError
		if errors.As(err, &exit) && s.wantsPort() && tries < maxConflicts && conflict.MatchString(exit.Exit.Stderr) {
			continue
		}
		return served, err
	}
}

func serve(ctx context.Context, s Server) (*Served, error) {
	served := &Served{URL: s.URL}
	command, err := served.place(ctx, s)
	if err != nil {
		return nil, err
	}
	if served.process, err = startChild(command); err != nil {
		served.free()
		return nil, err
	}
	if err := served.await(ctx, s.Limit); err != nil {
		served.Kill()
		return nil, err
	}
	return served, nil
}

// place decides where the server is to listen, and tells it: by the
// placeholder, and by the variable PORT unless it has one.
func (s *Served) place(ctx context.Context, server Server) (Command, error) {
	if server.wantsPort() {
		port, release, err := freePort()
		if err != nil {
			return Command{}, err
		}
		s.release = append(s.release, release)
		s.URL = strings.ReplaceAll(server.URL, config.Port, port)
		command := server.Command.filled(port)
		if !hasVariable(command.Env, "PORT") {
			command.Env = append(command.Env, "PORT="+port)
		}
		return command, nil
	}
	if address := addressOf(s.URL); listens(ctx, address) {
		return Command{}, &TakenError{address}
	}
	return server.Command.withPort()
}

func hasVariable(env []string, name string) bool {
	for _, pair := range env {
		if strings.HasPrefix(pair, name+"=") {
			return true
		}
	}
	return false
}

// addressOf is the host and port of a URL.
func addressOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443"}[u.Scheme]
	}
	if port == "" {
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// The waits between attempts to connect.
const (
	firstPause = 2 * time.Millisecond
	lastPause  = 250 * time.Millisecond
)

// await waits until somebody listens at the URL, or at a port that the server
// says it listens on.
func (s *Served) await(ctx context.Context, limit time.Duration) error {
	waited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for pause := firstPause; ; pause = min(2*pause, lastPause) {
		if listens(waited, addressOf(s.URL)) && !s.process.ended() {
			return nil
		}
		for _, port := range s.process.log.ports() {
			if s.adopt(waited, port) {
				return nil
			}
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-s.process.log.named:
			pause = firstPause
		case <-s.process.done:
			return &ExitError{s.process.exit}
		case <-waited.Done():
			if ctx.Err() != nil {
				return ctx.Err()
			}
			return &SilentError{addressOf(s.URL), limit, Exit{Code: -1, Stderr: s.process.log.String()}}
		}
		timer.Stop()
	}
}

// adopt takes a port that the server names in place of the one that it was
// given, unless another server of ours has it.
func (s *Served) adopt(ctx context.Context, port string) bool {
	u, err := url.Parse(s.URL)
	if err != nil || u.Port() == port {
		return false
	}
	release, ok := hold(port)
	if !ok {
		return false
	}
	u.Host = net.JoinHostPort(u.Hostname(), port)
	if !listens(ctx, u.Host) || s.process.ended() {
		release()
		return false
	}
	s.URL, s.release = u.String(), append(s.release, release)
	return true
}

// Kill ends the server and all that it started.
func (s *Served) Kill() {
	s.process.kill()
	s.free()
}

// Close asks the server to end, and kills what is left after 3 s.
func (s *Served) Close(ctx context.Context) {
	s.process.close(ctx)
	s.free()
}

func (s *Served) free() {
	s.freed.Do(func() {
		for _, release := range s.release {
			release()
		}
	})
}

// Done is closed when the server has ended.
func (s *Served) Done() <-chan struct{} { return s.process.done }

// dial connects to the server; the connection ends with it and ends it.
func (s *Served) dial(header http.Header, limits Limits, h Handler) Conn {
	c := &servedConn{httpConn: DialHTTP(s.URL, header, limits, h).(*httpConn), served: s, done: make(chan struct{})}
	go func() {
		defer close(c.done)
		select {
		case <-c.httpConn.Done():
		case <-s.Done():
		}
	}()
	return c
}

// servedConn is a connection over HTTP to a server that we started.
type servedConn struct {
	*httpConn
	served *Served
	done   chan struct{}
}

// errEnded says that the server ended before it took a message.
var errEnded = errors.New("the server has ended")

// Send sends one message. Where the connection breaks since the server ends,
// the error is no *HTTPError, so that the end of the process counts.
func (c *servedConn) Send(ctx context.Context, message []byte) (*Receipt, error) {
	receipt, err := c.httpConn.Send(ctx, message)
	var broken *HTTPError
	if errors.As(err, &broken) && ctx.Err() == nil && wait(c.served.Done(), eofWait) {
		return nil, errEnded
	}
	return receipt, err
}

func (c *servedConn) SendRaw(ctx context.Context, b []byte) error {
	_, err := c.Send(ctx, b)
	return err
}

func (c *servedConn) Done() <-chan struct{} { return c.done }

func (c *servedConn) Exit() Exit {
	<-c.done
	if c.served.process.ended() {
		return c.served.process.exit
	}
	return c.httpConn.Exit()
}

func (c *servedConn) Stderr() string { return c.served.process.log.String() }

// Close ends the session with DELETE where there is one, then the server.
func (c *servedConn) Close(ctx context.Context) {
	if !c.served.process.ended() {
		c.httpConn.Close(ctx)
	}
	c.httpConn.Kill()
	c.served.Close(ctx)
	<-c.done
}

func (c *servedConn) Kill() {
	c.served.Kill()
	c.httpConn.Kill()
	<-c.done
}
