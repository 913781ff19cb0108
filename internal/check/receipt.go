package check

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/rawjson"
	"github.com/sealmark/action/internal/reply"
)

// Structured returns the structured part of a result: structuredContent, else
// the first text block that is a JSON object or list; nil if there is none.
func Structured(result json.RawMessage) json.RawMessage {
	if structured := StructuredContent(result); structured != nil {
		return structured
	}
	var parts struct {
		Content []json.RawMessage `json:"content"`
	}
	if json.Unmarshal(result, &parts) != nil {
		return nil
	}
	for _, block := range parts.Content {
		var text struct {
			Text string `json:"text"`
		}
		if json.Unmarshal(block, &text) != nil {
			continue
		}
		raw := strings.TrimSpace(text.Text)
		if raw != "" && strings.ContainsAny(raw[:1], "{[") && json.Valid([]byte(raw)) {
			return json.RawMessage(raw)
		}
	}
	return nil
}

// Mismatch is a value of a result that is not the one asked for.
type Mismatch struct {
	Pointer string
	Want    json.RawMessage
	// Got is nil if there is no such value.
	Got json.RawMessage
}

// Mismatch returns the first value, by its pointer, that a success lacks or
// holds otherwise than the maintainers said; nil if there is none.
func (c Call) Mismatch() *Mismatch {
	if len(c.Want) == 0 || c.Reading.Decision != reply.Accepted && !c.Confirmed || !c.Answered() {
		return nil
	}
	structured := Structured(c.Answer.Result)
	for _, pointer := range slices.Sorted(maps.Keys(c.Want)) {
		got := At(structured, pointer)
		if got == nil || !sameJSON(got, c.Want[pointer]) {
			return &Mismatch{pointer, c.Want[pointer], got}
		}
	}
	return nil
}

// At returns the value of a document at a JSON pointer (RFC 6901), nil if
// there is none.
func At(document json.RawMessage, pointer string) json.RawMessage {
	if pointer == "" || document == nil {
		return document
	}
	for _, part := range strings.Split(pointer, "/")[1:] {
		part = rawjson.Unescape(part)
		var object map[string]json.RawMessage
		var list []json.RawMessage
		switch {
		case json.Unmarshal(document, &object) == nil && object[part] != nil:
			document = object[part]
		case json.Unmarshal(document, &list) == nil:
			i, err := strconv.Atoi(part)
			if err != nil || i < 0 || i >= len(list) {
				return nil
			}
			document = list[i]
		default:
			return nil
		}
	}
	return document
}

// sameJSON reports whether two JSON values are equal. 2 and 2.0 are.
func sameJSON(a, b json.RawMessage) bool {
	return bytes.Equal(canonical(a), canonical(b))
}

func canonical(raw json.RawMessage) []byte {
	var value any
	if json.Unmarshal(raw, &value) != nil {
		return raw
	}
	data, err := json.Marshal(value)
	if err != nil {
		return raw
	}
	return data
}

// StructuredContent returns the structuredContent of a result, nil if there is
// none.
func StructuredContent(result json.RawMessage) json.RawMessage {
	var parts struct {
		StructuredContent json.RawMessage `json:"structuredContent"`
	}
	if json.Unmarshal(result, &parts) != nil || string(parts.StructuredContent) == "null" {
		return nil
	}
	return parts.StructuredContent
}

// StructuredResults reports whether a protocol revision knows structured
// results and output schemas (since 2025-06-18).
func StructuredResults(revision string) bool { return revision >= "2025-06-18" }

// Refused says in which way a schema refuses a value, "" if it allows it or
// could not be evaluated.
func Refused(schema *argument.Schema, value json.RawMessage) string {
	err := schema.Valid(value)
	if err == nil || errors.Is(err, argument.ErrTooCostly) {
		return ""
	}
	return err.Error()
}
