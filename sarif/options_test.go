package sarif_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/sarif"
)

// Accepted findings are suppressed in the file and left out of the upload. All
// results have suppressions then, or none (SARIF 2.1.0, §3.27.23).
func TestAccepted(t *testing.T) {
	r := sample()
	r.Findings[1].Accepted = &rule.Acceptance{Reason: "kept\x1b for old clients", Until: "2031-03-31"}
	data, d := convert(t, r, sarif.Options{})
	suppressions := func(data []byte) (list []any) {
		var doc struct {
			Runs []struct{ Results []map[string]any }
		}
		if err := json.Unmarshal(data, &doc); err != nil {
			t.Fatal(err)
		}
		for _, f := range doc.Runs[0].Results {
			list = append(list, f["suppressions"])
		}
		return list
	}
	want := []any{[]any{}, []any{map[string]any{"kind": "external", "status": "accepted", "justification": `kept\u001B for old clients (until 2031-03-31)`}}, []any{}, []any{}}
	if diff := cmp.Diff(want, suppressions(data)); diff != "" {
		t.Error(diff)
	}
	if got := subjects(d); got != "tool:fetch_parcel tool:print_label tool:book_pickup " {
		t.Errorf("results about %q", got)
	}
	data, d = convert(t, r, sarif.Options{OmitAccepted: true})
	if got := subjects(d); got != "tool:fetch_parcel tool:book_pickup " {
		t.Errorf("results about %q", got)
	}
	if diff := cmp.Diff([]any{nil, nil, nil}, suppressions(data)); diff != "" {
		t.Error(diff)
	}
}

// Advice is no defect.
func TestAdvice(t *testing.T) {
	r := sample()
	r.Rules[3].Advice = true // stdio.crlf
	_, d := convert(t, r, sarif.Options{})
	if got := subjects(d); got != "tool:fetch_parcel tool:print_label tool:book_pickup" || len(d.Runs[0].Tool.Driver.Rules) != len(r.Rules) {
		t.Errorf("results about %q, %d rules", got, len(d.Runs[0].Tool.Driver.Rules))
	}
}

// A rule is one of security if it has a security severity, and only then.
func TestSecurityTag(t *testing.T) {
	r := sample()
	r.Rules[1].Tags = []string{"mcp", "security"} // launch.exited, which has none
	_, d := convert(t, r, sarif.Options{})
	for _, known := range d.Runs[0].Tool.Driver.Rules {
		_, severe := known.Properties["security-severity"]
		data, _ := json.Marshal(known.Properties["tags"])
		if bytes.Contains(data, []byte(`"security"`)) != severe {
			t.Errorf("%s: %v", known.ID, known.Properties)
		}
	}
}

func TestColumn(t *testing.T) {
	r := sample()
	r.Findings[1].Location.Column = 7
	data, _ := convert(t, r, sarif.Options{})
	if !bytes.Contains(data, []byte(`"region":{"startLine":42,"startColumn":7,"endLine":42,"endColumn":7}`)) {
		t.Errorf("%s", data)
	}
}

// With the folder of the checkout every place is a file in it, links resolved.
func TestPlacesInCheckout(t *testing.T) {
	outside, root := t.TempDir(), t.TempDir()
	for _, path := range []string{"src/real.ts", "package.json"} {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(outside, "secret"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{"link.ts": "src/real.ts", "lib": "src", "loop": "loop", "out": filepath.Join(outside, "secret"), "up": "../" + filepath.Base(outside) + "/secret"} {
		if err := os.Symlink(target, filepath.Join(root, link)); err != nil {
			t.Skip("no symbolic links here: " + err.Error())
		}
	}
	for file, want := range map[string]string{
		"src/real.ts": "src/real.ts", "link.ts": "src/real.ts", "lib/real.ts": "src/real.ts", "loop": "package.json", "out": "package.json", "up": "package.json",
		"src": "package.json", "gone.ts": "package.json", "": "package.json", "../" + filepath.Base(outside) + "/secret": "package.json",
	} {
		r := sample()
		r.Server.Anchor = rule.Location{Path: "gone/package.json", Line: 1}
		r.Findings = r.Findings[1:2]
		r.Findings[0].Location = &rule.Location{Path: file, Line: 42}
		_, d := convert(t, r, sarif.Options{Root: root})
		if got := d.Runs[0].Results[0].Locations[0].PhysicalLocation; got.ArtifactLocation["uri"] != want || (got.Region.StartLine == 42) != (want == "src/real.ts") {
			t.Errorf("%q: %+v, want %s", file, got, want)
		}
	}
	_, d := convert(t, sample(), sarif.Options{Root: t.TempDir()})
	if got := d.Runs[0].Results[0].Locations[0].PhysicalLocation.ArtifactLocation["uri"]; got != "sealmark.yml" {
		t.Errorf("in an empty checkout: %s", got)
	}
}
