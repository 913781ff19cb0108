package sarif_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/suite"
	"github.com/sealmark/action/sarif"
)

// The texts of our own rules fit without being cut, and their help leads to a
// page that has them.
func TestOwnRules(t *testing.T) {
	r := sample()
	r.Findings, r.Rules = nil, nil
	for _, c := range suite.Catalog() {
		r.Rules = append(r.Rules, c.Rules...)
	}
	advice := 0
	for _, declared := range r.Rules {
		if declared.Fix == "" || declared.Example == "" {
			t.Errorf("%s has no fix or no example, which its help shows", declared.ID)
		}
		if declared.Advice {
			advice++
		}
		r.Findings = append(r.Findings, finding(declared.ID, "server", declared.Severity, "The server breaks a rule."))
	}
	data, d := convert(t, r, sarif.Options{})
	if strings.Contains(string(data), "bytes more)") {
		t.Error("a text is cut")
	}
	run := d.Runs[0]
	if len(run.Tool.Driver.Rules) != len(r.Rules) || len(run.Results) != len(r.Rules)-advice || advice == 0 {
		t.Errorf("%d rules and %d results of %d", len(run.Tool.Driver.Rules), len(run.Results), len(r.Rules))
	}
	for _, known := range run.Tool.Driver.Rules {
		address, fragment, _ := strings.Cut(known.HelpURI, "#")
		_, page, _ := strings.Cut(address, "/blob/main/")
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(page)))
		if err != nil {
			t.Error(err)
			continue
		}
		if fragment != strings.ReplaceAll(known.ID, ".", "") || !strings.Contains(string(text), "\n### "+known.ID+"\n") {
			t.Errorf("%s does not lead to the rule %s", known.HelpURI, known.ID)
		}
	}
}
