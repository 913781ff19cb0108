package spec

import (
	"slices"
	"strconv"
	"testing"

	"github.com/sealmark/action/internal/rawjson"
)

// FuzzMessage: no message makes the judge panic, violations are bounded,
// sorted and the same each time, and each pointer leads to a value of the
// message.
func FuzzMessage(f *testing.F) {
	for _, s := range written {
		f.Add([]byte(s.raw), s.method)
	}
	f.Fuzz(func(t *testing.T, raw []byte, method string) {
		for _, revision := range Revisions {
			s, _ := For(revision)
			found := s.Message(raw, method)
			if len(found) > MaxViolations || !slices.Equal(found, s.Message(raw, method)) {
				t.Fatalf("%s: %v", revision, found)
			}
			value, err := decode(raw)
			for i, v := range found {
				if v.Keyword == "" || v.Text == "" || i > 0 && found[i-1].Pointer > v.Pointer {
					t.Errorf("%s: %+v", revision, found)
				}
				if err == nil && !leads(v.Pointer, value) {
					t.Errorf("%s: %q leads nowhere", revision, v.Pointer)
				}
				s.Place(v.Pointer)
			}
		}
	})
}

// leads reports whether a JSON pointer leads to a value (RFC 6901, section 4).
func leads(pointer string, value any) bool {
	for _, token := range rawjson.Tokens(pointer) {
		switch v := value.(type) {
		case map[string]any:
			member, ok := v[token]
			if !ok {
				return false
			}
			value = member
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return false
			}
			value = v[i]
		default:
			return false
		}
	}
	return true
}
