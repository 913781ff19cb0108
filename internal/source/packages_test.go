package source

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/golden"
	"github.com/sealmark/action/internal/rule"
)

// modulesVariable names the folder in which the packages of
// testdata/e2e/package.json are installed; scripts/e2e-servers installs them.
const modulesVariable = "SEALMARK_E2E_MODULES"

// TestPackages looks in real packages for what their servers list. What is
// committed was held against the packages by reading: each line is a subject,
// with or without an argument, and its place.
func TestPackages(t *testing.T) {
	modules := os.Getenv(modulesVariable)
	if modules == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("CI must install the servers and set " + modulesVariable)
		}
		t.Skipf("SKIPPED: run scripts/e2e-servers and set %s", modulesVariable)
	}
	names, err := filepath.Glob("testdata/packages/*.txt")
	if err != nil || len(names) != 3 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txt"), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			root := filepath.Join(modules, "node_modules", "@modelcontextprotocol", strings.TrimSuffix(filepath.Base(name), ".txt"))
			x, err := open(t.Context(), Options{Root: root, Command: []string{"node", filepath.Join(root, "dist", "index.js")}})
			if err != nil {
				t.Fatal(err)
			}
			if !x.own {
				t.Error("the server is not taken for the package's own")
			}
			var got strings.Builder
			tools, found := 0, 0
			for line := range strings.Lines(string(data)) {
				what, _, _ := strings.Cut(line, "\t")
				subject, argument, _ := strings.Cut(what, " ")
				l := x.locate(subject, argument)
				fmt.Fprintf(&got, "%s\t%s\n", what, written(l))
				if strings.HasPrefix(what, "tool:") && argument == "" {
					tools++
					if l != nil && l.Basis == rule.Definition {
						found++
					}
				}
			}
			golden.Check(t, name, got.String())
			if tools == 0 || 10*found < 8*tools {
				t.Errorf("%d of %d tools found, want at least 80 %%", found, tools)
			}
		})
	}
}

func written(l *rule.Location) string {
	if l == nil {
		return "none"
	}
	return fmt.Sprintf("%s %s:%d:%d", l.Basis, l.Path, l.Line, l.Column)
}
