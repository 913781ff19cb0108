package gha

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	githubactions "github.com/sethvargo/go-githubactions"

	"github.com/sealmark/action/internal/redact"
)

const (
	// maxSummary keeps below the 1 MiB over which the runner drops a summary.
	maxSummary = 1000 << 10
	// maxAnnotations is how many annotations of each level the runner shows
	// per step, maxMessage the length at which it cuts them.
	maxAnnotations = 10
	maxMessage     = 4000
)

// Runner speaks to the runner of GitHub Actions. It is not safe for concurrent
// use.
type Runner struct {
	action *githubactions.Action
	getenv func(string) string
	out    io.Writer
}

// New returns a runner that writes commands to out and reads its environment
// through getenv.
func New(out io.Writer, getenv func(string) string) *Runner {
	return &Runner{action: githubactions.New(githubactions.WithWriter(out), githubactions.WithGetenv(getenv)), getenv: getenv, out: out}
}

// Input returns an input; one that is not set is empty. Not every shell passes
// on a variable with a hyphen in its name, so INPUT_FAIL_ON does as well as
// the runner's INPUT_FAIL-ON.
func (r *Runner) Input(name string) string {
	if text := r.action.GetInput(name); text != "" {
		return text
	}
	return strings.TrimSpace(r.getenv(plain(name)))
}

// plain is the name of the variable for an input that any shell can set.
func plain(input string) string {
	return "INPUT_" + strings.ToUpper(strings.ReplaceAll(input, "-", "_"))
}

// Flag reads an input that is true or false; empty is the default of the
// table.
func (r *Runner) Flag(name string) (bool, error) {
	text := r.Input(name)
	if text == "" {
		for _, in := range Inputs {
			if in.Name == name {
				text = in.Default
			}
		}
	}
	switch strings.ToLower(text) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, fmt.Errorf("input %s: must be true or false, not %q", name, text)
}

// Mask hides a value, and each of its lines, in the log from now on.
func (r *Runner) Mask(value string) {
	for line := range strings.Lines(value) {
		if line = strings.TrimSpace(line); line != "" {
			r.action.AddMask(line)
		}
	}
}

// Info writes a line of our own words to the log.
func (r *Runner) Info(text string) { fmt.Fprintln(r.out, defuse(oneLine(text))) }

// Warn writes a warning that belongs to no file.
func (r *Runner) Warn(text string) { r.action.Warningf("%s", oneLine(text)) }

// Fail writes the reason for which the step fails, to the log and the summary.
func (r *Runner) Fail(text string) {
	r.action.Errorf("%s", oneLine(text))
	if err := r.Summary("## Sealmark did not run\n\n~~~text\n" + strings.ReplaceAll(oneLine(text), "~~~", "---") + "\n~~~"); err != nil {
		r.Warn(err.Error())
	}
}

// oneLine makes one line of a text, in which the older form of a command is
// broken.
func oneLine(text string) string {
	return strings.ReplaceAll((*redact.Redactor)(nil).Line(text, maxMessage), "##[", "## [")
}

// Guarded returns a writer for text that a server may have had a hand in: the
// runner takes no command from it. Nothing else may be written until end is
// called.
func (r *Runner) Guarded() (w io.Writer, end func()) {
	token := "sealmark" + rand.Text()
	fmt.Fprintf(r.out, "::stop-commands::%s\n", token)
	return &guard{r.out}, func() { fmt.Fprintf(r.out, "\n::%s::\n", token) }
}

// Group is Guarded within a group of the log that can be folded.
func (r *Runner) Group(title string) (w io.Writer, end func()) {
	r.action.Group(oneLine(title))
	w, unguard := r.Guarded()
	return w, func() {
		unguard()
		r.action.EndGroup()
	}
}

type guard struct{ w io.Writer }

func (g *guard) Write(b []byte) (int, error) {
	_, err := io.WriteString(g.w, defuse(string(b)))
	return len(b), err
}

// defuse breaks both forms of workflow commands: ::name:: at the start of a
// line and ##[name] anywhere.
func defuse(s string) string {
	s = strings.ReplaceAll(s, "##[", "## [")
	return strings.ReplaceAll(s, "::", ": :")
}

// Annotation is a remark at a place of the repository.
type Annotation struct {
	// Level is error, warning or note.
	Level string
	// Path is relative to the repository; Line and Column count from 1, and a
	// Column of 0 is not known.
	Path           string
	Line, Column   int
	Title, Message string
}

// Annotate writes annotations, as many of each level as the runner shows, and
// returns how many were left out.
func (r *Runner) Annotate(list []Annotation) (left int) {
	written := map[string]int{}
	for _, a := range list {
		if written[a.Level] == maxAnnotations {
			left++
			continue
		}
		written[a.Level]++
		fields := map[string]string{"file": oneLine(a.Path), "line": fmt.Sprint(max(1, a.Line)), "title": oneLine(a.Title)}
		if a.Column > 0 {
			fields["col"] = fmt.Sprint(a.Column)
		}
		at := r.action.WithFieldsMap(fields)
		message := oneLine(a.Message)
		switch a.Level {
		case "error":
			at.Errorf("%s", message)
		case "warning":
			at.Warningf("%s", message)
		default:
			at.Noticef("%s", message)
		}
	}
	return left
}

// SetOutput sets an output. Outside of a workflow it does nothing.
func (r *Runner) SetOutput(name, value string) error {
	return r.append("GITHUB_OUTPUT", heredoc(name, value))
}

// heredoc writes a file command with a delimiter that the value can't know.
func heredoc(name, value string) string {
	delimiter := "sealmark_" + rand.Text()
	return fmt.Sprintf("%s<<%s\n%s\n%s\n", name, delimiter, value, delimiter)
}

// Summary adds to the job summary. Outside of a workflow it does nothing.
func (r *Runner) Summary(markdown string) error {
	if len(markdown) > maxSummary {
		return fmt.Errorf("the job summary has %d bytes, over %d", len(markdown), maxSummary)
	}
	return r.append("GITHUB_STEP_SUMMARY", markdown+"\n")
}

// append adds to the file that a variable names.
func (r *Runner) append(variable, text string) error {
	path := r.getenv(variable)
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	if err != nil {
		return fmt.Errorf("%s can't be written: %w", variable, err)
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}
