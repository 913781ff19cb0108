// Package wire is one connection to a server: raw frames out and in, exit and
// close events, and what came that is no frame. It does not know what a tool
// is.
package wire

import (
	"context"
	"fmt"

	"github.com/sealmark/action/internal/confine"
)

// Command starts a server over stdio.
type Command struct {
	// Args is the program and its arguments.
	Args []string
	// Dir is the working directory, "" for the current one.
	Dir string
	// Env is the whole environment of the process.
	Env []string
	// Box is where it runs, nil for nowhere in particular.
	Box *confine.Box
}

// Limits bound what a connection takes from a server.
type Limits struct {
	// MaxFrame is the size of a message in bytes, 32 MiB if it is 0.
	MaxFrame int
	// MaxNoise is how many bytes that belong to no message may come on stdout
	// before the process is ended, 16 MiB if it is 0.
	MaxNoise int64
}

// Default limits.
const (
	DefaultMaxFrame = 32 << 20
	DefaultMaxNoise = 16 << 20
)

func (l Limits) withDefaults() Limits {
	if l.MaxFrame == 0 {
		l.MaxFrame = DefaultMaxFrame
	}
	if l.MaxNoise == 0 {
		l.MaxNoise = DefaultMaxNoise
	}
	return l
}

// Frame is one message as it came; over stdio a line without its end.
type Frame struct{ Raw []byte }

// NoiseKind says what is wrong with something on stdout.
type NoiseKind string

// The kinds of noise. NoiseText and NoiseOversize are no messages; the others
// came with messages that were delivered.
const (
	NoiseText      NoiseKind = "noise"
	NoiseOversize  NoiseKind = "oversize"
	NoiseSplit     NoiseKind = "split"
	NoiseHeader    NoiseKind = "framing-header"
	NoiseBOM       NoiseKind = "bom"
	NoiseBadUTF8   NoiseKind = "invalid-utf8"
	NoiseLineBreak NoiseKind = "crlf"
)

// Noise is something on stdout that breaks the transport.
type Noise struct {
	Kind NoiseKind
	// Text is its beginning, at most 200 bytes.
	Text []byte
}

// Handler is told what comes in, from the one goroutine that reads. Its
// functions must not block.
type Handler struct {
	Frame func(Frame)
	Noise func(Noise)
}

// Exit says how a connection ended.
type Exit struct {
	// Code is the exit status, -1 if the process was ended by a signal or is
	// still running.
	Code int
	// Signal is the name of the signal that ended the process, "" for none.
	Signal string
	// Running: stdout was closed, but the process went on.
	Running bool
	// Flooded: the process was ended since it wrote more noise than allowed.
	Flooded bool
	// Closed: the connection was ended from our side.
	Closed bool
	// Stderr is the end of what the process wrote to stderr.
	Stderr string
}

// String says how the connection ended as the end of a sentence: "exited with
// status 1".
func (e Exit) String() string {
	switch {
	case e.Flooded:
		return "flooded stdout with text that is no protocol message"
	case e.Running:
		return "closed its stdout but is still running"
	case e.Signal != "":
		return "was killed by signal " + e.Signal
	case e.Closed && e.Code < 0:
		return "was closed"
	}
	return fmt.Sprintf("exited with status %d", e.Code)
}

// Conn is a connection to a server.
type Conn interface {
	// Send sends one message. The receipt is nil over stdio. Its error means
	// that the message did not reach the server.
	Send(ctx context.Context, message []byte) (*Receipt, error)
	// SendRaw sends bytes exactly as given, without a line end.
	SendRaw(ctx context.Context, b []byte) error
	// Done is closed when the connection has ended.
	Done() <-chan struct{}
	// Exit says how it ended; valid after Done.
	Exit() Exit
	// Stderr is the end of what came on stderr so far.
	Stderr() string
	// NoiseBytes is how much noise came so far.
	NoiseBytes() int64
	// Close ends the connection politely: stdin is closed, after 2 s SIGTERM
	// goes to the process group, after 3 s more SIGKILL. What is left of the
	// group, or in a box of the tree, is killed. It may be called more than once.
	Close(ctx context.Context)
	// Kill ends the process group, or in a box the tree, at once.
	Kill()
}

// Receipt is what HTTP says to a message before and beside any reply.
type Receipt struct {
	Status      int
	ContentType string
	// Redirect is where a redirect that was not followed points to, as the
	// server wrote it but without user, query and fragment; "" for none.
	Redirect string
	// CrossOrigin: Redirect leads to another origin (RFC 6454, §5).
	CrossOrigin bool
	// Body is the beginning of a body that holds no message, or that came with
	// a status other than 2xx.
	Body []byte
	// Ended is closed when the whole response has been read.
	Ended <-chan struct{}
	// Err says why a stream could not be read to its end, nil if it could. It
	// may be read after Ended: an *HTTPError if the connection broke.
	Err error
}

// NotFoundError says that a launch command does not exist or may not be
// executed.
type NotFoundError struct {
	Command string
	Err     error
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("the command %q was not found: %v", e.Command, e.Err)
}

func (e *NotFoundError) Unwrap() error { return e.Err }
