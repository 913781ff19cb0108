package target

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fuzzed are the files that FuzzDetect writes, by number.
var fuzzed = []string{
	"package.json", "server.json", "manifest.json", ".mcp.json", "smithery.yaml", "pyproject.toml", "go.mod", "Cargo.toml",
	"pom.xml", "build.gradle", "x.csproj", "Gemfile", "composer.json", "deno.jsonc", "Dockerfile", "requirements.txt",
	"pnpm-workspace.yaml", ".env.example",
}

// FuzzDetect reads a manifest of any content beside source that serves, and
// holds the plans to what run relies on.
func FuzzDetect(f *testing.F) {
	err := filepath.WalkDir(repos, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		for i, name := range fuzzed {
			if entry.Name() != filepath.Base(name) && filepath.Ext(name) != ".csproj" {
				continue
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			f.Add(i, data)
		}
		return nil
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, kind int, data []byte) {
		name := fuzzed[uint(kind)%uint(len(fuzzed))]
		root := write(t, map[string]string{
			"server.js":   `import "@modelcontextprotocol/sdk/server/mcp.js"; process.env.PORT`,
			"server.py":   "from mcp.server import Server\nif __name__ == \"__main__\":\n    main()\n",
			"main.go":     "package main\n\nimport _ \"github.com/mark3labs/mcp-go/server\"\n\nfunc main() {}\n",
			"src/main.rs": "use rmcp::ServerHandler;",
			"Main.java":   "StdioServerTransportProvider",
			name:          string(data),
		})
		d, err := Detect(root)
		if err != nil {
			t.Fatal(err)
		}
		if (len(d.Plans) == 0) != (d.None != "") {
			t.Errorf("%d plans, none because %q", len(d.Plans), d.None)
		}
		names := map[string]bool{}
		for _, p := range d.Plans {
			if p.Name == "" || names[p.Name] || len(p.Command) == 0 || p.Command[0] == "" || len(p.Why) == 0 {
				t.Errorf("%+v", p)
			}
			names[p.Name] = true
			if !fs.ValidPath(p.Directory) {
				t.Errorf("the folder %q", p.Directory)
			}
			for _, step := range p.Build {
				if len(step.Args) == 0 || step.Args[0] == "" || !fs.ValidPath(step.Dir) {
					t.Errorf("the step %+v", step)
				}
			}
			for _, l := range append([]Launch{p.Launch}, p.Alternatives...) {
				if (l.URL == "") != (l.Transport == Stdio) || l.URL != "" && !strings.HasPrefix(l.URL, "http://127.0.0.1:") {
					t.Errorf("%s at %q", l.Transport, l.URL)
				}
				for _, v := range l.Env {
					if !isVariable(v.Name) || v.Secret && v.Value != "" {
						t.Errorf("the variable %+v", v)
					}
				}
			}
		}
	})
}
