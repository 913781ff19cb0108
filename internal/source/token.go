package source

import (
	"strings"
	"unicode/utf8"
)

type kind uint8

const (
	word kind = iota + 1
	text      // a string literal
	mark      // punctuation
)

// token is a word, a string or a mark of a source file. Comments are none.
type token struct {
	kind kind
	// begin and end are offsets in bytes, quotes included.
	begin, end int32
	// up is the bracket around it, mate the other one of a pair; -1 for none.
	up, mate int32
}

// lexer reads tokens. It accepts anything: what it can't make sense of is a
// mark or is skipped.
type lexer struct {
	src    string
	family family
	syntax
	at     int
	tokens []token
	// here holds the ends of the heredocs that begin on this line.
	here []string
	// left is how many more characters may be looked at in search of the ends
	// of strings: what begins one and never ends is looked at again.
	left int
}

// tokenize reads a file in one pass.
func tokenize(src string, f family) []token {
	l := &lexer{src: src, family: f, syntax: syntaxes[f], left: 16*len(src) + 4096}
	if f == php {
		l.outside()
	}
	for l.at < len(src) {
		l.next()
	}
	pair(src, l.tokens)
	return l.tokens
}

func (l *lexer) next() {
	c := l.src[l.at]
	switch {
	case c == '\n':
		l.at++
		l.heredocs()
	case c <= ' ':
		l.at++
	case l.comment():
	case l.family == php && l.starts(l.at, "?>"):
		l.outside()
	case l.family == rust && c == '\'' && l.character():
	case l.left > 0 && l.literal():
	case isWord(c):
		begin := l.at
		for l.at < len(l.src) && isWord(l.src[l.at]) {
			l.at++
		}
		l.add(word, begin)
	default:
		begin := l.at
		l.at++
		for _, long := range marks {
			if l.starts(begin, long) {
				l.at = begin + len(long)
				break
			}
		}
		l.add(mark, begin)
	}
}

// outside skips what is not PHP.
func (l *lexer) outside() {
	i := strings.Index(l.src[l.at:], "<?")
	if i < 0 {
		l.at = len(l.src)
		return
	}
	l.at += i + 2
}

// character skips a character literal of Rust; what is none is a lifetime.
func (l *lexer) character() bool {
	at := l.at + 1
	if l.starts(at, `\`) {
		at++
	}
	_, size := utf8.DecodeRuneInString(l.src[min(at, len(l.src)):])
	if size == 0 || !l.starts(at+size, "'") {
		return false
	}
	l.at = at + size + 1
	return true
}

// marks are the marks of several characters, longer ones first.
var marks = []string{"===", "!==", "=>", "->", "::", "==", "!=", ":="}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= utf8.RuneSelf
}

func (l *lexer) add(k kind, begin int) {
	l.tokens = append(l.tokens, token{kind: k, begin: int32(begin), end: int32(l.at), up: -1, mate: -1})
}

func (l *lexer) starts(at int, s string) bool {
	return strings.HasPrefix(l.src[min(at, len(l.src)):], s)
}

// comment skips a comment, if one begins here.
func (l *lexer) comment() bool {
	for _, begin := range l.line {
		if !l.starts(l.at, begin) || begin == "#" && l.family == php && l.starts(l.at, "#[") {
			continue
		}
		if begin == "//" && l.family == document && l.at > 0 && l.src[l.at-1] == ':' {
			continue // a URL in YAML
		}
		l.skipLine()
		return true
	}
	if l.family == ruby && l.lineStart() && l.starts(l.at, "=begin") {
		if i := strings.Index(l.src[l.at:], "\n=end"); i >= 0 {
			l.at += i + 1
		} else {
			l.at = len(l.src)
		}
		l.skipLine()
		return true
	}
	if !l.block || !l.starts(l.at, "/*") {
		return false
	}
	depth := 0
	for l.at < len(l.src) {
		switch {
		case l.starts(l.at, "/*") && (l.nested || depth == 0):
			depth++
			l.at += 2
		case l.starts(l.at, "*/"):
			depth--
			l.at += 2
			if depth == 0 {
				return true
			}
		default:
			l.at++
		}
	}
	return true
}

func (l *lexer) lineStart() bool { return l.at == 0 || l.src[l.at-1] == '\n' }

func (l *lexer) skipLine() {
	if i := strings.IndexByte(l.src[l.at:], '\n'); i >= 0 {
		l.at += i
		return
	}
	l.at = len(l.src)
}

// literal reads a string, if one begins here.
func (l *lexer) literal() bool {
	begin, at := l.at, l.at
	if (l.family == ruby || l.family == php) && l.starts(at, "<<") && l.heredoc() {
		return true
	}
	if l.pattern && l.src[at] == '/' {
		return l.regexp()
	}
	// A prefix of a few letters and marks, as in rb"", @$"", #"".
	limit := min(at+6, len(l.src))
	for at < limit && strings.IndexByte(l.prefixes(), l.src[at]) >= 0 {
		at++
	}
	if at == len(l.src) || strings.IndexByte(l.quotes, l.src[at]) < 0 {
		return false
	}
	prefix := l.src[begin:at]
	if at > begin && begin > 0 && isWord(l.src[begin-1]) {
		return false
	}
	if l.family == document && l.src[at] == '\'' && begin > 0 && isWord(l.src[begin-1]) {
		return false // an apostrophe in YAML
	}
	end := l.closing(at, prefix, 0)
	if end < 0 {
		return false
	}
	l.at = end
	l.add(text, begin)
	return true
}

// prefixes are the characters that may stand before a quote.
func (l *lexer) prefixes() string {
	switch l.family {
	case python:
		return "rRbBuUfFtT"
	case rust:
		return "rbc#"
	case csharp:
		return "$@"
	case swift:
		return "#"
	}
	return ""
}

// maxInside bounds strings in expressions in strings.
const maxInside = 8

// closing returns where the string ends whose quote is at a place, -1 if that
// begins no string.
func (l *lexer) closing(at int, prefix string, depth int) int {
	quote := l.src[at]
	hashes := strings.Repeat("#", strings.Count(prefix, "#"))
	if three := strings.Repeat(string(quote), 3); strings.IndexByte(l.triple, quote) >= 0 && l.starts(at, three) {
		n := 3
		for l.family == csharp && at+n < len(l.src) && l.src[at+n] == quote {
			n++
		}
		return l.until(at+n, strings.Repeat(string(quote), n)+hashes, l.family != csharp)
	}
	switch {
	case l.family == rust && strings.ContainsAny(prefix, "r#") || l.family == swift && hashes != "":
		return l.until(at+1, string(quote)+hashes, false)
	case l.family == golang && quote == '`':
		return l.until(at+1, "`", false)
	case l.family == csharp && strings.Contains(prefix, "@"):
		return l.doubled(at+1, quote)
	}
	many := l.many || quote == '`'
	inside := l.inside
	if quote == '\'' || l.family == script && quote == '"' {
		inside = ""
	}
	for i := at + 1; i < len(l.src); i++ {
		if l.left--; l.left < 0 {
			return -1
		}
		switch c := l.src[i]; {
		case c == quote:
			return i + 1
		case inside != "" && l.starts(i, inside):
			if end := l.expression(i+len(inside), inside[len(inside)-1], many, depth+1); end > 0 {
				i = end - 1
			}
		case c == '\\':
			i++
		case c == '\n' && !many:
			return -1
		}
	}
	if many {
		return len(l.src)
	}
	return -1
}

// until returns the end of a string that ends with a text, the end of the file
// if that does not come.
func (l *lexer) until(at int, end string, escapes bool) int {
	for i := at; i < len(l.src); i++ {
		if l.left--; l.left < 0 {
			return -1
		}
		if escapes && l.src[i] == '\\' {
			i++
			continue
		}
		if l.starts(i, end) {
			return i + len(end)
		}
	}
	return len(l.src)
}

// doubled returns the end of a string in which quotes are doubled.
func (l *lexer) doubled(at int, quote byte) int {
	for i := at; i < len(l.src); i++ {
		if l.left--; l.left < 0 {
			return -1
		}
		if l.src[i] != quote {
			continue
		}
		if i+1 == len(l.src) || l.src[i+1] != quote {
			return i + 1
		}
		i++
	}
	return len(l.src)
}

// expression returns where an expression within a string ends, 0 if it does
// not.
func (l *lexer) expression(at int, open byte, many bool, depth int) int {
	if depth > maxInside {
		return 0
	}
	closer := byte('}')
	if open == '(' {
		closer = ')'
	}
	level := 1
	for i := at; i < len(l.src); i++ {
		if l.left--; l.left < 0 {
			return 0
		}
		switch c := l.src[i]; {
		case c == open:
			level++
		case c == closer:
			if level--; level == 0 {
				return i + 1
			}
		case c == '\n' && !many:
			return 0
		case strings.IndexByte(l.quotes, c) >= 0:
			if end := l.closing(i, "", depth); end > 0 {
				i = end - 1
			}
		}
	}
	return 0
}

// heredoc reads the beginning of a heredoc: its text follows on the next line.
func (l *lexer) heredoc() bool {
	at := l.at + 2
	if l.family == php {
		if !l.starts(at, "<") {
			return false
		}
		at++
		for at < len(l.src) && l.src[at] == ' ' {
			at++
		}
	}
	for at < len(l.src) && strings.IndexByte(`~-'"`, l.src[at]) >= 0 {
		at++
	}
	begin := at
	for at < len(l.src) && isWord(l.src[at]) {
		at++
	}
	if at == begin || l.src[begin] < 'A' || l.src[begin] > 'Z' && l.src[begin] != '_' {
		return false
	}
	if l.family == ruby && at-begin > 0 && l.at > 0 && isWord(l.src[l.at-1]) {
		return false // a shift
	}
	const most = 16
	if len(l.here) < most {
		l.here = append(l.here, l.src[begin:at])
	}
	for at < len(l.src) && (l.src[at] == '\'' || l.src[at] == '"') {
		at++
	}
	l.at = at
	return true
}

// heredocs skips the texts of the heredocs that began on the line before.
func (l *lexer) heredocs() {
	for _, end := range l.here {
		for l.at < len(l.src) {
			begin := l.at
			l.skipLine()
			line := strings.TrimLeft(l.src[begin:l.at], " \t")
			if rest, ok := strings.CutPrefix(line, end); ok && (rest == "" || !isWord(rest[0])) {
				l.at -= len(rest)
				break
			}
			l.at = min(l.at+1, len(l.src))
		}
	}
	l.here = nil
}

// regexp reads a regular expression, if that is what a slash begins here.
func (l *lexer) regexp() bool {
	if n := len(l.tokens); n > 0 {
		last := l.tokens[n-1]
		before := l.src[last.begin:last.end]
		switch last.kind {
		case text:
			return false
		case word:
			if !operators[before] {
				return false
			}
		case mark:
			if c := before[0]; c == ')' || c == ']' || c == '}' {
				return false
			}
		}
	}
	class := false
	for i := l.at + 1; i < len(l.src) && l.src[i] != '\n'; i++ {
		if l.left--; l.left < 0 {
			return false
		}
		switch c := l.src[i]; {
		case c == '\\':
			i++
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			l.at = i + 1
			return true
		}
	}
	return false
}

// operators are the words after which a slash begins a regular expression.
var operators = map[string]bool{"return": true, "typeof": true, "case": true, "in": true, "of": true, "if": true, "unless": true, "when": true, "and": true, "or": true, "not": true, "do": true, "then": true}

// pair finds the brackets that belong together. One without a partner is left
// alone.
func pair(src string, tokens []token) {
	var open []int32
	for i := range tokens {
		t := &tokens[i]
		if n := len(open); n > 0 {
			t.up = open[n-1]
		}
		if t.kind != mark || t.end-t.begin != 1 {
			continue
		}
		switch c := src[t.begin]; c {
		case '(', '[', '{':
			open = append(open, int32(i))
		case ')', ']', '}':
			for n := len(open) - 1; n >= max(0, len(open)-64); n-- {
				if partner(src[tokens[open[n]].begin]) != c {
					continue
				}
				t.mate, tokens[open[n]].mate = open[n], int32(i)
				t.up = tokens[open[n]].up
				open = open[:n]
				break
			}
		}
	}
}

func partner(c byte) byte {
	switch c {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}
