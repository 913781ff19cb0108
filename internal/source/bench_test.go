package source

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// large writes a repository of packages, of 50 files each, one of which is the
// server's, and returns a result with findings on each of its tools.
func large(t testing.TB, root string, packages, tools int) *result.Result {
	const files, lines = 50, 150
	all := map[string]string{"package.json": `{"name":"all","workspaces":["packages/*"]}`, ".gitignore": "node_modules/\ndist/\n*.log\n!keep.log\n"}
	line := "  const entry%d = await load({ name: \"row%d\", description: `a ${kind} of`, items: list.map((x) => x.value) }); // %d\n"
	for p := range packages {
		dir := fmt.Sprintf("packages/part%d/", p)
		uses := fmt.Sprintf("@all/part%d", (p+1)%packages)
		all[dir+"package.json"] = fmt.Sprintf(`{"name":"@all/part%d","dependencies":{%q:"*"}}`, p, uses)
		for f := range files {
			var b strings.Builder
			fmt.Fprintf(&b, "import { load } from %q;\nexport async function run%d(kind: string) {\n", uses, f)
			for i := range lines {
				fmt.Fprintf(&b, line, i, i, f)
			}
			b.WriteString("}\n")
			all[fmt.Sprintf("%ssrc/file%d.ts", dir, f)] = b.String()
		}
	}
	r := &result.Result{Server: result.Server{Name: "large"}}
	for i := range tools {
		name := fmt.Sprintf("tool_%d", i)
		file := fmt.Sprintf("packages/part0/src/file%d.ts", i%files)
		all[file] += fmt.Sprintf("server.registerTool(%q, { description: \"Does\", inputSchema: { limit: z.number() } }, run%d);\n", name, i)
		r.Findings = append(r.Findings, rule.Finding{Subject: "tool:" + name, Argument: "/limit"}, rule.Finding{Subject: "tool:" + name}, rule.Finding{Subject: "tool:missing_" + name})
	}
	write(t, root, all)
	return r
}

// BenchmarkFill places 300 findings in a repository of 4,000 files, 60 MB.
func BenchmarkFill(b *testing.B) {
	root := b.TempDir()
	r := large(b, root, 80, 100)
	for b.Loop() {
		for i := range r.Findings {
			r.Findings[i].Location = nil
		}
		if err := Fill(b.Context(), r, Options{Root: root, Directory: "packages/part0", Own: true}); err != nil {
			b.Fatal(err)
		}
	}
}

// TestLargeRepository: what is in reach of a large repository is found.
func TestLargeRepository(t *testing.T) {
	root := t.TempDir()
	r := large(t, root, 20, 100)
	o := Options{Root: root, Directory: "packages/part0", Own: true}
	if err := Fill(t.Context(), r, o); err != nil {
		t.Fatal(err)
	}
	for i, f := range r.Findings {
		if found := f.Location != nil; found != (i%3 < 2) {
			t.Errorf("%s %s: %+v", f.Subject, f.Argument, f.Location)
		}
	}
}
