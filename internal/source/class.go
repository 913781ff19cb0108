package source

import "slices"

// class is a class, a type with methods or an implementation of an interface.
type class struct {
	// begin is the keyword, -1 for none.
	begin int
	// header are the words between the keyword and the body: its name and
	// those of what it extends.
	header  []string
	body    span
	members map[string]bool
	// direct: what was asked for stands in it, not in one of its methods.
	direct bool
}

// of reports whether it is about the kind by its name or that of a base.
func (c class) of(kind string) bool {
	return slices.ContainsFunc(c.header, func(w string) bool { return about(kind, w) })
}

var classWords = set("class", "struct", "object", "impl", "record", "extension", "trait", "actor")

// class returns the class around a token.
func (t *tree) class(i int) class {
	if t.file.family == python || t.file.family == ruby {
		return t.indented(i)
	}
	none := class{begin: -1}
	const levels = 6
	open := t.up(i)
	for level := range levels {
		if open < 0 {
			return none
		}
		if t.is(open, "{") {
			if c, ok := t.header(open); ok {
				c.direct = level == 0
				return c
			}
		}
		open = t.up(open)
	}
	return none
}

// header reads what stands in front of the body of a class.
func (t *tree) header(open int) (class, bool) {
	const most = 60
	c := class{body: span{open, t.end(open)}}
	for j := open - 1; j >= 0 && open-j < most; j-- {
		if t.is(j, ")", "]") && t.mate(j) >= 0 {
			j = t.mate(j)
			continue
		}
		if t.is(j, ";", "{", "}", "=>") {
			break
		}
		if t.kind(j) != word {
			continue
		}
		if classWords[t.raw(j)] && !t.is(j-1, ".") {
			c.begin, c.members = j, t.membersIn(c.body, open)
			return c, true
		}
		c.header = append(c.header, t.raw(j))
	}
	return c, false
}

// membersIn are the words directly in a body.
func (t *tree) membersIn(body span, up int) map[string]bool {
	members := map[string]bool{}
	for j := body.begin; j < body.end; j++ {
		if t.kind(j) == word && t.up(j) == up {
			members[plain(t.raw(j))] = true
		}
	}
	return members
}

// indented returns the class around a token of a language with indentation,
// or with end in the place of it.
func (t *tree) indented(i int) class {
	const most = 8000
	limit, direct := t.indent(i), true
	for j := i; j >= 0 && i-j < most; j-- {
		if !t.first(j) || t.indent(j) >= limit {
			continue
		}
		limit = t.indent(j)
		switch {
		case t.is(j, "class"):
			c := class{begin: j, direct: direct, body: span{j, t.dedent(j)}}
			for k := j + 1; k < len(t.tokens) && t.line(k) == t.line(j); k++ {
				if t.kind(k) == word {
					c.header = append(c.header, t.raw(k))
				}
			}
			c.members = map[string]bool{}
			for k := j + len(c.header); k < c.body.end; k++ {
				if t.kind(k) == word && (t.first(k) || t.is(k-1, "def")) {
					c.members[plain(t.raw(k))] = true
				}
			}
			return c
		case t.is(j, "def", "async"):
			direct = false
		}
	}
	return class{begin: -1}
}

// dedent is where the block of a line ends.
func (t *tree) dedent(i int) int {
	limit := t.indent(i)
	for j := i + 1; j < len(t.tokens); j++ {
		if t.first(j) && t.indent(j) <= limit && !t.is(j, ")", "]", "}") {
			return j
		}
	}
	return len(t.tokens)
}
