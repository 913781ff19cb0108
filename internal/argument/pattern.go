package argument

import (
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// lenientRegexp compiles a pattern. One in the larger syntax of ECMA-262 that
// Go lacks, such as look-ahead, or one that is too large, is unverifiable: it
// is taken as no constraint, so that nothing is sent only because it breaks
// it.
func lenientRegexp(pattern string) (jsonschema.Regexp, error) {
	if re := compilePattern(pattern); re != nil {
		return named{re, pattern}, nil
	}
	return anything(pattern), nil
}

// compilePattern compiles a pattern, nil if it can't be.
func compilePattern(pattern string) *regexp.Regexp {
	const longest = 10_000
	if len(pattern) > longest {
		return nil
	}
	re, err := regexp.Compile(unicodeEscape.ReplaceAllStringFunc(pattern, goEscape))
	if err != nil {
		return nil
	}
	return re
}

// unicodeEscape matches any escape, so that the backslash of \\u0041 is not
// mistaken for the beginning of one.
var unicodeEscape = regexp.MustCompile(`\\u\{([0-9a-fA-F]{1,6})\}|\\u([0-9a-fA-F]{4})|\\.`)

// goEscape writes a Unicode escape of ECMA-262 as Go has it.
func goEscape(escape string) string {
	digits, ok := strings.CutPrefix(escape, `\u`)
	if !ok || digits == "" {
		return escape
	}
	return `\x{` + strings.Trim(digits, "{}") + `}`
}

// named is a pattern that is shown as it was written.
type named struct {
	*regexp.Regexp
	pattern string
}

func (n named) String() string { return n.pattern }

// anything matches every text.
type anything string

func (anything) MatchString(string) bool { return true }
func (a anything) String() string        { return string(a) }
