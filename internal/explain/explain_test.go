package explain

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/golden"
	"github.com/sealmark/action/internal/rule"
)

// made is a made-up check with everything that a check can have.
var made = rule.Check{
	ID: "made-up", Pack: "core", Weight: rule.Cap, CapsAt: "D", Scope: "server", DecidedBy: "reply", Since: "1.0", Title: "Is made up", Summary: "For tests.",
	Keys:     []rule.Key{{Name: "checks.made-up.most", Type: rule.Int, Default: 5, Locked: true, Threshold: true, Meaning: "The most."}},
	Probes:   []rule.Probe{{ID: "one", Text: "the `first`", Core: true}, {ID: "two", Text: "a | pipe", Part: true}},
	Verdicts: []rule.VerdictRow{{Verdict: rule.Fail, When: "it breaks"}},
	Sections: []rule.Section{{Heading: "What to fix", Body: "Mend it.\n\n- one\n- two\n\n```text\n  code | here\n```"}, {Heading: "Background", Body: "More."}, {Heading: "Limits", Body: "See timeout_probe_sec."}},
	Rules: []rule.Rule{{ID: "made.up", Severity: rule.Error, Also: []rule.Severity{rule.Note}, SecuritySeverity: 5, Check: "made-up", Since: "1.0", Title: "It breaks", Description: "Why.", Fix: "Mend.", Example: "So.",
		References: []rule.Reference{{Title: "MCP", Revision: "2025-11-25", Section: "Tools", URL: "https://example.com/"}}}},
}

var general = []rule.Key{{Name: "timeout_probe_sec", Type: rule.Duration, Default: 10, Locked: true, Flag: "--timeout-probe", Meaning: "How long."}}

func explainText(t *testing.T, id string, f Format) string {
	t.Helper()
	var b bytes.Buffer
	if err := Any(&b, id, []rule.Check{made}, general, f); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestGolden holds the documentation of a check and a rule in all forms.
func TestGolden(t *testing.T) {
	for _, id := range []string{"made-up", "made.up"} {
		for _, f := range []Format{Text, Markdown, JSON} {
			golden.Check(t, filepath.Join("testdata", id+"."+string(f)), explainText(t, id, f))
		}
	}
}

// TestSections: the sections stand in the order of the documentation, and one
// of another heading is not lost.
func TestSections(t *testing.T) {
	text := explainText(t, "made-up", Markdown)
	at := 0
	for _, heading := range []string{"# made-up", "## Probes", "## Settings and thresholds", "## Scoring", "## What to fix", "## Thresholds", "## Limits", "## Background", "## Rules", "### made.up"} {
		next := strings.Index(text, "\n"+heading+"\n")
		if heading == "# made-up" {
			next = strings.Index(text, heading)
		}
		if next < at {
			t.Errorf("%q stands at %d, after %d", heading, next, at)
		}
		at = next
	}
}

func TestUnmark(t *testing.T) {
	for in, want := range map[string]string{
		"a `b` **c** *d*":       "a b c d",
		"`a b` and `*` or `**`": "`a b` and * or **",
		"**fix `x` now**":       "fix x now",
		"[see `x`](https://x/)": "see x <https://x/>",
		"2 * 3":                 "2 * 3",
		"`[x](y)`":              "[x](y)",
	} {
		if got := unmark(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestLists(t *testing.T) {
	for f, want := range map[Format]string{Text: "made.up  error or note  made-up  It breaks\n", Markdown: "| made.up | error or note | made-up | It breaks |\n"} {
		var b bytes.Buffer
		if err := RuleList(&b, []rule.Check{made}, f); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: %v\n%s", f, err, &b)
		}
	}
	if got := explainText(t, "", Text); !strings.Contains(got, "made-up  core  cap     Is made up\n") {
		t.Errorf("%s", got)
	}
}

func TestJSON(t *testing.T) {
	for _, id := range []string{"", "made-up", "made.up"} {
		if text := explainText(t, id, JSON); !json.Valid([]byte(text)) {
			t.Errorf("%q: no JSON: %s", id, text)
		}
	}
}

func TestUnknown(t *testing.T) {
	for id, want := range map[string]string{
		"nonsense": "there are made-up", "made.entirely-otherwise": "there are made.up",
		"mad-up": `did you mean "made-up"?`, "made.pu": `did you mean "made.up"?`, "up": `did you mean "made.up"?`, "UP": `did you mean "made.up"?`,
	} {
		err := Any(&bytes.Buffer{}, id, []rule.Check{made}, general, Text)
		var unknown *UnknownError
		if !errors.As(err, &unknown) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", id, err)
		}
	}
	if _, err := ParseFormat("xml"); err == nil {
		t.Error("xml is a format")
	}
}

func TestScoring(t *testing.T) {
	for weight, want := range map[rule.Weight]string{rule.Scored: "never caps", rule.Cap: "caps the letter", rule.Gate: "not assessed", rule.Advisory: "no points"} {
		if got := scoring(rule.Check{Weight: weight}); !strings.Contains(got, want) {
			t.Errorf("%s: %s", weight, got)
		}
	}
}

func TestDocFiles(t *testing.T) {
	files := DocFiles([]rule.Check{made}, general, general)
	for _, name := range []string{"docs/checks/made-up.md", "docs/checks/README.md", "docs/configuration.md"} {
		if !strings.HasPrefix(string(files[name]), "<!-- Generated") {
			t.Errorf("%s: %s", name, files[name])
		}
	}
	if !strings.Contains(string(files["docs/checks/README.md"]), "[made.up](made-up.md#madeup)") {
		t.Errorf("%s", files["docs/checks/README.md"])
	}
}
