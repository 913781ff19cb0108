package target

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"

	"github.com/sealmark/action/internal/redact"
)

const (
	// keptHead and keptTail are how much of a build's output is kept, in bytes.
	keptHead = 64 << 10
	keptTail = 192 << 10
	// maxLine is where a line is cut, maxShown how much is shown while it comes.
	maxLine  = 4 << 10
	maxShown = 4 << 20
)

// buildLog takes the output of a build line by line. It keeps its beginning and
// its end, and the first line that reports an error.
type buildLog struct {
	redact *redact.Redactor
	out    io.Writer

	mu      sync.Mutex
	line    []byte
	head    bytes.Buffer
	tail    []byte
	dropped int
	shown   int
	first   string
	vague   bool // first is no more than a code of npm
	trace   bool // a Python traceback is under way
	command string
}

func newBuildLog(cleaner *redact.Redactor, out io.Writer) *buildLog {
	return &buildLog{redact: cleaner, out: out}
}

func (l *buildLog) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for rest := b; len(rest) > 0; {
		line, after, whole := bytes.Cut(rest, []byte("\n"))
		l.line = append(l.line, line[:max(0, min(len(line), maxLine-len(l.line)))]...)
		if whole {
			l.end()
		}
		rest = after
	}
	return len(b), nil
}

// flush ends a last line without an end.
func (l *buildLog) flush() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.line) > 0 {
		l.end()
	}
}

// colours are the escape sequences of terminals.
var colours = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]`)

// end takes a whole line.
func (l *buildLog) end() {
	raw := colours.ReplaceAllString(strings.TrimRight(string(l.line), "\r"), "")
	if i := strings.LastIndexByte(raw, '\r'); i >= 0 { // what a terminal would show
		raw = raw[i+1:]
	}
	l.line = l.line[:0]
	line := l.redact.Text(raw, maxLine)
	l.judge(line)
	l.keep(line + "\n")
	if l.out == nil || l.shown > maxShown {
		return
	}
	if l.shown += len(line) + 1; l.shown > maxShown {
		line = "… the rest of the output is not shown here"
	}
	io.WriteString(l.out, line+"\n")
}

func (l *buildLog) keep(line string) {
	if l.tail == nil && l.head.Len()+len(line) <= keptHead {
		l.head.WriteString(line)
		return
	}
	l.tail = append(l.tail, line...)
	if over := len(l.tail) - keptTail; over > keptTail {
		l.tail = append(l.tail[:0], l.tail[over:]...)
		l.dropped += over
	}
}

// bytes are the beginning and the end of the output.
func (l *buildLog) bytes() []byte {
	l.mu.Lock()
	defer l.mu.Unlock()
	tail, dropped := l.tail, l.dropped
	if over := len(tail) - keptTail; over > 0 {
		tail, dropped = tail[over:], dropped+over
	}
	var b bytes.Buffer
	b.Write(l.head.Bytes())
	if dropped > 0 {
		fmt.Fprintf(&b, "\n… %d bytes left out …\n\n", dropped)
	}
	b.Write(bytes.ToValidUTF8(tail, nil))
	return b.Bytes()
}

// last are the last lines that hold anything.
func (l *buildLog) last() []string {
	var lines []string
	for line := range strings.Lines(string(l.bytes())) {
		if line = strings.TrimRight(line, "\n"); strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines[max(0, len(lines)-lastLines):]
}

// errorLines are the forms in which the usual tools report an error.
var errorLines = regexp.MustCompile(`(?i)` + strings.Join([]string{
	`^npm (?:ERR!|error) [^A-Za-z]*(?:code|missing|could not|cannot|\d{3}|no matching|this |invalid|unsupported|[A-Z]{4,})`,
	`\berror TS\d+:`, `\berror CS\d+:`, `\berror NETSDK\d+:`, `\berror MSB\d+:`,
	`^error(?:\[E\d+\])?:`, `\berror: `, `\bERROR in `, `^\s*ERR_[A-Z_]+`, `^✘ \[ERROR\]`,
	`^\[ERROR\] `, `^FAILURE: `, `\bBUILD FAILED\b`, `^FAILED\b`, `^make: \*\*\* `,
	`^(?:\w+\.)*\w*(?:Error|Exception): `, `^fatal: `, `^panic: `, `^\S+\.go:\d+(?::\d+)?: `, `^go: .*(?:not found|cannot|unknown|requires|invalid|missing)`,
	`^sh: .*not found`, `: command not found$`, `^E: `, `^× `,
}, "|"))

// command is a command to the runner of GitHub Actions that changes something
// in the job, in both of its forms. Annotations are none: many tools write them.
var command = regexp.MustCompile(`(?i)^\s*::(set-env|set-output|save-state|add-path|add-mask|add-matcher|remove-matcher|stop-commands|echo)(?: [^:]*)?::|##\[(set-env|set-output|save-state|add-path|add-mask|add-matcher|remove-matcher|stop-commands|echo)[ \]]`)

// judge notes the first command to the runner, and the first line that reports
// an error. Of a Python traceback that
// is the one that ends it.
func (l *buildLog) judge(line string) {
	if m := command.FindStringSubmatch(line); l.command == "" && m != nil {
		l.command = m[1] + m[2]
	}
	if l.vague {
		detail, is := npmDetail(line)
		if is {
			l.first = l.redact.Line(detail, 500)
		}
		l.vague = !is && (strings.TrimSpace(line) == "" || strings.HasPrefix(line, "npm "))
		return
	}
	if l.first != "" || strings.HasPrefix(line, "$ ") {
		return
	}
	switch {
	case strings.HasPrefix(strings.TrimSpace(line), "Traceback (most recent call last)"):
		l.trace = true
		return
	case l.trace && (line == "" || line[0] == ' '):
		return
	case l.trace, errorLines.MatchString(strings.TrimSpace(line)):
		l.first = l.redact.Line(line, 500)
		l.vague = npmCode.MatchString(line)
	}
}

// npmCode is the line with which npm begins what it says of an error.
var npmCode = regexp.MustCompile(`^npm (?:ERR!|error) code `)

// npmDetail returns a line of npm that says more than its code.
func npmDetail(line string) (string, bool) {
	for _, prefix := range []string{"npm ERR! ", "npm error "} {
		rest, ok := strings.CutPrefix(line, prefix)
		if rest = strings.TrimSpace(rest); ok && rest != "" && !strings.HasPrefix(rest, "path ") && !strings.HasPrefix(rest, "errno ") && !strings.HasPrefix(rest, "syscall ") {
			return line, true
		}
	}
	return "", false
}
