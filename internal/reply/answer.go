// Package reply reads the answers of a server: rejected, refused in text,
// accepted, clamped, internal error, lenient-downstream, crash, hang. It
// sends nothing.
package reply

import "encoding/json"

// Kind says what became of a request on the wire.
type Kind string

// The kinds.
const (
	// Answered: a message with the id of the request came back.
	Answered Kind = "answered"
	// Hung: nothing came within the limit and the connection is open.
	Hung Kind = "hung"
	// Closed: the connection or the process ended before an answer came.
	Closed Kind = "closed"
)

// Answer is what came of one request, as raw as it came.
type Answer struct {
	Kind Kind
	// Request is the message as sent, without its line end.
	Request []byte
	// Raw is the whole answer; nil unless Answered.
	Raw []byte
	// Result is the raw result member, nil if there is none.
	Result json.RawMessage
	// Error is the error member, nil if there is none.
	Error *RPCError
	// Detail says what was seen in words when the kind is not Answered:
	// "no answer within 10 s", "exited with status 1", "HTTP status 502".
	Detail string
	// Stderr holds the last stderr lines of a server that died.
	Stderr string
}

// RPCError is a JSON-RPC error object (JSON-RPC 2.0, §5.1).
type RPCError struct {
	Code    json.Number     `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}
