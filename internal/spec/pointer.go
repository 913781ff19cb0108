package spec

import "github.com/sealmark/action/internal/rawjson"

// Place is the pointer with a * for each token that is no declared member of a
// message: indexes, and names that the server chose. There are few places,
// however many messages come.
func (s *Schemas) Place(pointer string) string {
	tokens := rawjson.Tokens(pointer)
	for i, token := range tokens {
		if !s.members[token] {
			tokens[i] = "*"
		}
	}
	return rawjson.Pointer(tokens)
}
