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
	// Cut: the connection failed, and Detail is a clause of its own about it.
	// What became of the server is not known.
	Cut bool
	// Stderr holds the last stderr lines of a server that died.
	Stderr string
	// HTTP is the HTTP response to the request; nil over stdio, and where no
	// whole response came: silence, or a connection that failed.
	HTTP *HTTP
}

// HTTP is an HTTP response to a request. Whether it held a reply is told apart
// here, since Kind and Error of an Answer read alike in several cases:
//
//	                       Kind      Error  HTTP
//	reply                  Answered         NoReply false
//	2xx without a reply    Hung      nil    Unanswered
//	error status alone     Answered  set    Refused
//	redirect refused       Answered  set    Redirect
//	silence                Hung      nil    nil, or NoReply false (open stream)
//	connection failed      Closed    nil    nil, or NoReply false (cut stream)
type HTTP struct {
	Status int
	// ContentType is the media type without parameters, "" for none.
	ContentType string
	// NoReply: the response was read to its end and held no reply to the
	// request.
	NoReply bool
	// Body is the beginning of a body that holds no message, or that came with
	// a status other than 2xx; at most 4 KiB.
	Body []byte
	// Redirect is where a redirect that was not followed points to, as the
	// server wrote it but without user, query and fragment; "" for none. CrossOrigin: that is another origin.
	Redirect    string
	CrossOrigin bool
}

// Unanswered reports whether the server took the request with a 2xx status and
// ended the response without a reply in it.
func (h *HTTP) Unanswered() bool {
	return h != nil && h.NoReply && h.Status >= 200 && h.Status <= 299
}

// Refused reports whether the answer is an HTTP status alone, without a
// JSON-RPC reply and without a redirect.
func (h *HTTP) Refused() bool {
	return h != nil && h.NoReply && h.Status >= 300 && h.Redirect == ""
}

// RPCError is a JSON-RPC error object (JSON-RPC 2.0, §5.1).
type RPCError struct {
	Code    json.Number     `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}
