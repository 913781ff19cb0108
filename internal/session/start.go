package session

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/wire"
)

// StartKind says why a server could not be started or initialised.
type StartKind string

// The kinds.
const (
	NotFound StartKind = "not found"
	Exited   StartKind = "exited"
	Timeout  StartKind = "timeout"
	Flooded  StartKind = "flooded"
	Refused  StartKind = "refused"
	BadReply StartKind = "bad reply"
)

// StartError says that a server could not be started or initialised.
type StartError struct {
	Kind StartKind
	Exit wire.Exit
	// Detail is the reason in one sentence.
	Detail string
	// Reply is the raw reply to initialize, if one came.
	Reply []byte
	// HTTP is the HTTP response to initialize, nil over stdio and where none
	// came. A refused redirect stands here.
	HTTP *reply.HTTP
}

func (e *StartError) Error() string { return e.Detail }

// dialError reads the failure to open a connection.
func dialError(err error) error {
	var missing *wire.NotFoundError
	var exit *wire.ExitError
	var silent *wire.SilentError
	var taken *wire.TakenError
	switch {
	case errors.As(err, &missing):
		return &StartError{Kind: NotFound, Detail: err.Error()}
	case errors.As(err, &exit):
		return &StartError{Kind: Exited, Exit: exit.Exit, Detail: withLastWords(err.Error(), exit.Exit.Stderr)}
	case errors.As(err, &silent):
		return &StartError{Kind: Timeout, Exit: silent.Exit, Detail: withLastWords(err.Error(), silent.Exit.Stderr)}
	case errors.As(err, &taken):
		return &StartError{Kind: Refused, Detail: err.Error()}
	}
	return &StartError{Kind: Exited, Detail: err.Error()}
}

// initialize does the handshake (MCP, Base protocol, Lifecycle).
func (s *Session) initialize(ctx context.Context) error {
	answer := s.Request(ctx, "initialize", map[string]any{
		"protocolVersion": cmp.Or(s.options.Version, Offered),
		"capabilities":    map[string]any{},
		"clientInfo":      map[string]any{"name": "sealmark", "version": "1"},
	}, s.options.StartLimit)
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := s.refused(answer); err != nil {
		err.HTTP = answer.HTTP
		return err
	}
	s.Initialize = answer.Result
	if c, ok := s.conn.(interface{ SetProtocolVersion(string) }); ok {
		c.SetProtocolVersion(stringMember(answer.Result, "protocolVersion"))
	}
	s.hold(ctx)
	ready := []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	s.observe(Event{Direction: Out, Raw: ready})
	limit, cancel := context.WithTimeout(ctx, s.options.ProbeLimit)
	defer cancel()
	s.conn.Send(limit, ready)
	s.mu.Lock()
	s.phase = "after initialize"
	s.mu.Unlock()
	return nil
}

// hold waits before the server is told that the session is initialised.
func (s *Session) hold(ctx context.Context) {
	if s.options.Hold <= 0 {
		return
	}
	wait := time.NewTimer(s.options.Hold)
	defer wait.Stop()
	select {
	case <-wait.C:
	case <-s.conn.Done():
	case <-ctx.Done():
	}
}

// refused returns a *StartError unless the answer to initialize can be used.
// A result that lacks nothing but its version can.
func (s *Session) refused(a reply.Answer) *StartError {
	switch a.Kind {
	case reply.Closed:
		return s.endedEarly(a)
	case reply.Hung:
		return s.silent(a)
	}
	if a.Error != nil {
		kind := Refused
		if a.Raw != nil && a.Detail == "" {
			kind = BadReply
		}
		return &StartError{Kind: kind, Detail: "the server refused initialize: " + cmp.Or(a.Error.Message, "error "+a.Error.Code.String()), Reply: a.Raw}
	}
	var result map[string]json.RawMessage
	if json.Unmarshal(a.Result, &result) != nil || result == nil {
		return &StartError{Kind: BadReply, Detail: "the result of initialize is not an object", Reply: a.Raw}
	}
	if stringMember(a.Result, "protocolVersion") == "" && result["capabilities"] == nil {
		return &StartError{Kind: BadReply, Detail: "the result of initialize has no protocolVersion", Reply: a.Raw}
	}
	return nil
}

// silent reads the lack of a usable reply within the limit.
func (s *Session) silent(a reply.Answer) *StartError {
	exit := wire.Exit{Code: -1, Stderr: s.conn.Stderr()}
	why, late := strings.CutPrefix(a.Detail, "no answer within "+s.options.StartLimit.String())
	if !late {
		return &StartError{Kind: BadReply, Exit: exit, Detail: "initialize was answered with " + a.Detail}
	}
	e := &StartError{Kind: Timeout, Exit: exit, Detail: fmt.Sprintf("the server did not answer initialize within %s", s.options.StartLimit) + why}
	if why != "" {
		e.Kind = BadReply
	}
	if s.conn.NoiseBytes() > 0 {
		e.Detail += "; it wrote text to stdout that is no protocol message"
	}
	return e
}

// endedEarly reads the end of the connection before initialize was answered.
func (s *Session) endedEarly(a reply.Answer) *StartError {
	if !s.Ended() {
		return &StartError{Kind: Refused, Detail: "the server can't be reached: " + a.Detail}
	}
	exit := s.conn.Exit()
	e := &StartError{Kind: Exited, Exit: exit, Detail: withLastWords("the server "+exit.String()+" before it answered initialize", exit.Stderr)}
	if exit.Flooded {
		e.Kind = Flooded
	}
	return e
}

func withLastWords(detail, stderr string) string {
	if line := lastLine(stderr); line != "" {
		return detail + "; its last words: " + line
	}
	return detail
}

// named matches a line that names its error, as most languages write it.
var named = regexp.MustCompile(`^(?:Uncaught )?(?:[A-Za-z_.]*(?:Error|Exception)(?: \[\w+\])?|panic|fatal error): \S`)

// lastLine returns the last line that names an error, else the last one with
// text that looks like a message; lines of a stack trace and members of the
// error come after it in many languages.
func lastLine(text string) string {
	last, lastNamed := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if named.MatchString(line) {
			lastNamed = line
		}
		if line == "" || strings.HasPrefix(line, "at ") || strings.HasPrefix(line, "Node.js v") || strings.Trim(line, "{}()[];,^~") == "" {
			continue
		}
		last = line
	}
	return cmp.Or(lastNamed, last)
}

func stringMember(raw json.RawMessage, name string) string {
	var members map[string]json.RawMessage
	var value string
	if json.Unmarshal(raw, &members) == nil {
		json.Unmarshal(members[name], &value)
	}
	return value
}
