package explain

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/rule"
)

// made is a made-up check with everything that a check can have.
var made = rule.Check{
	ID: "made-up", Pack: "core", Weight: rule.Cap, CapsAt: "D", Scope: "server", DecidedBy: "reply", Since: "1.0", Title: "Is made up", Summary: "For tests.",
	Keys:     []rule.Key{{Name: "checks.made-up.most", Type: rule.Int, Default: 5, Locked: true, Threshold: true, Meaning: "The most."}},
	Probes:   []rule.Probe{{ID: "one", Text: "the `first`", Core: true}, {ID: "two", Text: "a | pipe", Part: true}},
	Verdicts: []rule.VerdictRow{{Verdict: rule.Fail, When: "it breaks"}},
	Sections: []rule.Section{{Heading: "What to fix", Body: "Mend it.\n\n- one\n- two\n\n```text\n  code | here\n```"}, {Heading: "Limits", Body: "See timeout_probe_sec."}},
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

func TestCheck(t *testing.T) {
	text := explainText(t, "made-up", Text)
	for _, want := range []string{"made-up\n=======\n", "pack         core\n", "weight       cap\n", "  - one: the first (core)\n", "  - two: a | pipe (part)\n", "most       5        checks.made-up.most  locked\n",
		"timeout_probe_sec", "--timeout-probe", "A fail caps the letter at D.", "Mend it.\n", "      code | here\n", "fail     it breaks\n", "Severity: error or note.", "MCP, 2025-11-25, Tools <https://example.com/>"} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "**") || strings.Contains(text, "`") {
		t.Errorf("marks are left in the text:\n%s", text)
	}
	markdown := explainText(t, "made-up", Markdown)
	for _, want := range []string{"# made-up\n", "## Probes\n", "a | pipe", "| `checks.made-up.most` | `5` | locked | The most. |\n", "### made.up\n", "```text\n"} {
		if !strings.Contains(markdown, want) {
			t.Errorf("the Markdown lacks %q:\n%s", want, markdown)
		}
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
	for id, want := range map[string]string{"nonsense": "there are made-up", "made.down": "there are made.up"} {
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
