package sarif

import (
	"strings"
	"unicode/utf8"

	"github.com/sealmark/action/internal/redact"
)

// cleaner makes characters visible that act without being seen, and cuts;
// secrets are out of a result already.
var cleaner *redact.Redactor

// line is a text on one line, most bytes long at most.
func line(s string, most int) string { return cleaner.Line(s, most) }

// text keeps the lines.
func text(s string, most int) string { return strings.TrimSpace(cleaner.Text(s, most)) }

func orDefault(s, otherwise string) string {
	if strings.TrimSpace(s) == "" {
		return otherwise
	}
	return s
}

// plain escapes what has a meaning in the text of a message: brackets start a
// link, braces a placeholder (SARIF 2.1.0, §3.11.5 and §3.11.6).
var plain = strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`, "{", "{{", "}", "}}")

// escaped is a text as a message: on one line, escaped, and of maxMessage
// characters at most.
func escaped(s string) string {
	for most := maxMessage - 40; ; most /= 2 {
		if out := plain.Replace(line(s, most)); utf8.RuneCountInString(out) <= maxMessage {
			return out
		}
	}
}
