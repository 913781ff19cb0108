package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// maxShapes bounds the columns of a matrix from a file.
const maxShapes = 40

// outcomeSymbols stand beside the word of an outcome.
var outcomeSymbols = map[result.Outcome]struct{ symbol, color string }{
	result.Crash: {"‼", red}, result.Hang: {"∞", red}, result.InternalError: {"!", yellow}, result.Accepted: {"✗", red},
	result.FailedLater: {"↯", yellow}, result.Empty: {"∅", yellow}, result.Unrecognised: {"~", yellow}, result.Rejected: {"✓", green}, result.NotSent: {"·", dim},
}

// contractRows are the rows of the matrix, those with the gravest outcomes
// first.
func contractRows(c *result.Contract) []result.ContractTool {
	rows := slices.Clone(c.Tools)
	rank := func(t result.ContractTool) int {
		if i := slices.Index(result.AllOutcomes, t.Total.Worst()); i >= 0 {
			return i
		}
		return len(result.AllOutcomes)
	}
	slices.SortStableFunc(rows, func(a, b result.ContractTool) int { return cmp.Compare(rank(a), rank(b)) })
	return rows
}

// contractLine says in a line what came of the malformed calls.
func contractLine(c *result.Contract) string {
	text := fmt.Sprintf("%d of %s accepted", c.Total[result.Accepted], rule.Counted(c.Total.Sent(), "malformed call"))
	if n := c.Total[result.NotSent]; n > 0 {
		text += fmt.Sprintf(", %d not sent", n)
	}
	if c.Observed {
		text += "; only observed"
	}
	return text + "; corpus " + safe(c.Corpus, 20)
}

// rateTexts are the rates that count anything, in words.
func rateTexts(r result.Rates) []string {
	var list []string
	for _, rate := range rateColumns {
		if of := rate.of(r); of.Of > 0 {
			list = append(list, fmt.Sprintf("%s %d of %d", rate.name, of.Count, of.Of))
		}
	}
	return list
}

// rateColumns are the rates in the order in which they are shown.
var rateColumns = []struct {
	name string
	of   func(result.Rates) result.Rate
}{
	{"invalid accepted", func(r result.Rates) result.Rate { return r.InvalidAccepted }},
	{"valid rejected", func(r result.Rates) result.Rate { return r.ValidRejected }},
	{"refusals not recognisable", func(r result.Rates) result.Rate { return r.Unrecognisable }},
	{"refusals naming the argument", func(r result.Rates) result.Rate { return r.NamedArgument }},
	{"denials observed", func(r result.Rates) result.Rate { return r.Denials }},
}

// contract writes the matrix of tools and shapes: a block for each tool with
// something to see, and one line for those that rejected all they were sent.
func (t *terminal) contract() {
	const shown = 20
	c := t.r.Contract
	if c == nil || c.Total.Sent() == 0 {
		return
	}
	t.line("%s", t.paint(bold, "ARGUMENT CONTRACT"))
	t.wrapped("  ", "  ", contractLine(c))
	var clean, silent []string
	blocks := 0
	for _, row := range contractRows(c) {
		name := safe(row.Tool, 60) + observedMark(row.Observed)
		switch row.Total.Worst() {
		case result.Rejected:
			clean = append(clean, fmt.Sprintf("%s (%d)", name, row.Total[result.Rejected]))
		case result.NotSent:
			silent = append(silent, name)
		case "":
		default:
			if blocks++; blocks <= shown {
				t.contractTool(row, name)
			}
		}
	}
	if blocks > shown {
		t.line("  … and %s; --json FILE holds all of them", rule.Counted(blocks-shown, "more tool"))
	}
	t.outcome("  ", "all rejected", result.Rejected, firsts(clean, shown))
	t.outcome("  ", "not sent", result.NotSent, firsts(silent, shown))
	if t.r.Rates != nil {
		t.wrapped("  rates: ", "    ", strings.Join(rateTexts(t.r.Rates.Total), "; "))
	}
	t.line("")
}

// contractTool writes the row of a tool, by outcomes.
func (t *terminal) contractTool(row result.ContractTool, name string) {
	t.line("  %s", t.paint(bold, name))
	for _, outcome := range result.AllOutcomes {
		var list []string
		for i, shape := range t.r.Contract.Shapes {
			if n := row.Cells[shape][outcome]; n > 0 && i < maxShapes {
				list = append(list, shapeCount(safe(shape, 40), n))
			}
		}
		t.outcome("    ", string(outcome), outcome, list)
	}
}

// outcome writes what has an outcome, if anything has.
func (t *terminal) outcome(indent, word string, outcome result.Outcome, list []string) {
	if len(list) == 0 {
		return
	}
	const widest = len(result.Unrecognised)
	s := outcomeSymbols[outcome]
	t.wrapped(fmt.Sprintf("%s%s %s ", indent, t.paint(s.color, s.symbol), pad(word, widest)), strings.Repeat(" ", len(indent)+widest+3), strings.Join(list, ", "))
}

func shapeCount(shape string, n int) string {
	if n == 1 {
		return shape
	}
	return fmt.Sprintf("%s ×%d", shape, n)
}

// contractSection shows the matrix and the rates, which are too wide for a
// comment.
func (d *document) contractSection(room int) md {
	c := d.r.Contract
	if c == nil || c.Total.Sent() == 0 || d.o.Kind == Comment {
		return ""
	}
	var b strings.Builder
	shapes := c.Shapes[:min(len(c.Shapes), maxShapes)]
	b.WriteString("| Tool |")
	for _, shape := range shapes {
		fmt.Fprintf(&b, " %s |", text(shape, 40))
	}
	b.WriteString("\n|---" + strings.Repeat("|---", len(shapes)) + "|\n")
	left := fit(&b, contractRows(c), d.most.list, room/2, func(row result.ContractTool) string {
		line := "| " + string(code(row.Tool, 80)) + observedMark(row.Observed) + " |"
		for _, shape := range shapes {
			line += " " + cell(row.Cells[shape]) + " |"
		}
		return line + "\n"
	})
	if left > 0 {
		fmt.Fprintf(&b, "\n… and %s.\n", rule.Counted(left, "more tool"))
	}
	b.WriteString(string(rateTable(d.r, d.most.list, max(0, room-b.Len()-100))))
	return fold(inline("Argument contract: "+contractLine(c), 200), b.String())
}

func observedMark(observed bool) string {
	if observed {
		return " (only observed)"
	}
	return ""
}

// cell shows the gravest outcome of a shape, and how often it came if others
// did too.
func cell(o result.Outcomes) string {
	worst := o.Worst()
	if worst == "" {
		return ""
	}
	shown := outcomeSymbols[worst].symbol + " " + string(worst)
	all := 0
	for _, outcome := range result.AllOutcomes {
		all += o[outcome]
	}
	if all > o[worst] {
		return fmt.Sprintf("%s %d of %d", shown, o[worst], all)
	}
	return shown
}

// rateTable shows the rates in total and per tool; a rate that counts nothing
// at all has no column.
func rateTable(r *result.Result, limit, room int) md {
	if r.Rates == nil {
		return ""
	}
	columns := slices.Clone(rateColumns)
	columns = slices.DeleteFunc(columns, func(c struct {
		name string
		of   func(result.Rates) result.Rate
	}) bool {
		return c.of(r.Rates.Total).Of == 0
	})
	var b strings.Builder
	b.WriteString("\n| Rates |")
	for _, c := range columns {
		fmt.Fprintf(&b, " %s |", c.name)
	}
	b.WriteString("\n|---" + strings.Repeat("|---", len(columns)) + "|\n")
	line := func(name string, rates result.Rates) string {
		line := "| " + name + " |"
		for _, c := range columns {
			of := c.of(rates)
			if of.Of == 0 {
				line += "  |"
				continue
			}
			line += fmt.Sprintf(" %d of %d |", of.Count, of.Of)
		}
		return line + "\n"
	}
	b.WriteString(line("all tools", r.Rates.Total))
	left := fit(&b, r.Rates.Tools, limit, room, func(t result.ToolRates) string { return line(string(code(t.Tool, 80)), t.Rates) })
	if left > 0 {
		fmt.Fprintf(&b, "\n… and %s.\n", rule.Counted(left, "more tool"))
	}
	return md(b.String())
}
