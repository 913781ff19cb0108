package check

import (
	"cmp"
	"encoding/json"
	"strconv"
)

// requestItem names what a request is about.
func requestItem(method string, params map[string]json.RawMessage) string {
	switch method {
	case "tools/call":
		return item("tool:", text(params["name"]))
	case "prompts/get":
		return item("prompt:", text(params["name"]))
	case "resources/read":
		return item("resource:", text(params["uri"]))
	}
	return ""
}

func item(kind, name string) string {
	if name == "" || len(name) > 1000 {
		return ""
	}
	return kind + name
}

// lookUp returns the value at a pointer, and what the deepest listed item on
// the way is called.
func lookUp(value any, tokens []string) (raw []byte, subject string) {
	kind := ""
	for _, token := range tokens {
		switch v := value.(type) {
		case map[string]any:
			value = v[token]
			kind = map[string]string{"tools": "tool:", "prompts": "prompt:", "resources": "resource:", "resourceTemplates": "resource:"}[token]
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(v) {
				return nil, subject
			}
			value = v[i]
			if listed, ok := value.(map[string]any); ok && kind != "" {
				subject = cmp.Or(item(kind, label(listed)), subject)
			}
			kind = ""
		}
	}
	raw, _ = json.Marshal(value)
	return raw, subject
}

func label(listed map[string]any) string {
	for _, member := range []string{"uri", "uriTemplate", "name"} {
		if value, _ := listed[member].(string); value != "" {
			return value
		}
	}
	return ""
}
