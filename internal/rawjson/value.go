// Package rawjson reads and writes raw JSON where a decoded struct would
// forgive what has to be judged.
package rawjson

import (
	"bytes"
	"encoding/json"
)

// Text returns a string. ok is false for anything else.
func Text(raw json.RawMessage) (text string, ok bool) {
	var s *string
	if json.Unmarshal(raw, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// Object returns the members of an object, nil for anything else.
func Object(raw json.RawMessage) map[string]json.RawMessage {
	var members map[string]json.RawMessage
	if json.Unmarshal(raw, &members) != nil {
		return nil
	}
	return members
}

// Array returns the items of an array, nil for anything else.
func Array(raw json.RawMessage) []json.RawMessage {
	var items []json.RawMessage
	if json.Unmarshal(raw, &items) != nil {
		return nil
	}
	return items
}

// Encode writes a value with sorted members and without escaping HTML
// characters. It panics on what came from no JSON.
func Encode(value any) json.RawMessage {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		panic(err)
	}
	return bytes.TrimSpace(b.Bytes())
}
