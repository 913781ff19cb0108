package check

import (
	"encoding/json"
	"fmt"

	"github.com/sealmark/action/internal/session"
)

// Recall judges a recorded snapshot as if its initialize result and its lists,
// one page each, had just been received.
func (t *Tape) Recall(snap *session.Snapshot) {
	observe := t.Observer("")
	id := 0
	exchange := func(method string, result any) {
		id++
		raw, err := json.Marshal(result)
		if err != nil {
			return // a snapshot holds JSON only
		}
		observe(session.Event{Direction: session.Out, Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":%q}`, id, method)})
		observe(session.Event{Direction: session.In, Raw: fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"result":%s}`, id, raw)})
	}
	exchange("initialize", snap.Initialize)
	var tools []json.RawMessage
	for _, tool := range snap.Tools {
		tools = append(tools, tool.Raw)
	}
	for _, list := range []struct {
		method, member string
		items          []json.RawMessage
	}{
		{"tools/list", "tools", append(tools, snap.Unnamed...)},
		{"resources/list", "resources", snap.Resources},
		{"resources/templates/list", "resourceTemplates", snap.Templates},
		{"prompts/list", "prompts", snap.Prompts},
	} {
		if len(list.items) > 0 {
			exchange(list.method, map[string][]json.RawMessage{list.member: list.items})
		}
	}
}
