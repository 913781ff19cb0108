package session

import (
	"bytes"
	"context"
	"encoding/json"
	"time"

	"github.com/sealmark/action/internal/reply"
)

// Notify sends a notification. Its error says that it could not be sent.
func (s *Session) Notify(ctx context.Context, method string, params any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(struct {
		JSONRPC string `json:"jsonrpc"`
		Method  string `json:"method"`
		Params  any    `json:"params,omitempty"`
	}{"2.0", method, params})
	if err != nil {
		return err
	}
	message := bytes.TrimSpace(b.Bytes())
	s.observe(Event{Direction: Out, Raw: message})
	_, err = s.conn.Send(ctx, message)
	return err
}

// CallAndCancel calls a tool, cancels the request after a while, and waits up
// to limit for an answer that comes all the same (MCP, Base protocol,
// Cancellation). late is how long after the cancellation the call ended, 0 if
// it was answered before that.
func (s *Session) CallAndCancel(ctx context.Context, tool string, arguments json.RawMessage, after, limit time.Duration) (answer reply.Answer, late time.Duration) {
	sent := make(chan string, 1)
	done := make(chan reply.Answer, 1)
	go func() {
		done <- s.Raw(ctx, "tools/call "+tool, func(id string) []byte {
			request, _ := encode(id, "tools/call", map[string]any{"name": tool, "arguments": arguments})
			sent <- id
			return request
		}, limit)
	}()
	id := <-sent
	wait := time.NewTimer(after)
	defer wait.Stop()
	select {
	case answer = <-done:
		return answer, 0
	case <-wait.C:
	}
	s.Notify(ctx, "notifications/cancelled", map[string]any{"requestId": json.RawMessage(id), "reason": "the answer is no longer needed"})
	cancelled := time.Now()
	answer = <-done
	return answer, time.Since(cancelled)
}
