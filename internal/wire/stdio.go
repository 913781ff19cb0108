package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sealmark/action/internal/confine"
)

const (
	keptStderr = 4 << 10
	// eofWait is how long to wait for EOF after the process has ended, endWait
	// for its end after EOF.
	eofWait = 500 * time.Millisecond
	endWait = 2 * time.Second
	// patience before SIGTERM and before SIGKILL.
	stdinWait = 2 * time.Second
	termWait  = 3 * time.Second
)

// stdio is a connection to a child process.
type stdio struct {
	cmd    *exec.Cmd
	tree   *confine.Tree
	stdin  *os.File
	stdout *os.File
	errs   *os.File
	stderr ring
	noise  atomic.Int64

	writing chan struct{} // holds one token while somebody writes
	rest    []byte        // of a message whose writing was cut short
	flooded atomic.Bool
	closing atomic.Bool

	exited chan struct{} // the process was reaped
	done   chan struct{} // the connection has ended
	exit   Exit
	close  sync.Once
	end    sync.WaitGroup
}

// StartStdio starts a process, in its box or with a process group of its own,
// and connects to its stdin and stdout. A command that does not exist gives a *NotFoundError.
func StartStdio(command Command, limits Limits, h Handler) (Conn, error) {
	cmd, err := prepare(command)
	if err != nil {
		return nil, err
	}
	c := &stdio{cmd: cmd, writing: make(chan struct{}, 1), exited: make(chan struct{}), done: make(chan struct{}), stderr: ring{keep: keptStderr}}
	theirs, err := c.pipes()
	if err != nil {
		return nil, err
	}
	c.tree, err = launch(command, command.Box.Start, cmd)
	for _, f := range theirs {
		f.Close()
	}
	if err != nil {
		c.closePipes()
		return nil, err
	}
	c.watch(limits.withDefaults(), h)
	return c, nil
}

// pipes makes the three pipes and returns the child's ends.
func (c *stdio) pipes() (theirs []*os.File, err error) {
	in, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stdout, out, err := os.Pipe()
	if err != nil {
		in.Close()
		stdin.Close()
		return nil, err
	}
	errs, errOut, err := os.Pipe()
	if err != nil {
		for _, f := range []*os.File{in, stdin, stdout, out} {
			f.Close()
		}
		return nil, err
	}
	c.stdin, c.stdout, c.errs = stdin, stdout, errs
	c.cmd.Stdin, c.cmd.Stdout, c.cmd.Stderr = in, out, errOut
	return []*os.File{in, out, errOut}, nil
}

func (c *stdio) closePipes() {
	c.stdin.Close()
	c.stdout.Close()
	c.errs.Close()
}

// watch starts the goroutines that read stdout and stderr and wait for the
// end. All of them end with the connection.
func (c *stdio) watch(limits Limits, h Handler) {
	outEnd, errEnd := make(chan struct{}), make(chan struct{})
	c.end.Go(func() {
		defer close(outEnd)
		c.read(limits, h)
	})
	c.end.Go(func() {
		defer close(errEnd)
		io.Copy(&c.stderr, c.errs)
	})
	c.end.Go(func() {
		c.cmd.Wait()
		close(c.exited)
	})
	c.end.Go(func() {
		running := false
		select {
		case <-c.exited:
			wait(outEnd, eofWait)
		case <-outEnd:
			running = !wait(c.exited, endWait)
		}
		if !running {
			wait(errEnd, eofWait)
		}
		c.exit = c.outcome(running)
		close(c.done)
		<-c.exited
		// A descendant that holds the pipes must not keep the readers.
		wait(outEnd, eofWait)
		wait(errEnd, eofWait)
		c.stdout.Close()
		c.errs.Close()
	})
}

func wait(event <-chan struct{}, limit time.Duration) bool {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-event:
		return true
	case <-timer.C:
		return false
	}
}

func (c *stdio) read(limits Limits, h Handler) {
	s := &splitter{limits: limits, handler: h}
	buf := make([]byte, 64<<10)
	for {
		c.stdout.SetReadDeadline(s.deadline())
		n, err := c.stdout.Read(buf)
		s.feed(buf[:n])
		c.noise.Store(s.noiseBytes())
		switch {
		case s.flooded():
			c.flooded.Store(true)
			c.tree.Kill()
			return
		case errors.Is(err, os.ErrDeadlineExceeded):
			s.release()
		case err != nil:
			s.end()
			c.noise.Store(s.noiseBytes())
			return
		}
	}
}

func (c *stdio) outcome(running bool) Exit {
	e := Exit{Code: -1, Running: running, Flooded: c.flooded.Load(), Closed: c.closing.Load(), Stderr: c.stderr.String()}
	if !running {
		e.Code, e.Signal = status(c.cmd.ProcessState)
	}
	return e
}

// Send writes the message and a newline.
func (c *stdio) Send(ctx context.Context, message []byte) (*Receipt, error) {
	return nil, c.SendRaw(ctx, append(bytes.Clone(message), '\n'))
}

// SendRaw writes the bytes. It gives up when ctx or the connection ends, so a
// server that does not read can't block it. What is missing of a message that
// was cut short so is written before the next one.
func (c *stdio) SendRaw(ctx context.Context, b []byte) error {
	select {
	case c.writing <- struct{}{}:
		defer func() { <-c.writing }()
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	late := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		c.stdin.SetWriteDeadline(time.Unix(1, 0))
		close(late)
	})
	n, err := c.stdin.Write(append(c.rest, b...))
	if !stop() {
		<-late
		c.stdin.SetWriteDeadline(time.Time{})
	}
	c.rest = remainder(c.rest, b, n)
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	return err
}

// remainder returns what is still to be written after n bytes of rest and
// message: nothing of a message that was not begun.
func remainder(rest, message []byte, n int) []byte {
	if n <= len(rest) {
		return bytes.Clone(rest[n:])
	}
	return bytes.Clone(message[n-len(rest):])
}

func (c *stdio) Done() <-chan struct{} { return c.done }
func (c *stdio) Exit() Exit            { <-c.done; return c.exit }
func (c *stdio) Stderr() string        { return c.stderr.String() }
func (c *stdio) NoiseBytes() int64     { return c.noise.Load() }

// Close ends the process politely and waits for it.
func (c *stdio) Close(ctx context.Context) {
	c.close.Do(func() {
		c.closing.Store(true)
		c.stdin.Close()
		if !waitFor(ctx, c.exited, stdinWait) {
			c.tree.Terminate()
			waitFor(ctx, c.exited, termWait)
		}
		c.reap()
	})
	c.end.Wait()
}

// Kill ends the process tree at once, also while Close is being patient, and
// waits for it.
func (c *stdio) Kill() {
	select {
	case <-c.exited:
	default:
		c.tree.Kill()
	}
	c.close.Do(func() {
		c.closing.Store(true)
		c.reap()
		c.stdin.Close()
	})
	c.end.Wait()
}

// reap kills what is left of the tree and waits for the process.
func (c *stdio) reap() {
	c.tree.Kill()
	<-c.exited
}

// waitFor waits for an event up to a limit, or until ctx ends.
func waitFor(ctx context.Context, event <-chan struct{}, limit time.Duration) bool {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	select {
	case <-event:
		return true
	case <-ctx.Done():
		return false
	}
}
