package spec

import "strings"

var (
	escaper   = strings.NewReplacer("~", "~0", "/", "~1")
	unescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// escape writes a reference token of a JSON pointer (RFC 6901, section 3).
func escape(token string) string { return escaper.Replace(token) }

// write writes a JSON pointer (RFC 6901).
func write(tokens []string) string {
	var b strings.Builder
	for _, token := range tokens {
		b.WriteByte('/')
		b.WriteString(escape(token))
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
		tokens[i] = unescaper.Replace(token)
	}
	return tokens
}

// Place is the pointer with a * for each token that is no declared member of a
// message: indexes, and names that the server chose. There are few places,
// however many messages come.
func (s *Schemas) Place(pointer string) string {
	tokens := Tokens(pointer)
	for i, token := range tokens {
		if !s.members[token] {
			tokens[i] = "*"
		}
	}
	return write(tokens)
}
