package wire

import (
	"bytes"
	"regexp"
	"strconv"
	"time"
	"unicode/utf8"
)

const (
	// keptNoise is how much of a piece of noise is kept.
	keptNoise = 200
	// toldNoise is how many pieces of noise of each kind the handler is told
	// of; the rest is only counted.
	toldNoise = 200
	// heldWait is how long a message that was begun on one line may take to
	// go on on the next.
	heldWait = time.Second
)

// splitter cuts the bytes of stdout into frames and noise. Its memory is
// bounded by Limits.MaxFrame.
type splitter struct {
	limits  Limits
	handler Handler

	line line
	held held
	// header is a Content-Length line whose body did not come yet, announced
	// the length it gives, begun that the empty line after it came, body how
	// much of the body is still to come.
	header          []byte
	announced, body int
	begun           bool
	// noise and blank count bytes of ended lines: text that is no message, and
	// empty lines.
	noise, blank int64
	told         map[NoiseKind]int
}

// feed takes the next bytes.
func (s *splitter) feed(b []byte) {
	for len(b) > 0 {
		newline := bytes.IndexByte(b, '\n')
		stop := newline
		if newline < 0 {
			stop = len(b)
		}
		if s.body > 0 && s.body <= stop {
			s.line.add(b[:s.body], s.limits.MaxFrame)
			b, s.body = b[s.body:], 0
			s.endBody()
			continue
		}
		s.line.add(b[:stop], s.limits.MaxFrame)
		if newline < 0 {
			s.body -= min(s.body, stop)
			return
		}
		s.body -= min(s.body, stop+1)
		s.endLine()
		b = b[newline+1:]
	}
}

// end takes the end of the stream.
func (s *splitter) end() {
	if s.line.length > 0 {
		s.endLine()
	}
	s.release()
	s.dropHeader()
}

// deadline is until when to wait for the rest of held lines, zero for ever. It
// makes a broken message known before the next one comes.
func (s *splitter) deadline() time.Time {
	if len(s.held.lines) == 0 {
		return time.Time{}
	}
	return time.Now().Add(heldWait)
}

// noiseBytes is how much came that belongs to no message.
func (s *splitter) noiseBytes() int64 {
	if s.line.form == undecided {
		return s.noise
	}
	return s.noise + int64(s.line.surplus(s.limits.MaxFrame))
}

// flooded reports whether more came than is allowed that belongs to no
// message, empty lines included.
func (s *splitter) flooded() bool {
	return s.noise+s.blank+int64(s.line.surplus(s.limits.MaxFrame)) > s.limits.MaxNoise
}

// endLine reads the current line and starts the next one.
func (s *splitter) endLine() {
	l := s.line
	s.line = line{}
	if l.form == candidate && l.length > s.limits.MaxFrame {
		s.release()
		s.dropHeader()
		s.noise += int64(l.surplus(s.limits.MaxFrame))
		s.tell(NoiseOversize, l.head())
		return
	}
	raw := l.bytes()
	text := trim(raw)
	switch {
	case len(text) == 0:
		s.blank += int64(l.length) + 1
		s.endHeader()
	case l.form == plain && s.readHeader(text):
		s.noise += int64(l.length) + 1
	case l.form == candidate && s.message(raw, text):
	case s.hold(raw, text):
	default:
		s.release()
		s.dropHeader()
		s.noise += int64(l.length) + 1
		s.tell(NoiseText, raw)
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
	s.tellHeader()
	if bytes.HasPrefix(bytes.TrimLeft(line, blanks), bom) {
		s.tell(NoiseBOM, line)
	}
	if !utf8.Valid(text) {
		s.tell(NoiseBadUTF8, line)
	}
	if bytes.HasSuffix(line, []byte("\r")) {
		s.tell(NoiseLineBreak, line)
	}
	s.deliver(messages)
	return true
}

func (s *splitter) deliver(messages [][]byte) {
	for _, m := range messages {
		s.handler.Frame(Frame{m})
	}
}

// hold keeps a line that may be the start or a further part of a message with
// newlines inside, and delivers the message when it is whole.
func (s *splitter) hold(line, text []byte) bool {
	if len(s.held.lines) == 0 && !starts(text) {
		return false
	}
	if !s.held.add(line) {
		s.release()
		return true
	}
	if s.held.depth > 0 {
		return true
	}
	joined := s.held.joined()
	messages := decode(trim(joined))
	if messages == nil {
		s.release()
		return true
	}
	s.held = held{}
	if s.header == nil {
		s.tell(NoiseSplit, joined)
	}
	s.tellHeader()
	if !utf8.Valid(joined) {
		s.tell(NoiseBadUTF8, joined)
	}
	s.deliver(messages)
	return true
}

// release turns held lines into noise, as one piece.
func (s *splitter) release() {
	if len(s.held.lines) == 0 {
		return
	}
	joined := s.held.joined()
	s.noise += int64(s.held.size)
	s.held = held{}
	s.tell(NoiseText, joined)
}

var (
	contentLength = regexp.MustCompile(`(?i)^content-length:\s*(\d{1,8})$`)
	otherHeader   = regexp.MustCompile(`^[A-Za-z-]+:`)
)

// readHeader reports whether a line is a Content-Length header, or a further
// header after one. Whether it is framing or just text is known when a body
// has come.
func (s *splitter) readHeader(text []byte) bool {
	if match := contentLength.FindSubmatch(text); match != nil {
		s.release()
		s.dropHeader()
		s.header = bytes.Clone(text)
		s.announced, _ = strconv.Atoi(string(match[1]))
		return true
	}
	return s.header != nil && !s.begun && otherHeader.Match(text)
}

// endHeader takes the empty line between a header and its body.
func (s *splitter) endHeader() {
	if s.header != nil && !s.begun {
		s.begun, s.body = true, s.announced
	}
}

// endBody takes the end of a body, which ends the line if a message is
// complete there. Otherwise the header was text, say that of a logged web
// request, and the line goes on.
func (s *splitter) endBody() {
	raw := s.line.bytes()
	whole := decode(trim(raw)) != nil
	if !whole && len(s.held.lines) > 0 {
		whole = decode(trim(bytes.Join([][]byte{s.held.joined(), raw}, []byte("\n")))) != nil
	}
	if !whole {
		s.dropHeader()
		return
	}
	s.endLine()
}

// tellHeader tells of a header when a message has come after it. It was
// framing if the message is as long as announced, line end counted or not.
func (s *splitter) tellHeader() {
	if s.begun && s.announced > 0 && s.body <= len("\r\n") {
		s.endFraming(NoiseHeader)
		return
	}
	s.dropHeader()
}

// dropHeader turns a header that no body followed into noise.
func (s *splitter) dropHeader() { s.endFraming(NoiseText) }

func (s *splitter) endFraming(kind NoiseKind) {
	if s.header == nil {
		return
	}
	header := s.header
	s.header, s.begun, s.body = nil, false, 0
	s.tell(kind, header)
}

// tell tells the handler of a piece of noise.
func (s *splitter) tell(kind NoiseKind, text []byte) {
	if s.told == nil {
		s.told = map[NoiseKind]int{}
	}
	if s.told[kind] >= toldNoise {
		return
	}
	s.told[kind]++
	s.handler.Noise(Noise{Kind: kind, Text: bytes.Clone(text[:min(len(text), keptNoise)])})
}
