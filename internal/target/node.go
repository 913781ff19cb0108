package target

import (
	"errors"
	"slices"
)

// node is a value of a manifest, whatever language it is written in. A nil
// node is a value that is not there, and all its methods give nothing.
type node struct {
	// line is where the value stands, from 1; for a member of a map that of its
	// key.
	line int
	kind kind
	// text is a string's content, or the spelling of a number or a boolean.
	text string
	// keys are those of a map in the order of the file.
	keys   []string
	fields map[string]*node
	items  []*node
}

type kind int

const (
	null kind = iota
	scalar
	text
	list
	table
)

// at goes down a path of keys.
func (n *node) at(path ...string) *node {
	for _, key := range path {
		if n == nil {
			return nil
		}
		n = n.fields[key]
	}
	return n
}

// str is the content of a string, "" for every other value.
func (n *node) str() string {
	if n == nil || n.kind != text {
		return ""
	}
	return n.text
}

// plain is the spelling of a string, a number or a boolean.
func (n *node) plain() string {
	if n == nil {
		return ""
	}
	return n.text
}

// yes reports whether the value is true.
func (n *node) yes() bool { return n != nil && n.kind == scalar && n.text == "true" }

func (n *node) isTable() bool { return n != nil && n.kind == table }

// lineNo is the line of a value, 0 if it is not there.
func (n *node) lineNo() int {
	if n == nil {
		return 0
	}
	return n.line
}

// members are the keys of a map, none of every other value.
func (n *node) members() []string {
	if n == nil {
		return nil
	}
	return n.keys
}

// elements are those of a list, none of every other value.
func (n *node) elements() []*node {
	if n == nil {
		return nil
	}
	return n.items
}

// strings are those elements of a list that are strings, or the string itself.
func (n *node) strings() []string {
	if s := n.str(); s != "" {
		return []string{s}
	}
	var all []string
	for _, item := range n.elements() {
		if item.kind == text {
			all = append(all, item.text)
		}
	}
	return all
}

// set puts a member into a map. The last one of a name counts, as in JSON.
func (n *node) set(key string, value *node) {
	if n.fields == nil {
		n.fields = map[string]*node{}
	}
	if _, there := n.fields[key]; !there {
		n.keys = append(n.keys, key)
	}
	n.fields[key] = value
}

// maxNesting bounds the depth of a manifest: the parsers are recursive.
const maxNesting = 200

var errNesting = errors.New("it is nested too deeply")

// tooDeep reports whether the brackets of a text open deeper than a parser
// should follow, those in strings and comments included.
func tooDeep(data []byte) bool {
	depth := 0
	for _, c := range data {
		switch c {
		case '[', '{':
			if depth++; depth > maxNesting {
				return true
			}
		case ']', '}':
			depth = max(0, depth-1)
		}
	}
	return false
}

// lines finds the line of an offset.
type lines []int

func newLines(data []byte) lines {
	starts := lines{0}
	for i, c := range data {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// of is the line of an offset, from 1.
func (l lines) of(offset int) int {
	i, exact := slices.BinarySearch(l, offset)
	if exact {
		return i + 1
	}
	return i
}
