package reply

import (
	"encoding/json"
	"regexp"
)

// InternalsPatterns are the kinds of internals that the protocol analyzer
// looks for in an answer to a probe, beyond LeakPatterns. They are heuristic:
// a legitimate path or hexadecimal text can match.
var InternalsPatterns = []Pattern{
	{"goroutine-dump", "a goroutine dump", regexp.MustCompile(`\bgoroutine \d+ \[[a-z ,\d]+\]:`)},
	{"panic-text", "the text of a panic", regexp.MustCompile(
		`(?m)^panic: \S|\bpanic: runtime error|\bthread '[^'\n]*' (?:\(\d+\) )?panicked at\b|\bfatal error: (?:all goroutines|runtime|stack overflow|concurrent map)|PHP Fatal error: `)},
	{"java-frame", "a Java stack frame", regexp.MustCompile(`\bat [\w$.]+\.[\w$<>]+\([\w$]+\.(?:java|kt|scala|groovy):\d+\)`)},
	{"dotnet-frame", "a .NET stack frame", regexp.MustCompile(`\bat [\w.<>` + "`" + `]+\([^)\n]*\) in [^\n]+:line \d+`)},
	{"ruby-frame", "a Ruby stack frame", regexp.MustCompile("[\\w./-]+\\.rb:\\d+:in [`']")},
	{"php-frame", "a PHP stack frame", regexp.MustCompile(`(?m)^#\d+ [^\n]+\.php\(\d+\): `)},
	{"address", "an address in memory", regexp.MustCompile(`\b0x[0-9a-fA-F]{9,16}\b|\bat 0x[0-9a-fA-F]{6,16}>|\b[a-z]+(?:\.\w+)+[.$][A-Z]\w*@[0-9a-f]{6,8}\b`)},
	{"absolute-path", "an absolute path of the server's machine", regexp.MustCompile(
		`(?:^|[\s"'` + "`" + `(=\[<]|file://)(/(?:home|Users|root|usr|opt|var|tmp|private|mnt|etc|nix|Library|Applications)/[^\s"'` + "`" + `()<>\[\],;:]+|/(?:app|srv|src|go|build|workspace|workspaces|code|data|github)/(?:[^\s"'` + "`" + `()<>\[\],;:]+/)*[^\s"'` + "`" + `()<>\[\],;:/]+\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs|swift|ex|lua|sh|so|dll|json|ya?ml|toml))|(?i:\b[C-Z]:\\{1,4}(?:[^\s"'<>|\\:]+\\{1,4})+[^\s"'<>|\\:]+)`)},
}

// Internals returns the first thing in an answer that shows internals of the
// server, and the kind of it. What the request itself contained never counts.
func Internals(a Answer, request json.RawMessage) (match string, kind Pattern) {
	text := oursIn(request).without(hear(a).text)
	if match, id := leak(text); match != "" {
		for _, p := range LeakPatterns {
			if p.ID == id {
				return match, p
			}
		}
	}
	for _, p := range InternalsPatterns {
		if found := p.re.FindStringSubmatch(text); found != nil {
			return short(found[len(found)-1], found[0]), p
		}
	}
	return "", Pattern{}
}
