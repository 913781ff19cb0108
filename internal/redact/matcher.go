package redact

import "slices"

// matcher finds all of a set of byte strings in one pass over a text
// (A. V. Aho, M. J. Corasick: Efficient string matching, 1975). Its time is
// linear in the text, whatever the strings are.
type matcher struct {
	nodes   []node
	root    [256]int32
	longest int
}

// node is a prefix of the strings. Node 0 is the empty one.
type node struct {
	child, sibling int32
	// fail is the longest proper suffix that is a node too; shorter is the
	// longest proper suffix that is a whole string, 0 for none.
	fail, shorter int32
	depth         int32
	name          int32   // of the first string that starts like this
	whole         []int32 // names of the string that ends here
	by            byte
}

func newMatcher() *matcher { return &matcher{nodes: make([]node, 1)} }

// add adds a string that belongs to a name.
func (m *matcher) add(s string, name int) {
	at := int32(0)
	for i := range len(s) {
		next := m.below(at, s[i])
		if next == 0 {
			next = int32(len(m.nodes))
			m.nodes = append(m.nodes, node{sibling: m.nodes[at].child, depth: int32(i + 1), name: int32(name), by: s[i]})
			m.nodes[at].child = next
		}
		at = next
	}
	if !slices.Contains(m.nodes[at].whole, int32(name)) {
		m.nodes[at].whole = append(m.nodes[at].whole, int32(name))
	}
	m.longest = max(m.longest, len(s))
}

// below returns the child of a node by a byte, 0 for none.
func (m *matcher) below(at int32, by byte) int32 {
	for c := m.nodes[at].child; c != 0; c = m.nodes[c].sibling {
		if m.nodes[c].by == by {
			return c
		}
	}
	return 0
}

// link finishes the matcher after the last add.
func (m *matcher) link() {
	queue := make([]int32, 0, len(m.nodes))
	for c := m.nodes[0].child; c != 0; c = m.nodes[c].sibling {
		m.root[m.nodes[c].by] = c
		queue = append(queue, c)
	}
	for i := 0; i < len(queue); i++ {
		n := queue[i]
		for c := m.nodes[n].child; c != 0; c = m.nodes[c].sibling {
			fail := m.step(m.nodes[n].fail, m.nodes[c].by)
			m.nodes[c].fail = fail
			m.nodes[c].shorter = fail
			if len(m.nodes[fail].whole) == 0 {
				m.nodes[c].shorter = m.nodes[fail].shorter
			}
			queue = append(queue, c)
		}
	}
}

// step goes from a node to the longest one that the text ends with after one
// more byte.
func (m *matcher) step(at int32, by byte) int32 {
	for at != 0 {
		if next := m.below(at, by); next != 0 {
			return next
		}
		at = m.nodes[at].fail
	}
	return m.root[by]
}

// each calls hit for the longest string that ends at each place of the text.
func (m *matcher) each(text []byte, hit func(start, end, name int)) {
	at := int32(0)
	for i, by := range text {
		at = m.step(at, by)
		found := at
		if len(m.nodes[at].whole) == 0 {
			found = m.nodes[at].shorter
		}
		if found != 0 {
			n := &m.nodes[found]
			hit(i+1-int(n.depth), i+1, int(n.whole[0]))
		}
	}
}

// names marks the names of all strings that the text holds.
func (m *matcher) names(text []byte, found []bool) {
	seen := map[int32]bool{}
	at := int32(0)
	for _, by := range text {
		at = m.step(at, by)
		if at == 0 || len(m.nodes[at].whole) == 0 && m.nodes[at].shorter == 0 {
			continue
		}
		for n := at; n != 0 && !seen[n]; n = m.nodes[n].shorter {
			seen[n] = true
			for _, name := range m.nodes[n].whole {
				found[name] = true
			}
		}
	}
}

// tail returns the length of the longest beginning of a string that the text
// ends with, and the string's name.
func (m *matcher) tail(text string) (size, name int) {
	at := int32(0)
	for i := range len(text) {
		at = m.step(at, text[i])
	}
	return int(m.nodes[at].depth), int(m.nodes[at].name)
}

func reversed(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}
