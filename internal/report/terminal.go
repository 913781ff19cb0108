// Package report renders a result for people: on a terminal, and as Markdown
// for a comment and a job summary. It calls nobody.
package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/redact"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// Options are how a terminal report is shown.
type Options struct {
	Color bool
	// Width is the width in columns, 100 if it is 0.
	Width int
}

// maxFindings bounds the findings that a report shows in full.
const maxFindings = 200

// Colours, as SGR parameters.
const (
	bold   = "1"
	red    = "31"
	green  = "32"
	yellow = "33"
	dim    = "2"
)

// terminal writes a report. The first failed write is kept.
type terminal struct {
	w       io.Writer
	o       Options
	r       *result.Result
	catalog []rule.Check
	err     error
}

// Terminal writes a result as text for a person.
func Terminal(w io.Writer, r *result.Result, catalog []rule.Check, o Options) error {
	if o.Width <= 0 {
		o.Width = 100
	}
	o.Width = min(max(o.Width, 40), 120)
	t := &terminal{w: w, o: o, r: r, catalog: catalog}
	t.headline()
	if !assessed(r) {
		t.line("")
	}
	t.comparison()
	if assessed(r) {
		t.packs()
	}
	t.checks()
	t.findings()
	t.contract()
	t.uncovered()
	t.end()
	return t.err
}

func (t *terminal) line(format string, args ...any) {
	if t.err == nil {
		_, t.err = fmt.Fprintln(t.w, inert(fmt.Sprintf(format, args...)))
	}
}

// inert breaks what a runner of GitHub Actions takes for a command in a line
// of a log: ::name:: after blanks at its start, and ##[name] anywhere. Names
// and texts of a server can hold them, and wrapping can put one first.
func inert(line string) string {
	line = strings.ReplaceAll(line, "##[", "## [")
	if rest, ok := strings.CutPrefix(strings.TrimSpace(line), "::"); ok {
		line = line[:strings.Index(line, "::")] + ": :" + rest
	}
	return line
}

func (t *terminal) paint(code, text string) string {
	if !t.o.Color {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// safe makes a text of the result harmless on a terminal. Results can come
// from a file, so even redacted text passes here.
func safe(s string, max int) string { return (*redact.Redactor)(nil).Line(s, max) }

func (t *terminal) headline() {
	r := t.r
	if !assessed(r) {
		t.line("%s  %s", t.paint(bold+";"+red, "NOT ASSESSED"), safe(reasonText(r), 600))
		if r.Reason != nil && r.Reason.Next != "" {
			t.wrapped("what to do: ", "            ", r.Reason.Next)
		}
		t.line("")
		t.line("%s", serverLine(r))
		t.conditions()
		return
	}
	letter := t.paint(bold+";"+letterColor(r.Score.Letter), safe(r.Score.Letter, 2))
	t.line("%s  %.1f %%  %s", letter, r.Score.Percent, coverageLine(r))
	for _, c := range r.Score.Caps {
		t.line("   capped at %s: %s", safe(c.Letter, 2), safe(c.Reason, 200))
	}
	t.line("%s", serverLine(r))
	if r.Completeness.State == "partial" {
		t.wrapped("incomplete: ", "            ", strings.Join(r.Completeness.Reasons, "; "))
	}
	if len(r.Deviations) > 0 {
		t.wrapped("non-standard run: ", "  ", strings.Join(r.Deviations, ", "))
	}
	t.conditions()
	t.line("")
}

// conditions says how the server was run, and what else is to be known of the
// run.
func (t *terminal) conditions() {
	r := t.r
	if p := r.Server.Plan; p != nil {
		t.plan(p)
	}
	if said := isolation(r); said != "" {
		t.wrapped("", "  ", said)
	}
	for i, n := range slices.Concat(conditions(r), r.Notices, r.Volatile.Remarks) {
		if i < maxNotices {
			t.wrapped("note: ", "  ", n)
		}
	}
}

// plan says how the server was found, built and launched, and what that rests
// on.
func (t *terminal) plan(p *result.Plan) {
	const reasons = 3
	t.wrapped("found by: ", "  ", p.Detector+" in "+string(folderName(p.Directory, md(p.Directory))))
	for i, w := range p.Why {
		if i == reasons {
			t.line("  … and %s", rule.Counted(len(p.Why)-i, "more reason"))
			break
		}
		place := w.Path
		if w.Line > 0 {
			place = fmt.Sprintf("%s:%d", w.Path, w.Line)
		}
		t.wrapped("  ", "    ", place+": "+w.Text)
	}
	var steps []string
	for _, step := range p.Build {
		steps = append(steps, strings.Join(step, " "))
	}
	if len(steps) > 0 {
		t.wrapped("built with: ", "  ", strings.Join(steps, "; "))
	}
	if command := t.r.Server.Command; len(command) > 0 {
		t.wrapped("launched with: ", "  ", strings.Join(command, " "))
	}
}

func letterColor(letter string) string {
	switch letter {
	case "A", "B":
		return green
	case "C":
		return yellow
	}
	return red
}

func coverageLine(r *result.Result) string {
	c := r.Coverage
	text := fmt.Sprintf("coverage: %s (%d of %s probed", safe(c.Level, 20), c.ToolsProbed, rule.Counted(c.ToolsListed, "tool"))
	if c.ToolsValid > 0 {
		text += fmt.Sprintf(", %d with a valid call", c.ToolsValid)
	}
	if c.ChecksUnverified > 0 {
		text += fmt.Sprintf("; %d of %d scored checks unverified", c.ChecksUnverified, c.ChecksScored)
	}
	return text + ")"
}

func serverLine(r *result.Result) string {
	s := r.Server
	name := safe(s.Name, 100)
	if name == "" {
		name = safe(s.Key, 100)
	}
	if s.Version != "" {
		name += " " + safe(s.Version, 40)
	}
	text := name + ", " + safe(s.Transport, 20)
	if s.ProtocolVersion != "" {
		text += ", protocol " + safe(s.ProtocolVersion, 40)
	}
	return text
}

func (t *terminal) packs() {
	const bar = 20
	for _, p := range t.r.Score.Packs {
		full := min(bar, max(0, int(p.Percent*bar/100+0.5)))
		t.line("  %-10s %s%s %5.1f %%  %s of %s points", safe(p.ID, 20), strings.Repeat("█", full), strings.Repeat("░", bar-full), p.Percent, number(p.Points), number(p.Possible))
	}
	t.line("")
}

// symbols stand beside the word of a verdict.
var symbols = map[rule.Verdict]struct{ symbol, color string }{
	rule.Pass: {"✓", green}, rule.Partial: {"◐", yellow}, rule.Fail: {"✗", red},
	rule.NotApplicable: {"-", dim}, rule.Unverified: {"?", yellow}, rule.Errored: {"!", red},
}

func (t *terminal) checks() {
	width := 0
	list, skipped, why := checked(t.r)
	for _, c := range list {
		width = max(width, len([]rune(safe(c.ID, 30))))
	}
	for _, c := range list {
		s := symbols[c.Verdict]
		t.wrapped(fmt.Sprintf("%s %s  %s ", t.paint(s.color, s.symbol), pad(safe(c.ID, 30), width), pad(safe(string(c.Verdict), 20), 10)), strings.Repeat(" ", width+15), c.Reason)
	}
	if len(skipped) > 0 {
		t.wrapped(t.paint(symbols[rule.Unverified].color, symbols[rule.Unverified].symbol)+" ", "  ", rule.Counted(len(skipped), "more check")+" not run: "+why)
	}
	t.line("")
}

func pad(s string, width int) string {
	if n := len([]rune(s)); n < width {
		return s + strings.Repeat(" ", width-n)
	}
	return s
}

func (t *terminal) findings() {
	g := grouped(t.r)
	open := byRank(slices.Concat(g.fresh, g.unsure, g.known, g.beside))
	marks := map[string]string{}
	if g.compared {
		for _, f := range g.fresh {
			marks[f.ID] = "NEW"
			if g.worse[f.ID] {
				marks[f.ID] = "GRAVER"
			}
		}
		for _, f := range g.unsure {
			marks[f.ID] = "PERHAPS NEW"
		}
	}
	for i, f := range open {
		if i == maxFindings {
			t.line("… and %s; --json FILE holds all of them", rule.Counted(len(open)-i, "more finding"))
			t.line("")
			break
		}
		if i == 0 || f.Severity != open[i-1].Severity {
			n := 0
			for _, other := range open {
				if other.Severity == f.Severity {
					n++
				}
			}
			t.line("%s", t.paint(bold, strings.ToUpper(rule.Counted(n, safe(string(f.Severity), 20)))))
			t.line("")
		}
		t.finding(f, marks[f.ID])
	}
	if slices.ContainsFunc(open, func(f rule.Finding) bool { return f.Evidence.Request != "" }) {
		t.wrapped("", "", "To send a probe again, save the result with --json FILE and run sealmark replay FILE FINDING.")
		t.line("")
	}
	t.brief("accepted", g.accepted)
	t.brief("fixed since the base", g.fixed)
	t.brief("of the base, not checked", g.unknown)
}

// brief lists findings by a line each.
func (t *terminal) brief(title string, list []rule.Finding) {
	const shown = 20
	if len(list) == 0 {
		return
	}
	t.line("%s", t.paint(bold, fmt.Sprintf("%d %s", len(list), strings.ToUpper(title))))
	for i, f := range list {
		if i == shown {
			t.line("  … and %s; --json FILE holds all of them", rule.Counted(len(list)-i, "more finding"))
			break
		}
		line := safe(f.Rule, 60) + "  " + safe(f.Subject, 100) + at(f)
		if f.Accepted != nil {
			line += "  " + acceptance(f.Accepted)
		}
		t.wrapped("  ", "    ", line)
	}
	t.line("")
}

// at is where a finding can be mended, as the end of a line.
func at(f rule.Finding) string {
	place := whereabouts(f)
	if place == "" {
		return ""
	}
	return "  " + named(f) + safe(place, 200)
}

func (t *terminal) finding(f rule.Finding, mark string) {
	color := map[rule.Severity]string{rule.Error: red, rule.Warning: yellow, rule.Note: dim}[f.Severity]
	title := t.paint(color, safe(f.Rule, 60)) + "  " + safe(f.Subject, 100)
	if mark != "" {
		title += "  " + t.paint(bold, mark)
	}
	title += at(f) + repeats(f)
	t.line("%s", title)
	t.wrapped("  ", "  ", f.Message)
	t.evidence("request", f.Evidence.Request)
	t.evidence("reply", f.Evidence.Reply)
	t.evidence("seen", f.Evidence.Match)
	t.evidence("detail", detail(f))
	t.evidence("shown by", strings.Join(f.Evidence.Candidates, ", "))
	for i, line := range lastLines(f.Evidence.Stderr) {
		t.evidence([]string{"stderr", ""}[min(i, 1)], line)
	}
	if n := len(f.Evidence.Prefix); n > 0 {
		t.evidence("after", rule.Counted(n, "earlier message")+" on the same instance")
	}
	if r, ok := ruleOf(t.catalog, f.Rule); ok {
		t.wrapped("  fix      ", "           ", r.Fix)
	}
	t.line("  %s", t.paint(dim, "sealmark explain "+safe(f.Rule, 60)+"   finding "+safe(f.ID, 80)))
	t.line("")
}

// comparison says what changed since the base.
func (t *terminal) comparison() {
	const shown = 20
	c := t.r.Comparison
	if c == nil {
		return
	}
	fresh, fixed, others := grouped(t.r).tally()
	said := "since " + baseName(c.Base) + ": "
	for _, part := range []string{changed(t.r), baseLine(t.r)} {
		if part != "" {
			said += strings.TrimRight(part, ".") + "; "
		}
	}
	said += strings.ToLower(fresh) + prefixed(", ", fixed) + prefixed(", ", others)
	t.wrapped("", "  ", said)
	if len(c.Incomparable) > 0 {
		t.wrapped("  limited: ", "  ", strings.Join(c.Incomparable, " "))
	}
	breaks, rest := surface(t.r)
	changes := append(breaks, rest...)
	seen := min(len(changes), shown)
	for _, change := range changes[:seen] {
		color := dim
		if change.Kind == result.Breaking {
			color = red
		}
		t.wrapped("  "+t.paint(color, pad(safe(change.Kind, 20), len(result.Breaking)))+"  ", "            ", change.Subject+": "+change.Text)
	}
	if left := len(changes) - seen + surfaceLeft(t.r); left > 0 {
		t.line("  … and %s", rule.Counted(left, "more change"))
	}
	t.line("")
}

func (t *terminal) evidence(label, text string) {
	const shown = 400
	if text != "" {
		t.wrapped("  "+pad(label, 9), "           ", safe(text, shown))
	}
}

// lastLines returns the last lines of a text that are not blank.
func lastLines(s string) []string {
	const most = 10
	var lines []string
	for line := range strings.Lines(s) {
		if strings.TrimSpace(line) != "" {
			lines = append(lines, line)
		}
	}
	return lines[max(0, len(lines)-most):]
}

func (t *terminal) uncovered() {
	const shown = 15
	list := t.r.Coverage.Uncovered
	if len(list) == 0 {
		return
	}
	t.line("%s", t.paint(bold, "NOT COVERED"))
	for i, u := range list {
		if i == shown {
			t.line("  … and %s", rule.Counted(len(list)-shown, "more tool"))
			break
		}
		t.wrapped("  "+safe(u.Tool, 60)+": ", "    ", u.Reason)
	}
	t.line("")
}

// end says whether the run passes and why not.
func (t *terminal) end() {
	g := t.r.Gate
	var parts []string
	for _, part := range timings(t.r) {
		parts = append(parts, fmt.Sprintf("%s %.1f s", part.part, part.seconds))
	}
	if len(parts) > 0 {
		const shown = 5
		t.wrapped("time: ", "  ", fmt.Sprintf("%.1f s; %s", t.r.Volatile.Seconds, strings.Join(firsts(parts, shown), ", ")))
	}
	if g.Passed {
		t.wrapped(t.paint(green, "PASSED")+"  ", "        ", "fail-on "+safe(g.FailOn, 20)+older(t.r))
		return
	}
	t.wrapped(t.paint(red, "FAILED")+"  ", "        ", strings.Join(g.Reasons, "; "))
}

// wrapped writes a text with a first and a further indent, broken at blanks.
func (t *terminal) wrapped(first, further, text string) {
	const most = 4000
	width := t.o.Width
	line, length := first, printedLength(first)
	begun := false
	for word := range strings.FieldsSeq(safe(text, most)) {
		n := len([]rune(word))
		if begun && length+1+n > width {
			t.line("%s", line)
			line, length, begun = further, printedLength(further), false
		}
		if begun {
			line += " "
			length++
		}
		line += word
		length += n
		begun = true
	}
	t.line("%s", strings.TrimRight(line, " "))
}

// printedLength counts the columns of a text without its colours.
func printedLength(s string) int {
	n, escape := 0, false
	for _, c := range s {
		switch {
		case c == 0x1b:
			escape = true
		case escape:
			escape = c != 'm'
		default:
			n++
		}
	}
	return n
}
