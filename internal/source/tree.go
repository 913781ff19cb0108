package source

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// tree is a source file as tokens.
type tree struct {
	file   *file
	tokens []token
	// lines holds the offset of each line.
	lines []int32
	*meter
}

func newTree(f *file, m *meter) *tree {
	t := &tree{file: f, tokens: tokenize(f.src, f.family), lines: []int32{0}, meter: m}
	for i := range len(f.src) {
		if f.src[i] == '\n' {
			t.lines = append(t.lines, int32(i+1))
		}
	}
	return t
}

// raw is the text of a token, "" for none.
func (t *tree) raw(i int) string {
	if i < 0 || i >= len(t.tokens) {
		return ""
	}
	t.take(1)
	return t.file.src[t.tokens[i].begin:t.tokens[i].end]
}

func (t *tree) is(i int, any ...string) bool { return i >= 0 && slices.Contains(any, t.raw(i)) }

func (t *tree) kind(i int) kind {
	if i < 0 || i >= len(t.tokens) {
		return 0
	}
	t.take(1)
	return t.tokens[i].kind
}

// up is the bracket around a token, -1 for none.
func (t *tree) up(i int) int {
	if i < 0 || i >= len(t.tokens) {
		return -1
	}
	t.take(1)
	return int(t.tokens[i].up)
}

// mate is the other bracket of a pair, -1 for none.
func (t *tree) mate(i int) int {
	if i < 0 || i >= len(t.tokens) {
		return -1
	}
	t.take(1)
	return int(t.tokens[i].mate)
}

// end is the token after the last one of a bracket.
func (t *tree) end(open int) int {
	if m := t.mate(open); m > open {
		return m
	}
	return len(t.tokens)
}

// value is what a string says, without quotes and simple escapes.
func (t *tree) value(i int) string {
	s := t.raw(i)
	if t.kind(i) != text {
		return s
	}
	t.take(len(s) / 64)
	s = strings.TrimLeft(s, "rRbBuUfFtTc#$@")
	s = strings.TrimRight(s, "#")
	if s == "" {
		return ""
	}
	quote := s[:1]
	for len(s) >= 2 && strings.HasPrefix(s, quote) && strings.HasSuffix(s, quote) {
		s = s[1 : len(s)-1]
		if len(s) < 4 || !strings.HasPrefix(s, quote+quote) {
			break
		}
		s = s[1 : len(s)-1] // of three
	}
	if strings.Contains(s, `\`) {
		s = unescaper.Replace(s)
	}
	return s
}

var unescaper = strings.NewReplacer(`\"`, `"`, `\'`, `'`, `\\`, `\`, `\/`, `/`)

// holding are the tokens that hold a name, as it is or in the spelling of the
// language, in order.
func (t *tree) holding(name string) []int {
	var list []int
	in := func(src, part string) {
		for at := 0; part != ""; {
			i := strings.Index(src[at:], part)
			if i < 0 {
				return
			}
			at += i
			n, found := slices.BinarySearchFunc(t.tokens, int32(at), func(one token, at int32) int { return cmp.Compare(one.begin, at) })
			if !found {
				n--
			}
			if at++; n >= 0 && int(t.tokens[n].end) >= at {
				list = append(list, n)
				at = int(t.tokens[n].end)
			}
			t.take(1)
		}
	}
	t.take(len(t.file.src) / 256)
	in(t.file.src, name)
	if respelling[t.file.family] {
		in(t.file.lowered(), plain(name))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// line counts from 0.
func (t *tree) line(i int) int {
	t.take(1)
	n, found := slices.BinarySearch(t.lines, t.tokens[i].begin)
	if !found {
		n--
	}
	return n
}

// indent is how far the line of a token is indented, in bytes.
func (t *tree) indent(i int) int {
	begin := t.lines[t.line(i)]
	n := 0
	for int(begin)+n < len(t.file.src) && (t.file.src[int(begin)+n] == ' ' || t.file.src[int(begin)+n] == '\t') {
		n++
	}
	t.take(n / 64)
	return n
}

// first reports whether a token is the first one of its line.
func (t *tree) first(i int) bool {
	return i == 0 || i > 0 && i < len(t.tokens) && t.line(i-1) < t.line(i)
}

// place is the line and the column of a token, both from 1, the column in
// characters.
func (t *tree) place(i int) (line, column int) {
	n := t.line(i)
	return n + 1, utf8.RuneCountInString(t.file.src[t.lines[n]:t.tokens[i].begin]) + 1
}

// back returns the token before a type argument list that ends at i, i if
// there is none.
func (t *tree) back(i int) int {
	if !t.is(i, ">") {
		return i
	}
	const most = 60
	depth := 0
	for j := i; j >= 0 && i-j < most; j-- {
		switch t.raw(j) {
		case ">":
			depth++
		case "<":
			if depth--; depth == 0 {
				return j - 1
			}
		case ")", "]", "}":
			if t.mate(j) >= 0 {
				j = t.mate(j) + 1
			}
		case ";", "{", "(":
			return i
		}
	}
	return i
}

// chain is the name in front of a bracket, its last part first, and where it
// begins: registerTool, server for server.registerTool(.
func (t *tree) chain(open int) (parts []string, begin int) {
	i := t.back(open - 1)
	begin = open
	for t.kind(i) == word && len(parts) < 6 {
		parts, begin = append(parts, t.raw(i)), i
		i--
		if !t.is(i, ".", "::", "->", `\`) {
			break
		}
		i--
		for t.is(i, "?", "!") {
			i--
		}
		i = t.back(i)
		if t.is(i, "::") { // Type::<T>::new
			i--
		}
	}
	return parts, begin
}

// keyOf returns the key that a value at i belongs to, -1 if it belongs to
// none: name in name: v, "name" => v, name = v, name: string = v.
func (t *tree) keyOf(i int) int {
	sep := i - 1
	switch {
	case t.is(sep, ":", "=>", ":="):
		k := sep - 1
		if t.is(k, "?") {
			k--
		}
		if t.is(sep, ":") && t.is(k, "?") || t.kind(k) == mark || k < 0 {
			return -1
		}
		return k
	case t.is(sep, "="):
		return t.assigned(sep)
	}
	return -1
}

// assigned returns what an equals sign gives a value to.
func (t *tree) assigned(sep int) int {
	if t.kind(sep-1) == mark && !t.is(sep-1, ">", "]", "?") {
		return -1
	}
	const most = 12
	for j := sep - 1; j > 0 && sep-j <= most && !t.first(j+1); j-- {
		switch t.raw(j) {
		case ":":
			if t.kind(j-1) == word {
				return j - 1
			}
			if t.is(j-1, "?") && t.kind(j-2) == word {
				return j - 2
			}
		case ",", ";", "(", "{", "}", ")", "=", "=>":
			j = 0
		}
	}
	if t.kind(sep-1) == mark {
		return -1
	}
	if t.file.family == golang && t.kind(sep-2) == word && !t.first(sep-1) && !valueWords[t.raw(sep-2)] {
		return sep - 2 // Name Type = "x"
	}
	return sep - 1
}

// keys returns the keys and members directly within a bracket, in a form that
// spelling does not matter for.
func (t *tree) keys(open int) map[string]bool {
	keys := map[string]bool{}
	end := t.end(open)
	for i := open + 1; i < end; i++ {
		if m := t.mate(i); m > i {
			i = m
			continue
		}
		if t.kind(i) == mark {
			continue
		}
		next := i + 1
		if t.is(next, "?") {
			next++
		}
		switch {
		case t.is(next, ":", "=>", "=", "(", "<"):
			keys[plain(t.value(i))] = true
		case t.kind(i) == word && (t.is(next, ",") || next == end) && t.is(i-1, ",", "{"):
			keys[plain(t.raw(i))] = true // { name, description }
		}
	}
	return keys
}

// plain makes names comparable: lower case, no separators.
func plain(s string) string {
	if len(s) > 80 {
		return ""
	}
	return separators.Replace(strings.ToLower(s))
}

var separators = strings.NewReplacer("_", "", "-", "", " ", "")

// words splits a name: register, tool for registerTool and register_tool.
func words(name string) []string {
	if len(name) > 80 {
		return nil
	}
	var list []string
	for _, w := range strings.Split(snake(name), "_") {
		if w != "" {
			list = append(list, w)
		}
	}
	return list
}

// snake writes a name in lower case with underscores between its words.
func snake(name string) string {
	var b strings.Builder
	for i := 0; i < len(name); i++ {
		c := name[i]
		if !upper(c) {
			b.WriteByte(c)
			continue
		}
		after := i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z'
		if i > 0 && name[i-1] != '_' && (!upper(name[i-1]) || after) {
			b.WriteByte('_')
		}
		b.WriteByte(c | 0x20)
	}
	return b.String()
}

func upper(c byte) bool { return c >= 'A' && c <= 'Z' }
