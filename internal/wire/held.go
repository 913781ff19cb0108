package wire

import (
	"bytes"
	"encoding/json"
)

const (
	// joinLines and joinBytes bound the search for a message that was spread
	// over several lines.
	joinLines = 10_000
	joinBytes = 1 << 20
)

// held are lines that may be the parts of one message. Brackets are counted as
// the lines come, so that they are put together and parsed only when all are
// closed.
type held struct {
	lines [][]byte
	size  int
	depth int
}

// starts reports whether a line can be the first of several.
func starts(text []byte) bool { return text[0] == '{' && !json.Valid(text) }

// add adds a line. It reports false if no further line can make a message of
// those held.
func (h *held) add(line []byte) bool {
	h.lines = append(h.lines, line)
	h.size += len(line) + 1
	return h.nest(line) && len(h.lines) <= joinLines && h.size <= joinBytes
}

// nest follows the brackets of a line. It reports false if a string or more
// brackets than are open end in it.
func (h *held) nest(line []byte) bool {
	inString := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case inString && c == '\\':
			i++
		case c == '"':
			inString = !inString
		case inString:
		case c == '{' || c == '[':
			h.depth++
		case c == '}' || c == ']':
			h.depth--
		}
	}
	return !inString && h.depth >= 0
}

// joined returns the lines with their newlines.
func (h *held) joined() []byte { return bytes.Join(h.lines, []byte("\n")) }
