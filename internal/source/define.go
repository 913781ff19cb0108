package source

// How telling a place is. What stands apart by clear is clearly better.
const (
	scoreCall     = 100 // a call, type or annotation that registers one
	scoreBuilt    = 95  // a builder or a class made for one
	scoreObject   = 85  // an object with all that one has
	scoreLikely   = 75  // an object with most of it
	scoreListed   = 60  // an object in a list of them
	scoreDefined  = 50  // from here on it is a definition
	scoreTail     = 40  // a name of which only the end is written there
	scoreConstant = 30
	scoreDispatch = 20

	clear = 10
)

// site is a place where a name stands.
type site struct {
	tree  *tree
	at    int
	score int
	// scopes are the parts of the file that belong to what the name stands
	// for, the narrowest first.
	scopes []span
}

// span is a range of tokens, without its end.
type span struct{ begin, end int }

// literal judges a string, or a constant in its place, as the name of one of
// the kind.
func (t *tree) literal(i int, kind string) site {
	s := site{tree: t, at: i}
	if k := t.keyOf(i); k >= 0 {
		if s = t.named(i, k, kind); s.score > 0 {
			return s
		}
	}
	if s = t.argument(i, kind); s.score > 0 {
		return s
	}
	if t.is(i+1, ":", "=>") && !t.is(i-1, "?", "case") {
		if s = t.keyed(i, kind); s.score > 0 {
			return s
		}
	}
	if s = t.returned(i, kind); s.score > 0 {
		return s
	}
	return t.mention(i)
}

// named judges the value of a key.
func (t *tree) named(i, key int, kind string) site {
	s := site{tree: t, at: i}
	if !nameKeys[kind][plain(t.value(key))] {
		return s
	}
	open := t.up(i)
	switch {
	case open >= 0 && t.is(open, "("):
		parts, begin := t.chain(open)
		if !registers(kind, parts) {
			if len(parts) > 0 && parents[parts[0]] {
				return t.member(i, open-1, kind)
			}
			return s
		}
		s.score, s.scopes = scoreCall, []span{{begin, t.end(open)}}
		if k := t.declared(open, kind); k >= 0 { // an annotation of a function
			s.scopes = append(s.scopes, t.function(k)...)
		}
		s.scopes = append(s.scopes, t.around(begin)...)
		return s
	case open >= 0 && t.is(open, "{", "["):
		if s = t.object(i, open, kind); s.score > 0 {
			return s
		}
	}
	return t.member(i, key, kind)
}

// parents are the names of what a constructor calls of its base.
var parents = set("super", "__init__", "init")

// object judges a name in an object or a list of keys and values.
func (t *tree) object(i, open int, kind string) site {
	s := site{tree: t, at: i, scopes: append([]span{{open, t.end(open)}}, t.around(open)...)}
	if parts, _ := t.chain(open); t.is(open, "{") && registers(kind, parts) {
		s.score = scoreCall // Tool{Name: "x"}
		return s
	}
	if up := t.up(open); t.is(up, "(") && !t.is(open-1, "=>") {
		if t.is(open-1, ")") && t.is(t.mate(open-1)-1, "new") {
			return site{}
		}
		if parts, _ := t.chain(up); registers(kind, parts) {
			s.score = scoreCall // addTool({name: "x"})
			if k := t.declared(up, kind); k >= 0 {
				s.scopes = append(s.scopes, t.function(k)...)
			}
			return s
		}
	}
	if t.is(open-1, "(", ")") && t.is(open, "{") {
		inner := open - 1 // new Tool() { Name = "x" }
		if t.is(inner, ")") {
			if parts, _ := t.chain(t.mate(inner)); registers(kind, parts) {
				s.score = scoreCall
				return s
			}
		}
	}
	if kind == kindServer {
		return site{}
	}
	keys, label := t.keys(open), t.label(open)
	s.score = fits(keys, label, kind)
	if s.score == 0 && t.typed(open, kind) {
		s.score = scoreObject
	}
	return s
}

// fits says how much an object has of what one of the kind has. label names
// what holds it.
func fits(keys map[string]bool, label, kind string) int {
	in := plain(label)
	inList := holds(kind, label)
	if parts[in] || keys["required"] && !anyOf(keys, schemas) {
		return 0
	}
	described := anyOf(keys, describing)
	switch kind {
	case kindTool:
		other := keys["arguments"] || about(kindPrompt, label) || about(kindResource, label)
		switch {
		case other && !anyOf(keys, schemas) && !inList:
			return 0
		case anyOf(keys, schemas) && (described || anyOf(keys, handlers)):
			return scoreObject
		case described && anyOf(keys, handlers):
			return scoreObject - 5
		case inList && described:
			return scoreLikely
		case inList:
			return scoreListed
		}
	case kindPrompt:
		toolLike := keys["inputschema"] || keys["parameters"] || about(kindTool, label)
		switch {
		case inList && (described || anyOf(keys, prompts)):
			return scoreObject
		case toolLike:
			return 0
		case described && anyOf(keys, prompts):
			return scoreObject - 5
		case inList:
			return scoreListed
		}
	case kindResource:
		switch {
		case in == "contents" || keys["text"] || keys["blob"]:
			return 0
		case inList || keys["name"] && (keys["mimetype"] || described):
			return scoreObject
		case described || keys["name"] && anyOf(keys, handlers):
			return scoreLikely
		}
	}
	return 0
}

// label names what holds an object: the key or the variable that it, or the
// list that it is in, belongs to, or the list that it is appended to.
func (t *tree) label(open int) string {
	for range 3 {
		if k := t.keyOf(open); k >= 0 {
			return t.value(k)
		}
		if t.is(open-1, "return") {
			return t.functionName(open - 1)
		}
		// { … } of a typed list, as in []Tool{{Name: "x"}}.
		if parts, begin := t.chain(open); t.is(open, "{") && len(parts) > 0 && begin < open {
			if parts[0] == "return" {
				return ""
			}
			return parts[0]
		}
		up := t.up(open)
		if up < 0 || t.is(up, "{") && !t.is(up-1, "]", "}") && t.kind(up-1) != word && !t.is(up-1, "=", ":") {
			return ""
		}
		if t.is(up, "(") {
			p, _ := t.chain(up)
			if len(p) > 1 && set("push", "append", "add", "insert", "set", "unshift")[p[0]] {
				return p[1]
			}
			if len(p) > 0 && p[0] != "map" && p[0] != "of" && p[0] != "listOf" {
				return ""
			}
		}
		open = up
	}
	return ""
}

// functionName is the name of the function whose body a token is directly in.
func (t *tree) functionName(i int) string {
	body := t.up(i)
	if body < 0 {
		return ""
	}
	for j := body - 1; j >= 0 && body-j < 40; j-- {
		if t.is(j, ")") && t.mate(j) > 0 {
			j = t.mate(j)
			if t.kind(j-1) == word {
				return t.raw(j - 1)
			}
			continue
		}
		if t.is(j, ";", "{", "}") {
			break
		}
	}
	return ""
}

// typed reports whether the variable that holds an object is declared to be
// one of the kind, or the object is cast to it.
func (t *tree) typed(open int, kind string) bool {
	if k := t.keyOf(open); k >= 0 && t.is(open-1, "=") {
		for j := k + 1; j < open-1; j++ {
			if t.kind(j) == word && registers(kind, []string{t.raw(j)}) {
				return true
			}
		}
	}
	end := t.end(open)
	return t.is(end+1, "satisfies", "as") && registers(kind, []string{t.raw(end + 2)})
}

// argument judges a string as an argument of a call.
func (t *tree) argument(i int, kind string) site {
	s := site{tree: t, at: i}
	open := t.up(i)
	if open < 0 || !t.is(open, "(") {
		if t.is(open, "[") && t.is(i-1, "[", ",") {
			return s
		}
		return t.directive(i, kind)
	}
	if t.is(i+1, ":", "=>", "=") || t.keyOf(i) >= 0 {
		return s
	}
	parts, begin := t.chain(open)
	if len(parts) > 0 && fluents[parts[0]] && t.is(open-2, ".", "::", "->") {
		return t.fluent(i, open, kind)
	}
	if len(parts) > 0 && parents[parts[0]] && t.leads(i) {
		return t.member(i, open-1, kind)
	}
	if !registers(kind, parts) {
		return s
	}
	if t.is(begin-1, "@") && (t.file.family == java || t.file.family == kotlin) {
		return s // the text of an annotation describes
	}
	if kind != kindResource && !t.leads(i) || kind == kindResource && !isURI(t.value(i)) && t.kind(i) == text {
		return s
	}
	s.score, s.scopes = scoreCall, []span{{begin, t.end(open)}}
	if k := t.declared(open, kind); k >= 0 {
		s.scopes = append(s.scopes, t.function(k)...)
	}
	s.scopes = append(s.scopes, t.around(begin)...)
	return s
}

// fluents are the calls that give a name within a chain of calls.
var fluents = set("name", "setName", "withName", "Name", "WithName", "with_name")

func isURI(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == ':' {
			return i > 0
		}
		if !isWord(s[i]) && s[i] != '+' && s[i] != '.' && s[i] != '-' {
			return false
		}
	}
	return false
}

// leads reports whether no string stands before a token directly in the same
// bracket.
func (t *tree) leads(i int) bool {
	for j := t.up(i) + 1; j < i; j++ {
		if m := t.mate(j); m > j {
			j = m
		} else if t.kind(j) == text && !t.is(j+1, ":", "=>") {
			return false
		}
	}
	return true
}

// directive judges what follows a word without brackets: tool_name "x".
func (t *tree) directive(i int, kind string) site {
	s := site{tree: t, at: i}
	if t.file.family != ruby || t.kind(i-1) != word || t.line(i-1) != t.line(i) || !nameKeys[kind][plain(t.raw(i-1))] {
		return s
	}
	if c := t.class(i); c.begin >= 0 && (c.of(kind) || plain(t.raw(i-1)) != "name") {
		s.score, s.scopes = scoreBuilt, []span{c.body}
	}
	return s
}

// fluent judges the argument of name() in a chain of calls.
func (t *tree) fluent(i, open int, kind string) site {
	s := site{tree: t, at: i}
	j := open - 2 // the mark before name
	for range 40 {
		j--
		for t.is(j, ")") && t.mate(j) > 0 {
			j = t.mate(j) - 1
		}
		if t.kind(j) != word {
			return s
		}
		if t.is(j, "new") {
			return s
		}
		if registers(kind, []string{t.raw(j)}) {
			s.score, s.scopes = scoreBuilt, append([]span{{j, t.statement(i)}}, t.around(j)...)
			return s
		}
		if j--; !t.is(j, ".", "::", "->") {
			return s
		}
	}
	return s
}

// statement is where the statement of a token ends.
func (t *tree) statement(i int) int {
	end := len(t.tokens)
	if up := t.up(i); up >= 0 {
		if i = up; t.end(up) < end {
			i = t.end(up)
		}
	}
	for j := i; j < end; j++ {
		if m := t.mate(j); m > j {
			j = m
			continue
		}
		if t.is(j, ";", "}", ")", ",") && j > i {
			return j
		}
	}
	return end
}

// keyed judges the key of an object: { x: { description, … } }.
func (t *tree) keyed(i int, kind string) site {
	s := site{tree: t, at: i}
	value, open := i+2, t.up(i)
	if !t.is(open, "{", "[") || kind == kindServer || kind == kindResource {
		return s
	}
	label := t.label(open)
	for t.is(value, "&", "new", "await") {
		value++
	}
	switch {
	case t.is(value, "{", "["):
		keys := t.keys(value)
		s.score = fits(keys, label, kind)
		if !anyOf(keys, describing) && s.score < scoreObject || keys["name"] {
			s.score = 0
		}
		s.scopes = []span{{value, t.end(value)}}
	case t.kind(value) == word:
		for j := value; j < value+8 && j < len(t.tokens); j++ {
			if t.is(j, "(", "{") {
				if parts, _ := t.chain(j); registers(kind, parts) && !t.names(j, kind) {
					s.score, s.scopes = scoreBuilt, []span{{value, t.end(j)}}
				}
				break
			}
			if t.is(j, ",", ";", "}") {
				break
			}
		}
	}
	return s
}

// names reports whether a bracket, or an object in it, says a name itself.
func (t *tree) names(open int, kind string) bool {
	for j := open + 1; j < t.end(open); j++ {
		if t.is(j, "{") && t.keys(j)["name"] {
			return true
		}
		if m := t.mate(j); m > j {
			j = m
			continue
		}
		if t.kind(j) != mark && nameKeys[kind][plain(t.value(j))] && t.is(j+1, ":", "=", "=>") {
			return true
		}
	}
	return false
}

// member judges a name that a member of a class has.
func (t *tree) member(i, key int, kind string) site {
	s := site{tree: t, at: i}
	if kind == kindServer {
		return s
	}
	c := t.class(key)
	if c.begin < 0 || !c.direct && !t.is(key-1, ".") && !parents[t.raw(key)] {
		return s
	}
	s.scopes = []span{c.body}
	switch keys := c.members; {
	case c.of(kind):
		s.score = scoreBuilt
	case anyOf(keys, describing) && (anyOf(keys, schemas) || anyOf(keys, handlers)) && kind == kindTool && !keys["arguments"]:
		s.score = scoreLikely
	}
	return s
}

// returned judges what a method Name returns.
func (t *tree) returned(i int, kind string) site {
	s := site{tree: t, at: i}
	j := i - 1
	if t.is(j, "return") {
		j--
	}
	if t.is(j, "{", "=>", ":", "=") {
		j--
	}
	const most = 12
	for n := 0; n < most && j > 0; n, j = n+1, j-1 {
		if t.is(j, ")") && t.mate(j) > 0 {
			k := t.mate(j) - 1
			if !set("name", "getname", "toolname", "gettoolname", "promptname", "uri")[plain(t.raw(k))] || kind == kindServer {
				return s
			}
			if t.file.family == golang && t.is(k-1, ")") && t.mate(k-1) > 0 {
				return t.method(i, t.mate(k-1), kind)
			}
			return t.member(i, k, kind)
		}
		if t.is(j, ";", "{", "}", ",", "(") {
			return s
		}
	}
	return s
}

// method judges what a method of Go returns whose receiver is in the bracket.
func (t *tree) method(i, receiver int, kind string) site {
	s := site{tree: t, at: i}
	name := t.raw(t.mate(receiver) - 1)
	if about(kind, name) {
		s.score = scoreLikely
	}
	s.scopes = t.methodsOf(name)
	return s
}

// methodsOf are the methods of a type of Go.
func (t *tree) methodsOf(name string) []span {
	var list []span
	for j := 0; j+4 < len(t.tokens); j++ {
		if t.is(j, "func") && t.is(j+1, "(") && t.mate(j+1) > 0 && t.is(t.mate(j+1)-1, name) {
			list = append(list, span{j, t.statementEnd(j)})
		}
	}
	return list
}

// statementEnd is the end of the first body after a token.
func (t *tree) statementEnd(i int) int {
	for j := i; j < len(t.tokens); j++ {
		if t.is(j, "{") && t.mate(j) > j {
			return t.mate(j)
		}
		if m := t.mate(j); m > j {
			j = m
		}
	}
	return len(t.tokens)
}

// mention judges a name that nothing defines there.
func (t *tree) mention(i int) site {
	s := site{tree: t, at: i, scopes: nil}
	switch k := t.keyOf(i); {
	case t.file.family == document && (k < 0 || t.line(k) < t.line(i)):
	case t.is(i-1, "case", "when", "==", "===") || t.is(i+1, "==", "==="):
		s.score = scoreDispatch
	case k >= 0 && plain(t.raw(k)) == "operationid":
		s.score = scoreConstant
	case k >= 0 && t.is(i-1, "=", ":") && t.constant(k):
		s.score = scoreConstant
	case t.is(i+1, "=>") || t.is(i+1, ":") && t.is(t.up(i), "{") && t.kind(i+2) == word:
		s.score = scoreDispatch
	}
	return s
}

// constant reports whether a key looks like that of a constant.
func (t *tree) constant(k int) bool {
	if t.kind(k) != word || len(t.raw(k)) < 3 || t.is(k-1, ".") {
		return false
	}
	return !everyday[plain(t.raw(k))] || valueWords[t.raw(k-1)] || t.first(k) && t.is(k+1, "=", ":=")
}

// everyday are names of variables that may be anything in another file.
var everyday = set("name", "type", "title", "label", "default", "value", "const", "text", "description", "key", "id", "method", "action", "command", "kind", "toolname")

// around is the call that a value is an argument of, if there is one.
func (t *tree) around(i int) []span {
	up := t.up(i)
	if up < 0 || !t.is(up, "(") {
		return nil
	}
	_, begin := t.chain(up)
	return []span{{begin, t.end(up)}}
}
