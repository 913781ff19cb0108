package source

import (
	"slices"
	"strings"
)

// constants follows names that are given to a constant to where that is used:
// in the same file, or in others if it is the only constant of its name.
func (x *index) constants(files []*file, kind string, sites []site) []site {
	var list []site
	for _, s := range sites {
		if s.score != scoreConstant || s.tree.file.family == document {
			continue
		}
		key := s.tree.keyOf(s.at)
		name := s.tree.raw(key)
		if s.tree.given(name, s.tree.raw(s.at-1)) > 1 {
			continue
		}
		lone := !everyday[plain(name)] && x.lone(files, name)
		for _, f := range files {
			if f != s.tree.file && !lone || !x.has(f, name) {
				continue
			}
			t := x.tree(f)
			for _, i := range t.holding(name) {
				if t.kind(i) != word || t.raw(i) != name || t == s.tree && i == key {
					continue
				}
				if used := t.constantUse(i, kind); used.score >= scoreDefined {
					list = append(list, used)
				}
			}
		}
	}
	return list
}

// constantUse judges a constant in the place of a name: with its qualifiers,
// and within a conversion such as string(NAME).
func (t *tree) constantUse(i int, kind string) site {
	first, last := i, i
	for t.is(first-1, ".", "::") && t.kind(first-2) == word {
		first -= 2
	}
	if open := t.up(i); t.is(open, "(") && first == open+1 && t.is(last+1, ")") {
		if parts, begin := t.chain(open); len(parts) == 1 && set("string", "str", "String")[parts[0]] {
			first, last = begin, last+1
		}
	}
	used := site{}
	if k := t.keyOf(first); k >= 0 {
		used = t.named(first, k, kind)
	} else if t.file.family == script && t.is(t.up(i), "{") && t.is(i-1, "{", ",") && t.is(i+1, ",", "}") {
		used = t.named(i, i, kind) // { name, version }
	} else if t.is(t.up(first), "(") && t.is(last+1, ",", ")", ".") {
		used = t.argument(first, kind)
	}
	used.at = i
	return used
}

// given is how many times a file gives a string to a name, with one of the
// marks between them.
func (t *tree) given(name string, marks ...string) int {
	n := 0
	for i := range t.tokens {
		if t.kind(i) == text {
			if k := t.keyOf(i); k >= 0 && t.kind(k) == word && t.raw(k) == name && t.is(i-1, marks...) {
				n++
			}
		}
	}
	return n
}

// lone reports whether only one place gives a string to a constant.
func (x *index) lone(files []*file, name string) bool {
	n := 0
	for _, f := range files {
		if x.has(f, name) {
			n += x.tree(f).given(name, "=", ":", ":=")
		}
	}
	return n == 1
}

// passed finds functions that are registered by being passed to a call:
// add_tool(search).
func (x *index) passed(files []*file, kind, name string, known []site) []site {
	if kind != kindTool && kind != kindPrompt || len(known) > 0 && slices.ContainsFunc(known, func(s site) bool { return s.score >= scoreDefined }) {
		return nil
	}
	var functions []site
	used := false
	for _, f := range files {
		if f.family != python && f.family != csharp || !x.has(f, name) {
			continue
		}
		t := x.tree(f)
		for _, i := range t.holding(name) {
			if t.kind(i) != word || !spelled(f.family, t.raw(i), name) {
				continue
			}
			switch {
			case t.is(i-1, "def"):
				functions = append(functions, site{tree: t, at: i, score: scoreObject, scopes: t.function(i)})
			case t.is(i+1, ",", ")", "]"):
				used = used || t.argument(i, kind).score > 0 || t.is(t.up(i), "[") && about(kind, t.label(t.up(i)))
			}
		}
	}
	if !used {
		return nil
	}
	return functions
}

// madeString is a string that is put together, such as `${prefix}_search`:
// what stands before the first expression in it and after the last one.
type madeString struct {
	site
	begin, end string
}

// tails finds names of which only the end is written: `${prefix}_search`.
func (x *index) tails(kind, name string) []site {
	var list []site
	for _, m := range x.madeStrings() {
		if len(name) <= len(m.begin)+len(m.end) || !strings.HasPrefix(name, m.begin) || !strings.HasSuffix(name, m.end) {
			continue
		}
		if found := m.tree.literal(m.at, kind); found.score >= scoreDefined {
			found.score = scoreTail
			list = append(list, found)
		}
	}
	return list
}

// madeStrings are the strings of the sources that are put together and have an
// end that tells something.
func (x *index) madeStrings() []madeString {
	if x.made != nil {
		return x.made
	}
	const shortest, most = 4, 20_000
	x.made = []madeString{} // should the search be cut off
	for _, f := range slices.Concat(x.groups[0], x.groups[1]) {
		if f.family != script && f.family != python || !kindWords(f.src) || !strings.Contains(f.src, "{") {
			continue
		}
		t := x.tree(f)
		for i := range t.tokens {
			if t.tokens[i].kind != text || len(x.made) == most {
				continue
			}
			if begin, end, ok := t.template(i); ok && len(end) >= shortest {
				x.made = append(x.made, madeString{site{tree: t, at: i}, begin, end})
			}
		}
	}
	return x.made
}

// template returns what stands before the first and after the last expression
// in a string, ok if it has one.
func (t *tree) template(i int) (begin, end string, ok bool) {
	open, raw := "${", t.raw(i)
	switch {
	case t.file.family == python && (raw[0]|0x20 == 'f' || len(raw) > 1 && raw[1]|0x20 == 'f'):
		open = "{"
	case t.file.family == python || raw[0] != '`':
		return "", "", false
	}
	s := t.value(i)
	begin, _, ok = strings.Cut(s, open)
	at := strings.LastIndexByte(s, '}')
	return begin, s[at+1:], ok && at > len(begin)
}
