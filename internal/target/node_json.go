package target

import (
	"bytes"

	"github.com/tailscale/hujson"
)

// parseJSON reads JSON, with comments and trailing commas as editors allow
// them.
func parseJSON(data []byte) (*node, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	if tooDeep(data) {
		return nil, errNesting
	}
	value, err := hujson.Parse(data)
	if err != nil {
		return nil, err
	}
	return fromJSON(value, newLines(data)), nil
}

func fromJSON(value hujson.Value, at lines) *node {
	n := &node{line: at.of(value.StartOffset)}
	switch v := value.Value.(type) {
	case *hujson.Object:
		n.kind = table
		for _, member := range v.Members {
			name, _ := member.Name.Value.(hujson.Literal)
			below := fromJSON(member.Value, at)
			below.line = at.of(member.Name.StartOffset)
			n.set(name.String(), below)
		}
	case *hujson.Array:
		n.kind = list
		for _, element := range v.Elements {
			n.items = append(n.items, fromJSON(element, at))
		}
	case hujson.Literal:
		switch v.Kind() {
		case 'n':
		case '"':
			n.kind, n.text = text, v.String()
		default:
			n.kind, n.text = scalar, v.String()
		}
	}
	return n
}
