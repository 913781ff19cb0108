package report

import (
	"fmt"
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
}

// docsURL is where the generated documentation is read.
const docsURL = "https://github.com/sealmark/action/blob/main/docs/checks/"

// md is text that is safe in Markdown. Only the functions of this file make
// it of foreign text.
type md string

// escaper escapes what means something in Markdown or HTML. Mentions and
// references are looked for in the rendered text, where an escaped character is
// plain again, so they are broken by a zero-width space.
var escaper = strings.NewReplacer(
	`\`, `\\`, "`", "\\`", "|", `\|`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "[", `\[`, "]", `\]`, "!", `\!`,
	"*", `\*`, "_", `\_`, "~", `\~`, "#", `\#&#8203;`, "@", "@&#8203;", "GH-", "GH&#8203;-", "gh-", "gh&#8203;-", "://", "&#58;//", "www.", "www&#46;", "$", `\$`,
)

// text escapes a foreign text on one line.
func text(s string, most int) md {
	return md(escaper.Replace((*redact.Redactor)(nil).Line(s, most)))
}

// summary escapes a foreign text within a line of HTML, where Markdown means
// nothing.
func summary(s string, most int) md {
	return md(inHTML.Replace((*redact.Redactor)(nil).Line(s, most)))
}

var inHTML = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "[", "&#91;", "@", "@&#8203;", "#", "#&#8203;", "GH-", "GH&#8203;-", "gh-", "gh&#8203;-", "://", "&#58;//")

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

// markdown collects sections up to a budget.
type markdown struct {
	out    strings.Builder
	budget int
	left   int // sections that were left out
}

// add adds a section whole, or counts it as left out.
func (m *markdown) add(section md) bool {
	const reserve = 400
	if m.out.Len()+len(section)+reserve > m.budget {
		m.left++
		return false
	}
	m.out.WriteString(string(section))
	return true
}

// Markdown writes a result for a pull-request comment or a job summary. It is
// the same for the same result, whatever its volatile part says.
func Markdown(r *result.Result, catalog []rule.Check, o MarkdownOptions) string {
	if o.Budget == 0 {
		o.Budget = map[Kind]int{Comment: 60_000, Summary: 1000 << 10}[o.Kind]
	}
	if o.Budget == 0 {
		o.Budget = 1000 << 10
	}
	m := &markdown{budget: o.Budget}
	if o.Marker != "" {
		m.out.WriteString(o.Marker + "\n")
	}
	m.add(heading(r))
	for _, n := range o.Notices {
		m.add("> " + text(n, 500) + "\n\n")
	}
	shown := findings(r)
	if len(shown) > 0 {
		m.table(shown, o.Kind)
		m.evidence(shown, o.Kind)
	}
	m.add(checksTable(r))
	m.add(uncoveredList(r, o.Kind))
	m.add(footer(r))
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
	if r.Status == result.NotAssessed {
		fmt.Fprintf(&b, "## Sealmark: %s was not assessed\n\n", text(name, 100))
		fmt.Fprintf(&b, "**%s**\n\n", text(reasonText(r), 800))
		if r.Reason != nil && r.Reason.Next != "" {
			fmt.Fprintf(&b, "%s\n\n", text(r.Reason.Next, 500))
		}
		return md(b.String())
	}
	fmt.Fprintf(&b, "## Sealmark: %s for %s\n\n", r.Score.Letter, text(name, 100))
	b.WriteString("| Score | Grade | Coverage | Errors | Warnings | Notes | Gate |\n|---|---|---|---|---|---|---|\n")
	gate := "passed"
	if !r.Gate.Passed {
		gate = "**failed**"
	}
	fmt.Fprintf(&b, "| %.1f %% | **%s** | %s: %d of %s probed | %d | %d | %d | %s |\n\n", r.Score.Percent, r.Score.Letter,
		text(r.Coverage.Level, 20), r.Coverage.ToolsProbed, count(r.Coverage.ToolsListed, "tool"),
		countOf(r, rule.Error), countOf(r, rule.Warning), countOf(r, rule.Note), gate)
	for _, c := range r.Score.Caps {
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

// findings are those that a reader should see: not those that another one
// explains.
func findings(r *result.Result) []rule.Finding {
	var list []rule.Finding
	for _, f := range r.Findings {
		if f.ExplainedBy == "" {
			list = append(list, f)
		}
	}
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

// rows is how many findings a table shows.
var rows = map[Kind]int{Comment: 50, Summary: 1000}

func (m *markdown) table(list []rule.Finding, kind Kind) {
	var b strings.Builder
	b.WriteString("| | Rule | Subject | What happened |\n|---|---|---|---|\n")
	limit := rows[kind]
	if limit == 0 {
		limit = rows[Summary]
	}
	for i, f := range list {
		if i == limit {
			break
		}
		fmt.Fprintf(&b, "| %s | [%s](%s) | %s | %s |\n", f.Severity, text(f.Rule, 60), ruleURL(f), code(f.Subject, 80), text(f.Message, 300))
	}
	b.WriteByte('\n')
	if len(list) > limit {
		fmt.Fprintf(&b, "… and %s more.\n\n", count(len(list)-limit, "finding"))
	}
	m.add(md(b.String()))
}

// ruleURL points to a rule's text. Only plain ids become part of an address.
func ruleURL(f rule.Finding) string {
	for _, id := range []string{f.Check, f.Rule} {
		if strings.Trim(id, "abcdefghijklmnopqrstuvwxyz0123456789-.") != "" {
			return docsURL
		}
	}
	return docsURL + f.Check + ".md#" + strings.ReplaceAll(f.Rule, ".", "")
}

func (m *markdown) evidence(list []rule.Finding, kind Kind) {
	limit := map[Kind]int{Comment: 20}[kind]
	if limit == 0 {
		limit = maxFindings
	}
	for i, f := range list {
		if i == limit {
			return
		}
		var b strings.Builder
		fmt.Fprintf(&b, "<details><summary>%s: %s</summary>\n\n", summary(f.Rule, 60), summary(f.Subject, 80))
		fmt.Fprintf(&b, "%s\n\n", text(f.Message, 600))
		for _, part := range []struct{ label, text string }{
			{"Request", f.Evidence.Request}, {"Reply", f.Evidence.Reply}, {"Seen", f.Evidence.Match}, {"Detail", f.Evidence.Detail}, {"Last stderr lines", f.Evidence.Stderr},
		} {
			if part.text != "" {
				fmt.Fprintf(&b, "%s:\n\n%s\n", part.label, block(part.text, 1000))
			}
		}
		fmt.Fprintf(&b, "Finding %s. [What to fix](%s)\n\n</details>\n\n", code(f.ID, 80), ruleURL(f))
		if !m.add(md(b.String())) {
			m.left += len(list[i+1 : min(len(list), limit)])
			return
		}
	}
}

func checksTable(r *result.Result) md {
	var b strings.Builder
	b.WriteString("<details><summary>Checks</summary>\n\n| Check | Pack | Verdict | Why |\n|---|---|---|---|\n")
	for _, c := range r.Checks {
		fmt.Fprintf(&b, "| %s | %s | %s %s | %s |\n", text(c.ID, 40), text(c.Pack, 30), symbols[c.Verdict].symbol, text(string(c.Verdict), 20), text(c.Reason, 300))
	}
	b.WriteString("\n</details>\n\n")
	return md(b.String())
}

func uncoveredList(r *result.Result, kind Kind) md {
	list := r.Coverage.Uncovered
	if len(list) == 0 {
		return ""
	}
	limit := map[Kind]int{Comment: 20}[kind]
	if limit == 0 {
		limit = 500
	}
	var b strings.Builder
	fmt.Fprintf(&b, "<details><summary>Not covered: %s</summary>\n\n", count(len(list), "tool"))
	for i, u := range list {
		if i == limit {
			fmt.Fprintf(&b, "- … and %d more\n", len(list)-limit)
			break
		}
		fmt.Fprintf(&b, "- %s: %s\n", code(u.Tool, 80), text(u.Reason, 200))
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
