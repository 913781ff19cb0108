package source

import "strings"

// annotation is what stands in front of a declaration: @tool(…), #[tool],
// [McpServerTool].
type annotation struct {
	parts []string
	// open is the bracket of its arguments, -1 for none.
	open int
}

// declaration judges a word as the name of a function or class that is one of
// the kind by what stands in front of it, or what it extends.
func (t *tree) declaration(i int, kind string) site {
	s := site{tree: t, at: i}
	if t.is(i-1, "class") {
		return t.derived(i, kind)
	}
	if t.params(i) < 0 || t.file.family == python && !t.is(i-1, "def") {
		return s
	}
	for _, a := range t.annotations(i) {
		if !registers(kind, a.parts) {
			continue
		}
		if t.explicit(a, kind) {
			return s
		}
		s.score, s.scopes = scoreCall, t.function(i)
		if a.open >= 0 {
			s.scopes = append(s.scopes, span{a.open, t.end(a.open)})
		}
		return s
	}
	return s
}

// derived judges the name of a class from which the SDK makes the name.
func (t *tree) derived(i int, kind string) site {
	s := site{tree: t, at: i}
	if t.file.family != ruby && t.file.family != php {
		return s
	}
	var c class
	if t.file.family == ruby {
		for j := i; j < len(t.tokens); j++ {
			if t.line(j) > t.line(i) {
				c = t.indented(j)
				break
			}
		}
	} else {
		for j := i; j < min(i+40, len(t.tokens)); j++ {
			if t.is(j, "{") {
				c, _ = t.header(j)
				break
			}
		}
	}
	base := len(c.header) > 1 && c.begin == i-1 && c.of(kind)
	if !base || c.members["toolname"] || c.members["promptname"] || t.file.family == php && c.members["name"] {
		return s
	}
	s.score, s.scopes = scoreBuilt, []span{c.body}
	return s
}

// explicit reports whether an annotation says the name itself.
func (t *tree) explicit(a annotation, kind string) bool {
	if a.open < 0 {
		return false
	}
	if t.names(a.open, kind) {
		return true
	}
	switch t.file.family {
	case python, script, php:
		first := a.open + 1
		return t.kind(first) == text && t.is(first+1, ",", ")")
	}
	return false
}

// params is the bracket of the parameters after the name of a function, -1 for
// none.
func (t *tree) params(i int) int {
	j := i + 1
	if t.is(j, "<", "[") {
		const most = 40
		for depth, n := 0, 0; n < most && j < len(t.tokens); n, j = n+1, j+1 {
			if t.is(j, "<", "[") {
				depth++
			}
			if t.is(j, ">", "]") {
				if depth--; depth == 0 {
					j++
					break
				}
			}
		}
	}
	if !t.is(j, "(") {
		return -1
	}
	return j
}

// function are the parameters of a function, or the body of a class.
func (t *tree) function(i int) []span {
	if open := t.params(i); open >= 0 {
		return []span{{open, t.end(open)}}
	}
	for j := i; j < min(i+40, len(t.tokens)); j++ {
		if t.is(j, "{") {
			return []span{{j, t.end(j)}}
		}
	}
	return nil
}

// annotations are those in front of the declaration of a name.
func (t *tree) annotations(i int) []annotation {
	var list []annotation
	const most = 200
	for j, n := i-1, 0; j >= 0 && n < most; n++ {
		switch {
		case t.is(j, ")"):
			open := t.mate(j)
			parts, begin := t.chain(open)
			switch {
			case open >= 0 && t.is(begin-1, "@"):
				list = append(list, annotation{parts, open})
				j = begin - 2
			case t.is(open-1, "pub"):
				j = open - 1
			default:
				return list
			}
		case t.is(j, "]"):
			open := t.mate(j)
			switch {
			case t.is(open-1, "#"):
				list = append(list, t.listed(open)...)
				j = open - 2
			case open >= 0 && t.file.family == csharp && open+1 < j:
				list = append(list, t.listed(open)...)
				j = open - 1
			case open >= 0 && open+1 == j: // an array
				j = open - 1
			default:
				return list
			}
		case t.is(j, ">"):
			if k := t.back(j); k != j {
				j = k
			} else {
				j--
			}
		case t.kind(j) == word:
			parts, begin := t.chain(j + 1)
			if t.is(begin-1, "@") {
				list = append(list, annotation{parts, -1})
				j = begin - 2
			} else {
				j = min(begin, j) - 1
			}
		case t.is(j, "?", "&", "*"):
			j--
		default:
			return list
		}
	}
	return list
}

// listed are the attributes within a bracket.
func (t *tree) listed(open int) []annotation {
	var list []annotation
	for j := open + 1; j < t.end(open); j++ {
		switch {
		case t.mate(j) > j:
			j = t.mate(j)
		case t.kind(j) == word && t.is(j+1, "("):
			parts, _ := t.chain(j + 1)
			list = append(list, annotation{parts, j + 1})
		case t.kind(j) == word && t.is(j+1, ",", "]"):
			parts, _ := t.chain(j + 1)
			list = append(list, annotation{parts, -1})
		}
	}
	return list
}

// declared returns the name of what an annotation stands in front of whose
// arguments are in a bracket, -1 if it is none.
func (t *tree) declared(open int, kind string) int {
	_, begin := t.chain(open)
	end := t.end(open)
	switch up := t.up(open); {
	case t.is(begin-1, "@"):
	case t.is(up, "[") && t.is(begin-1, "[", ",") && (t.is(up-1, "#") || t.file.family == csharp):
		end = t.end(up)
	default:
		return -1
	}
	const most = 80
	for j, n := end+1, 0; j < len(t.tokens) && n < most; j, n = j+1, n+1 {
		switch {
		case t.is(j, "@"):
			for j+1 < len(t.tokens) && (t.kind(j+1) == word || t.is(j+1, ".")) {
				j++
			}
			if t.is(j+1, "(") {
				j = t.end(j + 1)
			}
		case t.is(j, "#") && t.is(j+1, "["):
			j = t.end(j + 1)
		case t.is(j, "[") && t.file.family == csharp:
			j = t.end(j)
		case t.is(j, "pub") && t.is(j+1, "("):
			j = t.end(j + 1)
		case t.is(j, "def", "fn", "fun", "function", "func", "class", "struct") && t.kind(j+1) == word:
			return j + 1
		case t.kind(j) == word && t.is(j+1, "("):
			return j
		case t.is(j, ";", "}", "{", "="):
			return -1
		}
	}
	return -1
}

// respelling are the languages whose SDKs make names from those of functions
// and classes.
var respelling = map[family]bool{csharp: true, ruby: true, php: true}

// spelled reports whether an SDK makes the name from that of a function or
// class.
func spelled(f family, word, name string) bool {
	switch {
	case word == name:
		return true
	case f == csharp || f == ruby:
		return snake(word) == name || f == csharp && snake(strings.TrimSuffix(word, "Async")) == name
	case f == php:
		return strings.ReplaceAll(snake(word), "_", "-") == name
	}
	return false
}
