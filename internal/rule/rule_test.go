package rule

import (
	"strings"
	"testing"
)

const prose = "# Title of it\nSummary.\n\n## What to fix\nThis.\n\n```text\n## no heading\n```\n\n## Rules\n\n### a.b\nIt breaks.\n\nWhy.\n\n**Fix:** mend it.\n\n**Example:** so.\n"

func TestWithProse(t *testing.T) {
	c, err := Check{ID: "x", Rules: []Rule{{ID: "a.b"}}}.WithProse(prose)
	if err != nil {
		t.Fatal(err)
	}
	r := c.Rules[0]
	if c.Title != "Title of it" || c.Summary != "Summary." || !strings.Contains(c.Section("What to fix"), "## no heading") || c.Section("Rules") != "" ||
		r.Title != "It breaks" || r.Description != "Why." || r.Fix != "mend it." || r.Example != "so." {
		t.Errorf("%+v", c)
	}
	for name, tt := range map[string]struct {
		rules []Rule
		prose string
	}{
		"no title":        {nil, "Title\n"},
		"no text":         {[]Rule{{ID: "a.b"}, {ID: "a.c"}}, prose},
		"undeclared rule": {nil, prose},
		"no fix":          {[]Rule{{ID: "a.b"}}, strings.Replace(prose, "**Fix:**", "Fix", 1)},
	} {
		if _, err := (Check{ID: "x", Rules: tt.rules}).WithProse(tt.prose); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestSeverity(t *testing.T) {
	for _, s := range Severities {
		if got, err := ParseSeverity(string(s)); got != s || err != nil {
			t.Errorf("%s: %s, %v", s, got, err)
		}
	}
	if _, err := ParseSeverity("fatal"); err == nil {
		t.Error("fatal is a severity")
	}
	r := Rule{ID: "a.b", Severity: Warning, Also: []Severity{Note}}
	if !r.Allows(Warning) || !r.Allows(Note) || r.Allows(Error) || r.Family() != "a" {
		t.Errorf("%+v", r)
	}
}

func TestFindingID(t *testing.T) {
	a, b := FindingID("robust.hang", "tool:x"), FindingID("robust.hang", "tool:y")
	if a == b || a != FindingID("robust.hang", "tool:x") || !strings.HasPrefix(a, "robust.hang:") {
		t.Errorf("%s %s", a, b)
	}
}
