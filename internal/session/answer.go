package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/wire"
)

// exitWait is how long to wait for the end of a process that takes no more
// input.
const exitWait = 2 * time.Second

// sentBack is the detail of a server that answers with our own request.
const sentBack = "its own text sent back"

// answered reads a reply.
func answered(request []byte, m message) reply.Answer {
	if bytes.Equal(m.raw, request) {
		return reply.Answer{Kind: reply.Hung, Request: request, Detail: sentBack}
	}
	a := reply.Answer{Kind: reply.Answered, Request: request, Raw: m.raw, Result: m.members["result"]}
	raw, failed := m.members["error"]
	// Some servers put "error": null beside a result.
	if failed && (a.Result == nil || string(raw) != "null") {
		a.Error = rpcError(raw)
	}
	return a
}

// rpcError reads an error member. Of one that is no error object the text is
// kept, of a code that is no number nothing.
func rpcError(raw json.RawMessage) *reply.RPCError {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil || members == nil {
		return &reply.RPCError{Message: textOf(raw)}
	}
	e := &reply.RPCError{Message: textOf(members["message"]), Data: members["data"]}
	if code := bytes.TrimSpace(members["code"]); len(code) > 0 && (code[0] == '-' || code[0] >= '0' && code[0] <= '9') {
		e.Code = json.Number(code)
	}
	return e
}

// textOf returns a string, or what stands in place of one.
func textOf(raw json.RawMessage) string {
	var text *string
	if json.Unmarshal(raw, &text) != nil || text == nil {
		return string(raw)
	}
	return *text
}

// unsent reads the failure to send a request.
func (s *Session) unsent(ctx, waited context.Context, request []byte, waiting chan message, limit time.Duration, err error) reply.Answer {
	if waited.Err() != nil {
		return s.hung(ctx, request, waiting, limit)
	}
	if _, isHTTP := err.(*wire.HTTPError); isHTTP {
		return reply.Answer{Kind: reply.Closed, Request: request, Detail: err.Error(), Cut: true}
	}
	patience := time.NewTimer(exitWait)
	defer patience.Stop()
	select {
	case <-s.conn.Done():
		return s.closed(request, waiting)
	case <-waited.Done():
		if ctx.Err() != nil {
			return s.hung(ctx, request, waiting, limit)
		}
	case <-patience.C:
	}
	return reply.Answer{Kind: reply.Closed, Request: request, Detail: "no longer reads its stdin", Stderr: s.conn.Stderr()}
}

// ended reads an HTTP response that was read to its end. A status other than
// 2xx is an answer, also without a JSON-RPC body.
func (s *Session) ended(request []byte, waiting chan message, receipt *wire.Receipt) reply.Answer {
	select {
	case m := <-waiting:
		return over(receipt, answered(request, m))
	default:
	}
	a := reply.Answer{Kind: reply.Hung, Request: request, HTTP: response(receipt)}
	var cut *wire.HTTPError
	switch {
	case errors.As(receipt.Err, &cut):
		a.Kind, a.Detail, a.Cut = reply.Closed, cut.Error(), true
		return a
	case receipt.Err != nil:
		a.Detail = receipt.Err.Error()
		return a
	}
	a.HTTP.NoReply = true
	status := wire.StatusText(receipt.Status)
	switch {
	case receipt.Redirect != "":
		a.Detail = "a redirect to " + receipt.Redirect + " is not followed"
		if receipt.CrossOrigin {
			s.observe(Event{Direction: RefusedRedirect, Raw: []byte(receipt.Redirect)})
			a.Detail = "a redirect to another origin, " + receipt.Redirect + ", is not followed"
		}
		a.Kind, a.Raw, a.Error = reply.Answered, receipt.Body, &reply.RPCError{Message: status + ": " + a.Detail}
	case receipt.Status >= 300:
		a.Detail = status
		a.Kind, a.Raw, a.Error = reply.Answered, receipt.Body, &reply.RPCError{Message: status + ": " + string(receipt.Body)}
	default:
		a.Detail = status + " without a reply" + s.strayReply()
	}
	return a
}

// over adds the HTTP response with which an answer came, nil for none.
func over(r *wire.Receipt, a reply.Answer) reply.Answer {
	a.HTTP = response(r)
	return a
}

// response is what an answer holds of an HTTP response.
func response(r *wire.Receipt) *reply.HTTP {
	if r == nil {
		return nil
	}
	return &reply.HTTP{Status: r.Status, ContentType: r.ContentType, Body: r.Body, Redirect: r.Redirect, CrossOrigin: r.CrossOrigin}
}

// closed reads the end of the connection. A reply that came before the end
// still counts.
func (s *Session) closed(request []byte, waiting chan message) reply.Answer {
	select {
	case m := <-waiting:
		return answered(request, m)
	default:
	}
	exit := s.conn.Exit()
	return reply.Answer{Kind: reply.Closed, Request: request, Detail: exit.String(), Stderr: exit.Stderr}
}

// hung reads the end of the limit. A reply that came just before it counts.
func (s *Session) hung(ctx context.Context, request []byte, waiting chan message, limit time.Duration) reply.Answer {
	select {
	case m := <-waiting:
		return answered(request, m)
	default:
	}
	detail := "no answer within " + limit.String() + s.strayReply()
	if ctx.Err() != nil {
		detail = "cancelled"
	}
	return reply.Answer{Kind: reply.Hung, Request: request, Detail: detail}
}

// strayReply names the id of a reply that came in place of the one awaited. A
// late reply to an earlier request is none.
func (s *Session) strayReply() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stray == "" {
		return ""
	}
	return fmt.Sprintf("; a reply with the id %s came instead", s.stray)
}

// short cuts an id for a sentence.
func short(id string) string {
	const most = 40
	if len(id) <= most {
		return id
	}
	return id[:most] + "…"
}
