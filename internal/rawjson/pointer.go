package rawjson

import "strings"

var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// Escape writes a reference token of a JSON pointer (RFC 6901, section 3).
func Escape(token string) string { return escaper.Replace(token) }

// Unescape reads a reference token of a JSON pointer.
func Unescape(token string) string { return unescaper.Replace(token) }

// Pointer writes a JSON pointer.
func Pointer(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteByte('/')
		b.WriteString(Escape(token))
	}
	return b.String()
}

// Tokens returns the reference tokens of a JSON pointer.
func Tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(pointer[1:], "/")
	for i, token := range tokens {
		tokens[i] = Unescape(token)
	}
	return tokens
}
