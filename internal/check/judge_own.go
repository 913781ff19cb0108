package check

import (
	"bytes"
	"encoding/json"
	"strconv"

	"github.com/sealmark/action/internal/spec"
)

// own judges a request or notification that the server sent of its own accord.
func (j *judge) own(raw []byte, method string, members map[string]json.RawMessage) {
	if spec.Known(method) {
		j.note(BreachAt{Kind: Sent, Method: method}, Breach{})
	}
	if id := string(bytes.TrimSpace(members["id"])); id != "" && id != "null" {
		if j.ids[id] {
			j.note(BreachAt{Kind: BreachReusedID}, Breach{Value: raw})
		}
		if len(j.ids) < maxTracked && len(id) < maxKeptValue {
			j.ids[id] = true
		}
	}
	if method == "notifications/progress" {
		j.progress(raw, members["params"])
	}
}

// progress judges a progress notification (MCP, Base protocol, Utilities,
// Progress).
func (j *judge) progress(raw []byte, params json.RawMessage) {
	var p map[string]json.RawMessage
	json.Unmarshal(params, &p)
	token := string(bytes.TrimSpace(p["progressToken"]))
	var value float64
	if token == "" || json.Unmarshal(p["progress"], &value) != nil {
		return // the shape is wrong
	}
	state := j.tokens[token]
	kind := BreachKind("")
	switch {
	case state == nil && (j.tokens[strconv.Quote(token)] != nil || j.tokens[text(p["progressToken"])] != nil):
		kind = BreachProgressRetyped
	case state == nil:
		kind = BreachProgressUnknown
	case state.done:
		kind = BreachProgressLate
	case state.reported && value <= state.last:
		kind = BreachProgressNoIncrease
	}
	if state != nil {
		state.reported, state.last = true, value
	}
	if kind != "" {
		j.note(BreachAt{Kind: kind}, Breach{Value: raw})
	}
}
