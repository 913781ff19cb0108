package session

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/wire"
)

// FuzzReply: whatever a server sends while a request waits, it is taken as the
// answer as it came, or not at all; what we respond is JSON; nothing panics.
func FuzzReply(f *testing.F) {
	const id = "1001"
	request := []byte(`{"jsonrpc":"2.0","id":1001,"method":"tools/list"}`)
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1001,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"n"},"tools":[{"name":"a","annotations":{"readOnlyHint":1}},7],"nextCursor":"x"}}`,
		`{"jsonrpc":"2.0","id":1001,"error":{"code":-32601,"message":"no","data":{"a":[1]}}}`,
		`{"jsonrpc":"2.0","id":1001,"error":null,"result":null}`,
		`{"id":1001,"error":"boom"}`,
		`{"jsonrpc":"2.0","id":1001,"error":{"code":"E","message":7}}`,
		`{"jsonrpc":"2.0","id":[1],"method":"ping"}`,
		`{"jsonrpc":"2.0","id":"1001","result":{}}`,
		string(request),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		s := &Session{next: firstID + 1, waiting: map[string]waiter{}, responses: make(chan []byte, maxResponses)}
		waiting := s.register(id, request)
		s.frame(wire.Frame{Raw: frame})
		select {
		case m := <-waiting:
			check(t, frame, request, answered(request, m))
		default:
			if len(s.stray) > 100 {
				t.Errorf("an id of %d bytes is kept", len(s.stray))
			}
		}
		select {
		case response := <-s.responses:
			if !json.Valid(response) {
				t.Errorf("%q is answered with %q", frame, response)
			}
		default:
		}
	})
}

// check holds an answer, and what is read out of it, against the frame.
func check(t *testing.T, frame, request []byte, a reply.Answer) {
	t.Helper()
	switch {
	case a.Kind == reply.Hung && bytes.Equal(frame, request):
	case a.Kind != reply.Answered || !bytes.Equal(a.Raw, frame):
		t.Errorf("%q is read as %+v", frame, a)
	}
	reply.Read(a, reply.Question{Parameters: []string{"query"}})
	snap := readInitialize(a.Result)
	var page struct{ Tools []json.RawMessage }
	json.Unmarshal(a.Result, &page)
	snap.add("tools", page.Tools, ListState{gap: "x", refusal: &a})
	if snap.Initialize == nil {
		return
	}
	if _, err := snap.Record("x", asIs); err != nil {
		t.Errorf("%q can't be recorded: %v", frame, err)
	}
}
