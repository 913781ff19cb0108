package wire

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strconv"
	"unicode/utf8"
)

const (
	// keptNoise is how much of a piece of noise is kept.
	keptNoise = 200
	// toldNoise is how many pieces of noise the handler is told of; the rest
	// is only counted.
	toldNoise = 200
	// joinLines and joinBytes bound the search for a message that was spread
	// over several lines.
	joinLines = 256
	joinBytes = 1 << 20
)

var bom = []byte("\xef\xbb\xbf")

// splitter cuts the bytes of stdout into frames and noise. Its memory is
// bounded by Limits.MaxFrame.
type splitter struct {
	limits  Limits
	handler Handler

	line []byte
	// length counts the bytes of the current line, kept or not.
	length int
	// held are lines that may be the parts of one message.
	held      [][]byte
	heldBytes int
	// body is how many bytes of a body that a Content-Length header announced
	// are to come; header is its length once the header line was read.
	header, body int
	noise        int64
	told         int
}

// feed takes the next bytes.
func (s *splitter) feed(b []byte) {
	for len(b) > 0 {
		if s.body > 0 {
			n := min(s.body, len(b))
			s.add(b[:n])
			b, s.body = b[n:], s.body-n
			if s.body == 0 {
				s.endLine()
			}
			continue
		}
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			s.add(b)
			return
		}
		s.add(b[:i])
		s.endLine()
		b = b[i+1:]
	}
}

// end takes the end of the stream.
func (s *splitter) end() {
	if s.length > 0 {
		s.endLine()
	}
	s.release()
}

// add adds to the current line. Of a line that can't be a message, or is too
// long for one, only the beginning is kept.
func (s *splitter) add(b []byte) {
	s.length += len(b)
	most := s.limits.MaxFrame
	if !mayBeMessage(s.line, b) {
		most = keptNoise
		if s.length > keptNoise {
			s.noise += int64(len(b))
		}
	} else if s.length > most {
		s.noise += int64(len(b))
	}
	if room := most - len(s.line); room > 0 {
		s.line = append(s.line, b[:min(room, len(b))]...)
	}
}

// mayBeMessage reports whether the line that consists of both parts can be a
// message by its first character.
func mayBeMessage(line, more []byte) bool {
	for _, part := range [][]byte{line, more} {
		part = bytes.TrimPrefix(part, bom)
		part = bytes.TrimLeft(part, " \t\r")
		if len(part) > 0 {
			return part[0] == '{' || part[0] == '[' || part[0] == 0xef
		}
	}
	return true
}

var contentLength = regexp.MustCompile(`(?i)^content-length:\s*(\d{1,8})\s*$`)

// endLine reads the current line and starts the next one.
func (s *splitter) endLine() {
	line, length := s.line, s.length
	s.line, s.length = nil, 0
	if length > len(line) && len(line) >= s.limits.MaxFrame {
		s.release()
		s.tell(NoiseOversize, line, 0)
		return
	}
	if length > len(line) {
		s.release()
		s.tell(NoiseText, line, 0)
		return
	}
	text := bytes.TrimSpace(bytes.TrimPrefix(line, bom))
	switch {
	case len(text) == 0:
		if s.header > 0 {
			s.body, s.header = s.header, 0
		}
	case contentLength.Match(text):
		s.header, _ = strconv.Atoi(string(contentLength.FindSubmatch(text)[1]))
		s.header = min(s.header, s.limits.MaxFrame)
		s.tell(NoiseHeader, text, 0)
	case s.message(line, text):
	case s.hold(line, text):
	default:
		s.release()
		s.tell(NoiseText, line, length)
	}
}

// message delivers a line that is a message, or a batch of messages, and
// notes what is wrong with its form.
func (s *splitter) message(line, text []byte) bool {
	messages := decode(text)
	if messages == nil {
		return false
	}
	s.release()
	if bytes.HasPrefix(line, bom) {
		s.tell(NoiseBOM, line, 0)
	}
	if !utf8.Valid(text) {
		s.tell(NoiseBadUTF8, line, 0)
	}
	if bytes.HasSuffix(line, []byte("\r")) {
		s.tell(NoiseLineBreak, line, 0)
	}
	for _, m := range messages {
		s.handler.Frame(Frame{m})
	}
	return true
}

// hold keeps a line that may be the start or a further part of a message with
// newlines inside, and delivers the message when it is whole.
func (s *splitter) hold(line, text []byte) bool {
	if len(s.held) == 0 && (text[0] != '{' || json.Valid(text)) {
		return false
	}
	if len(s.held) > 0 && text[0] == '{' && json.Valid(text) && len(text) > 2 {
		s.release()
		return false
	}
	s.held = append(s.held, line)
	s.heldBytes += len(line) + 1
	if len(s.held) > joinLines || s.heldBytes > joinBytes {
		s.release()
		return true
	}
	if text[len(text)-1] != '}' {
		return true
	}
	joined := bytes.Join(s.held, []byte("\n"))
	messages := decode(bytes.TrimSpace(joined))
	if messages == nil {
		return true
	}
	s.held, s.heldBytes = nil, 0
	s.tell(NoiseSplit, joined, 0)
	for _, m := range messages {
		s.handler.Frame(Frame{m})
	}
	return true
}

// release turns held lines into noise, as one piece.
func (s *splitter) release() {
	if len(s.held) == 0 {
		return
	}
	joined := bytes.Join(s.held, []byte("\n"))
	s.held, s.heldBytes = nil, 0
	s.tell(NoiseText, joined, len(joined)+1)
}

// tell notes a piece of noise of a number of bytes not counted yet.
func (s *splitter) tell(kind NoiseKind, text []byte, size int) {
	s.noise += int64(size)
	if kind == NoiseText {
		s.noise++
	}
	if s.told >= toldNoise {
		return
	}
	s.told++
	s.handler.Noise(Noise{Kind: kind, Text: bytes.Clone(text[:min(len(text), keptNoise)])})
}

// decode returns the JSON-RPC messages in text: one, or those of a batch; nil
// if it holds none.
func decode(text []byte) [][]byte {
	if isMessage(text) {
		return [][]byte{text}
	}
	if len(text) == 0 || text[0] != '[' {
		return nil
	}
	var batch []json.RawMessage
	if json.Unmarshal(text, &batch) != nil || len(batch) == 0 {
		return nil
	}
	var messages [][]byte
	for _, m := range batch {
		if !isMessage(m) {
			return nil
		}
		messages = append(messages, m)
	}
	return messages
}

// isMessage reports whether text is a JSON object with the members of a
// JSON-RPC message. It looks at the raw members, since a decoded struct
// forgives wrong names.
func isMessage(text []byte) bool {
	if len(text) == 0 || text[0] != '{' {
		return false
	}
	members := Members(text)
	has := func(name string) bool { _, ok := members[name]; return ok }
	return has("jsonrpc") || has("method") || has("id") && (has("result") || has("error"))
}
