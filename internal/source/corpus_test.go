package source

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/shared"
)

// TestCorpus looks for the tools that the servers of the corpus beside the
// checkout list, in what their packages ship; `make source-corpus` runs it. In
// ten packages at least, those that are no bundles, most must be found. Each
// place is printed with its line: read them.
func TestCorpus(t *testing.T) {
	installed := os.Getenv("SEALMARK_CORPUS")
	if installed == "" {
		t.Skip("SKIPPED: `make source-corpus` installs the packages and sets SEALMARK_CORPUS")
	}
	data, err := os.ReadFile(shared.Need(t, "corpus/servers.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lists := shared.Tools(t)
	good := 0
	for line := range strings.Lines(string(data)) {
		var s struct {
			Name, Source, Version string
			Command               []string
		}
		if err := json.Unmarshal([]byte(line), &s); err != nil {
			t.Fatal(err)
		}
		tools := lists[strings.NewReplacer("(", "_", ")", "_").Replace(s.Name)+".json"]
		t.Run(s.Name, func(t *testing.T) {
			kind, what, _ := strings.Cut(s.Source, ":")
			var o Options
			if kind == "npm" {
				sum := sha256.Sum256([]byte(s.Name))
				o.Root = filepath.Join(installed, hex.EncodeToString(sum[:4]), "node_modules", filepath.FromSlash(what))
				for _, arg := range s.Command {
					o.Command = append(o.Command, strings.TrimPrefix(arg, "<modules>/"+what+"/"))
				}
			} else {
				module, dir, _ := strings.Cut(what, " ")
				cmd := exec.Command("go", "mod", "download", "-json", module+"@"+s.Version)
				cmd.Dir = t.TempDir()
				out, err := cmd.Output()
				var d struct{ Dir string }
				if err != nil || json.Unmarshal(out, &d) != nil {
					t.Fatalf("go mod download %s: %v", module, err)
				}
				o.Root, o.Directory = d.Dir, dir
			}
			begin := time.Now()
			x, err := open(t.Context(), o)
			if err != nil {
				t.Fatal(err)
			}
			read := time.Since(begin)
			found, arguments, places := 0, 0, 0
			for _, tool := range tools {
				l := x.locate("tool:"+tool.Name, "")
				if l == nil {
					t.Logf("-- %s", tool.Name)
					continue
				}
				if l.Basis == rule.Definition {
					found++
				}
				t.Logf("%s %s  %s", tool.Name, l.Basis, shown(t, o.Root, l))
				for _, name := range properties(tool.InputSchema) {
					places++
					a := x.locate("tool:"+tool.Name, "/"+name)
					if a == nil || *a == *l {
						t.Logf("     -- %s", name)
						continue
					}
					arguments++
					t.Logf("     %s  %s%s", name, doubt(t, o.Root, a, tool.InputSchema, name), shown(t, o.Root, a))
				}
			}
			if 10*found >= 8*len(tools) {
				good++
			}
			t.Logf("SUMMARY %s %s: %d of %d tools, %d of %d arguments of those found; %d files, read in %v, all in %v", what, s.Version, found, len(tools), arguments, places, len(x.files), read.Round(time.Millisecond), time.Since(begin).Round(time.Millisecond))
		})
	}
	if good < 10 {
		t.Errorf("most tools are found in %d packages, want 10", good)
	}
}

func properties(schema json.RawMessage) []string {
	var s struct{ Properties map[string]any }
	json.Unmarshal(schema, &s)
	names := []string{}
	for name := range s.Properties {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func shown(t *testing.T, root string, l *rule.Location) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(l.Path)))
	if err != nil {
		t.Fatal(err)
	}
	text := strings.TrimSpace(strings.Split(string(data), "\n")[l.Line-1])
	return fmt.Sprintf("%s:%d:%d  %.100s", l.Path, l.Line, l.Column, text)
}

// doubt is a remark where what the tool says of an argument does not stand at
// its place.
func doubt(t *testing.T, root string, l *rule.Location, schema json.RawMessage, name string) string {
	t.Helper()
	var s struct {
		Properties map[string]struct{ Description string }
	}
	json.Unmarshal(schema, &s)
	says := s.Properties[name].Description
	says = says[:min(len(says), 20)]
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(l.Path)))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	near := strings.Join(lines[l.Line-1:min(len(lines), l.Line+11)], "\n")
	if strings.Contains(lines[l.Line-1], "Schema,") || strings.Contains(lines[l.Line-1], "Parameter,") || says == "" || strings.Contains(near, says) {
		return ""
	}
	return "DOUBT " + strconv.Quote(says) + " "
}
