// Package session speaks MCP on a wire: the handshake of the revisions
// 2024-11-05 to 2025-11-25, requests and calls, paging, signs of life. It
// judges nothing: what a server answers is passed on as raw as it came.
package session

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/wire"
)

// Offered is the protocol revision that is offered to a server.
const Offered = "2025-11-25"

// Boot is the phase from the start to the initialize reply.
const Boot = "boot"

// firstID is the first request id. It is away from zero, so that a server
// which counts by itself can't be right by chance.
const firstID = 1001

// Options are what a session needs.
type Options struct {
	// Dial opens the connection.
	Dial func(wire.Handler) (wire.Conn, error)
	// StartLimit bounds the time from the start to the initialize reply,
	// ProbeLimit that of the requests which the session sends by itself.
	StartLimit, ProbeLimit time.Duration
	// Observer is told of everything that goes over the wire, nil for nobody.
	// It must be quick.
	Observer func(Event)
}

// Direction says what an event is.
type Direction int

// The directions.
const (
	In Direction = iota
	Out
	NoiseEvent
)

// Event is something that went over the wire.
type Event struct {
	Direction Direction
	// Raw is the message, nil for noise.
	Raw   []byte
	Noise wire.Noise
	// Phase is Boot, or the method of the last request, for tools/call with
	// the name of the tool.
	Phase string
}

// Session is an initialised connection to a server.
type Session struct {
	options Options
	conn    wire.Conn
	// Initialize is the raw result of initialize.
	Initialize json.RawMessage
	started    time.Duration

	mu      sync.Mutex
	next    int
	waiting map[string]chan message
	phase   string
	tell    sync.Mutex
}

// message is an incoming message, by its raw members.
type message struct {
	raw     []byte
	members map[string]json.RawMessage
}

// Open connects and initialises. Its error is a *StartError, or ctx's.
func Open(ctx context.Context, o Options) (*Session, error) {
	s := &Session{options: o, next: firstID, waiting: map[string]chan message{}, phase: Boot}
	begin := time.Now()
	conn, err := o.Dial(wire.Handler{Frame: s.frame, Noise: s.noise})
	if err != nil {
		return nil, dialError(err)
	}
	s.conn = conn
	if err := s.initialize(ctx); err != nil {
		conn.Kill()
		return nil, err
	}
	s.started = time.Since(begin)
	return s, nil
}

// frame takes an incoming message. It runs on the reader's goroutine.
func (s *Session) frame(f wire.Frame) {
	s.observe(Event{Direction: In, Raw: f.Raw})
	members := wire.Members(f.Raw)
	if members == nil {
		return
	}
	if _, isRequest := members["method"]; isRequest {
		s.answer(members)
		return
	}
	id := string(bytes.TrimSpace(members["id"]))
	s.mu.Lock()
	reply := s.waiting[id]
	delete(s.waiting, id)
	s.mu.Unlock()
	if reply != nil {
		reply <- message{f.Raw, members}
	}
}

func (s *Session) noise(n wire.Noise) { s.observe(Event{Direction: NoiseEvent, Noise: n}) }

// observe tells the observer of an event, one at a time.
func (s *Session) observe(e Event) {
	if s.options.Observer == nil {
		return
	}
	s.mu.Lock()
	e.Phase = s.phase
	s.mu.Unlock()
	s.tell.Lock()
	defer s.tell.Unlock()
	s.options.Observer(e)
}

// answer replies to a request of the server: ping is answered, everything
// else refused, since no client capability is declared. It must not block the
// reader, so it sends from a goroutine that the connection's end stops.
func (s *Session) answer(members map[string]json.RawMessage) {
	id, ok := members["id"]
	if !ok || string(id) == "null" {
		return
	}
	body := `"error":{"code":-32601,"message":"Method not found"}`
	if string(members["method"]) == `"ping"` {
		body = `"result":{}`
	}
	response := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,%s}`, bytes.TrimSpace(id), body)
	go func() {
		ctx, cancel := context.WithTimeout(context.Background(), s.options.ProbeLimit)
		defer cancel()
		s.observe(Event{Direction: Out, Raw: response})
		s.conn.Send(ctx, response)
	}()
}

// newID returns the id of the next request, in turn a number and a string, and
// registers who waits for the reply.
func (s *Session) newID() (string, chan message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	id := strconv.Itoa(s.next)
	if s.next%2 == 0 {
		id = `"sm-` + id + `"`
	}
	s.next++
	reply := make(chan message, 1)
	s.waiting[id] = reply
	return id, reply
}

func (s *Session) forget(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.waiting, id)
}

// Request sends a request and waits for its answer up to limit. params is nil,
// a json.RawMessage, or anything that marshals. What goes wrong is in the
// answer.
func (s *Session) Request(ctx context.Context, method string, params any, limit time.Duration) reply.Answer {
	return s.request(ctx, method, method, params, limit)
}

// Call calls a tool with raw arguments.
func (s *Session) Call(ctx context.Context, tool string, arguments json.RawMessage, limit time.Duration) reply.Answer {
	params := struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}{tool, arguments}
	return s.request(ctx, "tools/call", "tools/call "+tool, params, limit)
}

func (s *Session) request(ctx context.Context, method, phase string, params any, limit time.Duration) reply.Answer {
	id, waiting := s.newID()
	defer s.forget(id)
	request, err := encode(id, method, params)
	if err != nil {
		return reply.Answer{Kind: reply.Hung, Detail: "the request can't be encoded: " + err.Error()}
	}
	s.mu.Lock()
	if s.phase != Boot || method != "initialize" {
		s.phase = phase
	}
	s.mu.Unlock()
	s.observe(Event{Direction: Out, Raw: request})
	waited, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	receipt, err := s.conn.Send(waited, request)
	if err != nil {
		return s.unsent(ctx, waited, request, waiting, limit, err)
	}
	var ended <-chan struct{}
	if receipt != nil {
		ended = receipt.Ended
	}
	select {
	case m := <-waiting:
		return answered(request, m)
	case <-ended:
		return s.ended(request, waiting, receipt)
	case <-s.conn.Done():
		return s.closed(request, waiting)
	case <-waited.Done():
		return hung(ctx, request, limit)
	}
}

// encode writes a request without escaping HTML characters.
func encode(id, method string, params any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  string          `json:"method"`
		Params  any             `json:"params,omitempty"`
	}{"2.0", json.RawMessage(id), method, params})
	return bytes.TrimSpace(b.Bytes()), err
}

func answered(request []byte, m message) reply.Answer {
	a := reply.Answer{Kind: reply.Answered, Request: request, Raw: m.raw, Result: m.members["result"]}
	if raw, ok := m.members["error"]; ok && string(bytes.TrimSpace(raw)) != "null" {
		a.Error = rpcError(raw)
	}
	return a
}

// rpcError reads an error member. One that is no error object keeps its text.
func rpcError(raw json.RawMessage) *reply.RPCError {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return &reply.RPCError{Message: string(raw)}
	}
	e := &reply.RPCError{Code: json.Number(bytes.TrimSpace(members["code"])), Data: members["data"]}
	if json.Unmarshal(members["message"], &e.Message) != nil {
		e.Message = string(members["message"])
	}
	return e
}

// unsent reads the failure to send a request.
func (s *Session) unsent(ctx, waited context.Context, request []byte, waiting chan message, limit time.Duration, err error) reply.Answer {
	if ctx.Err() != nil || waited.Err() != nil {
		return hung(ctx, request, limit)
	}
	if _, isHTTP := err.(*wire.HTTPError); isHTTP {
		return reply.Answer{Kind: reply.Closed, Request: request, Detail: err.Error()}
	}
	select {
	case <-s.conn.Done():
		return s.closed(request, waiting)
	case <-waited.Done():
		return reply.Answer{Kind: reply.Closed, Request: request, Detail: "no longer reads its stdin", Stderr: s.conn.Stderr()}
	}
}

// ended reads an HTTP response that was read to its end.
func (s *Session) ended(request []byte, waiting chan message, receipt *wire.Receipt) reply.Answer {
	select {
	case m := <-waiting:
		return answered(request, m)
	default:
	}
	status := wire.StatusText(receipt.Status)
	switch {
	case receipt.Redirect != "":
		return reply.Answer{Kind: reply.Answered, Request: request, Raw: receipt.Body,
			Error: &reply.RPCError{Message: status + ": redirect to another origin refused"}, Detail: "a redirect to " + receipt.Redirect + " was refused"}
	case receipt.Status >= 400:
		return reply.Answer{Kind: reply.Answered, Request: request, Raw: receipt.Body,
			Error: &reply.RPCError{Message: status + ": " + string(receipt.Body)}, Detail: status}
	}
	return reply.Answer{Kind: reply.Hung, Request: request, Detail: status + " without a reply"}
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

func hung(ctx context.Context, request []byte, limit time.Duration) reply.Answer {
	detail := "no answer within " + limit.String()
	if ctx.Err() != nil {
		detail = "cancelled"
	}
	return reply.Answer{Kind: reply.Hung, Request: request, Detail: detail}
}

// Alive reports whether the server answers a request of the method, be it with
// an error.
func (s *Session) Alive(ctx context.Context, method string, limit time.Duration) bool {
	return s.Request(ctx, method, nil, limit).Kind == reply.Answered
}

// Ended reports whether the connection has ended by itself.
func (s *Session) Ended() bool {
	select {
	case <-s.conn.Done():
		return true
	default:
		return false
	}
}

// Exit says how the connection ended; it waits for that.
func (s *Session) Exit() wire.Exit { return s.conn.Exit() }

// StartTime is the time from the start to the initialize reply.
func (s *Session) StartTime() time.Duration { return s.started }

// Close ends the server politely, Kill at once.
func (s *Session) Close(ctx context.Context) { s.conn.Close(ctx) }

// Kill ends the server at once.
func (s *Session) Kill() { s.conn.Kill() }
