package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sealmark/action/internal/golden"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// withContract adds a matrix and rates to a result: of a tool with each
// outcome, a clean one, one that is only observed, and one without a call.
func withContract(r *result.Result) *result.Result {
	c := &result.Contract{Corpus: "1", Reach: "read-only", Total: result.Outcomes{},
		Shapes: []string{"required-missing", "null", "enum", "below-minimum", "above-maximum", "pattern", "uniqueness", "format", "extra-field"},
		Tools: []result.ContractTool{
			{Tool: "quote", Cells: map[string]result.Outcomes{"required-missing": {result.Rejected: 2}, "null": {result.Rejected: 2}}, NotSent: ""},
			{Tool: "hold", Cells: map[string]result.Outcomes{
				"required-missing": {result.Rejected: 1}, "null": {result.Crash: 1, result.Accepted: 1}, "enum": {result.Hang: 1}, "below-minimum": {result.Accepted: 3},
				"above-maximum": {result.InternalError: 1}, "pattern": {result.FailedLater: 1}, "uniqueness": {result.Empty: 1}, "format": {result.Unrecognised: 1}, "extra-field": {result.NotSent: 1},
			}, NotSent: "1 since the tool may write"},
			{Tool: "search", Observed: true, Cells: map[string]result.Outcomes{"extra-field": {result.Accepted: 1, result.Rejected: 1}}},
			{Tool: "reset", Cells: map[string]result.Outcomes{"null": {result.NotSent: 2}}, NotSent: "2 since the tool may write"},
			{Tool: "clock", Cells: map[string]result.Outcomes{}},
		}}
	for i := range c.Tools {
		row := &c.Tools[i]
		row.Total = result.Outcomes{}
		for _, outcomes := range row.Cells {
			for outcome, n := range outcomes {
				row.Total[outcome] += n
				c.Total[outcome] += n
			}
		}
	}
	r.Contract = c
	rates := result.Rates{InvalidAccepted: result.Rate{Count: 4, Of: 10}, Unrecognisable: result.Rate{Count: 1, Of: 2}, NamedArgument: result.Rate{Count: 1, Of: 2}}
	quote := result.Rates{InvalidAccepted: result.Rate{Count: 0, Of: 4}, ValidRejected: result.Rate{Count: 1, Of: 3}}
	r.Rates = &result.RateTable{Tools: []result.ToolRates{{Tool: "quote", Rates: quote}, {Tool: "hold", Rates: rates}}}
	r.Rates.Total.Add(rates)
	r.Rates.Total.Add(quote)
	return r
}

func TestContractGolden(t *testing.T) {
	r := withContract(sample("hold"))
	r.Findings[0].Evidence.Candidates = []string{"hold/enum/enum", "hold/unit/enum"}
	r.Findings = append(r.Findings, rule.Finding{ID: "contract.enum-ignored:1", Rule: "contract.enum-ignored", Check: "argument-contract", Subject: "tool:search", Severity: rule.Note, Observed: true, Message: "Tool \"search\" accepts a value.", Count: 1})
	golden.Check(t, "testdata/contract.txt", terminalText(t, r, Options{Width: 80}))
	golden.Check(t, "testdata/contract-color.txt", terminalText(t, r, Options{Color: true, Width: 60}))
	golden.Check(t, "testdata/contract.md", Markdown(r, checks, MarkdownOptions{Kind: Summary}))
}

// TestContractPlain: what colour says stands there in words too.
func TestContractPlain(t *testing.T) {
	r := withContract(sample())
	for _, outcome := range result.AllOutcomes {
		if outcomeSymbols[outcome].symbol == "" {
			t.Errorf("%s has no symbol", outcome)
		}
		for _, out := range []string{terminalText(t, r, Options{}), Markdown(r, checks, MarkdownOptions{Kind: Summary})} {
			if !strings.Contains(out, outcomeSymbols[outcome].symbol+" "+string(outcome)) {
				t.Errorf("no %s in\n%s", outcome, out)
			}
		}
	}
	empty := sample()
	empty.Contract = &result.Contract{Total: result.Outcomes{result.NotSent: 5}}
	for _, out := range []string{terminalText(t, empty, Options{}), Markdown(empty, checks, MarkdownOptions{Kind: Summary})} {
		if strings.Contains(strings.ToLower(out), "argument contract") {
			t.Errorf("an empty matrix is shown:\n%s", out)
		}
	}
}

// TestContractSize: a matrix of 1,000 tools keeps the limits and the width.
func TestContractSize(t *testing.T) {
	r := withContract(sample("hold"))
	for i := range 1000 {
		row := r.Contract.Tools[i%2]
		row.Tool = fmt.Sprintf("tööl_%04d_%s", i, strings.Repeat("ü", i%90))
		r.Contract.Tools = append(r.Contract.Tools, row)
		r.Rates.Tools = append(r.Rates.Tools, result.ToolRates{Tool: row.Tool, Rates: r.Rates.Total})
	}
	for kind, limit := range map[Kind]int{Comment: 60_000, Summary: 1000 << 10} {
		out := Markdown(r, checks, MarkdownOptions{Kind: kind})
		if len(out) > limit || !utf8.ValidString(out) || strings.Count(out, "<details>") != strings.Count(out, "</details>") || kind == Summary && !strings.Contains(out, "all tools") || !strings.Contains(out, "Score by pack and check") {
			t.Errorf("%s: %d bytes", kind, len(out))
		}
	}
	out := terminalText(t, r, Options{Width: 80})
	if len(out) > 20_000 || !strings.Contains(out, "more tools") || !strings.Contains(out, ", 481 more") {
		t.Errorf("%d bytes:\n%s", len(out), out)
	}
	for line := range strings.Lines(out) {
		if utf8.RuneCountInString(line) > 130 {
			t.Errorf("a line of %d: %s", utf8.RuneCountInString(line), line)
		}
	}
}

// TestNoCommands: no line of a report is one that a runner of GitHub Actions
// takes for a command, wherever the width puts the words of a server.
func TestNoCommands(t *testing.T) {
	name := "hold ::error::a ::stop-commands::b ##[error]c"
	for width := 40; width <= 120; width += 5 {
		r := withContract(sample(name, strings.Repeat("x", width%7*5)+" "+name))
		for i := range r.Contract.Tools {
			r.Contract.Tools[i].Tool = name
		}
		r.Findings[0].Message = strings.Repeat("::warning::x ", 30)
		for line := range strings.Lines(terminalText(t, r, Options{Width: width})) {
			if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
				t.Errorf("at %d columns: %s", width, line)
			}
		}
	}
	var b strings.Builder
	NewProgress(&b, false).Step("robust-input", name)
	if strings.Contains(b.String(), "##[") {
		t.Errorf("%s", b.String())
	}
}
