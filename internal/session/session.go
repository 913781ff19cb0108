// Package session speaks MCP on a wire: the handshake of the revisions
// 2024-11-05 to 2025-11-25, requests and calls, paging, signs of life. It
// judges nothing: what a server answers is passed on as raw as it came.
package session

import (
	"bytes"
	"context"
	"encoding/json"
	"sync"
	"time"

	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/wire"
)

// Offered is the protocol revision that is offered to a server.
const Offered = "2025-11-25"

// Boot is the phase from the start to the initialize reply.
const Boot = "boot"

// Options are what a session needs.
type Options struct {
	// Dial opens the connection.
	Dial func(wire.Handler) (wire.Conn, error)
	// Version is the protocol revision that initialize offers, "" for Offered.
	Version string
	// Hold is how long to wait between the reply to initialize and
	// notifications/initialized.
	Hold time.Duration
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
	// Response is our response to a request of the server. When it goes out
	// depends on chance, unlike Out.
	Response
	// RefusedRedirect is a redirect to another origin that was not followed.
	RefusedRedirect
)

// Event is something that went over the wire.
type Event struct {
	Direction Direction
	// Raw is the message, nil for noise; of a refused redirect the address.
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
	waiting map[string]waiter
	stray   string // id of the last reply that answers no request of ours
	phase   string
	tell    sync.Mutex

	responses chan []byte
	stop      context.CancelFunc
	responder sync.WaitGroup
}

// waiter is who waits for the reply to a request.
type waiter struct {
	request []byte
	reply   chan message
}

// message is an incoming message, by its raw members.
type message struct {
	raw     []byte
	members map[string]json.RawMessage
}

// Open connects and initialises. Its error is a *StartError, or ctx's.
func Open(ctx context.Context, o Options) (*Session, error) {
	s := &Session{options: o, next: firstID, waiting: map[string]waiter{}, phase: Boot, responses: make(chan []byte, maxResponses)}
	begin := time.Now()
	conn, err := o.Dial(wire.Handler{Frame: s.frame, Noise: s.noise})
	if err != nil && ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, dialError(err)
	}
	s.conn = conn
	responding, stop := context.WithCancel(context.Background())
	s.stop = stop
	s.responder.Go(func() { s.respond(responding) })
	if err := s.initialize(ctx); err != nil {
		s.Kill()
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
	id := string(bytes.TrimSpace(members["id"]))
	_, isRequest := members["method"]
	s.mu.Lock()
	w, ours := s.waiting[id]
	switch {
	case isRequest && !(ours && bytes.Equal(f.Raw, w.request)):
		s.mu.Unlock()
		s.answer(members)
		return
	case ours:
		delete(s.waiting, id)
	case !s.issued(id):
		s.stray = short(id)
	}
	s.mu.Unlock()
	if ours {
		w.reply <- message{f.Raw, members}
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

// register registers who waits for the reply to a request.
func (s *Session) register(id string, request []byte) chan message {
	s.mu.Lock()
	defer s.mu.Unlock()
	reply := make(chan message, 1)
	s.waiting[id] = waiter{request, reply}
	s.stray = ""
	return reply
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

// Call calls a tool with raw arguments; nil leaves them out.
func (s *Session) Call(ctx context.Context, tool string, arguments json.RawMessage, limit time.Duration) reply.Answer {
	params := struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
	}{tool, arguments}
	return s.request(ctx, "tools/call", "tools/call "+tool, params, limit)
}

func (s *Session) request(ctx context.Context, method, phase string, params any, limit time.Duration) reply.Answer {
	id := s.newID()
	request, err := encode(id, method, params)
	if err != nil {
		return reply.Answer{Kind: reply.Hung, Detail: "the request can't be encoded: " + err.Error()}
	}
	return s.send(ctx, id, phase, request, limit)
}

// Raw sends a message that need not be a request and waits for an answer with
// the id up to limit. message gets the raw id. phase is the phase from now on.
func (s *Session) Raw(ctx context.Context, phase string, message func(id string) []byte, limit time.Duration) reply.Answer {
	id := s.newID()
	return s.send(ctx, id, phase, message(id), limit)
}

// send sends a message whose id is registered as that of a request.
func (s *Session) send(ctx context.Context, id, phase string, request []byte, limit time.Duration) reply.Answer {
	waiting := s.register(id, request)
	defer s.forget(id)
	s.mu.Lock()
	if s.phase != Boot || phase != "initialize" {
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
		return over(receipt, answered(request, m))
	case <-ended:
		return s.ended(request, waiting, receipt)
	case <-s.conn.Done():
		return s.closed(request, waiting)
	case <-waited.Done():
		return over(receipt, s.hung(ctx, request, waiting, limit))
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
func (s *Session) Close(ctx context.Context) {
	s.stop()
	s.responder.Wait()
	s.conn.Close(ctx)
}

// Kill ends the server at once.
func (s *Session) Kill() {
	s.stop()
	s.responder.Wait()
	s.conn.Kill()
}
