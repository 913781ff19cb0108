package reply

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Bounds of what is looked at.
const (
	maxText   = 256 << 10 // bytes of text in an answer
	maxBlocks = 1000      // content blocks
	maxDepth  = 200       // levels of nesting
)

// heard is the text of an answer.
type heard struct {
	// text is all of it.
	text string
	// first is the first text block of a result, and structured its
	// structuredContent.
	first      string
	structured json.RawMessage
	// failed: the answer is marked as an error, or is no result at all.
	failed bool
}

// hear collects the text of an answer: message and data of an error; of a
// result the text blocks, embedded resources and strings of structuredContent.
func hear(a Answer) heard {
	var all collector
	if e := a.Error; e != nil && !(noError(e) && len(a.Result) > 0) {
		all.add(e.Message)
		all.addJSON(e.Data)
		return heard{text: all.String(), failed: true}
	}
	if len(a.Result) == 0 {
		return heard{failed: true}
	}
	result := members(a.Result, "content", "structuredContent", "isError")
	h := heard{structured: result["structuredContent"], failed: string(bytes.TrimSpace(result["isError"])) == "true"}
	for _, block := range items(result["content"]) {
		part := members(block, "text", "resource")
		var text string
		if json.Unmarshal(part["text"], &text) == nil && strings.TrimSpace(text) != "" {
			all.add(text)
			if h.first == "" {
				h.first = text[:min(len(text), maxText)]
			}
		}
		all.addJSON(part["resource"])
	}
	all.addJSON(h.structured)
	if all.Len() == 0 {
		all.addJSON(a.Result)
		h.first = all.String()
	}
	h.text = all.String()
	return h
}

// noError reports whether an error member is null or empty, as some servers
// send beside a result.
func noError(e *RPCError) bool {
	return e.Code == "" && e.Message == "" && len(e.Data) == 0
}

// collector joins texts up to maxText bytes.
type collector struct{ strings.Builder }

// add adds a text and reports whether there is room for more.
func (c *collector) add(s string) bool {
	if s == "" {
		return true
	}
	if c.Len() > 0 {
		c.WriteByte('\n')
	}
	room := max(0, maxText-c.Len())
	c.WriteString(strings.ToValidUTF8(s[:min(len(s), room)], ""))
	return len(s) < room
}

// addJSON adds the strings of a JSON value, those of a member as "name: text".
// Binary content is left out.
func (c *collector) addJSON(raw json.RawMessage) {
	eachString(raw, func(member, s string) bool {
		switch member {
		case "":
			return c.add(s)
		case "blob":
			return true
		}
		return c.add(member + ": " + s)
	})
}

// eachString calls f with each string in a JSON value and the name of the
// member that holds it, until f returns false. It ends quietly where the value
// is malformed or too deep.
func eachString(raw json.RawMessage, f func(member, s string) bool) {
	type level struct {
		isObject, atName bool
		member           string
	}
	stack := []level{{}}
	dec := json.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := dec.Token()
		if err != nil {
			return
		}
		top := &stack[len(stack)-1]
		switch t := token.(type) {
		case json.Delim:
			switch t {
			case '{', '[':
				if len(stack) > maxDepth {
					return
				}
				top.atName = top.isObject
				stack = append(stack, level{isObject: t == '{', atName: t == '{', member: top.member})
			default:
				stack = stack[:len(stack)-1]
			}
			continue
		case string:
			if top.atName {
				top.member, top.atName = t, false
				continue
			}
			if !f(top.member, t) {
				return
			}
		}
		top.atName = top.isObject
	}
}

// members returns the wanted members of an object, nil if it is none. It
// keeps nothing of the others, however many there are.
func members(raw json.RawMessage, wanted ...string) map[string]json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return nil
	}
	found := map[string]json.RawMessage{}
	var other json.RawMessage
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return found
		}
		into := &other
		for _, w := range wanted {
			if name == w {
				into = new(json.RawMessage)
			}
		}
		if dec.Decode(into) != nil {
			return found
		}
		if into != &other {
			found[name.(string)] = *into
		}
	}
	return found
}

// items returns the first items of an array. A value that is no array is taken
// as the only item.
func items(raw json.RawMessage) []json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if start, err := dec.Token(); err != nil || start != json.Delim('[') {
		return []json.RawMessage{raw}
	}
	var list []json.RawMessage
	for dec.More() && len(list) < maxBlocks {
		var item json.RawMessage
		if dec.Decode(&item) != nil {
			break
		}
		list = append(list, item)
	}
	return list
}
