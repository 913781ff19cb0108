package target

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// parseYAML reads the first document of a YAML file. Aliases stand for nothing,
// so that they can't multiply.
func parseYAML(data []byte) (n *node, err error) {
	if tooDeep(data) || tooManyDashes(data) {
		return nil, errNesting
	}
	defer func() {
		if p := recover(); p != nil {
			n, err = nil, fmt.Errorf("it can't be read: %v", p)
		}
	}()
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, err
	}
	if len(file.Docs) == 0 || file.Docs[0].Body == nil {
		return nil, errors.New("it is empty")
	}
	return fromYAML(file.Docs[0].Body, 0), nil
}

// tooManyDashes reports whether a line opens more lists than a parser should
// follow ("- - - -").
func tooManyDashes(data []byte) bool {
	for line := range bytes.Lines(data) {
		if dashes := len(line) - len(bytes.TrimLeft(line, "-?:&!*| \t")); dashes > 2*maxNesting && bytes.Count(line[:dashes], []byte("- ")) > maxNesting {
			return true
		}
	}
	return false
}

func fromYAML(value ast.Node, depth int) *node {
	if value == nil || depth > maxNesting {
		return &node{}
	}
	n := &node{}
	if token := value.GetToken(); token != nil && token.Position != nil {
		n.line = token.Position.Line
	}
	switch v := value.(type) {
	case *ast.MappingNode:
		n.kind = table
		for _, member := range v.Values {
			n.member(member, depth)
		}
	case *ast.MappingValueNode:
		n.kind = table
		n.member(v, depth)
	case *ast.SequenceNode:
		n.kind = list
		for _, element := range v.Values {
			n.items = append(n.items, fromYAML(element, depth+1))
		}
	case *ast.TagNode:
		return fromYAML(v.Value, depth+1)
	case *ast.AnchorNode:
		return fromYAML(v.Value, depth+1)
	case *ast.StringNode:
		n.kind, n.text = text, v.Value
	case *ast.LiteralNode:
		n.kind, n.text = text, v.Value.Value
	case *ast.NullNode, *ast.AliasNode:
	case ast.ScalarNode:
		n.kind, n.text = scalar, v.GetToken().Value
	}
	return n
}

func (n *node) member(member *ast.MappingValueNode, depth int) {
	if member.Key == nil || member.Key.GetToken() == nil {
		return
	}
	token := member.Key.GetToken()
	below := fromYAML(member.Value, depth+1)
	below.line = token.Position.Line
	n.set(token.Value, below)
}
