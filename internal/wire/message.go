package wire

import "encoding/json"

// decode returns the JSON-RPC messages in text: one, or those of a batch; nil
// if it holds none.
func decode(text []byte) [][]byte {
	if isMessage(text) {
		return [][]byte{text}
	}
	if len(text) == 0 || text[0] != '[' || text[len(text)-1] != ']' {
		return nil
	}
	var batch []json.RawMessage
	if json.Unmarshal(text, &batch) != nil || len(batch) == 0 {
		return nil
	}
	var messages [][]byte
	for _, m := range batch {
		if !isMessage(m) {
			return nil
		}
		messages = append(messages, m)
	}
	return messages
}

// isResponse reports whether a message answers a request.
func isResponse(raw []byte) bool {
	members := Members(raw)
	_, asks := members["method"]
	return members != nil && !asks && members["id"] != nil
}

// present is the value of a member of which only the name matters.
type present struct{}

func (*present) UnmarshalJSON([]byte) error { return nil }

// isMessage reports whether text is a JSON object with the members of a
// JSON-RPC message. A reply that only lacks "jsonrpc" is one; an object with a
// "method" and nothing else of a request, as loggers of web requests write it,
// is not. It looks at the names as they stand, since a decoded struct forgives
// wrong ones.
func isMessage(text []byte) bool {
	if len(text) == 0 || text[0] != '{' || text[len(text)-1] != '}' {
		return false
	}
	var members map[string]present
	if json.Unmarshal(text, &members) != nil {
		return false
	}
	has := func(name string) bool { _, ok := members[name]; return ok }
	switch {
	case has("jsonrpc"):
		return true
	case has("method"):
		return has("id") || has("params")
	}
	return has("id") && (has("result") || has("error"))
}
