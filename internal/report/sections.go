package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// rows adds a row for each of the gravest findings that are new, with its
// evidence folded, as far as there is room.
func (d *document) rows() {
	list, _ := grave(d.groups.fresh)
	if len(list) == 0 {
		return
	}
	title := "#### Findings\n\n"
	switch {
	case len(d.groups.worse) > 0:
		title = "#### Findings that are new or graver\n\n"
	case d.groups.compared:
		title = "#### New findings\n\n"
	}
	alike := clusters(list)
	var b strings.Builder
	left := fit(&b, alike, d.most.rows, d.room()-len(title), func(c []rule.Finding) string { return string(d.cluster(c, d.room()/4)) })
	if left < len(alike) {
		d.add(md(title + b.String()))
	}
	if left > 0 {
		rest := slices.Concat(alike[len(alike)-left:]...)
		d.add(d.list(rule.Counted(len(rest), "more finding"), rest, d.room()-200))
	}
}

// few is how many findings of a rule have a row each.
const few = 3

// clusters puts findings of a rule together where there are more than a few,
// so that a reader sees the others too. The list is sorted by severity.
func clusters(list []rule.Finding) [][]rule.Finding {
	type kind struct {
		rule     string
		severity rule.Severity
	}
	size := map[kind]int{}
	for _, f := range list {
		size[kind{f.Rule, f.Severity}]++
	}
	var all [][]rule.Finding
	place := map[kind]int{}
	for _, f := range list {
		k := kind{f.Rule, f.Severity}
		if at, begun := place[k]; begun && size[k] > few {
			all[at] = append(all[at], f)
			continue
		}
		place[k] = len(all)
		all = append(all, []rule.Finding{f})
	}
	return all
}

// cluster is a row for findings of one rule: the first with its evidence, the
// others as a list.
func (d *document) cluster(c []rule.Finding, room int) md {
	if len(c) == 1 {
		return d.row(c[0])
	}
	first := c[0]
	title := inline(first.Rule, 60)
	if r, ok := ruleOf(d.catalog, first.Rule); ok {
		title = inline(r.Title, 100)
	}
	item := d.item
	if d.o.Kind == Summary {
		item = func(f rule.Finding) string { return string(d.row(f)) }
	}
	var b strings.Builder
	b.WriteString(string(d.row(first)))
	if left := fit(&b, c[1:], d.most.list, room, item); left > 0 {
		fmt.Fprintf(&b, "\n… and %d more: %s holds them.\n", left, d.elsewhere())
	}
	return fold(md(fmt.Sprintf("<b>%s</b> · %s: %d findings%s · <a href=\"%s\">%s</a>", inline(string(first.Severity), 10), title, len(c), subjects(c), ruleURL(first, d.catalog), inline(first.Rule, 60))), b.String())
}

// subjects names in HTML whom the first findings of many are about.
func subjects(c []rule.Finding) string {
	var names []string
	for _, f := range c {
		_, name, _ := strings.Cut(f.Subject, ":")
		if name = string(inlineCode(name, 60)); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " (" + strings.Join(firsts(names, few), ", ") + ")"
}

// row is a finding on a line that opens to its evidence and what to do.
func (d *document) row(f rule.Finding) md {
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary><b>%s</b> · %s%s", inline(string(f.Severity), 10), inline(said(f), 300), d.marks(f))
	if at := whereabouts(f); at != "" {
		b.WriteString(" · " + named(f) + d.anchor(*f.Location, at))
	}
	fmt.Fprintf(&b, " · <a href=\"%s\">%s</a></summary>\n\n", ruleURL(f, d.catalog), inline(f.Rule, 60))
	if f.Accepted != nil {
		fmt.Fprintf(&b, "%s\n\n", text(acceptance(f.Accepted), 500))
	}
	if n := len(f.Evidence.Prefix); n > 0 {
		fmt.Fprintf(&b, "It shows after %s on the same instance.\n\n", rule.Counted(n, "earlier message"))
	}
	for _, part := range []struct{ label, text string }{
		{"Request", f.Evidence.Request}, {"Reply", f.Evidence.Reply}, {"Seen", f.Evidence.Match}, {"Detail", detail(f)},
		{"Shown by", strings.Join(f.Evidence.Candidates, "\n")}, {"Last stderr lines", f.Evidence.Stderr},
	} {
		if part.text != "" {
			fmt.Fprintf(&b, "%s:\n\n%s\n", part.label, block(part.text, 1000))
		}
	}
	if r, ok := ruleOf(d.catalog, f.Rule); ok {
		fmt.Fprintf(&b, "**What to fix.** %s\n\n", r.Fix)
	}
	if f.ID != "" && f.Evidence.Request != "" {
		fmt.Fprintf(&b, "To send it again: %s\n\n", code("sealmark replay result.json "+f.ID, 120))
	}
	return md(strings.TrimRight(b.String(), "\n") + "\n\n</details>\n\n")
}

// detail is the detail of a finding, unless its message says the same.
func detail(f rule.Finding) string {
	if f.Evidence.Detail == f.Message {
		return ""
	}
	return f.Evidence.Detail
}

// marks says what is particular about a finding.
func (d *document) marks(f rule.Finding) string {
	if d.groups.worse[f.ID] {
		return repeats(f) + " (milder in the base)"
	}
	return repeats(f)
}

// named marks a place that may not be where the subject is defined.
func named(f rule.Finding) string {
	if f.Location.Basis == rule.Mention {
		return "named in "
	}
	return ""
}

// anchor names a place in HTML, as a link if there can be one.
func (d *document) anchor(at rule.Location, name string) string {
	if link := d.o.Links.place(at); link != "" {
		return `<a href="` + link + `">` + string(inline(name, 200)) + "</a>"
	}
	return string(inlineCode(name, 200))
}

// list is a folded list of findings. In a summary each opens to its evidence.
func (d *document) list(title string, list []rule.Finding, room int) md {
	if len(list) == 0 {
		return ""
	}
	item := d.item
	if d.o.Kind == Summary {
		item = func(f rule.Finding) string { return string(d.row(f)) }
	}
	var b strings.Builder
	left := fit(&b, list, d.most.list, room, item)
	if left == len(list) {
		d.left++
		return ""
	}
	if left > 0 {
		fmt.Fprintf(&b, "\n… and %d more: %s holds them.\n", left, d.elsewhere())
	}
	return fold(inline(title, 100), b.String())
}

// item is a finding as an item of a list.
func (d *document) item(f rule.Finding) string {
	line := fmt.Sprintf("- **%s** · %s%s", text(string(f.Severity), 10), text(said(f), 300), d.marks(f))
	if at := whereabouts(f); at != "" {
		line += " · " + named(f) + string(d.placeLink(*f.Location))
	}
	line += fmt.Sprintf(" · [%s](%s)", text(f.Rule, 60), ruleURL(f, d.catalog))
	if f.Accepted != nil {
		line += " · " + string(text(acceptance(f.Accepted), 300))
	}
	return line + "\n"
}

// maxBreaking is how many breaking changes stand open.
const maxBreaking = 10

// breaking lists what breaks clients.
func (d *document) breaking(room int) md {
	list, _ := surface(d.r)
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	left := fit(&b, list, maxBreaking, room, func(c result.SurfaceChange) string {
		return fmt.Sprintf("- %s: %s\n", code(c.Subject, 80), text(c.Text, 300))
	})
	if left > 0 {
		fmt.Fprintf(&b, "- … and %d more: %s holds them.\n", left, d.elsewhere())
	}
	return md("#### Breaking changes for clients\n\n" + b.String() + "\n")
}

// surfaceTable shows what else changed in what the server offers. In a summary
// that is all that changed.
func (d *document) surfaceTable(room int) md {
	breaks, changes := surface(d.r)
	missing := surfaceLeft(d.r)
	title := rule.Counted(len(changes)+missing, "other change") + " for clients"
	if len(breaks) == 0 {
		title = rule.Counted(len(changes)+missing, "change") + " for clients"
	}
	if d.o.Kind == Summary && len(breaks) > maxBreaking {
		changes = slices.Concat(breaks, changes)
		title = "All " + rule.Counted(len(changes)+missing, "change") + " for clients"
	}
	if len(changes)+missing == 0 {
		return ""
	}
	var b strings.Builder
	if len(changes) > 0 {
		b.WriteString("| Kind | Of | Change |\n|---|---|---|\n")
	}
	left := fit(&b, changes, d.most.list, room, func(c result.SurfaceChange) string {
		return fmt.Sprintf("| %s | %s | %s |\n", text(c.Kind, 20), code(c.Subject, 80), text(c.Text, 300))
	})
	if left > 0 {
		fmt.Fprintf(&b, "\n… and %d more: %s holds them.\n", left, d.elsewhere())
	}
	if missing > 0 {
		fmt.Fprintf(&b, "\nOnly counted, not named in the result: %d.\n", missing)
	}
	return fold(inline(title, 60), b.String())
}

// checksTable shows packs and checks.
func (d *document) checksTable(room int) md {
	const most = 200
	if len(d.r.Checks) == 0 {
		return ""
	}
	title := md("Checks")
	var b strings.Builder
	if assessed(d.r) {
		title = "Score by pack and check"
		b.WriteString("| Pack | Score | Points |\n|---|---|---|\n")
		fit(&b, d.r.Score.Packs, most, room, func(p result.Pack) string {
			return fmt.Sprintf("| %s | %s %% | %s of %s |\n", text(p.ID, 30), number(p.Percent), number(p.Points), number(p.Possible))
		})
		b.WriteByte('\n')
	}
	b.WriteString("| Check | Verdict | Why | Weight |\n|---|---|---|---|\n")
	list, skipped, why := checked(d.r)
	left := fit(&b, list, most, room, func(c result.Check) string {
		return fmt.Sprintf("| %s | %s %s | %s | %s |\n", text(c.ID, 40), symbols[c.Verdict].symbol, text(string(c.Verdict), 20), text(c.Reason, 300), text(string(c.Weight), 20))
	})
	if left > 0 {
		fmt.Fprintf(&b, "\n… and %s.\n", rule.Counted(left, "more check"))
	}
	if len(skipped) > 0 {
		fmt.Fprintf(&b, "\n%s not run: %s\n", rule.Counted(len(skipped), "more check"), text(why, 300))
	}
	return fold(title, b.String())
}

// uncoveredList lists the tools without a valid call, and what to do.
func (d *document) uncoveredList(room int) md {
	list := d.r.Coverage.Uncovered
	if len(list) == 0 || !assessed(d.r) {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "No valid call of these was answered without an error. [List a known call of each](%s) under `probes` to let Sealmark see it at work.\n\n", probesGuide)
	left := fit(&b, list, d.most.uncovered, room, func(u result.Uncovered) string {
		return fmt.Sprintf("- %s: %s\n", code(u.Tool, 80), text(u.Reason, 200))
	})
	if left > 0 {
		fmt.Fprintf(&b, "- … and %d more\n", left)
	}
	return fold(inline("Not covered: "+rule.Counted(len(list), "tool"), 60), b.String())
}

// timings say in a summary where the time of the run went. A comment does not
// change for them.
func (d *document) timings(room int) md {
	list := timings(d.r)
	if d.o.Kind != Summary || len(list) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("| Part | Seconds |\n|---|---|\n")
	if left := fit(&b, list, d.most.list, room, func(t timing) string {
		return fmt.Sprintf("| %s | %.1f |\n", text(t.part, 60), t.seconds)
	}); left == len(list) {
		d.left++
		return ""
	}
	return fold(inline(fmt.Sprintf("Time: %.1f seconds", d.r.Volatile.Seconds), 60), b.String())
}
