package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/fixture"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// well is a result with which all is well.
func well() *result.Result {
	r := sample()
	r.Score = &result.Score{Percent: 100, Points: 3, Possible: 3, Letter: "A", Packs: []result.Pack{{ID: "core", Points: 3, Possible: 3, Percent: 100}}}
	r.Gate = result.Gate{Passed: true, FailOn: "error"}
	r.Coverage = result.Coverage{Level: "full", ToolsListed: 3, ToolsProbed: 3, ToolsValid: 3, ChecksScored: 3}
	r.Checks[1].Verdict, r.Checks[1].Reason = rule.Pass, "3 tools rejected 21 malformed calls."
	r.Checks[2].Verdict, r.Checks[2].Reason = rule.Pass, "No planted value came back."
	r.Comparison = &result.Comparison{FindingsCompared: true, SurfaceCompared: true, Base: result.Base{Source: "baseline", Commit: strings.Repeat("5c", 20), Status: result.Assessed, Percent: new(100.0), Letter: "A"}, Change: new(0.0), New: []string{}, Fixed: []rule.Finding{}, Surface: []result.SurfaceChange{}}
	return r
}

// changedServer is what a pull request did to a server: new, graver, known,
// doubtful, flaky, accepted, fixed and unknown findings, and a changed surface.
func changedServer() *result.Result {
	r := withContract(sample("hold", "quote", "reset", "search", "track", "weigh", "refund"))
	places := []*rule.Location{{Path: "src/tools/hold.ts", Line: 12, Column: 3, Basis: rule.Definition}, {Path: "src/tools/quote price.ts", Line: 40, Basis: rule.Mention}, {Path: "package.json", Line: 1, Basis: rule.Fallback}, nil, nil, nil, nil}
	for i := range r.Findings {
		r.Findings[i].Location = places[i]
		r.Findings[i].Count = 1
	}
	r.Findings[1].Severity, r.Findings[1].Message = rule.Warning, `Tool "quote" accepted schema-invalid arguments (missing-required) without any refusal.`
	r.Findings[2].Severity, r.Findings[2].Flaky = rule.Note, true
	r.Findings[3].Severity = rule.Warning
	r.Findings[5].Severity, r.Findings[6].Severity = rule.Warning, rule.Warning
	r.Findings[4].Accepted = &rule.Acceptance{Reason: "kept for old clients", Until: "2031-03-31"}
	fixed, unknown := sample("label").Findings, sample("pickup").Findings
	r.Score.Caps = nil
	r.Gate.Reasons = []string{"2 new findings of level warning or above"}
	r.Comparison = &result.Comparison{
		FindingsCompared: true, SurfaceCompared: true,
		Base:   result.Base{Source: "baseline", Commit: strings.Repeat("5c", 20), Status: result.Assessed, Percent: new(83.3), Letter: "B"},
		Change: new(-16.6), New: []string{r.Findings[0].ID, r.Findings[1].ID, r.Findings[2].ID}, Worse: []string{r.Findings[5].ID}, Unsure: []string{r.Findings[6].ID}, Fixed: fixed, Unknown: unknown,
		Surface: []result.SurfaceChange{
			{Subject: "tool:track", Kind: "added", Text: "The tool is new."},
			{Subject: "tool:quote", Kind: "breaking", Text: `The argument "country" is now required.`},
			{Subject: "tool:hold", Kind: "other", Text: "The description changed."},
		},
	}
	r.Server.Plan = &result.Plan{Name: "desk", Detector: "package.json", Directory: "packages/desk", Build: [][]string{{"npm", "ci"}, {"npm", "run", "build"}},
		Why: []result.Why{{Path: "packages/desk/package.json", Line: 7, Text: `the script "start" runs dist/index.js`}}}
	r.Server.Command = []string{"node", "dist/index.js"}
	r.Server.Isolation = &result.Isolation{User: true, Copy: true, Network: "off", Breaches: []string{"a process that stayed behind was ended"}}
	r.Server.Canaries = []string{"PARCEL_KEY", "PARCEL_TOKEN"}
	r.Volatile = result.Volatile{Seconds: 41.26, StartSeconds: 0.8, CheckSeconds: map[string]float64{"robust-input": 30.04, "launch": 0.9, "secret-echo": 2}}
	return r
}

// buildFailed is a run whose build did not succeed.
func buildFailed() *result.Result {
	r := notAssessed()
	r.Comparison = &result.Comparison{Base: result.Base{Source: "build", Status: result.Assessed, Percent: new(83.3), Letter: "B"}}
	r.Checks[0].Verdict, r.Checks[0].Reason = rule.Fail, "The build failed."
	for i := range r.Checks[1:] {
		r.Checks[i+1].Verdict, r.Checks[i+1].Reason = rule.Unverified, "The server was not started."
	}
	r.Server.Plan = &result.Plan{Name: "desk", Detector: "package.json", Directory: ".", Build: [][]string{{"npm", "ci"}, {"npm", "run", "build"}}, Why: []result.Why{}}
	r.Server.Isolation = &result.Isolation{User: true, Copy: true, Network: "on"}
	r.Reason = &result.Reason{Rule: "launch.build-failed", Text: "The build failed: npm run build exited with status 2.", Next: "Run the same commands in a fresh checkout, or name them under server.build in sealmark.yml."}
	r.Findings = []rule.Finding{{ID: "launch.build-failed:1", Rule: "launch.build-failed", Check: "launch", Subject: "server", Severity: rule.Error, Message: "The build failed: npm run build exited with status 2.", Count: 1,
		Evidence: rule.Evidence{Stderr: "> tsc -p .\n\nsrc/index.ts(12,7): error TS2322: Type 'string' is not assignable to type 'number'.\nsrc/index.ts(40,1): error TS1005: ';' expected.\n"}}}
	return r
}

// manyTools is a result of a large server with everything wrong.
func manyTools() *result.Result {
	var names []string
	for i := range 120 {
		names = append(names, fmt.Sprintf("warehouse_inventory_tool_%03d", i))
	}
	r := withContract(sample(names...))
	for i, name := range names {
		row := r.Contract.Tools[i%2]
		row.Tool = name
		r.Contract.Tools = append(r.Contract.Tools, row)
		r.Coverage.Uncovered = append(r.Coverage.Uncovered, result.Uncovered{Tool: name, Reason: "no valid call is known"})
		if i > 20 {
			r.Findings[i].Severity = rule.Warning
		}
	}
	r.Coverage.ToolsListed, r.Coverage.ToolsProbed = 120, 25
	return r
}

// evilNames are names that mean something in Markdown, in HTML, or to GitHub.
var evilNames = append([]string{"a | b | c", "&lt;b&gt;", "www.evil.example", "https://evil.example", "user@evil.example", "~~x~~ **x** _x_", "`", "``", "\\`", "$x$", "$`x`$", "<details>", "</details>", "</summary>", "- [ ] x", "1. x", "2) x", "- x", "+ x", "===", "---", "> x", "> [!CAUTION]",
	"Gh-1 GH-2", "owner/name#1", "owner/name@0a0a0a0a", "deadbeefcafe", ":tada:", "WWW.evil.example www.evil.example", "a\tb", "    code", "[^1]: x", "[x]: https://evil.example", "![x](//evil.example/x.png)", "<img src=//evil.example/x onerror=alert(1)>", "<a href='javascript:alert(1)'>x</a>", "\" onmouseover=\"alert(1)", "<svg/onload=alert(1)>", "<!--", "-->", "<![CDATA[", "]]>",
	"a\u2028b\u2029c", "\u2067right\u2069", "zero\u200bwidth", "\x00\x07", "~~~", "````", "| a |\n|---|\n| b |", "\n\n<b>x</b>\n\n", "&#64;everyone", "mailto:a@evil.example", "ftp://evil.example"}, fixture.HostileNames...)

// hostile has a foreign text in each field that a server or a file can fill.
func hostile() *result.Result {
	names := evilNames
	r := sample(names...)
	// A list of each kind has each name.
	kinds := len(names)
	for range 3 {
		r.Findings = append(r.Findings, sample(names...).Findings...)
	}
	c := &result.Comparison{FindingsCompared: true, SurfaceCompared: true, SurfaceLeft: 3, Base: result.Base{Source: names[0], Commit: "<b>aaa-", Status: result.Assessed, Percent: new(1.0), Letter: "<b>"}, Change: new(-3.0), Incomparable: names}
	for i := range r.Findings {
		f := &r.Findings[i]
		name := names[i%kinds]
		f.ID = fmt.Sprint(name, i)
		f.Message = name
		f.Evidence = rule.Evidence{Request: name, Reply: name, Detail: name, Match: name, Stderr: name, Candidates: []string{name}}
		f.Location = &rule.Location{Path: name, Line: 3, Basis: []rule.Basis{rule.Definition, rule.Mention}[i%2]}
		switch i / kinds {
		case 0:
			c.New = append(c.New, f.ID)
		case 1:
			f.Accepted = &rule.Acceptance{Reason: name, Until: name}
		case 2:
			f.Severity = rule.Note
		}
		if i < kinds && i%2 == 0 {
			// Their beginnings stand at the beginning of a line of ours.
			f.Subject, f.Severity = "server", rule.Note
		}
		c.Surface = append(c.Surface, result.SurfaceChange{Subject: name, Kind: []string{"breaking", "added", name}[i%3], Text: name})
	}
	c.Fixed, c.Unknown = slices.Clone(r.Findings[:kinds]), slices.Clone(r.Findings[:kinds])
	r.Comparison = c
	r.Notices, r.Deviations = names[:10], names
	r.Gate.Reasons = names
	r.Server.Name, r.Server.Version, r.Completeness = names[len(names)-1], fixture.HostileNames[1], result.Completeness{State: "partial", Reasons: fixture.HostileNames}
	r.Server.Transport, r.Server.ProtocolVersion, r.Sealmark = names[3], names[4], result.Build{Version: names[5], Methodology: names[6]}
	r.Server.Plan = &result.Plan{Name: names[0], Detector: names[1], Directory: names[2], Build: [][]string{names}}
	r.Server.Command, r.Server.Canaries = names, names
	r.Server.Isolation = &result.Isolation{Network: names[0], Breaches: names}
	r.Score.Caps = append(r.Score.Caps, result.Cap{Letter: names[0], Reason: names[1]})
	withContract(r)
	r.Contract.Corpus, r.Contract.Shapes = names[0], append(r.Contract.Shapes, names...)
	for _, name := range names {
		row := r.Contract.Tools[1]
		row.Tool, row.NotSent = name, name
		r.Contract.Tools = append(r.Contract.Tools, row)
		r.Rates.Tools = append(r.Rates.Tools, result.ToolRates{Tool: name, Rates: r.Rates.Total})
		r.Coverage.Uncovered = append(r.Coverage.Uncovered, result.Uncovered{Tool: name, Reason: name})
		r.Checks = append(r.Checks, result.Check{ID: name, Pack: name, Verdict: rule.Unverified, Reason: name})
		r.Server.Plan.Why = append(r.Server.Plan.Why, result.Why{Path: name, Line: 1, Text: name})
	}
	return r
}

// hostileBuild is a run without a score whose build log is hostile.
func hostileBuild() *result.Result {
	r := buildFailed()
	for _, name := range evilNames {
		r.Findings[0].Evidence.Stderr += name + " error\n"
	}
	r.Reason.Text, r.Reason.Next = strings.Join(evilNames, " "), strings.Join(evilNames, " ")
	return r
}
