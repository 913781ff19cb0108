package session

import (
	"strconv"
	"strings"
)

// firstID is the first request id. It is away from zero, so that a server
// which counts by itself can't be right by chance.
const firstID = 1001

// newID returns the raw id of the next request, in turn a number and a string.
func (s *Session) newID() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.next++
	return rawID(s.next - 1)
}

func rawID(n int) string {
	if n%2 == 0 {
		return `"sm-` + strconv.Itoa(n) + `"`
	}
	return strconv.Itoa(n)
}

// issued reports whether a raw id is that of a request sent before. s.mu must
// be held.
func (s *Session) issued(id string) bool {
	n, err := strconv.Atoi(strings.TrimPrefix(strings.Trim(id, `"`), "sm-"))
	return err == nil && n >= firstID && n < s.next && id == rawID(n)
}
