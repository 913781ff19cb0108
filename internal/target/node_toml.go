package target

import (
	"errors"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// parseTOML reads TOML. The parser with positions is not a checked one: the
// other one refuses what is not TOML.
func parseTOML(data []byte) (*node, error) {
	if tooDeep(data) {
		return nil, errNesting
	}
	var any map[string]any
	if err := toml.Unmarshal(data, &any); err != nil {
		return nil, err
	}
	root := &node{line: 1, kind: table}
	current := root
	at := newLines(data)
	var p unstable.Parser
	p.Reset(data)
	for p.NextExpression() {
		expression := p.Expression()
		switch expression.Kind {
		case unstable.Table, unstable.ArrayTable:
			keys, line := tomlKey(expression.Key(), at)
			if len(keys) > maxNesting {
				return nil, errNesting
			}
			current = root.open(keys, line, expression.Kind == unstable.ArrayTable)
		case unstable.KeyValue:
			if err := current.assign(expression, at, 0); err != nil {
				return nil, err
			}
		}
	}
	return root, p.Error()
}

// tomlKey is a dotted key and the line of its first part.
func tomlKey(parts unstable.Iterator, at lines) (keys []string, line int) {
	for parts.Next() {
		part := parts.Node()
		if line == 0 {
			line = at.of(int(part.Raw.Offset))
		}
		keys = append(keys, string(part.Data))
	}
	return keys, line
}

// open goes down to the table of a name, which is made where it is missing.
func (n *node) open(keys []string, line int, element bool) *node {
	for i, key := range keys {
		below := n.fields[key]
		last := i == len(keys)-1
		switch {
		case element && last:
			if below == nil {
				below = &node{line: line, kind: list}
				n.set(key, below)
			}
			below.items = append(below.items, &node{line: line, kind: table})
		case below == nil:
			below = &node{line: line, kind: table}
			n.set(key, below)
		}
		n = below
		if n.kind == list && len(n.items) > 0 {
			n = n.items[len(n.items)-1]
		}
	}
	return n
}

func (n *node) assign(pair *unstable.Node, at lines, depth int) error {
	if depth > maxNesting {
		return errNesting
	}
	keys, line := tomlKey(pair.Key(), at)
	if len(keys) == 0 || len(keys) > maxNesting {
		return errors.New("it holds a key that can't be read")
	}
	value, err := fromTOML(pair.Value(), at, line, depth)
	if err != nil {
		return err
	}
	n.open(keys[:len(keys)-1], line, false).set(keys[len(keys)-1], value)
	return nil
}

func fromTOML(value *unstable.Node, at lines, line, depth int) (*node, error) {
	n := &node{line: line}
	switch value.Kind {
	case unstable.InlineTable:
		n.kind = table
		for pairs := value.Children(); pairs.Next(); {
			if pairs.Node().Kind != unstable.KeyValue {
				continue
			}
			if err := n.assign(pairs.Node(), at, depth+1); err != nil {
				return nil, err
			}
		}
	case unstable.Array:
		n.kind = list
		for elements := value.Children(); elements.Next(); {
			element := elements.Node()
			if element.Kind == unstable.Comment {
				continue
			}
			if offset := int(element.Raw.Offset); offset > 0 {
				line = at.of(offset)
			}
			below, err := fromTOML(element, at, line, depth+1)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, below)
		}
	case unstable.String:
		n.kind, n.text = text, string(value.Data)
	default:
		n.kind, n.text = scalar, string(value.Data)
	}
	return n, nil
}
