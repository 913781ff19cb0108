package wire

import (
	"bytes"
	"encoding/json"
	"io"
)

// envelope are the members of a JSON-RPC message.
var envelope = map[string]bool{"jsonrpc": true, "id": true, "method": true, "params": true, "result": true, "error": true}

// Members returns the raw members of a JSON-RPC message by their exact names,
// the last one where a name stands twice; nil if raw is no JSON object. Others
// are skipped, so that a message with millions of them costs no memory.
func Members(raw []byte) map[string]json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	members := map[string]json.RawMessage{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return nil
		}
		if key, _ := name.(string); envelope[key] {
			members[key] = value
		}
	}
	if _, err := dec.Token(); err != nil {
		return nil
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil
	}
	return members
}
