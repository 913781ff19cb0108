package sarif_test

import (
	"strings"
	"testing"

	"github.com/sealmark/action/internal/suite"
	"github.com/sealmark/action/sarif"
)

// The texts of our own rules fit without being cut.
func TestOwnRules(t *testing.T) {
	r := sample()
	r.Findings, r.Rules = nil, nil
	for _, c := range suite.Catalog() {
		r.Rules = append(r.Rules, c.Rules...)
	}
	for _, declared := range r.Rules {
		r.Findings = append(r.Findings, finding(declared.ID, "server", declared.Severity, "The server breaks a rule."))
	}
	data, d := convert(t, r, sarif.Options{})
	if strings.Contains(string(data), "bytes more)") {
		t.Error("a text is cut")
	}
	if run := d.Runs[0]; len(run.Tool.Driver.Rules) != len(r.Rules) || len(run.Results) != len(r.Rules) {
		t.Errorf("%d rules and %d results of %d", len(run.Tool.Driver.Rules), len(run.Results), len(r.Rules))
	}
	for _, declared := range r.Rules {
		if len(declared.Tags) > 9 {
			t.Errorf("%s: the tag security needs room", declared.ID)
		}
	}
}
