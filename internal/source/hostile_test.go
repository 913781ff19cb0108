package source

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// write writes files to a folder.
func write(t testing.TB, root string, files map[string]string) {
	t.Helper()
	for name, data := range files {
		name = filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const defining = "server.registerTool(\"search\", { description: \"Searches\", inputSchema: { limit: z.number() } }, search);\n"

// finder opens a repository, within a time that only a hang exceeds.
func finder(t *testing.T, o Options) *index {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	x, err := open(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func (x *index) at(t *testing.T, subject string) string {
	t.Helper()
	l := x.locate(subject, "")
	if l == nil {
		return "nowhere"
	}
	return l.Path + ":" + strconv.Itoa(l.Line)
}

// TestRepeatedNames: files that hold one name again and again, in all forms
// that are looked at, cost a bounded number of steps.
func TestRepeatedNames(t *testing.T) {
	const size = 24 << 10
	for name, unit := range map[string]struct{ file, text string }{
		"keys":           {"a.ts", "name: \"search\", description: 1,\n"},
		"objects":        {"a.ts", "{ name: \"search\", description: 1, inputSchema: {} },\n"},
		"open objects":   {"a.ts", "{ tools: [ name: \"search\",\n"},
		"constants":      {"a.ts", "const A# = \"search\";\n"},
		"one constant":   {"a.ts", "const NAME = \"search\"; server.tool(NAME,\n"},
		"open calls":     {"a.ts", "server.tool(\"search\", {\n"},
		"strings":        {"a.ts", "\"search\"\n"},
		"type arguments": {"a.ts", "tool<tool<tool<\"search\">(\n"},
		"templates":      {"a.ts", "server.tool(`${x}_search`,\n"},
		"arguments":      {"a.ts", "server.tool(\"search\", { limit: z.object({ limit: limit\n"},
		"decorators":     {"a.py", "@mcp.tool()\ndef search(\n"},
		"functions":      {"a.py", "def search(a):\n"},
		"passed":         {"a.py", "add_tool(search)\n"},
		"members":        {"a.py", "  name = \"search\"\n"},
		"classes":        {"a.cs", "class A : Tool { Name = \"search\";\n"},
		"attributes":     {"a.cs", "[McpServerTool] public string Search(\n"},
		"chains":         {"a.java", ".name(\"search\")\n"},
		"derived":        {"a.rb", "class Search < MCP::Tool\n"},
		"directives":     {"a.rb", "  tool_name \"search\"\n"},
		"derived in PHP": {"a.php", "<?php class Search extends Tool {\n"},
		"receivers":      {"a.go", "func (s *SearchTool) Name() string { return \"search\" }\n"},
		"macros":         {"a.rs", "#[tool] async fn search(&self)\n"},
		"documents":      {"a.yaml", "- tool: search\n"},
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			var b strings.Builder
			for i := 0; b.Len() < size; i++ {
				b.WriteString(strings.ReplaceAll(unit.text, "#", strconv.Itoa(i)))
			}
			write(t, root, map[string]string{unit.file: b.String()})
			x := finder(t, Options{Root: root})
			for _, kind := range []string{kindTool, kindServer} {
				before := x.cost.all
				x.locate(kind+":search", "/limit")
				if steps := before - x.cost.all; steps > maxSteps {
					t.Errorf("a %s took %d steps", kind, steps)
				}
			}
		})
	}
}

// TestSpent: a search that costs too much finds nothing, and the next one goes
// on.
func TestSpent(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{
		"a.rb": strings.Repeat("  tool_name \"search\"\n", 20_000),
		"b.ts": strings.ReplaceAll(defining, "search", "mend"),
	})
	x := finder(t, Options{Root: root})
	if got := x.at(t, "tool:search"); got != "nowhere" || x.cost.all != maxAllSteps-maxSteps {
		t.Errorf("search is at %s, %d steps are left", got, x.cost.all)
	}
	if got := x.at(t, "tool:mend"); got != "b.ts:1" {
		t.Errorf("mend is at %s", got)
	}
	x.cost.all = 0
	if got := x.at(t, "tool:mend"); got != "nowhere" {
		t.Errorf("with no step left, mend is at %s", got)
	}
}

// TestWhatIsLeftOut: files that are too large, too deep, no text, or whose
// names can't be shown.
func TestWhatIsLeftOut(t *testing.T) {
	deep := strings.Repeat("d/", maxDepth+2)
	for what, files := range map[string]map[string]string{
		"a large file": {"big.ts": defining + strings.Repeat("// more\n", maxFile/8)},
		"a deep file":  {deep + "a.ts": defining},
		"a binary":     {"a.ts": defining + "\x00"},
		"a machine's":  {"a.ts": defining + strings.Repeat("x", 64<<10)},
	} {
		root := t.TempDir()
		write(t, root, files)
		if got := finder(t, Options{Root: root}).at(t, "tool:search"); got != "nowhere" {
			t.Errorf("%s: search is at %s", what, got)
		}
	}
}

func TestInvalidText(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.ts": "/* \xff\xfe\xc3 */ const s = \"\xed\xa0\x80\";\n\xf0\x9f " + defining})
	x := finder(t, Options{Root: root})
	if l := x.locate("tool:search", "/limit"); l == nil || l.Path != "a.ts" || l.Line != 2 || l.Column != 76 {
		t.Errorf("the argument is at %+v", l)
	}
	for _, subject := range []string{"tool:\xff\xfe", "tool:", "tool", "", ":", "tool:" + strings.Repeat("x", 1<<20), "no:search", "resource:\x00://", "tool:search\n"} {
		if l := x.locate(subject, "/\xff/~/"); l != nil {
			t.Errorf("%.20q is at %+v", subject, l)
		}
	}
}

func TestFill(t *testing.T) {
	root := t.TempDir()
	write(t, root, map[string]string{"a.ts": "const s = new McpServer({ name: \"desk\" });\n" + defining})
	findings := func() []rule.Finding {
		return []rule.Finding{
			{Subject: "tool:search"},
			{Subject: "tool:search", Argument: "/limit"},
			{Subject: "tool:search", ExplainedBy: "F1"},
			{Subject: "tool:search", Location: &rule.Location{Path: "b.ts", Line: 9}},
			{Subject: "tool:other"},
			{Subject: "server"},
		}
	}
	r := &result.Result{Server: result.Server{Name: "desk"}, Findings: findings()}
	if err := Fill(t.Context(), r, Options{Root: root}); err != nil {
		t.Fatal(err)
	}
	want := []string{"definition a.ts:2:21", "definition a.ts:2:73", "none", " b.ts:9:0", "none", "definition a.ts:1:33"}
	for i, f := range r.Findings {
		if got := written(f.Location); got != want[i] {
			t.Errorf("finding %d is at %s, want %s", i, got, want[i])
		}
	}

	// Without an end to the reading, no finding gets a place.
	for what, o := range map[string]Options{"no folder": {Root: filepath.Join(root, "missing")}, "interrupted": {Root: root}} {
		ctx, cancel := context.WithCancel(t.Context())
		if what == "interrupted" {
			cancel()
		}
		r.Findings = findings()
		if err := Fill(ctx, r, o); err == nil || r.Findings[0].Location != nil {
			t.Errorf("%s: %v, %+v", what, err, r.Findings[0].Location)
		}
		cancel()
	}
}
