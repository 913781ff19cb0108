package report

import (
	"regexp"
	"strings"

	"github.com/sealmark/action/internal/redact"
)

// md is text that is safe in Markdown. Only the functions of this file make
// it of foreign text.
type md string

// space has no width. Mentions, references and addresses are looked for in the
// rendered text, where an escaped character is plain again, so they are broken
// by it.
const space = "&#8203;"

// escaper escapes what means something in Markdown or HTML.
var escaper = strings.NewReplacer(append(breaks("\\#"),
	`\`, `\\`, "`", "\\`", "|", `\|`, "<", "&lt;", ">", "&gt;", "&", "&amp;", "[", `\[`, "]", `\]`, "!", `\!`,
	"*", `\*`, "_", `\_`, "~", `\~`, "$", `\$`)...)

// inHTML escapes what means something within a line of HTML.
var inHTML = strings.NewReplacer(append(breaks("#"), "&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "'", "&#39;", "[", "&#91;", "`", "&#96;", "$", "&#36;")...)

// breaks are the replacements that break mentions, references and addresses;
// a number sign is written as given.
func breaks(number string) []string {
	return []string{"#", number + space, "@", "@" + space, "://", ":" + space + "//", "www.", "www" + space + ".", "WWW.", "WWW" + space + ".",
		"GH-", "GH" + space + "-", "Gh-", "Gh" + space + "-", "gH-", "gH" + space + "-", "gh-", "gh" + space + "-"}
}

var (
	// commitLike matches what becomes a link if it is a commit.
	commitLike = regexp.MustCompile(`\b([0-9a-f]{3})([0-9a-f]{4,37})\b`)
	// emojiLike matches what becomes an emoji.
	emojiLike = regexp.MustCompile(`:([a-z0-9_+\\-]{1,60}:)`)
	// leading matches what starts a list, a rule or the underline of a heading.
	leading = regexp.MustCompile(`^([0-9]{0,9})([-+=.)])([-= ]|$)`)
)

// apart breaks what can only be told by more than its characters.
func apart(s string) string {
	s = commitLike.ReplaceAllString(s, "${1}"+space+"${2}")
	return emojiLike.ReplaceAllString(s, ":"+space+"${1}")
}

// clean is a foreign text on one line that nobody takes for one of our
// markers, most bytes long at most.
func clean(s string, most int) string {
	return strings.ReplaceAll((*redact.Redactor)(nil).Line(s, most), "<!--", "<! --")
}

// text escapes a foreign text on one line.
func text(s string, most int) md {
	return md(leading.ReplaceAllString(apart(escaper.Replace(clean(s, most))), `$1\$2$3`))
}

// inline escapes a foreign text within a line of HTML, where Markdown means
// nothing.
func inline(s string, most int) md { return md(apart(inHTML.Replace(clean(s, most)))) }

// inlineCode shows a foreign text within a line of HTML as it is.
func inlineCode(s string, most int) md {
	if s = clean(s, most); s == "" {
		return ""
	}
	return md("<code>" + inHTML.Replace(s) + "</code>")
}

// code shows a foreign text on one line as it is, in a code span that its
// backticks can't close.
func code(s string, most int) md {
	if s = clean(s, most); s == "" {
		return ""
	}
	fence := strings.Repeat("`", longestRun(s)+1)
	// A pipe ends a table's cell even within a code span.
	s = strings.ReplaceAll(s, "|", "¦")
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return md(fence + s + fence)
}

// block shows a foreign text in a code block that it can't close.
func block(s string, most int) md {
	s = strings.ReplaceAll((*redact.Redactor)(nil).Text(s, most), "<!--", "<! --")
	fence := strings.Repeat("`", max(3, longestRun(s)+1))
	return md(fence + "text\n" + strings.TrimRight(s, "\n") + "\n" + fence + "\n")
}

// longestRun is the length of the longest run of backticks.
func longestRun(s string) int {
	longest, run := 0, 0
	for _, c := range s {
		if c == '`' {
			run++
			longest = max(longest, run)
		} else {
			run = 0
		}
	}
	return longest
}
