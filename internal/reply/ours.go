package reply

import (
	"encoding/json"
	"slices"
	"strings"
)

// ours are the strings that we sent ourselves, longest first.
type ours []string

// oursIn lists the strings in our arguments. Short ones are left out: they
// could be part of anybody's words.
func oursIn(arguments json.RawMessage) ours {
	const shortest, most = 4, 200
	var list ours
	eachString(arguments, func(_, s string) bool {
		if len(s) < shortest {
			return true
		}
		list = append(list, s)
		if quoted, err := json.Marshal(s); err == nil {
			if escaped := string(quoted[1 : len(quoted)-1]); escaped != s {
				list = append(list, escaped)
			}
		}
		return len(list) < most
	})
	slices.SortFunc(list, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	return slices.Compact(list)
}

// without returns a text with our own strings blanked where they stand as
// words of their own.
func (o ours) without(text string) string {
	for _, s := range o {
		text = blank(text, s)
	}
	return text
}

// blank replaces a string by a space wherever it is no part of a longer word.
func blank(text, s string) string {
	var b strings.Builder
	rest, from := text, 0
	for {
		i := strings.Index(rest[from:], s)
		if i < 0 {
			break
		}
		start, end := from+i, from+i+len(s)
		if joined(rest[:start], s) || joined(s, rest[end:]) {
			from = start + 1
			continue
		}
		b.WriteString(rest[:start])
		b.WriteByte(' ')
		rest, from = rest[end:], 0
	}
	if b.Len() == 0 {
		return text
	}
	return b.String() + rest
}

// joined reports whether two texts side by side make one word.
func joined(before, after string) bool {
	return before != "" && after != "" && wordByte(before[len(before)-1]) && wordByte(after[0])
}

func wordByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
