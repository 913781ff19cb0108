package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/redact"
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

// md is text that is safe in Markdown. Only the functions of this file make
// it of foreign text.
type md string

// escaper escapes what means something in Markdown or HTML. Mentions and
// references are looked for in the rendered text, where an escaped character is
// plain again, so they and addresses are broken by a zero-width space.
var escaper = strings.NewReplacer(append(breaks("\\#"),
	`\`, `\\`, "`", "\\`", "|", `\|`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "[", `\[`, "]", `\]`, "!", `\!`,
	"*", `\*`, "_", `\_`, "~", `\~`, "$", `\$`)...)

// breaks are the replacements that break mentions, references and addresses;
// a number sign is written as given.
func breaks(number string) []string {
	const space = "&#8203;"
	return []string{"#", number + space, "@", "@" + space, "://", ":" + space + "//", "www.", "www" + space + ".", "WWW.", "WWW" + space + ".",
		"GH-", "GH" + space + "-", "Gh-", "Gh" + space + "-", "gH-", "gH" + space + "-", "gh-", "gh" + space + "-"}
}

// leading matches what starts a list, a rule or the underline of a heading.
var leading = regexp.MustCompile(`^([0-9]{0,9})([-+=.)])([-= ]|$)`)

// text escapes a foreign text on one line.
func text(s string, most int) md {
	s = escaper.Replace((*redact.Redactor)(nil).Line(s, most))
	return md(leading.ReplaceAllString(s, `$1\$2$3`))
}

// summary escapes a foreign text within a line of HTML, where Markdown means
// nothing.
func summary(s string, most int) md {
	return md(inHTML.Replace((*redact.Redactor)(nil).Line(s, most)))
}

var inHTML = strings.NewReplacer(append(breaks("#"), "&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "[", "&#91;")...)

// code shows a foreign text on one line as it is, in a code span that its
// backticks can't close.
func code(s string, most int) md {
	s = (*redact.Redactor)(nil).Line(s, most)
	if s == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(s)+1)
	// A pipe ends a table's cell even within a code span.
	s = strings.ReplaceAll(s, "|", "¦")
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return md(fence + s + fence)
}

// block shows a foreign text in a code block that it can't close.
func block(s string, most int) md {
	s = (*redact.Redactor)(nil).Text(s, most)
	fence := strings.Repeat("`", max(3, longestRun(s)+1))
	return md(fence + "text\n" + strings.TrimRight(s, "\n") + "\n" + fence + "\n")
}

// longestRun is the length of the longest run of backticks.
func longestRun(s string) int {
	longest, run := 0, 0
	for _, c := range s {
		if c == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}

// limits bound a report: its bytes, and how many findings the table shows, how
// many have their evidence, and how many tools that are not covered are listed.
type limits struct{ bytes, rows, details, uncovered int }

func limitsOf(k Kind) limits {
	if k == Comment {
		return limits{bytes: 60_000, rows: 50, details: 20, uncovered: 20}
	}
	return limits{bytes: 1000 << 10, rows: 1000, details: maxFindings, uncovered: 500}
}

// markdown collects sections up to a budget.
type markdown struct {
	out    strings.Builder
	budget int
	kept   int // bytes that are kept for the sections at the end
	left   int // sections that were left out
}

// room is how many bytes a section may have; some stay for the closing line.
func (m *markdown) room() int { return max(0, m.budget-m.kept-m.out.Len()-400) }

// add adds a section whole, or counts it as left out.
func (m *markdown) add(section md) {
	if len(section) > m.room() {
		m.left++
		return
	}
	m.out.WriteString(string(section))
}

// Markdown writes a result for a pull-request comment or a job summary. It is
// the same for the same result, whatever its volatile part says.
func Markdown(r *result.Result, catalog []rule.Check, o MarkdownOptions) string {
	most := limitsOf(o.Kind)
	if o.Budget == 0 {
		o.Budget = most.bytes
	}
	m := &markdown{budget: o.Budget}
	if o.Marker != "" {
		m.out.WriteString(o.Marker + "\n")
	}
	m.add(heading(r))
	m.add(notices(append(slices.Clip(o.Notices), r.Notices...)))
	last := []md{contractSection(r, most.rows, m.room()/5), checksTable(r, m.room()/4), uncoveredList(r, most.uncovered, m.room()/4), footer(r)}
	for _, section := range last {
		m.kept += len(section)
	}
	if shown := findings(r); len(shown) > 0 {
		m.add(findingsTable(shown, catalog, most.rows, m.room()/2))
		m.evidence(shown, catalog, most.details)
	}
	m.kept = 0
	for _, section := range last {
		m.add(section)
	}
	if m.left > 0 {
		fmt.Fprintf(&m.out, "\n%s left out to keep within the size limit; the result file holds everything.\n", count(m.left, "part"))
	}
	return m.out.String()
}

func heading(r *result.Result) md {
	var b strings.Builder
	name := r.Server.Name
	if name == "" {
		name = r.Server.Key
	}
	if !assessed(r) {
		fmt.Fprintf(&b, "## Sealmark: %s was not assessed\n\n", text(name, 100))
		if reason := text(reasonText(r), 800); reason != "" {
			fmt.Fprintf(&b, "**%s**\n\n", reason)
		}
		if r.Reason != nil && r.Reason.Next != "" {
			fmt.Fprintf(&b, "What to do: %s\n\n", text(r.Reason.Next, 500))
		}
		return md(b.String())
	}
	letter := text(r.Score.Letter, 2)
	fmt.Fprintf(&b, "## Sealmark: %s for %s\n\n", letter, text(name, 100))
	b.WriteString("| Score | Grade | Coverage | Errors | Warnings | Notes | Gate |\n|---|---|---|---|---|---|---|\n")
	gate := "passed"
	if !r.Gate.Passed {
		gate = "**failed**"
	}
	fmt.Fprintf(&b, "| %.1f %% | **%s** | %s: %d of %s probed | %d | %d | %d | %s |\n\n", r.Score.Percent, letter,
		text(r.Coverage.Level, 20), r.Coverage.ToolsProbed, count(r.Coverage.ToolsListed, "tool"),
		countOf(r, rule.Error), countOf(r, rule.Warning), countOf(r, rule.Note), gate)
	for i, c := range r.Score.Caps {
		if i == maxNotices {
			break
		}
		fmt.Fprintf(&b, "Capped at %s: %s.\n\n", text(c.Letter, 2), text(c.Reason, 200))
	}
	if !r.Gate.Passed {
		fmt.Fprintf(&b, "The gate does not hold: %s.\n\n", text(strings.Join(r.Gate.Reasons, "; "), 500))
	}
	if r.Completeness.State == "partial" {
		fmt.Fprintf(&b, "The run is incomplete: %s.\n\n", text(strings.Join(r.Completeness.Reasons, "; "), 500))
	}
	if len(r.Deviations) > 0 {
		fmt.Fprintf(&b, "This is a non-standard run: %s.\n\n", text(strings.Join(r.Deviations, ", "), 500))
	}
	return md(b.String())
}

// assessed reports whether a result has a score. One that was read from a file
// may lack it, whatever its status says.
func assessed(r *result.Result) bool { return r.Status == result.Assessed && r.Score != nil }

// maxNotices bounds short lists at the head of a report.
const maxNotices = 20

func notices(list []string) md {
	var b strings.Builder
	for i, n := range list {
		if i == maxNotices {
			break
		}
		fmt.Fprintf(&b, "> %s\n\n", text(n, 500))
	}
	return md(b.String())
}

// findings are those that a reader should see, gravest first: not those that
// another one explains.
func findings(r *result.Result) []rule.Finding {
	list := r.Reported()
	slices.SortStableFunc(list, func(a, b rule.Finding) int { return cmp.Compare(b.Severity.Rank(), a.Severity.Rank()) })
	return list
}

func countOf(r *result.Result, s rule.Severity) int {
	n := 0
	for _, f := range findings(r) {
		if f.Severity == s {
			n++
		}
	}
	return n
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

func findingsTable(list []rule.Finding, catalog []rule.Check, limit, room int) md {
	var b strings.Builder
	b.WriteString("| | Rule | Subject | What happened |\n|---|---|---|---|\n")
	left := fit(&b, list, limit, room, func(f rule.Finding) string {
		return fmt.Sprintf("| %s | [%s](%s) | %s | %s%s |\n", text(string(f.Severity), 10), text(f.Rule, 60), ruleURL(f, catalog), code(f.Subject, 80), text(f.Message, 300), repeats(f))
	})
	b.WriteByte('\n')
	if left > 0 {
		fmt.Fprintf(&b, "… and %s.\n\n", count(left, "more finding"))
	}
	return md(b.String())
}

// repeats says how often a finding was seen and whether it showed again.
func repeats(f rule.Finding) string {
	var marks []string
	if f.Count > 1 {
		marks = append(marks, fmt.Sprintf("seen %d times", f.Count))
	}
	if f.Observed {
		marks = append(marks, "only observed: it counts neither for the score nor for the gate")
	}
	if f.Flaky {
		marks = append(marks, "flaky: it did not show again on a fresh server")
	}
	if len(marks) == 0 {
		return ""
	}
	return " (" + strings.Join(marks, "; ") + ")"
}

// ruleURL points to a rule's text, which is that of the check which owns the
// rule. Only plain ids become part of an address.
func ruleURL(f rule.Finding, catalog []rule.Check) string {
	owner := f.Check
	if r, ok := ruleOf(catalog, f.Rule); ok {
		owner = r.Check
	}
	for _, id := range []string{owner, f.Rule} {
		if strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" {
			return rule.DocsURL
		}
	}
	return rule.DocsURL + owner + ".md#" + rule.Anchor(f.Rule)
}

// evidence adds a folded section per finding as far as there is room.
func (m *markdown) evidence(list []rule.Finding, catalog []rule.Check, limit int) {
	var b strings.Builder
	left := fit(&b, list, limit, m.room(), func(f rule.Finding) string { return details(f, catalog) })
	m.out.WriteString(b.String())
	if left > 0 {
		fmt.Fprintf(&m.out, "The result file holds the evidence of %s.\n\n", count(left, "more finding"))
	}
}

func details(f rule.Finding, catalog []rule.Check) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary>%s: %s</summary>\n\n", summary(f.Rule, 60), summary(f.Subject, 80))
	fmt.Fprintf(&b, "%s%s\n\n", text(f.Message, 600), repeats(f))
	if n := len(f.Evidence.Prefix); n > 0 {
		fmt.Fprintf(&b, "It shows after %s on the same instance.\n\n", count(n, "earlier message"))
	}
	for _, part := range []struct{ label, text string }{
		{"Request", f.Evidence.Request}, {"Reply", f.Evidence.Reply}, {"Seen", f.Evidence.Match}, {"Detail", f.Evidence.Detail}, {"Last stderr lines", f.Evidence.Stderr},
	} {
		if part.text != "" {
			fmt.Fprintf(&b, "%s:\n\n%s\n", part.label, block(part.text, 1000))
		}
	}
	if len(f.Evidence.Candidates) > 0 {
		fmt.Fprintf(&b, "Shown by:\n\n%s\n", block(strings.Join(f.Evidence.Candidates, "\n"), 1000))
	}
	if r, ok := ruleOf(catalog, f.Rule); ok {
		fmt.Fprintf(&b, "What to fix: %s\n\n", r.Fix)
	}
	fmt.Fprintf(&b, "Finding %s, [about the rule](%s)\n\n</details>\n\n", code(f.ID, 80), ruleURL(f, catalog))
	return b.String()
}

// checksTable shows packs and checks.
func checksTable(r *result.Result, room int) md {
	const most = 200
	var b strings.Builder
	if !assessed(r) {
		b.WriteString("<details><summary>Checks</summary>\n\n")
	} else {
		b.WriteString("<details><summary>Packs and checks</summary>\n\n")
		b.WriteString("| Pack | Score | Points |\n|---|---|---|\n")
		fit(&b, r.Score.Packs, most, room, func(p result.Pack) string {
			return fmt.Sprintf("| %s | %.1f %% | %s of %s |\n", text(p.ID, 30), p.Percent, number(p.Points), number(p.Possible))
		})
		b.WriteByte('\n')
	}
	b.WriteString("| Check | Pack | Weight | Verdict | Why |\n|---|---|---|---|---|\n")
	left := fit(&b, r.Checks, most, room, func(c result.Check) string {
		return fmt.Sprintf("| %s | %s | %s | %s %s | %s |\n", text(c.ID, 40), text(c.Pack, 30), text(string(c.Weight), 20), symbols[c.Verdict].symbol, text(string(c.Verdict), 20), text(c.Reason, 300))
	})
	if left > 0 {
		fmt.Fprintf(&b, "\n… and %s.\n", count(left, "more check"))
	}
	b.WriteString("\n</details>\n\n")
	return md(b.String())
}

func uncoveredList(r *result.Result, limit, room int) md {
	list := r.Coverage.Uncovered
	if len(list) == 0 {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary>Not covered: %s</summary>\n\n", count(len(list), "tool"))
	left := fit(&b, list, limit, room, func(u result.Uncovered) string {
		return fmt.Sprintf("- %s: %s\n", code(u.Tool, 80), text(u.Reason, 200))
	})
	if left > 0 {
		fmt.Fprintf(&b, "- … and %d more\n", left)
	}
	b.WriteString("\n</details>\n\n")
	return md(b.String())
}

func footer(r *result.Result) md {
	s := r.Server
	parts := []string{string(text(s.Transport, 30))}
	if s.ProtocolVersion != "" {
		parts = append(parts, "protocol "+string(text(s.ProtocolVersion, 30)))
	}
	if s.Version != "" {
		parts = append(parts, "server "+string(text(s.Version, 40)))
	}
	parts = append(parts, "sealmark "+string(text(r.Sealmark.Version, 60)), "methodology "+string(text(r.Sealmark.Methodology, 30)))
	return md("<sub>" + strings.Join(parts, " · ") + "</sub>\n")
}
