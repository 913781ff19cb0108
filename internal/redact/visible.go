package redact

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// visible makes valid UTF-8 of s and writes what can't be seen as escapes.
func visible(s string) string {
	var b strings.Builder
	writeVisible(&b, s)
	return b.String()
}

func writeVisible(b *strings.Builder, s string) {
	for s != "" {
		n := strings.IndexFunc(s, func(c rune) bool { return c == utf8.RuneError || hidden(c) })
		if n < 0 {
			b.WriteString(s)
			return
		}
		b.WriteString(s[:n])
		c, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case c == '\r':
			b.WriteString(`\r`)
		case c == utf8.RuneError:
			b.WriteRune(c)
		case c > 0xffff:
			fmt.Fprintf(b, `\U%08X`, c)
		default:
			fmt.Fprintf(b, `\u%04X`, c)
		}
		s = s[n+size:]
	}
}

// unseen are the characters that act on a terminal or a reader without being
// seen: controls, format characters such as bidirectional overrides and
// zero-width ones, line separators, fillers, variation selectors, and those
// of private use.
var unseen = []*unicode.RangeTable{
	unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp,
	unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Noncharacter_Code_Point,
}

// hidden reports whether a character is to be escaped. The two selectors that
// choose between text and emoji stay.
func hidden(c rune) bool {
	switch {
	case c == '\n' || c == '\t' || c == 0xfe0e || c == 0xfe0f:
		return false
	case c < utf8.RuneSelf:
		return c < ' ' || c == 0x7f
	}
	return unicode.In(c, unseen...)
}
