package target

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/golden"
)

// TestDocs: the tables of docs/detection.md are those of the code.
func TestDocs(t *testing.T) {
	const page = "../../docs/detection.md"
	data, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for marker, project := range map[string]bool{"projects": true, "manifests": false} {
		between := regexp.MustCompile(`(?s)<!-- ` + marker + ` -->\n.*<!-- /` + marker + ` -->`)
		if !between.MatchString(text) {
			t.Fatalf("%s has no place for %s", page, marker)
		}
		text = between.ReplaceAllLiteralString(text, "<!-- "+marker+" -->\n"+detectorTable(project)+"<!-- /"+marker+" -->")
	}
	golden.Check(t, page, text)
}

func detectorTable(project bool) string {
	var b strings.Builder
	b.WriteString("| File | Rank | What is read of it |\n|---|---|---|\n")
	for _, d := range detectors {
		if d.Project != project {
			continue
		}
		rank := "–"
		if d.Rank > 0 {
			rank = fmt.Sprint(d.Rank)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", strings.Join(d.Files, "`, `"), rank, d.Takes)
	}
	return b.String()
}

// TestDetectors: each has a rank of its own, and a sample repository.
func TestDetectors(t *testing.T) {
	ranks := map[int]string{}
	for _, d := range detectors {
		if other := ranks[d.Rank]; other != "" {
			t.Errorf("%s and %s have the same rank", d.Name, other)
		}
		ranks[d.Rank] = d.Name
		root, err := openTree(repos)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, file := range root.files {
			found = found || d.reads(file)
		}
		root.close()
		if !found {
			t.Errorf("no sample repository has %s", d.Name)
		}
	}
}
