package redact

import (
	"encoding/base64"
	"strings"
)

// spellings returns the forms in which a value may come back, apart from JSON
// escapes and percent encoding, which are undone before the search: plain,
// each of its lines, with blanks as plus signs, as this package makes it
// visible, and base64.
func spellings(value string) []string {
	list := []string{value, strings.TrimSpace(value), strings.ReplaceAll(value, " ", "+"), visible(value)}
	if strings.ContainsAny(value, "\r\n") {
		for _, line := range strings.FieldsFunc(value, func(c rune) bool { return c == '\n' || c == '\r' }) {
			list = append(list, strings.TrimSpace(line))
		}
		list = append(list, strings.NewReplacer("\r", "", "\n", "").Replace(value))
		list = append(list, strings.Join(strings.Fields(value), " "))
	}
	list = append(list, base64Forms(value)...)
	kept := list[:0]
	for _, form := range list {
		if len(form) >= minSecret && !strings.Contains(form, placeholder) {
			kept = append(kept, form)
		}
	}
	return kept
}

// base64Forms returns a value in base64 and its URL alphabet, at each of the
// three places that its first byte may have in a group, without the
// characters that depend on neighbouring bytes.
func base64Forms(value string) []string {
	var list []string
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		for shift := range 3 {
			coded := encoding.EncodeToString(append(make([]byte, shift), value...))
			from, to := []int{0, 2, 3}[shift], len(coded)
			if (shift+len(value))%3 != 0 {
				to--
			}
			list = append(list, coded[from:to])
		}
	}
	return list
}
