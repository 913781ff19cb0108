package reply

import (
	"bytes"
	"encoding/json"
	"strings"
)

// empty reports whether a result says nothing at all: no content but blank
// text, no structured content, and no other member.
func empty(result json.RawMessage) bool {
	dec := json.NewDecoder(bytes.NewReader(result))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return false
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return false
		}
		var value json.RawMessage
		if dec.Decode(&value) != nil {
			return false
		}
		switch name {
		case "isError", "_meta":
		case "structuredContent":
			if !nothingIn(value) {
				return false
			}
		case "content":
			for _, block := range items(value) {
				if !nothingIn(block) && !blankText(members(block, "type", "text")) {
					return false
				}
			}
		default:
			return false
		}
	}
	return true
}

// nothingIn reports whether a value is null, or an object, a list or a text
// without content.
func nothingIn(raw json.RawMessage) bool {
	switch strings.TrimSpace(string(raw[:min(len(raw), 20)])) {
	case "", "null", "{}", "[]", `""`:
		return true
	}
	return false
}

// blankText reports whether a content block is a text of blanks.
func blankText(block map[string]json.RawMessage) bool {
	var kind, text string
	if json.Unmarshal(block["type"], &kind) != nil || kind != "text" {
		return false
	}
	return json.Unmarshal(block["text"], &text) == nil && strings.TrimSpace(text) == ""
}
