package config

import (
	"bytes"
	"encoding/json"
	"math"
	"strings"

	"github.com/goccy/go-yaml/ast"
)

// literal is a JSON value as it stands in a configuration file, with its texts
// not yet expanded. Numbers keep their spelling and members their order.
type literal struct {
	kind literalKind
	at   Origin
	// text is that of a text; of a number, a boolean or null it is the JSON.
	text string
	// names are those of an object's members, and items their values or those
	// of a list.
	names []string
	items []*literal
}

type literalKind int

const (
	textLiteral literalKind = iota
	otherLiteral
	listLiteral
	objectLiteral
)

// maxLiteralDepth bounds the levels of nesting in a value.
const maxLiteralDepth = 100

// literal reads a YAML value as JSON, nil after a fault.
func (r *reader) literal(n ast.Node, key string, depth int) *literal {
	if depth > maxLiteralDepth {
		r.fail(n, key, "%s is nested deeper than %d levels", key, maxLiteralDepth)
		return nil
	}
	v := &literal{at: r.place(n)}
	switch node := n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		v.kind = objectLiteral
		for _, entry := range r.entries(n, key) {
			name := textOf(entry)
			item := r.literal(entry.Value, dotted(key, name), depth+1)
			if item == nil {
				return nil
			}
			v.names, v.items = append(v.names, name), append(v.items, item)
		}
		return v
	case *ast.SequenceNode:
		v.kind = listLiteral
		for _, value := range node.Values {
			item := r.literal(value, key, depth+1)
			if item == nil {
				return nil
			}
			v.items = append(v.items, item)
		}
		return v
	}
	value, ok := r.scalar(n, key)
	if !ok {
		return nil
	}
	switch value := value.(type) {
	case string:
		v.text = value
		return v
	case float64:
		if math.IsNaN(value) || math.IsInf(value, 0) {
			r.fail(n, key, "%s must be a finite number, not %s", key, shown(value))
			return nil
		}
	}
	v.kind = otherLiteral
	v.text = strings.TrimSpace(n.GetToken().Value)
	if _, isNumber := asNumber(value); !isNumber || !json.Valid([]byte(v.text)) {
		data, err := json.Marshal(value)
		if err != nil {
			r.fail(n, key, "%s can't be written as JSON", key)
			return nil
		}
		v.text = string(data)
	}
	return v
}

// json writes the value with its texts expanded. ok is false if one could not
// be.
func (v *literal) json(expand func(text string, at Origin) (string, bool)) (data json.RawMessage, ok bool) {
	var b bytes.Buffer
	ok = v.write(&b, expand)
	return b.Bytes(), ok
}

func (v *literal) write(b *bytes.Buffer, expand func(string, Origin) (string, bool)) bool {
	ok := true
	switch v.kind {
	case textLiteral:
		text, expanded := expand(v.text, v.at)
		ok = expanded
		writeText(b, text)
	case otherLiteral:
		b.WriteString(v.text)
	case listLiteral:
		b.WriteByte('[')
		for i, item := range v.items {
			if i > 0 {
				b.WriteByte(',')
			}
			ok = item.write(b, expand) && ok
		}
		b.WriteByte(']')
	case objectLiteral:
		b.WriteByte('{')
		for i, item := range v.items {
			if i > 0 {
				b.WriteByte(',')
			}
			writeText(b, v.names[i])
			b.WriteByte(':')
			ok = item.write(b, expand) && ok
		}
		b.WriteByte('}')
	}
	return ok
}

// writeText writes a JSON string without escaping HTML characters.
func writeText(b *bytes.Buffer, text string) {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		panic(err) // a string can always be written
	}
	b.Truncate(b.Len() - 1) // the newline
}
