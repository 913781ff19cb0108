package report

import (
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/rule"
)

// Progress shows what a run is doing: one line that is redrawn on a terminal,
// plain lines elsewhere. It is safe for concurrent use.
type Progress struct {
	w   io.Writer
	tty bool

	mu     sync.Mutex
	active []string
	done   int
}

// NewProgress returns a progress display on w.
func NewProgress(w io.Writer, tty bool) *Progress { return &Progress{w: w, tty: tty} }

// Begin says that a check starts.
func (p *Progress) Begin(check string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.active = append(p.active, check)
	if p.tty {
		p.draw("")
		return
	}
	fmt.Fprintf(p.w, "%s: started\n", check)
}

// Step says what a check is doing.
func (p *Progress) Step(check, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	text = inert((*redact.Redactor)(nil).Line(text, 100))
	if p.tty {
		p.draw(check + ": " + text)
		return
	}
	fmt.Fprintf(p.w, "%s: %s\n", check, text)
}

// End says that a check has ended.
func (p *Progress) End(check string, verdict rule.Verdict) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, name := range p.active {
		if name == check {
			p.active = append(p.active[:i], p.active[i+1:]...)
			break
		}
	}
	p.done++
	if p.tty {
		p.draw("")
		return
	}
	fmt.Fprintf(p.w, "%s: %s\n", check, verdict)
}

// Done removes the line from a terminal.
func (p *Progress) Done() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tty {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}

func (p *Progress) draw(text string) {
	if text == "" {
		text = strings.Join(p.active, ", ")
	}
	line := fmt.Sprintf("[%d done] %s", p.done, text)
	if r := []rune(line); len(r) > 78 {
		line = string(r[:77]) + "…"
	}
	fmt.Fprint(p.w, "\r\x1b[K"+line)
}
