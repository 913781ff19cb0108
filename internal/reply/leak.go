package reply

import "regexp"

// Pattern is a kind of internals that a reply may show.
type Pattern struct {
	ID string
	// Text names it in a sentence.
	Text string
	re   *regexp.Regexp
}

// LeakPatterns are the five patterns of the robust-input check. A path in a
// home folder without a line number is none of them, so that an ENOENT message
// or a printed PATH raises nothing.
//
// A quote or a backslash may stand escaped, for a trace inside a JSON text.
var LeakPatterns = []Pattern{
	{"python-traceback", "a Python traceback", regexp.MustCompile(
		`Traceback \(most recent call last\)|File \\{0,3}"[^"\n]+", line \d+|\.py\\{0,3}", line\b`)},
	{"javascript-frame", "a JavaScript stack frame", regexp.MustCompile(
		`\bat [^()\n:]*?\((?:eval at [^\n]*?)?` + scriptFile + `:\d+:\d+\)|\bat (?:async )?` + scriptRoot + `[^()\s]+:\d+:\d+`)},
	{"dependency-line", "a source line inside a dependency", regexp.MustCompile(
		`(?:node_modules|site-packages)[\\/][^\s"'():]+\.(?:[cm]?[jt]sx?|pyx?)(?:\\{0,3}["']?,? line |:|\()\d+`)},
	{"windows-path", "a path of a Windows machine", regexp.MustCompile(
		`(?i)\bC:\\{1,4}(?:Users|Windows|Program Files(?: \(x86\))?)\\{1,4}[^\s"'<>|\\]+`)},
	{"home-path-line", "a source line in a home folder", regexp.MustCompile(
		`(?:^|[^\w.~/-]|file://)(/(?:home|Users|root)/[^\s"'():]+(?::\d+){1,2})(?:[^\w:.-]|[:.]\s|[:.]?$)`)},
}

// scriptRoot begins an absolute place of a script, and scriptFile is any place.
const (
	scriptRoot = `(?:file://|node:|[A-Za-z]:[\\/]|/)`
	scriptFile = `(?:` + scriptRoot + `[^\n]+?|[\w.-]+://[^\s()]+|[^()\n:]+\.(?:[cm]?[jt]sx?|vue|svelte)|[\w.]*<anonymous>)`
)

// PatternText names the pattern with the id.
func PatternText(id string) string {
	for _, p := range LeakPatterns {
		if p.ID == id {
			return p.Text
		}
	}
	return "internals"
}

// leak returns the first thing in text that matches a leak pattern and the
// pattern's id.
func leak(text string) (match, pattern string) {
	for _, p := range LeakPatterns {
		found := p.re.FindStringSubmatch(text)
		if found == nil {
			continue
		}
		return short(found[len(found)-1], found[0]), p.ID
	}
	return "", ""
}

// short cuts the first text that is not empty to what evidence needs.
func short(texts ...string) string {
	const most = 300
	for _, s := range texts {
		if s != "" {
			return s[:min(len(s), most)]
		}
	}
	return ""
}
