package session

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
)

// maxResponses is how many requests of the server may wait for our response;
// further ones are dropped, so that a server which asks without end costs
// nothing.
const maxResponses = 64

// answer takes a request of the server: ping is answered, everything else
// refused, since no client capability is declared (MCP, Base protocol,
// Lifecycle). It does not block the reader.
func (s *Session) answer(members map[string]json.RawMessage) {
	id := bytes.TrimSpace(members["id"])
	if len(id) == 0 || string(id) == "null" {
		return
	}
	body := `"error":{"code":-32601,"message":"Method not found"}`
	if string(members["method"]) == `"ping"` {
		body = `"result":{}`
	}
	select {
	case s.responses <- fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,%s}`, id, body):
	default:
	}
}

// respond sends the responses until ctx or the connection ends.
func (s *Session) respond(ctx context.Context) {
	for {
		select {
		case response := <-s.responses:
			limit, cancel := context.WithTimeout(ctx, s.options.ProbeLimit)
			s.observe(Event{Direction: Response, Raw: response})
			s.conn.Send(limit, response)
			cancel()
		case <-s.conn.Done():
			return
		case <-ctx.Done():
			return
		}
	}
}
