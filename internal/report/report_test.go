package report

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extensionast "github.com/yuin/goldmark/extension/ast"
	goldtext "github.com/yuin/goldmark/text"

	"github.com/sealmark/action/internal/fixture"
	"github.com/sealmark/action/internal/golden"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// hang is a rule for the reports of this test.
var hang = rule.Rule{ID: "robust.hang", Severity: rule.Error, Check: "robust-input", Title: "A malformed call is never answered", Description: "It hangs.", Fix: "Answer at once."}

var checks = []rule.Check{{ID: "robust-input", Rules: []rule.Rule{hang}}}

// sample is a result with findings of the named tools.
func sample(tools ...string) *result.Result {
	r := &result.Result{
		SchemaVersion: result.SchemaVersion, Sealmark: result.Build{Version: "1.0.0", Methodology: "1.0"},
		Server:       result.Server{Key: "desk", Name: "parcel-desk", Version: "2.0.0", Transport: "stdio", ProtocolVersion: "2025-11-25", Anchor: rule.Location{Path: "package.json", Line: 1}},
		Status:       result.Assessed,
		Completeness: result.Completeness{State: "complete"},
		Score:        &result.Score{Percent: 66.7, Points: 2, Possible: 3, Letter: "D", Caps: []result.Cap{{Letter: "D", Reason: "secret-echo failed"}}, Packs: []result.Pack{{ID: "core", Points: 2, Possible: 2, Percent: 100}, {ID: "security", Points: 0, Possible: 1}}},
		Coverage:     result.Coverage{Level: "hygiene only", ToolsListed: 3, ToolsProbed: 2, ChecksScored: 3, Uncovered: []result.Uncovered{{Tool: "reset", Reason: "takes no arguments and is not declared read-only"}}},
		Checks: []result.Check{
			{ID: "launch", Pack: "core", Weight: rule.Gate, Verdict: rule.Pass, Reason: "The server starts and answers initialize."},
			{ID: "robust-input", Pack: "core", Weight: rule.Scored, Verdict: rule.Fail, Reason: "A malformed call got no answer."},
			{ID: "secret-echo", Pack: "security", Weight: rule.Cap, CapsAt: "D", Verdict: rule.Unverified, Reason: "The run was cut short."},
		},
		Gate: result.Gate{FailOn: "error", Reasons: []string{"1 finding of level error or above"}},
	}
	for _, tool := range tools {
		subject := "tool:" + tool
		r.Findings = append(r.Findings, rule.Finding{ID: rule.FindingID("robust.hang", subject), Rule: "robust.hang", Check: "robust-input", Subject: subject, Severity: rule.Error,
			Message: fmt.Sprintf("Tool %q hangs on a malformed call (nulls): no answer within 10s.", tool), Count: 2, Probe: "nulls",
			Evidence: rule.Evidence{Request: `{"jsonrpc":"2.0","id":1001,"method":"tools/call","params":{"name":"` + tool + `"}}`, Reply: tool, Detail: "no answer within 10s", Stderr: tool}})
	}
	return r
}

func notAssessed() *result.Result {
	r := sample()
	r.Status, r.Score = result.NotAssessed, nil
	r.Reason = &result.Reason{Rule: "launch.exited", Text: "The server exited with status 1 before it answered initialize.", Next: "Run the same command by hand."}
	r.Gate.Reasons = []string{"the server was not assessed"}
	return r
}

func terminalText(t *testing.T, r *result.Result, o Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := Terminal(&b, r, checks, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	golden.Check(t, "testdata/terminal.txt", terminalText(t, sample("hold"), Options{}))
	golden.Check(t, "testdata/terminal-changed.txt", terminalText(t, changedServer(), Options{}))
	golden.Check(t, "testdata/terminal-color.txt", terminalText(t, sample("hold"), Options{Color: true, Width: 60}))
	golden.Check(t, "testdata/terminal-not-assessed.txt", terminalText(t, notAssessed(), Options{}))
	for name, r := range map[string]*result.Result{"findings": sample("hold"), "changed": changedServer(), "not-assessed": notAssessed(), "build-failed": buildFailed(), "well": well()} {
		golden.Check(t, "testdata/comment-"+name+".md", Markdown(r, checks, MarkdownOptions{Kind: Comment, Marker: "<!-- marker -->", Links: home}))
		golden.Check(t, "testdata/summary-"+name+".md", Markdown(r, checks, MarkdownOptions{Kind: Summary, Links: home}))
	}
}

// TestWell: a comment that has nothing to say is short.
func TestWell(t *testing.T) {
	out := Markdown(well(), checks, MarkdownOptions{Kind: Comment, Marker: "<!-- marker -->", Links: home})
	if n := strings.Count(out, "\n"); n > 6 {
		t.Errorf("%d lines:\n%s", n, out)
	}
}

// TestTrue: what limits a result stands in comment, summary and terminal.
func TestTrue(t *testing.T) {
	for name, tt := range map[string]struct {
		change func(*result.Result)
		want   string
	}{
		"partial": {func(r *result.Result) {
			r.Completeness = result.Completeness{State: "partial", Reasons: []string{"the list of prompts was refused"}}
		}, "the list of prompts was refused"},
		"non-standard": {func(r *result.Result) { r.Deviations = []string{"timeout_probe_sec"} }, "non-standard run"},
		"unverified": {func(r *result.Result) {
			r.Checks[1].Verdict, r.Checks[1].Reason = rule.Unverified, "The connection was lost."
		}, "The connection was lost"},
		"made-up":  {func(r *result.Result) { r.Server.Canaries = []string{"PARCEL"} }, "made-up values for PARCEL"},
		"breach":   {func(r *result.Result) { r.Server.Isolation = &result.Isolation{Breaches: []string{"it forked away"}} }, "it forked away"},
		"notice":   {func(r *result.Result) { r.Notices = []string{"only one instance fits"} }, "only one instance fits"},
		"limited":  {func(r *result.Result) { r.Comparison.Incomparable = []string{"The base is of another methodology."} }, "other methodology"},
		"hygiene":  {func(r *result.Result) { r.Coverage.ToolsValid = 0 }, "no valid call was answered"},
		"some":     {func(r *result.Result) { r.Coverage.ToolsProbed, r.Coverage.ToolsValid = 2, 1 }, "2 of 3 tools were probed, 1 with a valid call"},
		"none":     {func(r *result.Result) { r.Coverage.ToolsProbed = 0 }, "None of 3 tools was probed"},
		"no tools": {func(r *result.Result) { r.Coverage = result.Coverage{Level: "none"} }, "lists no tools"},
	} {
		r := well()
		tt.change(r)
		for _, kind := range []Kind{Comment, Summary} {
			if out := Markdown(r, checks, MarkdownOptions{Kind: kind}); !strings.Contains(strings.ReplaceAll(out, `\_`, "_"), tt.want) {
				t.Errorf("%s: the %s does not say %q:\n%s", name, kind, tt.want, out)
			}
		}
	}
}

// TestChange: how the score differs from the base's, in words.
func TestChange(t *testing.T) {
	for _, tt := range []struct {
		base, letter string
		change       *float64
		want         string
	}{
		{"B", "A", new(4.25), "up 4.2 points from B"}, {"A", "A", new(0.5), "up 0.5 points"}, {"A", "C", new(-12.0), "down 12 points from A"},
		{"A", "A", new(0.0), "unchanged"}, {"A", "D", new(0.0), "was A"}, {"A", "A", nil, ""}, {"", "A", new(1.0), "up 1 point"},
	} {
		r := well()
		r.Score.Letter, r.Comparison.Base.Letter, r.Comparison.Change = tt.letter, tt.base, tt.change
		if got := changed(r); got != tt.want {
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

func TestFirstError(t *testing.T) {
	for log, want := range map[string]string{
		"": "", "\n \n": "", "one\ntwo\n": "two", "> tsc\n\nx.ts(1): error TS1: bad\nmore error\n": "x.ts(1): error TS1: bad",
		"npm warn\nsh: tsc: not found\n": "sh: tsc: not found", "0\nPANIC: x": "PANIC: x",
	} {
		if got := firstError(log); got != want {
			t.Errorf("%q: %q", log, got)
		}
	}
}

// TestHostileMarkdown reads our Markdown back: no markup of the server's
// making is in it.
func TestHostileMarkdown(t *testing.T) {
	parser := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote)).Parser()
	for name, r := range map[string]*result.Result{"findings": hostile(), "build": hostileBuild()} {
		for _, kind := range []Kind{Comment, Summary} {
			out := Markdown(r, checks, MarkdownOptions{Kind: kind, Notices: evilNames[:10], Links: home})
			if strings.Contains(out, "<!--") {
				t.Errorf("%s: a comment in the %s", name, kind)
			}
			source := []byte(out)
			columns := 0
			ast.Walk(parser.Parse(goldtext.NewReader(source)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
				if !entering {
					return ast.WalkContinue, nil
				}
				switch n := n.(type) {
				case *ast.RawHTML:
					for i := range n.Segments.Len() {
						at := n.Segments.At(i)
						ours(t, string(at.Value(source)))
					}
				case *ast.HTMLBlock:
					for i := range n.Lines().Len() {
						at := n.Lines().At(i)
						ours(t, string(at.Value(source)))
					}
				case *ast.CodeSpan, *ast.FencedCodeBlock:
					return ast.WalkSkipChildren, nil
				case *ast.Text:
					if plain := html.UnescapeString(string(n.Segment.Value(source))); acting.MatchString(plain) {
						t.Errorf("a mention or a reference: %q", plain)
					}
				case *ast.Link:
					if !oursAddress(string(n.Destination)) {
						t.Errorf("a link to %s", n.Destination)
					}
				case *ast.Heading:
					if n.Level != 3 && n.Level != 4 {
						t.Errorf("a heading of level %d", n.Level)
					}
				case *ast.ThematicBreak, *ast.CodeBlock, *ast.AutoLink, *ast.Image, *extensionast.Strikethrough, *extensionast.TaskCheckBox, *extensionast.FootnoteLink:
					t.Errorf("a node of the server's making: %s", n.Kind())
				case *extensionast.TableHeader:
					columns = n.ChildCount()
				case *extensionast.TableRow:
					if n.ChildCount() != columns {
						t.Errorf("a row of %d cells in a table of %d columns", n.ChildCount(), columns)
					}
				}
				return ast.WalkContinue, nil
			})
		}
	}
}

// oursAddress reports whether an address is one that a report makes.
func oursAddress(s string) bool {
	for _, ours := range []string{rule.DocsURL, probesGuide, home.Server + "/" + home.Repository + "/blob/" + home.Commit + "/", home.Server + "/" + home.Repository + "/commit/", home.Run} {
		if strings.HasPrefix(s, ours) {
			return true
		}
	}
	return false
}

// TestHostileFile: a result that was read from a file may hold anything.
func TestHostileFile(t *testing.T) {
	const evil = "<b>|\n# x\x1b[31m"
	for name, change := range map[string]func(*result.Result){
		"no score":  func(r *result.Result) { r.Score = nil },
		"empty":     func(r *result.Result) { *r = result.Result{} },
		"no reason": func(r *result.Result) { r.Status, r.Score = result.NotAssessed, nil },
		"hostile fields": func(r *result.Result) {
			r.Score.Letter, r.Score.Packs[0].ID, r.Score.Caps[0].Letter, r.Coverage.Level, r.Gate.FailOn = evil, evil, evil, evil, evil
			r.Checks[0] = result.Check{ID: evil, Pack: evil, Weight: evil, Verdict: evil, Reason: evil}
			r.Findings[0].Severity, r.Findings[0].Rule, r.Findings[0].Check, r.Findings[0].ID = evil, evil, evil, evil
		},
	} {
		r := sample("x")
		change(r)
		for _, out := range []string{Markdown(r, checks, MarkdownOptions{Kind: Comment}), terminalText(t, r, Options{})} {
			if out == "" || strings.Contains(out, "\x1b") || strings.Contains(out, "\n# ") {
				t.Errorf("%s: %s", name, out)
			}
		}
		if out := Markdown(r, checks, MarkdownOptions{Kind: Comment}); strings.Contains(strings.ReplaceAll(out, "`<b>", ""), "<b>|") {
			t.Errorf("%s: %s", name, out)
		}
	}
}

// TestOrder: the gravest findings come first, whatever their order in the
// result, so that a cut takes the mildest.
func TestOrder(t *testing.T) {
	r := sample("a", "b", "c")
	r.Findings[0].Severity, r.Findings[1].Severity = rule.Note, rule.Warning
	r.Findings = append(r.Findings, rule.Finding{Rule: "robust.hang", Subject: "tool:hidden", Severity: rule.Error, ExplainedBy: r.Findings[2].ID})
	for _, out := range []string{Markdown(r, checks, MarkdownOptions{Kind: Comment}), terminalText(t, r, Options{})} {
		out = html.UnescapeString(out)
		c, b, a := strings.Index(out, `Tool "c"`), strings.Index(out, `Tool "b"`), strings.Index(out, `Tool "a"`)
		if c < 0 || b < c || a < b || strings.Contains(out, "hidden") {
			t.Errorf("the findings stand at %d, %d and %d:\n%s", c, b, a, out)
		}
	}
}

// TestManyFindings: the terminal shows a bounded number and says how many it
// left out.
func TestManyFindings(t *testing.T) {
	var names []string
	for i := range 250 {
		names = append(names, fmt.Sprint("tool", i))
	}
	if out := terminalText(t, sample(names...), Options{}); strings.Count(out, "  fix ") != maxFindings || !strings.Contains(out, "250 ERRORS") || !strings.Contains(out, "… and 50 more findings") {
		t.Error(out)
	}
}

// TestStderr: the lines of a trace stay lines.
func TestStderr(t *testing.T) {
	r := sample("x")
	r.Findings[0].Evidence.Stderr = "boom\n\n  at here\n"
	r.Findings[0].Evidence.Prefix = []string{"{}"}
	if out := terminalText(t, r, Options{}); !strings.Contains(out, "  stderr   boom\n           at here\n  after    1 earlier message on the same instance\n") {
		t.Error(out)
	}
}

// acting matches what GitHub turns into a mention or a reference.
var acting = regexp.MustCompile(`(?i)@\w|#\d|\bgh-\d|://|\bwww\.|:tada:|\bdeadbeef`)

// tag is HTML that a report writes.
var tag = regexp.MustCompile(`</?(?:details|summary|sub|b|code)>|<a href="([^"<>]*)">|</a>`)

// ours reports HTML that this package does not write.
func ours(t *testing.T, raw string) {
	t.Helper()
	for _, m := range tag.FindAllStringSubmatch(raw, -1) {
		if m[1] != "" && !oursAddress(m[1]) {
			t.Errorf("a link to %s", m[1])
		}
	}
	plain := tag.ReplaceAllString(raw, "")
	if strings.ContainsAny(plain, "<>\"") {
		t.Errorf("raw HTML: %q", raw)
	}
	if plain = html.UnescapeString(plain); acting.MatchString(plain) {
		t.Errorf("a mention or a reference: %q", plain)
	}
}

// TestBudget: a report of 3,000 findings keeps the limit, is valid UTF-8 and
// closes what it opens.
func TestBudget(t *testing.T) {
	var names []string
	for i := range 3000 {
		names = append(names, fmt.Sprintf("töol_%04d_%s", i, strings.Repeat("ü", i%90)))
	}
	r := sample(names...)
	for _, tt := range []struct {
		kind  Kind
		limit int
	}{{Comment, 60_000}, {Summary, 1000 << 10}} {
		out := Markdown(r, checks, MarkdownOptions{Kind: tt.kind})
		if len(out) > tt.limit || !utf8.ValidString(out) || strings.Count(out, "<details>") != strings.Count(out, "</details>") || strings.Count(out, "```")%2 != 0 {
			t.Errorf("%s: %d bytes, %d details opened, %d closed", tt.kind, len(out), strings.Count(out, "<details>"), strings.Count(out, "</details>"))
		}
		if !strings.Contains(out, "more") {
			t.Errorf("%s does not say what was left out", tt.kind)
		}
	}
	// The tables are cut between rows, and what follows them still has room.
	r = sample(slices.Repeat([]string{strings.Repeat("#", 300)}, 3000)...)
	for i, f := range r.Findings {
		r.Findings[i].Message = f.Subject
		r.Coverage.Uncovered = append(r.Coverage.Uncovered, result.Uncovered{Tool: f.Subject, Reason: f.Subject})
	}
	out := Markdown(r, checks, MarkdownOptions{Kind: Comment, Links: home})
	for _, want := range []string{"<b>error</b>", "- **error**", "more: the [job summary]", "Score by pack and check", "Not covered", "<sub>"} {
		if len(out) > 60_000 || !strings.Contains(out, want) {
			t.Errorf("%d bytes without %q", len(out), want)
		}
	}
	if out := Markdown(r, checks, MarkdownOptions{Kind: Comment, Budget: 1200}); len(out) > 1200 || !strings.Contains(out, "left out") {
		t.Errorf("%d bytes: %s", len(out), out)
	}
}

// TestVolatile: what differs from run to run is not in the Markdown.
func TestVolatile(t *testing.T) {
	a, b := sample("x"), sample("x")
	b.Volatile = result.Volatile{Started: time.Unix(1, 0), Seconds: 5, Lanes: 4, Instances: 9, Remarks: []string{"one lane"}}
	if o := (MarkdownOptions{Kind: Comment}); Markdown(a, checks, o) != Markdown(b, checks, o) {
		t.Error("the Markdown depends on the volatile part")
	}
}

// TestHostileTerminal: nothing acts on the terminal, and each line is bounded.
func TestHostileTerminal(t *testing.T) {
	r := withContract(sample(fixture.HostileNames...))
	r.Contract.Corpus, r.Contract.Shapes = fixture.HostileNames[0], append(r.Contract.Shapes, fixture.HostileNames...)
	for i, name := range fixture.HostileNames {
		row := r.Contract.Tools[i%2]
		row.Tool, row.NotSent, row.Observed = name, name, i%3 == 0
		r.Contract.Tools = append(r.Contract.Tools, row)
	}
	out := terminalText(t, r, Options{})
	for _, c := range out {
		if c < ' ' && c != '\n' || c == 0x202e || c == 0x200b {
			t.Errorf("the character %U is in the report", c)
		}
	}
}

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := NewProgress(&b, false)
	p.Begin("robust-input")
	p.Step("robust-input", "x\x1b[31m\ny")
	p.End("robust-input", rule.Pass)
	p.Done()
	if want := "robust-input: started\nrobust-input: x\\u001B[31m y\nrobust-input: pass\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
	b.Reset()
	p = NewProgress(&b, true)
	p.Begin("robust-input")
	p.End("robust-input", rule.Pass)
	p.Done()
	if got := b.String(); strings.Contains(got, "\n") || !strings.HasSuffix(got, "\r\x1b[K") {
		t.Errorf("got %q", got)
	}
}

// TestUncompared: without findings of the base to compare with, none is called
// new, and none a known one.
func TestUncompared(t *testing.T) {
	r := sample("hold")
	r.Comparison = &result.Comparison{Base: result.Base{Source: result.FromBaseline, Status: result.NotAssessed}, New: []string{}, Incomparable: []string{"The base was not assessed."}}
	comment := Markdown(r, checks, MarkdownOptions{Kind: Comment})
	for _, want := range []string{"**1 error**", "They could not be compared", "The base was not assessed.", "#### Findings\n"} {
		if !strings.Contains(comment, want) {
			t.Errorf("the comment does not say %q:\n%s", want, comment)
		}
	}
	for _, out := range []string{comment, terminalText(t, r, Options{})} {
		if strings.Contains(out, "1 new") || strings.Contains(out, "NEW") || strings.Contains(out, "as before") {
			t.Error(out)
		}
	}
}

// TestSurfaceCut: of changes that are only counted it is not said that they
// break nothing, or that they do.
func TestSurfaceCut(t *testing.T) {
	r := well()
	r.Comparison.SurfaceLeft = 7
	r.Comparison.Surface = slices.Repeat([]result.SurfaceChange{{Subject: "tool:hold", Kind: result.Breaking, Text: "The tool is gone."}}, 25)
	for kind, wants := range map[Kind][]string{
		Comment: {"**25 breaking changes** for clients, and 7 more.", "- … and 15 more: the job summary holds them.", "not named in the result: 7."},
		Summary: {"**25 breaking changes** for clients, and 7 more.", "- … and 15 more", "All 32 changes for clients", "not named in the result: 7."},
	} {
		out := Markdown(r, checks, MarkdownOptions{Kind: kind})
		for _, want := range wants {
			if !strings.Contains(out, want) {
				t.Errorf("the %s does not say %q:\n%s", kind, want, out)
			}
		}
	}
	if out := terminalText(t, r, Options{}); !strings.Contains(out, "… and 12 more changes") {
		t.Error(out)
	}
}

// TestIsolation: what did not hold is said as well.
func TestIsolation(t *testing.T) {
	built := &result.Plan{Build: [][]string{{"make"}}}
	for want, r := range map[string]*result.Result{
		"":                                  {},
		"The server ran without isolation.": {Server: result.Server{Isolation: &result.Isolation{Network: "on"}}},
		"Build and server ran as a user of their own, in a copy of the checkout and without a network.":   {Server: result.Server{Plan: built, Isolation: &result.Isolation{User: true, Copy: true, Network: "off"}}},
		"The build ran as a user of its own, in a copy of the checkout and with a network.":               {Server: result.Server{Plan: built, Isolation: &result.Isolation{User: true, Copy: true, Network: "on"}}, Reason: &result.Reason{Rule: "launch.build-failed"}},
		"The server ran as the user that Sealmark runs as, in the checkout itself and without a network.": {Server: result.Server{Isolation: &result.Isolation{Network: "off"}}},
	} {
		if got := isolation(r); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// TestNothingRan: of a server that was not started nothing is said to have run.
func TestNothingRan(t *testing.T) {
	box := result.Server{Isolation: &result.Isolation{Copy: true, Network: "on"}}
	missing := box
	missing.Plan = &result.Plan{Build: [][]string{{"make"}}}
	for rule, server := range map[string]result.Server{"": missing, "launch.command-not-found": box} {
		if got := isolation(&result.Result{Server: server, Reason: &result.Reason{Rule: rule}}); got != "" {
			t.Errorf("%q: %s", rule, got)
		}
	}
	for _, rule := range []string{"launch.command-not-found", "launch.build-failed"} {
		if got := isolation(&result.Result{Server: missing, Reason: &result.Reason{Rule: rule}}); !strings.HasPrefix(got, "The build ran") {
			t.Errorf("%q: %s", rule, got)
		}
	}
}

// TestBeside: what tells of the comparison and the configuration is shown, and
// is not said to have been in the base.
func TestBeside(t *testing.T) {
	r := sample("hold")
	r.Comparison = &result.Comparison{Base: result.Base{Source: result.FromBaseline, Status: result.Assessed}, FindingsCompared: true, New: []string{}}
	known := len(r.Reported())
	r.Findings = append(r.Findings,
		rule.Finding{ID: "surface.server-changed:1", Rule: "surface.server-changed", Check: "surface", Subject: "server", Severity: rule.Note, Observed: true, Message: "The version is another one.", Count: 1},
		rule.Finding{ID: "config.stale-accept:1", Rule: "config.stale-accept", Check: "accepted", Subject: "accept[0]", Severity: rule.Note, Message: "An entry is stale.", Count: 1})
	g := grouped(r)
	if len(g.known) != known || len(g.beside) != 2 {
		t.Errorf("%d as before, want %d; %d beside", len(g.known), known, len(g.beside))
	}
	for _, out := range []string{Markdown(r, checks, MarkdownOptions{Kind: Comment}), terminalText(t, r, Options{})} {
		if !strings.Contains(out, "An entry is stale.") || !strings.Contains(out, fmt.Sprintf("%d as before", known)) {
			t.Error(out)
		}
	}
}

// TestOlder: a gate that passes since it counts new findings alone says so.
func TestOlder(t *testing.T) {
	r := sample("hold")
	r.Gate = result.Gate{Passed: true, FailOn: "error", NewOnly: true}
	r.Comparison = &result.Comparison{Base: result.Base{Source: result.FromBaseline, Status: result.Assessed}, FindingsCompared: true, New: []string{}}
	const want = "since only new findings count; 1 older one would fail it"
	for _, out := range []string{Markdown(r, checks, MarkdownOptions{Kind: Comment}), terminalText(t, r, Options{})} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Error(out)
		}
	}
	r.Gate.FailOn = "never"
	if got := older(r); got != "" {
		t.Error(got)
	}
}

// TestNotRun: checks that were not run since the server was not there are
// counted; another reason is told.
func TestNotRun(t *testing.T) {
	r := buildFailed()
	if out := terminalText(t, r, Options{}); !strings.Contains(out, "? 2 more checks not run: The server was not started.") || strings.Contains(out, "secret-echo") {
		t.Error(out)
	}
	r.Checks[1].Reason = "No tool has arguments."
	for _, out := range []string{terminalText(t, r, Options{}), Markdown(r, checks, MarkdownOptions{Kind: Summary})} {
		if strings.Contains(out, "not run") || !strings.Contains(out, "secret-echo") {
			t.Error(out)
		}
	}
}
