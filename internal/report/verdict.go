package report

import (
	"fmt"
	"strings"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// probesGuide says how to let more of a server be seen.
const probesGuide = "https://github.com/sealmark/action#known-calls"

// verdict is the head of a report: what a reader needs in ten seconds.
func (d *document) verdict() md {
	if !assessed(d.r) {
		return d.notAssessed()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "### %s Sealmark on %s: %s\n\n", d.sign(), text(serverName(d.r), 100), text(grade(d.r), 100))
	b.WriteString(string(d.counts()))
	if d.quiet() {
		b.WriteString(" " + string(text(coverage(d.r), 300)))
	}
	b.WriteString("\n\n")
	if !d.r.Gate.Passed {
		fmt.Fprintf(&b, "The gate **fails**: %s.\n\n", text(strings.Join(d.r.Gate.Reasons, "; "), 500))
	}
	return md(b.String() + string(d.score()))
}

// score says what limits letter and comparison.
func (d *document) score() md {
	r := d.r
	var said bullets
	var caps []string
	for _, c := range r.Score.Caps {
		caps = append(caps, c.Reason)
	}
	if len(caps) > 0 {
		said.add(fmt.Sprintf("The letter is %s at best: %s.", r.Score.Caps[0].Letter, strings.Join(firsts(caps, maxNotices), "; ")), 500)
	}
	if r.Completeness.State == "partial" {
		said.add("The run is incomplete: "+strings.Join(r.Completeness.Reasons, "; ")+".", 500)
	}
	return said.end()
}

// counts says what there is: findings, and changes for clients.
func (d *document) counts() md {
	g := d.groups
	fresh, fixed, others := g.tally()
	said := fresh
	if len(g.fresh) > 0 {
		said = "**" + said + "**"
	}
	said += prefixed(", ", fixed) + "."
	if !g.compared && d.o.Kind == Comment && len(g.fresh) > 0 {
		if d.r.Comparison == nil {
			said += " There is no result of the base to compare with, so they need not be new."
		} else {
			said += " They could not be compared with those of the base, so they need not be new."
		}
	}
	breaks, rest := surface(d.r)
	more, broken := len(rest)+surfaceLeft(d.r), rule.Counted(len(breaks), "breaking change")
	switch {
	case len(breaks) > 0 && len(rest) == 0 && more > 0:
		// What was left out may break clients as well.
		said += fmt.Sprintf(" **%s** for clients, and %d more.", broken, more)
	case len(breaks) > 0 && more > 0:
		said += fmt.Sprintf(" **%s** for clients, and %d other.", broken, more)
	case len(breaks) > 0:
		said += fmt.Sprintf(" **%s** for clients.", broken)
	case more > 0:
		said += fmt.Sprintf(" %s in what clients see, none breaking.", rule.Counted(more, "change"))
	}
	if others != "" {
		said += " Besides: " + others + "."
	}
	return md(said)
}

// notAssessed says why there is no score, and what to do.
func (d *document) notAssessed() md {
	var b strings.Builder
	fmt.Fprintf(&b, "### %s Sealmark: %s was not assessed\n\n", d.sign(), text(serverName(d.r), 100))
	if reason := text(reasonText(d.r), 800); reason != "" {
		fmt.Fprintf(&b, "**%s**%s\n\n", reason, prefixed(" ", string(text(baseLine(d.r), 100))))
	}
	cause, ok := d.cause()
	if line := firstError(cause.Evidence.Stderr); line != "" && !strings.Contains(reasonText(d.r), line) {
		b.WriteString(string(block(line, 500)) + "\n")
	}
	if d.r.Reason != nil && d.r.Reason.Next != "" {
		fmt.Fprintf(&b, "What to do: %s\n\n", text(d.r.Reason.Next, 500))
	}
	if ok {
		if cause.Message == reasonText(d.r) {
			cause.Evidence.Detail = detail(cause)
			cause.Message = "Evidence, and what to fix"
		}
		b.WriteString(string(d.row(cause)))
	}
	return md(b.String())
}

// cause is the finding that the reason of a run without a score is about.
func (d *document) cause() (rule.Finding, bool) {
	if d.r.Reason == nil || d.r.Reason.Rule == "" {
		return rule.Finding{}, false
	}
	for _, f := range findings(d.r) {
		if f.Rule == d.r.Reason.Rule {
			return f, true
		}
	}
	return rule.Finding{}, false
}

// bullets are a list of foreign texts.
type bullets struct{ b strings.Builder }

func (l *bullets) add(s string, most int) {
	if s != "" {
		fmt.Fprintf(&l.b, "- %s\n", text(s, most))
	}
}

func (l *bullets) end() md {
	if l.b.Len() > 0 {
		l.b.WriteByte('\n')
	}
	return md(l.b.String())
}

// remarks are what was not seen, under which conditions the server ran, and
// what is to be said of the delivery.
func (d *document) remarks() md {
	r := d.r
	var said bullets
	if assessed(r) {
		if !d.quiet() {
			said.add(coverage(r), 300)
		}
		var missed []string
		for _, c := range unverified(r) {
			missed = append(missed, c.ID+" ("+strings.TrimRight(c.Reason, ".")+")")
		}
		if len(missed) > 0 {
			said.add("Not verified: "+strings.Join(firsts(missed, maxNotices), "; ")+".", 800)
		}
	}
	if why := older(r); why != "" {
		said.add("The gate passes"+why+".", 500)
	}
	if c := r.Comparison; c != nil && len(c.Incomparable) > 0 {
		said.add("The comparison with the base is limited. "+strings.Join(c.Incomparable, " "), 500)
	}
	if !assessed(r) && r.Completeness.State == "partial" {
		said.add("The run is incomplete: "+strings.Join(r.Completeness.Reasons, "; ")+".", 500)
	}
	if len(r.Deviations) > 0 {
		said.add("This is a non-standard run, since these settings differ: "+strings.Join(firsts(r.Deviations, maxNotices), ", ")+".", 500)
	}
	for _, s := range conditions(r) {
		said.add(s, 500)
	}
	for _, n := range d.o.Notices {
		said.add(n, 4000)
	}
	for _, n := range r.Notices[:min(len(r.Notices), maxNotices)] {
		said.add(n, 500)
	}
	list := said.end()
	fresh, _ := grave(d.groups.fresh)
	if breaks, _ := surface(r); list != "" && len(fresh)+len(breaks) > 0 {
		return "#### About this run\n\n" + list
	}
	return list
}

// provenance says how the server was found, built and run.
func (d *document) provenance(room int) md {
	s := d.r.Server
	var b strings.Builder
	if p := s.Plan; p != nil {
		fmt.Fprintf(&b, "Found by %s in %s.\n\n", code(p.Detector, 100), folderName(p.Directory, code(p.Directory, 200)))
		for _, step := range p.Build {
			fmt.Fprintf(&b, "- built with %s\n", code(strings.Join(step, " "), 300))
		}
	}
	if len(s.Command) > 0 && s.Plan != nil {
		fmt.Fprintf(&b, "- launched with %s\n", code(strings.Join(s.Command, " "), 300))
	}
	if p := s.Plan; p != nil && len(p.Why) > 0 {
		b.WriteString("\nWhat that rests on:\n\n")
		left := fit(&b, p.Why, maxNotices, room, func(w result.Why) string {
			return fmt.Sprintf("- %s: %s\n", d.placeLink(rule.Location{Path: w.Path, Line: w.Line}), text(w.Text, 200))
		})
		if left > 0 {
			fmt.Fprintf(&b, "- … and %d more\n", left)
		}
	}
	if said := isolation(d.r); said != "" {
		fmt.Fprintf(&b, "\n%s\n", text(said, 200))
	}
	switch {
	case b.Len() == 0:
		return ""
	case b.Len() > room:
		d.left++
		return ""
	}
	return fold("How it was found and run", b.String())
}

// folderName names a folder of the repository, which is shown as given unless
// it is the root.
func folderName(path string, shown md) md {
	if path == "." || path == "" {
		return "the root of the repository"
	}
	return shown
}

// placeLink names a place in Markdown, as a link if there can be one.
func (d *document) placeLink(at rule.Location) md {
	name := at.Path
	if at.Line > 0 {
		name = fmt.Sprintf("%s:%d", at.Path, at.Line)
	}
	if link := d.o.Links.place(at); link != "" {
		return md("[" + string(text(name, 200)) + "](" + link + ")")
	}
	return text(name, 200)
}
