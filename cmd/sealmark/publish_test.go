package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	markdown "github.com/yuin/goldmark/text"

	"github.com/sealmark/action/internal/publish"
	"github.com/sealmark/action/internal/publish/fakegithub"
	"github.com/sealmark/action/internal/report"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/suite"
	"github.com/sealmark/action/sarif"
)

// smallResult is a result that a run could have written.
func smallResult(key string) *result.Result {
	r := &result.Result{
		SchemaVersion: result.SchemaVersion, Sealmark: result.Build{Version: "1.0.0", Methodology: suite.Methodology},
		Server: result.Server{Key: key, Name: key, Transport: "stdio", Anchor: rule.Location{Path: "package.json", Line: 1}},
		Status: result.Assessed, Completeness: result.Completeness{State: "complete"}, Deviations: []string{},
		Score:    &result.Score{Percent: 62.5, Points: 5, Possible: 8, Letter: "D", Packs: []result.Pack{}},
		Coverage: result.Coverage{Level: "full", ToolsListed: 3, ToolsProbed: 3, Uncovered: []result.Uncovered{}},
		Checks:   []result.Check{}, Notices: []string{}, Rules: []rule.Rule{},
		Gate: result.Gate{FailOn: "never", Passed: true},
	}
	for _, subject := range []string{"tool:shear", "tool:count"} {
		r.Findings = append(r.Findings, rule.Finding{
			ID: rule.FindingID("robust.crashed", subject), Rule: "robust.crashed", Check: "robust-input", Subject: subject, Count: 1,
			Severity: rule.Error, Message: fmt.Sprintf("Tool %s ends the server.", strings.TrimPrefix(subject, "tool:")),
		})
	}
	return r
}

func marshalled(t testing.TB, r *result.Result) string {
	t.Helper()
	data, err := r.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// pullOfFork is the pull request that the finished run of the payloads
// workflow_run_fork was about.
var pullOfFork = fakegithub.PullRequest{Number: 7, HeadRepository: "ada-example/sheep-mcp", HeadBranch: "count-twice", HeadSHA: strings.Repeat("2", 40)}

// evil are texts that mean something in Markdown, in HTML or to GitHub.
var evil = []string{
	"@everyone", "![x](http://evil.example/x.png)", "[click](http://evil.example/)", "<img src=http://evil.example/x>", "</details><script>alert(1)</script>",
	"<!-- sealmark:v1 key=k run=99999999999.1 -->", "http://evil.example/", "fixes #1", "example-barn/sheep-mcp#2", "GH-3", "\n\n# A heading of its own\n", "`code` | cell",
	"::error::forged", "##[error]forged", "\u202eevil", "www.evil.example",
}

// hostileResult is a result whose every text is hostile.
func hostileResult() *result.Result {
	all := strings.Join(evil, " ")
	r := smallResult("sheep")
	r.Server.Name, r.Server.Title, r.Server.Version, r.Server.Transport, r.Server.ProtocolVersion = all, all, all, all, all
	r.Server.Command, r.Server.Directory, r.Server.URL, r.Server.Canaries = evil, all, all, evil
	r.Server.Plan = &result.Plan{Name: all, Detector: all, Directory: all, Build: [][]string{evil}, Why: []result.Why{{Path: all, Line: 1, Text: all}}}
	r.Server.Isolation = &result.Isolation{Network: all, Breaches: evil}
	r.Server.Anchor = rule.Location{Path: "../../" + all, Line: 1}
	r.Sealmark = result.Build{Version: all, Methodology: all, Validator: all}
	r.Completeness = result.Completeness{State: "partial", Reasons: evil}
	r.Deviations, r.Notices, r.Gate.Reasons = evil, evil, evil
	r.Gate.Passed = false
	r.Score.Caps = []result.Cap{{Letter: all, Reason: all}}
	r.Score.Packs = []result.Pack{{ID: all}}
	r.Coverage.Level, r.Coverage.Uncovered = all, []result.Uncovered{{Tool: all, Reason: all}}
	r.Checks = []result.Check{{ID: all, Title: all, Pack: all, Weight: rule.Weight(all), CapsAt: all, Verdict: rule.Verdict(all), Reason: all}}
	r.Rules = []rule.Rule{{ID: "robust.crashed", Severity: rule.Error}, {ID: "evil.rule"}}
	r.Comparison = &result.Comparison{New: evil, Fixed: []rule.Finding{{ID: all, Rule: all, Subject: all, Severity: rule.Error, Message: all}}, Incomparable: evil, Surface: []result.SurfaceChange{{Subject: all, Kind: all, Text: all}}}
	for i, text := range evil {
		r.Findings = append(r.Findings, rule.Finding{
			ID: text, Rule: "robust.crashed", Check: text, Subject: "tool:" + text + fmt.Sprint(i), Severity: rule.Error, Message: text, Count: 1, Probe: text,
			Evidence: rule.Evidence{Request: text, Reply: text, Detail: text, Match: text, Candidates: evil, Stderr: text, Prefix: evil},
			Location: &rule.Location{Path: text, Line: 1}, Accepted: nil,
		})
	}
	r.Findings = append(r.Findings, rule.Finding{ID: "x", Rule: "evil.rule", Severity: rule.Error, Subject: "server", Message: all})
	return r
}

// isHarmless fails the test if a comment or a summary holds what a result must
// not bring there: images, raw HTML, mentions, references, and links to
// elsewhere than GitHub's own address and our documentation.
func isHarmless(t *testing.T, what, page string) {
	t.Helper()
	source := []byte(page)
	tree := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(markdown.NewReader(source))
	home := func(address string) bool {
		return strings.HasPrefix(address, "https://github.invalid/example-barn/sheep-mcp/") || strings.HasPrefix(address, "https://github.com/sealmark/action")
	}
	marker, rest, _ := strings.Cut(page, "\n")
	if strings.HasPrefix(marker, "<!-- sealmark:v1 ") {
		source = []byte(rest)
		tree = goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(markdown.NewReader(source))
	}
	tag := regexp.MustCompile(`<(?:(/?[a-z0-9]+)(?: href="([^"]*)")?>)?`)
	html := func(s string) {
		for _, m := range tag.FindAllStringSubmatch(s, -1) {
			if !slices.Contains([]string{"details", "summary", "b", "a", "sub", "code", "br"}, strings.TrimPrefix(m[1], "/")) || m[2] != "" && !home(m[2]) {
				t.Errorf("%s holds HTML that is not ours: %s in %s", what, m[0], s)
			}
		}
	}
	err := ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Image:
			t.Errorf("%s loads an image: %s", what, n.Destination)
		case *ast.Link:
			if !home(string(n.Destination)) {
				t.Errorf("%s links to %s", what, n.Destination)
			}
		case *ast.AutoLink:
			t.Errorf("%s links to %s", what, n.URL(source))
		case *ast.RawHTML:
			for i := range n.Segments.Len() {
				at := n.Segments.At(i)
				html(string(at.Value(source)))
			}
		case *ast.HTMLBlock:
			for i := range n.Lines().Len() {
				at := n.Lines().At(i)
				html(string(at.Value(source)))
			}
		case *ast.CodeSpan, *ast.CodeBlock, *ast.FencedCodeBlock:
			return ast.WalkSkipChildren, nil
		case *ast.Text:
			for _, part := range []string{"@everyone", "#1", "#2", "GH-3"} {
				if strings.Contains(string(n.Segment.Value(source)), part) {
					t.Errorf("%s holds %q: %s", what, part, n.Segment.Value(source))
				}
			}
		}
		return ast.WalkContinue, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(page, "\u202e") {
		t.Errorf("%s turns its text around", what)
	}
}

func TestPublishInAWorkflow(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program and waits for code scanning")
	}
	program := build(t)
	inputs := func(changes ...string) map[string]string {
		m := map[string]string{"publish": "results"}
		for i := 0; i < len(changes); i += 2 {
			m[changes[i]] = changes[i+1]
		}
		return m
	}
	newFork := func() *fakegithub.GitHub {
		g := newFake(t)
		g.PullRequests = []fakegithub.PullRequest{pullOfFork}
		return g
	}

	t.Run("results of a fork", func(t *testing.T) {
		g := newFork()
		lying := smallResult("sheep")
		lying.Score.Percent, lying.Score.Letter = 100, "A"
		s := runStepIn(t, map[string]string{"results/a/result.json": marshalled(t, lying), "results/b/result.json": marshalled(t, smallResult("goats")), "results/package.json": `{"name": "x"}`},
			program, g, "workflow_run", "workflow_run_fork", "9100", inputs())
		if s.code != exitOK || len(g.Comments) != 2 || len(g.Uploads) != 2 {
			t.Fatalf("exit code %d, %v\n%s%s", s.code, g.Log, s.log, s.errors)
		}
		for _, u := range g.Uploads {
			if u.CommitSHA != pullOfFork.HeadSHA || u.Ref != "refs/pull/7/head" {
				t.Errorf("uploaded for %s %s", u.CommitSHA, u.Ref)
			}
		}
		for _, c := range g.Comments {
			for _, part := range []string{" run=9001.2 -->", "own code in `ada-example/sheep-mcp`", "https://github.invalid/example-barn/sheep-mcp/actions/runs/9001/attempts/2"} {
				if !strings.Contains(c.Body, part) {
					t.Errorf("the comment lacks %q: %s", part, c.Body)
				}
			}
		}
		if strings.Contains(s.log, "::error") || !strings.Contains(s.log, "Left out: ") || s.output("grade") != "D" {
			t.Errorf("%s\n%s", s.log, s.outputs)
		}
	})
	t.Run("a hostile result", func(t *testing.T) {
		g := newFork()
		s := runStepIn(t, map[string]string{"results/result.json": marshalled(t, hostileResult())}, program, g, "workflow_run", "workflow_run_fork", "9100", inputs())
		if s.code != exitOK || len(g.Comments) != 1 || len(g.Uploads) != 1 || g.Comments[0].PullRequest != 7 {
			t.Fatalf("exit code %d, %v\n%s%s", s.code, g.Log, s.log, s.errors)
		}
		isHarmless(t, "the comment", g.Comments[0].Body)
		isHarmless(t, "the summary", s.page)
		if first, _, _ := strings.Cut(g.Comments[0].Body, "\n"); first != publish.Marker("sealmark/sheep", "9001.2") {
			t.Errorf("the marker is %s", first)
		}
		for line := range strings.Lines(strings.ReplaceAll(s.log, "::add-mask::"+canary, "")) {
			if strings.Contains(line, "::") || strings.Contains(line, "##[") {
				t.Errorf("a command in the log: %q", line)
			}
		}
		if document := string(g.Uploads[0].SARIF); strings.Contains(document, "evil.rule") || !strings.Contains(document, "robust.crashed") {
			t.Error("the rules of the document are not ours")
		}
	})
	t.Run("a pull request that has moved on", func(t *testing.T) {
		g := newFork()
		g.PullRequests[0].HeadSHA = strings.Repeat("5", 40)
		s := runStepIn(t, map[string]string{"results/result.json": marshalled(t, smallResult("sheep"))}, program, g, "workflow_run", "workflow_run_fork", "9100", inputs())
		if s.code != exitOK || len(g.Comments)+len(g.Uploads) != 0 || !strings.Contains(s.page, "is at another commit") || !strings.Contains(s.page, "shear") {
			t.Errorf("exit code %d, %v\n%s", s.code, g.Log, s.page)
		}
	})
	t.Run("everything is refused", func(t *testing.T) {
		g := newFork()
		g.Fault = func(*http.Request) *fakegithub.Answer {
			return &fakegithub.Answer{Status: 403, Body: `{"message": "Resource not accessible by integration ` + canary + `"}`}
		}
		s := runStepIn(t, map[string]string{"results/result.json": marshalled(t, smallResult("sheep"))}, program, g, "workflow_run", "workflow_run_fork", "9100", inputs())
		if s.code != exitOK || strings.Count(s.page, "Tool shear ends the server") != 1 || !strings.Contains(s.log, "can't be found") {
			t.Errorf("exit code %d\n%s%s", s.code, s.log, s.page)
		}
	})
	t.Run("without a token", func(t *testing.T) {
		g := newFork()
		s := runStepIn(t, map[string]string{"results/result.json": marshalled(t, smallResult("sheep"))}, program, g, "workflow_run", "workflow_run_fork", "9100", inputs("token", ""))
		if s.code != exitOK || len(g.Log) != 0 || !strings.Contains(s.page, "There is no token") || !strings.Contains(s.page, "/commit/"+pullOfFork.HeadSHA) {
			t.Errorf("exit code %d, %v\n%s", s.code, g.Log, s.page)
		}
	})
	t.Run("on pull_request, for a run of another job", func(t *testing.T) {
		g := newFake(t)
		s := runStepIn(t, map[string]string{"results/result.json": marshalled(t, smallResult("sheep"))}, program, g, "pull_request", "pull_request", "50", inputs("category", "barn", "upload-sarif", "false"))
		if s.code != exitOK || len(g.Comments) != 1 || len(g.Uploads) != 0 || !strings.Contains(g.Comments[0].Body, "key=barn run=50.1") || strings.Contains(g.Comments[0].Body, "author's word") {
			t.Errorf("exit code %d, %v\n%s", s.code, g.Log, s.log)
		}
	})
	for what, test := range map[string]struct {
		files  map[string]string
		inputs map[string]string
		says   string
	}{
		"no file":             {nil, inputs(), "can't be read"},
		"no result":           {map[string]string{"results/x.json": "[1]", "results/y.txt": ""}, inputs(), "there is no result in results"},
		"a named file is bad": {map[string]string{"x.json": "{}"}, inputs("publish", "x.json"), "schema version"},
		"a command as well":   {map[string]string{"results/result.json": "{}"}, inputs("command", "x"), "leave input command out"},
		"twice the same":      {map[string]string{"results/a.json": marshalled(t, smallResult("a")), "results/b.json": marshalled(t, smallResult("a"))}, inputs(), "of the same server"},
	} {
		t.Run(what, func(t *testing.T) {
			g := newFork()
			s := runStepIn(t, test.files, program, g, "workflow_run", "workflow_run_fork", "9100", test.inputs)
			if s.code != exitUsage || len(g.Log) != 0 || !strings.Contains(s.log, test.says) {
				t.Errorf("exit code %d, %v\n%s", s.code, g.Log, s.log)
			}
		})
	}
}

// At the desk the place is named with flags.
func TestPublishAtTheDesk(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program and waits for code scanning")
	}
	program := build(t)
	g := newFake(t)
	g.PullRequests = []fakegithub.PullRequest{pullOfFork}
	g.Post(g.Login, publish.Marker("later", "50.1")+"\nof a workflow")
	server := httptest.NewServer(g)
	defer server.Close()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "result.json"), []byte(marshalled(t, smallResult("sheep"))), 0o644); err != nil {
		t.Fatal(err)
	}
	run := func(token string, args ...string) (int, string) {
		cmd := exec.CommandContext(t.Context(), program, append([]string{"publish", "--upload-sarif=false"}, args...)...)
		cmd.Dir, cmd.Env = dir, []string{"GITHUB_API_URL=" + server.URL, "GITHUB_GRAPHQL_URL=" + server.URL + "/graphql", "GITHUB_TOKEN=" + token}
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if strings.Contains(string(out), canary) {
			t.Errorf("the token is in %s", out)
		}
		return cmd.ProcessState.ExitCode(), string(out)
	}
	for _, test := range []struct {
		token string
		args  []string
		code  int
		says  string
	}{
		{canary, []string{"--repository", "example-barn/sheep-mcp", "--pull-request", "7", "result.json"}, exitOK, "Comment: http://web.invalid/pull/7#issuecomment-"},
		{canary, []string{"--repository", "example-barn/sheep-mcp", "--pull-request", "7", "--category", "later", "result.json"}, exitOwnFault, "it is that of a later run"},
		{canary, []string{"--repository", "example-barn/sheep-mcp", "--pull-request", "8", "result.json"}, exitOwnFault, "pull request 8 can't be read"},
		{canary, []string{"--repository", "example-barn/sheep-mcp", "--pull-request", "7", "--commit", strings.Repeat("3", 40), "result.json"}, exitOwnFault, "is at commit"},
		{canary, []string{"result.json"}, exitUsage, "give --repository OWNER/NAME"},
		{canary, []string{"--repository", "a/b/c", "result.json"}, exitUsage, "give --repository OWNER/NAME"},
		{"", []string{"--repository", "example-barn/sheep-mcp", "--pull-request", "7", "result.json"}, exitOwnFault, "There is no token"},
		{canary, []string{"missing.json"}, exitUsage, "give --repository"},
		{canary, nil, exitUsage, "requires at least 1 arg"},
	} {
		if code, out := run(test.token, test.args...); code != test.code || !strings.Contains(out, test.says) {
			t.Errorf("%v: exit code %d, %s", test.args, code, out)
		}
	}
	if len(g.Comments) != 2 || g.Comments[1].PullRequest != 7 || !strings.HasSuffix(g.Comments[0].Body, "of a workflow") {
		t.Errorf("%+v", g.Comments)
	}
	for _, p := range g.Problems {
		t.Error(p)
	}
}

func TestResultsThatNoRunWrites(t *testing.T) {
	change := func(f func(*result.Result)) string {
		r := smallResult("sheep")
		f(r)
		return marshalled(t, r)
	}
	for what, document := range map[string]string{
		"status":       change(func(r *result.Result) { r.Status = "perfect" }),
		"no score":     change(func(r *result.Result) { r.Score = nil }),
		"over 100 %":   change(func(r *result.Result) { r.Score.Percent = 101 }),
		"a letter":     change(func(r *result.Result) { r.Score.Letter = "S" }),
		"a severity":   change(func(r *result.Result) { r.Findings[0].Severity = "fatal" }),
		"no reason":    change(func(r *result.Result) { r.Status, r.Score = result.NotAssessed, nil }),
		"a type":       strings.Replace(marshalled(t, smallResult("sheep")), `"findings": [`, `"findings": {"a": [`, 1),
		"a member":     strings.Replace(marshalled(t, smallResult("sheep")), `"coverage": {`, `"coverages": {`, 1),
		"too many":     `{"schema_version":"1.0","notices":[` + strings.Repeat("[],", 1_000_001) + `[]]}`,
		"too deep":     `{"schema_version":"1.0","x":` + strings.Repeat("[", 20000),
		"another kind": `{"name": "package"}`,
	} {
		if _, err := checkedResult([]byte(document)); err == nil {
			t.Errorf("%s was taken", what)
		} else if len(err.Error()) > 1000 {
			t.Errorf("%s: an error of %d bytes", what, len(err.Error()))
		}
	}
	if _, err := checkedResult([]byte(marshalled(t, smallResult("sheep")))); err != nil {
		t.Error(err)
	}
}

// Whatever a file holds, it is refused, or becomes a report that is within
// GitHub's limits and a document that code scanning takes.
func FuzzPublishedResult(f *testing.F) {
	for _, r := range []*result.Result{smallResult("sheep"), hostileResult()} {
		f.Add([]byte(marshalled(f, r)))
	}
	f.Add([]byte(`{"schema_version":"1.0"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := checkedResult(data)
		if err != nil {
			return
		}
		document, err := publish.Distrust(r, suite.Catalog()).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		findings, err := toSARIF(document, sarif.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if faults := sarif.Validate(findings); len(faults) > 0 || !json.Valid(findings) {
			t.Error(faults)
		}
		marker := publish.Marker(sarif.Category(r.Server.Key, ""), "1.1")
		body := report.Markdown(r, suite.Catalog(), report.MarkdownOptions{Kind: report.Comment, Marker: marker})
		if len(body) > 60_000 || !strings.HasPrefix(body, marker+"\n") || bytes.ContainsRune([]byte(body), 0) {
			t.Errorf("a comment of %d bytes: %.200s", len(body), body)
		}
	})
}
