package wire

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"

	"github.com/sealmark/action/internal/confine"
)

// child is a process that is not spoken to over its pipes.
type child struct {
	cmd     *exec.Cmd
	tree    *confine.Tree
	stdin   *os.File
	out     *os.File
	log     *serverLog
	exited  chan struct{} // the process was reaped
	done    chan struct{} // and its last words were read
	exit    Exit
	closing sync.Once
	asked   bool
}

// startChild starts a process, in its box or with a process group of its own.
// Its stdin stays
// open and silent.
func startChild(command Command) (*child, error) {
	cmd, err := prepare(command)
	if err != nil {
		return nil, err
	}
	in, stdin, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirs, err := os.Pipe()
	if err != nil {
		in.Close()
		stdin.Close()
		return nil, err
	}
	c := &child{cmd: cmd, stdin: stdin, out: out, log: newServerLog(), exited: make(chan struct{}), done: make(chan struct{})}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = in, theirs, theirs
	c.tree, err = launch(command, command.Box.StartServing, cmd)
	in.Close()
	theirs.Close()
	if err != nil {
		stdin.Close()
		out.Close()
		return nil, err
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(c.log, out)
	}()
	go func() {
		cmd.Wait()
		close(c.exited)
		// A descendant that holds the pipe must not keep the reader.
		wait(read, eofWait)
		out.Close()
		<-read
		c.exit = Exit{Stderr: c.log.String()}
		c.exit.Code, c.exit.Signal = status(cmd.ProcessState)
		close(c.done)
	}()
	return c, nil
}

func (c *child) ended() bool {
	select {
	case <-c.done:
		return true
	default:
		return false
	}
}

// close asks the process to end, and kills it after a while.
func (c *child) close(ctx context.Context) {
	c.closing.Do(func() {
		select {
		case <-c.exited:
		default:
			c.tree.Terminate()
			waitFor(ctx, c.exited, termWait)
		}
	})
	c.kill()
}

// kill ends the process and what it started, and waits for it.
func (c *child) kill() {
	c.tree.Kill()
	<-c.done
	c.stdin.Close()
}

// prepare looks up the program of a command and makes the process to start.
func prepare(command Command) (*exec.Cmd, error) {
	if len(command.Args) == 0 {
		return nil, errors.New("no launch command is given")
	}
	if info, err := os.Stat(cmp.Or(command.Dir, ".")); err != nil || !info.IsDir() {
		return nil, fmt.Errorf("the working directory %q does not exist", command.Dir)
	}
	path, err := lookPath(command)
	if err != nil {
		return nil, &NotFoundError{command.Args[0], err}
	}
	cmd := exec.Command(path, command.Args[1:]...)
	cmd.Args[0] = command.Args[0]
	// A nil environment would mean ours, with its secrets.
	cmd.Dir, cmd.Env = command.Dir, append([]string{}, command.Env...)
	return cmd, nil
}

// launch starts the process of a command.
func launch(command Command, start func(*exec.Cmd) (*confine.Tree, error), cmd *exec.Cmd) (*confine.Tree, error) {
	tree, err := start(cmd)
	switch {
	case err == nil:
		return tree, nil
	case errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission):
		return nil, &NotFoundError{command.Args[0], err}
	}
	return nil, fmt.Errorf("start %q: %w", command.Args[0], err)
}
