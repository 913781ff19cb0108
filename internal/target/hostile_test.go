package target

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// write makes files below a new folder.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// detectSoon detects and fails when that takes much longer than the bound.
func detectSoon(t *testing.T, root string) Detection {
	t.Helper()
	begin := time.Now()
	d, err := Detect(root)
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); took > 3*maxTime {
		t.Errorf("it took %v", took)
	}
	return d
}

func TestLinksOutOfTheRoot(t *testing.T) {
	outside := write(t, map[string]string{
		"package.json": `{"name":"outside-mcp","bin":"server.js"}`,
		"server.js":    `import "@modelcontextprotocol/sdk/server/mcp.js"`,
		"secret":       "the contents of a secret file",
	})
	root := t.TempDir()
	for link, to := range map[string]string{
		"package.json":   filepath.Join(outside, "package.json"),
		"server.js":      filepath.Join(outside, "server.js"),
		"pyproject.toml": filepath.Join(outside, "secret"),
		"pom.xml":        "/etc/passwd",
		"smithery.yaml":  "/proc/self/environ",
		"below":          outside,
		"cycle":          ".",
		"server.json":    "server.json",
		".env.example":   filepath.Join(outside, "secret"),
	} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Skip("SKIPPED: links can't be made here: ", err)
		}
	}
	d := detectSoon(t, root)
	text := indented(t, d)
	if len(d.Plans) > 0 || strings.Contains(text, "secret") || strings.Contains(text, "outside") || strings.Contains(text, "root:") {
		t.Errorf("what lies outside the repository was read: %s", text)
	}
}

// TestLinkInside: a link to a file of the repository is one of its files.
func TestLinkInside(t *testing.T) {
	root := write(t, map[string]string{
		"real.json": `{"name":"inside-mcp","bin":"server.js"}`,
		"server.js": `import "@modelcontextprotocol/sdk/server/mcp.js"`,
	})
	if err := os.Symlink("real.json", filepath.Join(root, "package.json")); err != nil {
		t.Skip("SKIPPED: links can't be made here: ", err)
	}
	if d := detectSoon(t, root); len(d.Plans) != 1 {
		t.Errorf("%d plans, want 1: %s", len(d.Plans), d.None)
	}
}

func TestGiantFile(t *testing.T) {
	root := write(t, map[string]string{"package.json": "", "go.mod": ""})
	for _, name := range []string{"package.json", "go.mod"} {
		if err := os.Truncate(filepath.Join(root, name), 1<<30); err != nil {
			t.Fatal(err)
		}
	}
	d := detectSoon(t, root)
	if !strings.Contains(d.None, "larger than 1024 KiB") {
		t.Errorf("the reason is %q", d.None)
	}
}

func TestManyFiles(t *testing.T) {
	root := write(t, map[string]string{"package.json": `{"name":"many-mcp","bin":"server.js"}`, "server.js": `import "@modelcontextprotocol/sdk/server/mcp.js"`})
	many := filepath.Join(root, "many")
	if err := os.Mkdir(many, 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range 2 * maxEntries {
		f, err := os.Create(filepath.Join(many, fmt.Sprintf("%d.js", i)))
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	d := detectSoon(t, root)
	if len(d.Plans) != 1 {
		t.Errorf("%d plans, want 1: %s", len(d.Plans), d.None)
	}
	if last := d.Notes[len(d.Notes)-1].Text; !strings.Contains(last, "not looked at") {
		t.Errorf("the last note is %q", last)
	}
}

// TestManyProjects: projects that depend on each other are not gone through
// again and again.
func TestManyProjects(t *testing.T) {
	const many = 1000
	files := map[string]string{"package.json": `{"name":"root","workspaces":["p/*"]}`}
	var needs []string
	for i := range many {
		files[fmt.Sprintf("p/%d/package.json", i)] = fmt.Sprintf(`{"name":"p%d","bin":"i.js","scripts":{"build":"x"},"dependencies":{%s}}`, i, strings.Join(needs, ","))
		files[fmt.Sprintf("p/%d/i.js", i)] = fmt.Sprintf("import \"@modelcontextprotocol/sdk/server/mcp.js\";\nimport \"p%d\";\n", max(0, i-1))
		if i < 60 {
			needs = append(needs, fmt.Sprintf(`"p%d":"*"`, i))
		}
	}
	d := detectSoon(t, write(t, files))
	if len(d.Plans) != maxPlans {
		t.Errorf("%d plans, want %d", len(d.Plans), maxPlans)
	}
}

func TestDeepFolders(t *testing.T) {
	root := write(t, map[string]string{strings.Repeat("a/", 60) + "package.json": `{"bin":"x.js"}`, "go.mod": "module x\n"})
	if d := detectSoon(t, root); !strings.Contains(d.Notes[0].Text, "levels down") {
		t.Errorf("the notes are %v", d.Notes)
	}
}

// TestHostileText: what a plan shows holds no control characters, and what it
// runs is what the file says.
func TestHostileText(t *testing.T) {
	nasty := "x\n::error::y\x1b[31m\u202e"
	quoted := `x\n::error::y\u001b[31m\u202e`
	root := write(t, map[string]string{
		"package.json": `{"name":"` + quoted + `","scripts":{"start":"echo ` + quoted + ` | node server.js"}}`,
		"server.js":    `import "@modelcontextprotocol/sdk/server/mcp.js"`,
		".mcp.json":    `{"mcpServers":{"` + quoted + `":{"command":"node","args":["server.js","` + quoted + `"],"env":{"` + quoted + `":"1","FINE":"` + quoted + `","API_KEY":"a-real-key"}}}}`,
	})
	d := detectSoon(t, root)
	if len(d.Plans) != 1 {
		t.Fatalf("%d plans, want 1: %s", len(d.Plans), d.None)
	}
	p := d.Plans[0]
	if p.Command[len(p.Command)-1] != nasty {
		t.Errorf("the command is %q", p.Command)
	}
	for _, w := range append(p.Why, d.Notes...) {
		if strings.ContainsAny(w.Text+w.Path, "\n\x1b\u202e") {
			t.Errorf("%q holds a control character", w.Text)
		}
	}
	if strings.ContainsAny(p.Name, "\n\x1b :") {
		t.Errorf("the name is %q", p.Name)
	}
	if strings.Contains(indented(t, d), "a-real-key") {
		t.Error("a secret of a manifest is shown")
	}
	for _, v := range p.Env {
		if !isVariable(v.Name) {
			t.Errorf("the variable %q", v.Name)
		}
	}
}

// TestManifestOutside: commands that leave the repository start nothing of it.
func TestManifestOutside(t *testing.T) {
	root := write(t, map[string]string{".mcp.json": `{"mcpServers":{
		"a":{"command":"node","args":["../outside.js"]},
		"b":{"command":"/bin/sh","args":["-c","id"]},
		"c":{"command":"python","args":["/etc/passwd"]},
		"d":{"command":"node","args":["server.js"]},
		"e":{"command":"docker","args":["run","x"]},
		"f":{"command":"node"},
		"g":{"command":["x"]},
		"h":7}}`})
	if d := detectSoon(t, root); len(d.Plans) != 0 {
		t.Errorf("%s", indented(t, d))
	}
}

// TestForeignFiles: a file of a dependency is no launch of the server beside it,
// and the source of a program no second server.
func TestForeignFiles(t *testing.T) {
	root := write(t, map[string]string{
		"package.json":                 `{"name":"tide-mcp","bin":"dist/index.js","scripts":{"build":"tsc"}}`,
		"src/index.ts":                 `import "@modelcontextprotocol/sdk/server/mcp.js"`,
		"node_modules/other/server.js": `import "@modelcontextprotocol/sdk/server/mcp.js"`,
		".mcp.json": `{"mcpServers":{
			"other":{"command":"node","args":["node_modules/other/server.js","--other"]},
			"gone":{"command":"node","args":["./node_modules/gone/server.js","--gone"]},
			"built":{"command":"node","args":["dist/index.js","--built"]},
			"source":{"command":"npx","args":["tsx","src/index.ts"]}}}`,
	})
	d := detectSoon(t, root)
	if len(d.Plans) != 1 || strings.Join(d.Plans[0].Command, " ") != "node dist/index.js --built" {
		t.Errorf("%s", indented(t, d))
	}
}

// TestOptionsAsNames: names that a program would read as options are not passed
// on as such.
func TestOptionsAsNames(t *testing.T) {
	sdk := `import "@modelcontextprotocol/sdk/server/mcp.js"`
	root := write(t, map[string]string{
		"package.json":      `{"name":"x-mcp","bin":{"x-mcp":"--eval=1.js"}}`,
		"--eval=1.js":       sdk,
		"py/pyproject.toml": "[project]\nname=\"y\"\ndependencies=[\"--index-url=http://evil.example\", \"mcp\"]\n[project.scripts]\n--help = \"server:main\"\n",
		"py/server.py":      "from mcp.server import Server\nif __name__ == \"__main__\":\n    main()\n",
		"rs/Cargo.toml":     "[package]\nname = \"--config=x\"\n[dependencies]\nrmcp = \"1\"\n",
		"rs/src/main.rs":    "use rmcp::ServerHandler;",
	})
	for _, p := range detectSoon(t, root).Plans {
		for _, step := range append(p.Build, Step{Args: p.Command}) {
			for _, word := range step.Args {
				for _, bad := range []string{"--eval=1.js", "--help", "--index-url=http://evil.example", "--config=x"} {
					if word == bad {
						t.Errorf("%s: %q", p.Name, step.Args)
					}
				}
			}
		}
	}
}

func TestNoRoot(t *testing.T) {
	if _, err := Detect(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("no error")
	}
}
