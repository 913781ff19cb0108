package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// changeList is a headed list of findings of a comparison.
type changeList struct {
	title    string
	findings []rule.Finding
}

// changeLists are the findings of a comparison that a reader should see, by
// what became of them.
func changeLists(r *result.Result) []changeList {
	c := r.Comparison
	return []changeList{
		{"New", withID(r, c.New)}, {"Graver than before", withID(r, c.Worse)}, {"New or only seen now", withID(r, c.Unsure)},
		{"Fixed", c.Fixed}, {"Not looked for again", c.Unknown},
	}
}

func withID(r *result.Result, ids []string) []rule.Finding {
	wanted := map[string]bool{}
	for _, id := range ids {
		wanted[id] = true
	}
	var list []rule.Finding
	for _, f := range r.Findings {
		if wanted[f.ID] {
			list = append(list, f)
		}
	}
	return list
}

// scoreLine says what became of the score.
func scoreLine(r *result.Result) string {
	c := r.Comparison
	if c.Base.Percent == nil || r.Score == nil {
		return "No score to compare."
	}
	line := fmt.Sprintf("%s %.1f %% → %s %.1f %%", safe(c.Base.Letter, 2), *c.Base.Percent, safe(r.Score.Letter, 2), r.Score.Percent)
	switch {
	case c.Change == nil:
		return line + ", not comparable"
	case *c.Change == 0:
		return line + ", unchanged"
	}
	return line + fmt.Sprintf(", %+.1f points", *c.Change)
}

// Changes writes the comparison of a result with its base as text for a
// person. The result must have one.
func Changes(w io.Writer, r *result.Result, o Options) error {
	if o.Width <= 0 {
		o.Width = 100
	}
	o.Width = min(max(o.Width, 40), 120)
	t := &terminal{w: w, o: o, r: r}
	c := r.Comparison
	t.line("%s", t.paint(bold, scoreLine(r)))
	for _, why := range c.Incomparable {
		t.wrapped("limited: ", "  ", why)
	}
	t.line("")
	for _, list := range changeLists(r) {
		t.changed(list)
	}
	t.surfaceChanges(c)
	if c.FindingsCompared && c.SurfaceCompared && nothing(r) {
		t.line("Nothing changed.")
	}
	return t.err
}

// nothing reports whether a comparison has found no change at all.
func nothing(r *result.Result) bool {
	for _, list := range changeLists(r) {
		if len(list.findings) > 0 {
			return false
		}
	}
	return len(r.Comparison.Surface) == 0
}

func (t *terminal) changed(list changeList) {
	if len(list.findings) == 0 {
		return
	}
	t.line("%s", t.paint(bold, strings.ToUpper(list.title)+fmt.Sprintf(" (%d)", len(list.findings))))
	for i, f := range list.findings {
		if i == maxFindings {
			t.line("  … and %d more", len(list.findings)-i)
			break
		}
		color := map[rule.Severity]string{rule.Error: red, rule.Warning: yellow, rule.Note: dim}[f.Severity]
		t.line("  %s  %s  %s", t.paint(color, pad(safe(string(f.Severity), 10), 7)), safe(f.Rule, 60), safe(f.Subject, 100))
		t.wrapped("           ", "           ", f.Message)
	}
	t.line("")
}

func (t *terminal) surfaceChanges(c *result.Comparison) {
	if len(c.Surface) == 0 {
		return
	}
	t.line("%s", t.paint(bold, fmt.Sprintf("SURFACE (%d)", len(c.Surface)+c.SurfaceLeft)))
	for _, ch := range c.Surface {
		color := map[string]string{result.Breaking: red, result.Added: green}[ch.Kind]
		if color == "" {
			color = dim
		}
		t.wrapped("  "+t.paint(color, pad(safe(ch.Kind, 10), 8))+"  ", "            ", ch.Subject+": "+ch.Text)
	}
	if c.SurfaceLeft > 0 {
		t.line("  … and %d more", c.SurfaceLeft)
	}
	t.line("")
}

// ChangesMarkdown writes the comparison of a result with its base as Markdown.
// The result must have one.
func ChangesMarkdown(r *result.Result) string {
	const most = 200
	c := r.Comparison
	var b strings.Builder
	fmt.Fprintf(&b, "## Sealmark: %s\n\n", text(scoreLine(r), 200))
	for _, why := range c.Incomparable {
		fmt.Fprintf(&b, "> %s\n\n", text(why, 600))
	}
	for _, list := range changeLists(r) {
		if len(list.findings) == 0 {
			continue
		}
		fmt.Fprintf(&b, "### %s: %d\n\n| | Rule | Subject | What happened |\n|---|---|---|---|\n", list.title, len(list.findings))
		for i, f := range list.findings {
			if i == most {
				fmt.Fprintf(&b, "\n… and %d more.\n", len(list.findings)-i)
				break
			}
			fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", text(string(f.Severity), 10), text(f.Rule, 60), code(f.Subject, 80), text(f.Message, 300))
		}
		b.WriteByte('\n')
	}
	if len(c.Surface) > 0 {
		fmt.Fprintf(&b, "### What the server offers: %d\n\n| | What | Change |\n|---|---|---|\n", len(c.Surface)+c.SurfaceLeft)
		for i, ch := range c.Surface {
			if i == most {
				fmt.Fprintf(&b, "\n… and %d more.\n", len(c.Surface)+c.SurfaceLeft-i)
				break
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", text(ch.Kind, 10), code(ch.Subject, 80), text(ch.Text, 400))
		}
		b.WriteByte('\n')
	}
	if c.FindingsCompared && c.SurfaceCompared && nothing(r) {
		b.WriteString("Nothing changed.\n")
	}
	return b.String()
}
