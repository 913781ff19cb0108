package wire

import "bytes"

var bom = []byte("\xef\xbb\xbf")

// blanks are what JSON allows around a value on one line, and the CR of a line
// end.
const blanks = " \t\r"

// form says what a line can be by its first character.
type form int

const (
	undecided form = iota
	candidate      // starts like a message
	plain          // can be no message
)

// chunk is how a long line is kept: in pieces of this size, so that it does
// not have to be copied while it grows.
const chunk = 1 << 20

// line is the line that is being read. Of one that can be no message, or is
// too long for one, only a part is kept.
type line struct {
	form form
	// length counts all bytes, kept or not.
	length int
	// marked is how many bytes of a byte order mark came first.
	marked int
	kept   int
	parts  [][]byte
}

// add adds bytes of which at most max are kept of a candidate.
func (l *line) add(b []byte, max int) {
	l.length += len(b)
	if l.form == undecided {
		b = l.decide(b)
	}
	if l.form == plain {
		max = keptNoise
	}
	l.keep(b, max)
}

// decide looks for the first character that is no blank and no part of a byte
// order mark, and returns what begins with it. Of a long run of blanks only
// the beginning is kept.
func (l *line) decide(b []byte) []byte {
	for i, c := range b {
		switch {
		case bytes.IndexByte([]byte(blanks), c) >= 0:
		case l.marked < len(bom) && c == bom[l.marked]:
			l.marked++
		case c == '{' || c == '[':
			l.form = candidate
		default:
			l.form = plain
		}
		if l.form != undecided {
			l.keep(b[:i], keptNoise)
			return b[i:]
		}
	}
	l.keep(b, keptNoise)
	return nil
}

func (l *line) keep(b []byte, max int) {
	for len(b) > 0 && l.kept < max {
		last := len(l.parts) - 1
		switch {
		case last < 0:
			l.parts = append(l.parts, nil)
			last++
		case len(l.parts[last]) == chunk:
			l.parts = append(l.parts, make([]byte, 0, chunk))
			last++
		}
		n := min(len(b), max-l.kept, chunk-len(l.parts[last]))
		l.parts[last] = append(l.parts[last], b[:n]...)
		l.kept += n
		b = b[n:]
	}
}

// bytes returns what is kept as one slice.
func (l *line) bytes() []byte {
	switch len(l.parts) {
	case 0:
		return nil
	case 1:
		return l.parts[0]
	}
	return bytes.Join(l.parts, nil)
}

// head returns the beginning of the line.
func (l *line) head() []byte {
	if len(l.parts) == 0 {
		return nil
	}
	return l.parts[0][:min(len(l.parts[0]), keptNoise)]
}

// surplus is how many bytes of the line can belong to no message.
func (l *line) surplus(max int) int {
	if l.form == candidate {
		return l.length - min(l.length, max)
	}
	return l.length
}

// trim returns the line without blanks and byte order mark around it.
func trim(line []byte) []byte {
	line = bytes.TrimLeft(line, blanks)
	return bytes.Trim(bytes.TrimPrefix(line, bom), blanks)
}
