package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"time"
)

// event is a server-sent event (HTML Standard, "Server-sent events").
type event struct {
	name string
	data []byte
}

var (
	errEventTooLarge = errors.New("a server-sent event is too large")
	errTooMuchWaste  = errors.New("the stream of server-sent events holds too much else")
)

// eventReader reads server-sent events. Lines end in CR, LF or CR LF.
type eventReader struct {
	in    *bufio.Reader
	max   int
	first bool
	// lastID is the last event id that the stream set, retry the last time to
	// wait before taking it up again; both are zero before.
	lastID string
	retry  time.Duration
	// waste counts the bytes of lines that are no data, at most maxWaste.
	waste, maxWaste int64
}

func newEventReader(in io.Reader, max int) *eventReader {
	return &eventReader{in: bufio.NewReader(in), max: max, first: true, maxWaste: DefaultMaxNoise}
}

// next returns the next event with data. An event that the end of the stream
// cuts short is dropped, as the standard says.
func (r *eventReader) next() (event, error) {
	var e event
	hasData := false
	for {
		line, err := r.line()
		if err != nil {
			return event{}, err
		}
		if !isData(line) {
			r.waste += int64(len(line)) + 1
		}
		if r.waste > r.maxWaste {
			return event{}, errTooMuchWaste
		}
		if len(line) == 0 {
			if hasData {
				e.data = bytes.TrimSuffix(e.data, []byte("\n"))
				return e, nil
			}
			e = event{}
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "data":
			if len(e.data)+len(value) > r.max {
				return event{}, errEventTooLarge
			}
			e.data = append(append(e.data, value...), '\n')
			hasData = true
		case "event":
			e.name = string(value)
		case "id":
			r.lastID = string(value)
		case "retry":
			if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				r.retry = time.Duration(ms) * time.Millisecond
			}
		}
	}
}

func isData(line []byte) bool {
	return bytes.HasPrefix(line, []byte("data:")) || string(line) == "data"
}

// line returns the next whole line without its end.
func (r *eventReader) line() ([]byte, error) {
	var line []byte
	for {
		c, err := r.in.ReadByte()
		if err != nil {
			return nil, err
		}
		switch c {
		case '\r':
			if next, err := r.in.Peek(1); err == nil && next[0] == '\n' {
				r.in.Discard(1)
			}
		case '\n':
		default:
			if len(line) >= r.max {
				return nil, errEventTooLarge
			}
			line = append(line, c)
			continue
		}
		if r.first {
			r.first = false
			line = bytes.TrimPrefix(line, bom)
		}
		return line, nil
	}
}
