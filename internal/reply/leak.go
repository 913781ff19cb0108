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
var LeakPatterns = []Pattern{
	{"python-traceback", "a Python traceback", regexp.MustCompile(`Traceback \(most recent call last\)|File "[^"\n]{1,300}", line \d+|\.py", line \d+`)},
	{"javascript-frame", "a JavaScript stack frame", regexp.MustCompile(`\bat (?:async )?(?:new )?[\w$.<>\[\] ]{1,120}? ?\((?:file://|node:|[A-Za-z]:[\\/]|/)?[^()\n]{0,300}?:\d+:\d+\)|\bat (?:async )?(?:file://|node:|[A-Za-z]:[\\/]|/)[^()\s]{1,300}:\d+:\d+`)},
	{"dependency-line", "a source line inside a dependency", regexp.MustCompile(`(?:node_modules|site-packages)[\\/][^\s"'():]{1,300}\.(?:js|mjs|cjs|ts|mts|cts|jsx|tsx|py|pyx)(?:["']?,? line |:|\()\d+`)},
	{"windows-path", "a path of a Windows machine", regexp.MustCompile(`(?i)\bC:\\{1,4}(?:Users|Windows|Program Files(?: \(x86\))?)\\{1,4}[^\s"'<>|]+`)},
	{"home-path-line", "a source line in a home folder", regexp.MustCompile(`/(?:home|Users|root)/[^\s"'():]{1,300}:\d+`)},
}

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
		if m := p.re.FindString(text); m != "" {
			return m, p.ID
		}
	}
	return "", ""
}
