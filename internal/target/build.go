package target

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sealmark/action/internal/confine"
	"github.com/sealmark/action/internal/redact"
)

// BuildOptions say how a server is built.
type BuildOptions struct {
	// Env are variables for the build alone, beside those of the box.
	Env map[string]string
	// Limit bounds the time of all steps together.
	Limit time.Duration
	// Out gets the output while it comes, redacted; nil for nobody.
	Out io.Writer
	// Redact removes what nobody may see.
	Redact *redact.Redactor
}

// Built is a build that went well.
type Built struct {
	// Log is the output, redacted and bounded.
	Log []byte
	// Took is how long it took.
	Took time.Duration
}

// BuildError is a build that did not go well.
type BuildError struct {
	// Step is the command at fault.
	Step Step
	// Missing is the toolchain that is not there, nil if it is something else.
	Missing *MissingError
	// Ended says how the command ended: "exited with status 1".
	Ended string
	// First is the first line of the output that reports an error, "" if none
	// does; Last are the last lines.
	First string
	Last  []string
	// Log is the output, redacted and bounded.
	Log []byte
	// Took is how long it took.
	Took time.Duration
}

func (e *BuildError) Error() string {
	if e.Missing != nil {
		return e.Missing.Error()
	}
	text := fmt.Sprintf("the build failed: %s %s", strings.Join(e.Step.Args, " "), e.Ended)
	if e.First != "" {
		text += ": " + e.First
	}
	return text
}

// lastLines is how many lines of the output an error holds.
const lastLines = 15

// Build runs the steps in a box, one after the other. needs are programs that
// must be there. Its error is a *BuildError, or ctx's.
func Build(ctx context.Context, steps []Step, needs []string, box *confine.Box, o BuildOptions) (*Built, error) {
	begin := time.Now()
	env := append(slices.Concat(box.Env(), quiet), pairs(o.Env)...)
	if missing := lookFor(needs, steps, env); missing != nil {
		return nil, &BuildError{Missing: missing}
	}
	log := newBuildLog(o.Redact, o.Out)
	limited, cancel := context.WithTimeout(ctx, o.Limit)
	defer cancel()
	for _, step := range steps {
		fmt.Fprintf(log, "$ %s\n", strings.Join(step.Args, " "))
		ended, err := run(limited, step, box, env, log)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil && limited.Err() != nil {
			ended = fmt.Sprintf("was ended after %s, the limit of the build", o.Limit)
		}
		if err != nil {
			log.flush()
			clean := func(text string) string { return o.Redact.Line(text, 500) }
			failed := &BuildError{Step: Step{Dir: step.Dir}, Ended: clean(ended), First: log.first, Last: log.last(), Log: log.bytes(), Took: time.Since(begin)}
			for _, arg := range step.Args {
				failed.Step.Args = append(failed.Step.Args, clean(arg))
			}
			return nil, failed
		}
	}
	log.flush()
	return &Built{Log: log.bytes(), Took: time.Since(begin)}, nil
}

// quiet are the variables by which the usual tools ask nothing and say little.
var quiet = []string{
	"CI=true", "NO_COLOR=1", "COREPACK_ENABLE_DOWNLOAD_PROMPT=0",
	"npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false", "npm_config_progress=false",
}

func pairs(env map[string]string) []string {
	list := make([]string, 0, len(env))
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}

// drainWait is how long to read on when a command has ended but something that
// it started holds its output.
const drainWait = 2 * time.Second

// run runs a step and ends all that it leaves behind. ended says how it ended
// if that is an error.
func run(ctx context.Context, step Step, box *confine.Box, env []string, log io.Writer) (ended string, err error) {
	program, err := lookPath(step.Args[0], filepath.Join(box.Dir(), filepath.FromSlash(step.Dir)), env)
	if err != nil {
		return "could not be started: " + err.Error(), err
	}
	out, theirs, err := os.Pipe()
	if err != nil {
		return "could not be started: " + err.Error(), err
	}
	defer out.Close()
	cmd := exec.Command(program, step.Args[1:]...)
	cmd.Args[0] = step.Args[0]
	cmd.Dir, cmd.Env = filepath.Join(box.Dir(), filepath.FromSlash(step.Dir)), env
	cmd.Stdout, cmd.Stderr = theirs, theirs
	tree, err := box.StartOnline(cmd)
	theirs.Close()
	if err != nil {
		return "could not be started: " + err.Error(), err
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		io.Copy(log, out)
	}()
	stop := context.AfterFunc(ctx, tree.Kill)
	err = cmd.Wait()
	stop()
	tree.Kill()
	out.SetReadDeadline(time.Now().Add(drainWait))
	<-read
	if err == nil {
		err = ctx.Err()
	}
	return endOf(err), err
}

// endOf says how a command ended.
func endOf(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() >= 0 {
		return fmt.Sprintf("exited with status %d", exit.ExitCode())
	}
	if err == nil {
		return ""
	}
	return "ended: " + err.Error()
}
