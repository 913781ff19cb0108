package target

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/sealmark/action/internal/golden"
)

const repos = "../../testdata/repos"

// TestRepos holds what is found in each sample repository against the
// committed plan.
func TestRepos(t *testing.T) {
	entries, err := os.ReadDir(repos)
	if err != nil {
		t.Fatal(err)
	}
	const least = 34
	if len(entries) < least {
		t.Fatalf("only %d sample repositories, want %d", len(entries), least)
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			if _, err := os.Stat(filepath.Join(repos, entry.Name()[:len(entry.Name())-len(filepath.Ext(entry.Name()))])); err != nil {
				t.Errorf("%s belongs to no sample repository", entry.Name())
			}
			continue
		}
		t.Run(entry.Name(), func(t *testing.T) {
			d, err := Detect(filepath.Join(repos, entry.Name()))
			if err != nil {
				t.Fatal(err)
			}
			if (len(d.Plans) == 0) != (d.None != "") {
				t.Errorf("%d plans, but the reason for none is %q", len(d.Plans), d.None)
			}
			golden.Check(t, filepath.Join(repos, entry.Name()+".json"), indented(t, d))
		})
	}
}

// indented writes a detection as detect --json does.
func indented(t *testing.T, d Detection) string {
	t.Helper()
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(d); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
