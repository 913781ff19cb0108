package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// Kind is where a Markdown report goes.
type Kind string

// The kinds.
const (
	Comment Kind = "comment"
	Summary Kind = "summary"
)

// MarkdownOptions are how a Markdown report is written.
type MarkdownOptions struct {
	Kind Kind
	// Budget is the most bytes: 60,000 for a comment and 1,000 KiB for a
	// summary if it is 0. GitHub refuses a comment over 65,536 characters and
	// drops a summary over 1 MiB.
	Budget int
	// Marker is a line that is put first as it is, "" for none.
	Marker string
	// Notices are remarks about the delivery.
	Notices []string
	// Links make addresses of places; without them a report has none.
	Links Links
}

// limits bound a report: its bytes, how many findings have a row with their
// evidence, how many stand in each list, and how many tools that are not
// covered.
type limits struct{ bytes, rows, list, uncovered int }

func limitsOf(k Kind) limits {
	if k == Comment {
		return limits{bytes: 60_000, rows: 20, list: 50, uncovered: 20}
	}
	return limits{bytes: 1000 << 10, rows: maxFindings, list: 1000, uncovered: 500}
}

// maxNotices bounds short lists.
const maxNotices = 20

// document collects sections up to a budget.
type document struct {
	r       *result.Result
	catalog []rule.Check
	o       MarkdownOptions
	most    limits
	groups  groups

	out  strings.Builder
	kept int // bytes that are kept for the sections at the end
	left int // sections that were left out
}

// room is how many bytes a section may have; some stay for the closing line.
func (d *document) room() int { return max(0, d.o.Budget-d.kept-d.out.Len()-600) }

// add adds a section whole, or counts it as left out.
func (d *document) add(section md) {
	if len(section) > d.room() {
		d.left++
		return
	}
	d.out.WriteString(string(section))
}

// Markdown writes a result for a pull-request comment or a job summary. A
// comment is the same for the same result, whatever its volatile part says.
func Markdown(r *result.Result, catalog []rule.Check, o MarkdownOptions) string {
	d := &document{r: r, catalog: catalog, o: o, most: limitsOf(o.Kind), groups: grouped(r)}
	if cause, ok := d.cause(); ok && !assessed(r) {
		d.groups.drop(cause.ID)
	}
	if o.Budget == 0 {
		d.o.Budget = d.most.bytes
	}
	if o.Marker != "" {
		d.out.WriteString(o.Marker + "\n")
	}
	d.add(d.verdict())
	last := []md{d.breaking(d.room() / 4), d.remarks()}
	if !d.quiet() {
		last = append(last, d.tail(d.room()/2)...)
	}
	for _, section := range last {
		d.kept += len(section)
	}
	d.rows()
	d.kept = 0
	for _, section := range last {
		d.add(section)
	}
	d.out.WriteString(string(d.footer()))
	return d.out.String()
}

// quiet reports whether a comment has nothing more to say than that all is
// well.
func (d *document) quiet() bool {
	fresh, _ := grave(d.groups.fresh)
	known, _ := grave(d.groups.known)
	unsure, _ := grave(d.groups.unsure)
	return d.o.Kind == Comment && d.calm() && len(fresh)+len(known)+len(unsure)+len(d.groups.unknown) == 0
}

// calm reports whether nothing that is new, or limits the result, asks for a
// reader.
func (d *document) calm() bool {
	r := d.r
	fresh, _ := grave(d.groups.fresh)
	breaks, _ := surface(r)
	return assessed(r) && r.Gate.Passed && len(fresh) == 0 && len(breaks) == 0 && r.Completeness.State != "partial" &&
		(r.Server.Isolation == nil || len(r.Server.Isolation.Breaches) == 0)
}

// sign is the status at a glance.
func (d *document) sign() string {
	switch {
	case !assessed(d.r) || !d.r.Gate.Passed:
		return "❌"
	case d.calm():
		return "✅"
	}
	return "⚠️"
}

// tail are the sections after the findings that matter most, of room bytes in
// all at most.
func (d *document) tail(room int) []md {
	g := d.groups
	_, mild := grave(g.fresh)
	title := rule.Counted(len(mild), "note")
	if g.compared {
		title = rule.Counted(len(mild), "new note")
	}
	list := func(title string, list []rule.Finding) func(int) md {
		return func(room int) md { return d.list(title, list, room) }
	}
	var sections []md
	for _, section := range []func(room int) md{
		d.surfaceTable,
		list(title, mild),
		list(rule.Counted(len(g.unsure), "finding")+" that the base was not tested for", g.unsure),
		list(rule.Counted(len(g.known), "finding")+" as before", g.known),
		list(rule.Counted(len(g.beside), "finding")+" on definitions and configuration", g.beside),
		list(rule.Counted(len(g.unknown), "finding")+" of the base that could not be checked", g.unknown),
		list(rule.Counted(len(g.fixed), "fixed finding"), g.fixed),
		list(rule.Counted(len(g.accepted), "accepted finding"), g.accepted),
		d.contractSection,
		d.checksTable,
		d.uncoveredList,
		d.provenance,
		d.timings,
	} {
		sections = append(sections, section(room/3))
		room -= len(sections[len(sections)-1])
	}
	return sections
}

// fold hides a section behind a line, which is escaped for HTML.
func fold(title md, body string) md {
	return md("<details><summary>" + string(title) + "</summary>\n\n" + strings.TrimRight(body, "\n") + "\n\n</details>\n\n")
}

// fit writes one row per item until the most rows are written or b holds as
// many bytes as there is room for, and returns how many it left out.
func fit[T any](b *strings.Builder, list []T, most, room int, row func(T) string) (left int) {
	for i, item := range list {
		line := row(item)
		if i == most || b.Len()+len(line) > room {
			return len(list) - i
		}
		b.WriteString(line)
	}
	return 0
}

// elsewhere is where everything is that a report leaves out.
func (d *document) elsewhere() string {
	run := d.o.Links.run()
	switch {
	case d.o.Kind == Comment && run != "":
		return "the [job summary](" + run + ")"
	case d.o.Kind == Comment:
		return "the job summary"
	}
	return "the result file"
}

// footer says what the report is about, and where the rest is.
func (d *document) footer() md {
	s, build := d.r.Server, d.r.Sealmark
	var parts []string
	add := func(before, said string, most int) {
		if said != "" {
			parts = append(parts, before+string(text(said, most)))
		}
	}
	if run := d.o.Links.run(); run != "" && d.o.Kind == Comment {
		parts = append(parts, "[full report]("+run+")")
	}
	if commit := d.o.Links.commit(); commit != "" {
		parts = append(parts, "commit "+commit)
	}
	if c := d.r.Comparison; c != nil {
		parts = append(parts, "compared with "+baseName(c.Base))
	}
	add("", s.Transport, 30)
	add("protocol ", s.ProtocolVersion, 30)
	add("server ", s.Version, 40)
	add("sealmark ", build.Version, 60)
	add("methodology ", build.Methodology, 30)
	left := ""
	if d.left > 0 {
		left = fmt.Sprintf("%s left out to keep within the size limit; %s holds everything.\n\n", rule.Counted(d.left, "part"), d.elsewhere())
	}
	return md(left + "<sub>" + strings.Join(parts, " · ") + "</sub>\n")
}

// baseName says what a result was compared with.
func baseName(b result.Base) string {
	name := map[string]string{"baseline": "the baseline", "committed": "the committed baseline", "build": "a build of the base"}[b.Source]
	if name == "" {
		name = "the base"
	}
	if commitID.MatchString(b.Commit) {
		name += " at " + b.Commit[:7]
	}
	return name
}

// ruleURL points to a rule's text, which is that of the check which owns the
// rule. Only plain ids become part of an address.
func ruleURL(f rule.Finding, catalog []rule.Check) string {
	owner := f.Check
	if r, ok := ruleOf(catalog, f.Rule); ok {
		owner = r.Check
	}
	for _, id := range []string{owner, f.Rule} {
		if id == "" || strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" {
			return rule.DocsURL
		}
	}
	return rule.DocsURL + owner + ".md#" + rule.Anchor(f.Rule)
}

func ruleOf(catalog []rule.Check, id string) (rule.Rule, bool) {
	for _, c := range catalog {
		if r, ok := c.Rule(id); ok {
			return r, true
		}
	}
	return rule.Rule{}, false
}

// firsts cuts a list, and says by how much.
func firsts(list []string, most int) []string {
	if len(list) <= most {
		return list
	}
	return append(slices.Clone(list[:most]), fmt.Sprintf("%d more", len(list)-most))
}
