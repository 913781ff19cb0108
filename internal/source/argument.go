package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/rawjson"
)

// field is a place where an argument may be declared.
type field struct {
	site
	depth int
	// value is what belongs to it.
	value span
}

var (
	// readers are calls that take the name of an argument to read it.
	readers = set("get", "has", "opt", "contains", "containsKey", "includes", "getString", "getInt", "getBoolean", "getArgument", "require", "requireString", "RequireString", "RequireInt", "GetString", "GetInt", "GetBool", "GetFloat", "pop", "log", "info", "error", "warn", "debug", "println", "Errorf", "Sprintf", "print", "fetch", "getOrDefault", "RequireFloat", "RequireBool", "GetArguments", "delete", "endsWith", "startsWith", "equals", "Error", "raise", "test", "match", "replace", "split", "join")
	// naming are keys whose value is the name of an argument.
	naming = set("name", "rename", "alias", "value", "jsonproperty", "key", "argumentname", "param", "field")
	// declaring are the words of Ruby in front of the name of an argument.
	declaring = set("argument", "property", "required", "optional", "param", "parameter", "requires", "attribute", "string", "integer", "boolean", "number")
	// outward are containers of what does not go into a tool.
	outward = []string{"output", "annotation", "result", "response", "returns", "meta", "example", "default"}
	// schematic are the words in the names of what declares arguments.
	schematic = set("schema", "schemas", "args", "arguments", "argument", "params", "param", "parameters", "input", "inputs", "request", "options", "query", "shape", "fields", "props", "payload", "properties", "dto", "model", "type")
)

// argument returns where an argument of what a site defines is declared.
func (x *index) argument(s site, kind, pointer string) (site, bool) {
	var names []string
	for _, name := range rawjson.Tokens(pointer) {
		if strings.Trim(name, "0123456789") != "" {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return site{}, false
	}
	found, ok := x.field(scopes(s.tree, s.scopes, false), s, kind, names[0])
	if !ok {
		return site{}, false
	}
	for _, name := range names[1:] {
		inner, ok := x.field(scopes(found.tree, []span{found.value}, true), found.site, kind, name)
		if !ok {
			break
		}
		found = inner
	}
	return found.site, true
}

// region is a part of a file in which arguments may be declared.
type region struct {
	tree *tree
	span
	// whole: it was referred to, so that all of its members count.
	whole bool
	// types: the types in it are those of arguments.
	types bool
}

func scopes(t *tree, spans []span, types bool) []region {
	var list []region
	for _, one := range spans {
		list = append(list, region{tree: t, span: one, types: types || t.is(one.begin, "(")})
	}
	return list
}

// field looks for a name in some regions, then in what they refer to.
func (x *index) field(queue []region, s site, kind, name string) (field, bool) {
	const most = 60
	seen := map[string]bool{}
	for n := 0; n < len(queue) && n < most; n++ {
		r := queue[n]
		if f, ok := r.tree.best(r, s, name); ok {
			return f, true
		}
		for _, ref := range r.tree.references(r, s, kind) {
			if !seen[ref.name] {
				seen[ref.name] = true
				queue = append(queue, x.resolve(r.tree, ref)...)
			}
		}
	}
	return field{}, false
}

// best is the best declaration of a name within a region.
func (t *tree) best(r region, s site, name string) (field, bool) {
	var list []field
	for i := r.begin; i < r.end; i++ {
		if t.kind(i) == mark || t == s.tree && i == s.at || r.whole && i == r.begin {
			continue
		}
		score, at := t.declares(i, r, name)
		if score == 0 {
			continue
		}
		f := field{site: site{tree: t, at: at}, value: t.valueOf(i)}
		bonus, depth, ok := t.inside(i, r, s)
		if !ok {
			continue
		}
		f.score, f.depth = score+bonus, depth
		list = append(list, f)
	}
	if len(list) == 0 {
		return field{}, false
	}
	return slices.MinFunc(list, func(a, b field) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.depth, b.depth), cmp.Compare(a.at, b.at))
	}), true
}

// declares says how much a token looks like the declaration of an argument,
// and where that is to be shown.
func (t *tree) declares(i int, r region, name string) (score, at int) {
	if t.kind(i) == text {
		if t.file.family == golang && t.raw(i)[0] == '`' {
			tag := t.value(i)
			if strings.Contains(tag, `json:"`+name+`"`) || strings.Contains(tag, `json:"`+name+`,`) {
				for i > 0 && !t.first(i) {
					i--
				}
				return 5, i
			}
			return 0, 0
		}
		if t.value(i) != name {
			return 0, 0
		}
	} else if w := t.raw(i); w != name {
		alike := t.file.family == rust || t.file.family == csharp || t.file.family == kotlin || t.file.family == golang
		if !alike || !r.whole || plain(w) != plain(name) {
			return 0, 0
		}
	}
	next := i + 1
	if t.is(next, "?", "!") {
		next++
	}
	if t.is(next, ":", "=>") && !t.is(i-1, "?", ".", "case") {
		return 4, i
	}
	if t.kind(i) == text {
		return t.namedField(i), i
	}
	if t.file.family == ruby && t.is(i-1, ":") && (t.is(i-2, "(") || declaring[t.raw(i-2)]) {
		return 4, i
	}
	typed := t.kind(i-1) == word && !t.is(i-1, "return", "await", "new", "await", "in", "not", "or", "and") || t.is(i-1, ">", "]", "?", "&", "*", "$")
	direct := t.is(r.begin, "(") && t.up(i) == r.begin
	switch {
	case direct && t.is(next, ",", ")", "=") && (typed || t.file.family == python && t.is(i-1, "(", ",")):
		return 5, i
	case r.whole && typed && t.is(next, ",", ")", "=", ";", "{"):
		return 3, i
	case r.whole && t.file.family == golang && t.first(i) && t.kind(next) == word:
		return 2, i
	}
	return 0, 0
}

// namedField judges a string as the name of an argument.
func (t *tree) namedField(i int) int {
	if k := t.keyOf(i); k >= 0 {
		if naming[plain(t.value(k))] {
			return 3
		}
		return 0
	}
	open := t.up(i)
	if !t.is(open, "(") || !t.leads(i) {
		return 0
	}
	if parts, _ := t.chain(open); len(parts) == 0 || readers[parts[0]] {
		return 0
	}
	return 3
}

// inside judges where in a region a declaration stands: within what goes into
// a tool it is worth more, within a body or an output nothing.
func (t *tree) inside(i int, r region, s site) (bonus, depth int, ok bool) {
	own := t == s.tree && s.kindOfObject() && t.up(i) == t.up(s.at)
	if own && t.up(i) >= 0 {
		// A key of the tool, such as its description, or a field of its type.
		key := plain(t.value(i))
		if _, isClass := t.header(t.up(i)); !isClass || nameKeys[kindTool][key] || describing[key] || schemas[key] || handlers[key] {
			return 0, 0, false
		}
	}
	for open := t.up(i); open >= r.begin; open = t.up(open) {
		depth++
		if t.is(open, "{") && t.body(open) {
			name := plain(t.functionName(open + 1))
			if !strings.Contains(name, "schema") && !strings.Contains(name, "param") {
				return 0, 0, false
			}
			bonus = max(bonus, 3)
		}
		label := ""
		if k := t.keyOf(open); k >= 0 {
			label = plain(t.value(k))
		} else if parts, begin := t.chain(open); len(parts) > 0 {
			label = plain(parts[0])
			if k := t.keyOf(begin); k >= 0 {
				label += " " + plain(t.value(k))
			}
		}
		if leadsOut(label) {
			return 0, 0, false
		}
		switch {
		case label == "properties":
			bonus = max(bonus, 4)
		case schemas[label] || parts[label]:
			bonus = max(bonus, 3)
		case strings.Contains(label, "schema") || strings.Contains(label, "param") || strings.Contains(label, "arg") || strings.Contains(label, "object") || strings.Contains(label, "prop"):
			bonus = max(bonus, 2)
		}
	}
	return bonus, depth, true
}

// leadsOut reports whether a label is that of what does not go into a tool.
func leadsOut(label string) bool {
	return slices.ContainsFunc(outward, func(w string) bool { return strings.Contains(label, w) }) &&
		!strings.Contains(label, "input") && !strings.Contains(label, "param") && !strings.Contains(label, "args")
}

// kindOfObject reports whether a site is the value of a key, among other keys.
func (s site) kindOfObject() bool { return s.tree.keyOf(s.at) >= 0 }

// body reports whether a brace begins the body of a function.
func (t *tree) body(open int) bool {
	switch t.file.family {
	case kotlin, swift, ruby, python, document:
		return false
	}
	if t.is(open-1, "=>") || t.is(open-1, "(") && t.is(open-2, "=>") {
		return true
	}
	if t.is(open-1, ")") && !t.is(t.mate(open-1)-2, "new", "record", "class") && !t.is(t.mate(open-1)-3, "new") {
		return true
	}
	if t.file.family == golang || t.file.family == rust {
		for j := open - 1; j > 0 && open-j < 40; j-- {
			if t.is(j, "func", "fn") {
				return true
			}
			if t.is(j, ")") && t.mate(j) > 0 {
				j = t.mate(j)
			} else if t.is(j, "{", "}", ";", ",", "(", "=") {
				break
			}
		}
	}
	return false
}

// valueOf is what follows a declaration: its type or its schema.
func (t *tree) valueOf(i int) span {
	if t.file.family == golang && t.kind(i) == text && t.raw(i)[0] == '`' {
		first := i
		for first > 0 && !t.first(first) {
			first--
		}
		return span{first + 1, i}
	}
	j := i + 1
	for j < len(t.tokens) && j < i+40 && !t.is(j, ",", ";", ")", "}", "]") {
		if m := t.mate(j); m > j {
			j = m
		}
		j++
	}
	return span{i + 1, min(j, len(t.tokens))}
}

// reference is a name of what may declare arguments.
type reference struct {
	name string
	// passed: it is just an argument of the call, so that only a function or
	// an object counts.
	passed bool
}

// references are the names in a region of what may declare arguments: schemas,
// types, and the functions that are passed.
func (t *tree) references(r region, s site, kind string) []reference {
	var first, rest []reference
	for i := r.begin; i < r.end && len(first)+len(rest) < 100; i++ {
		if t.kind(i) != word || t == s.tree && i == s.at || t.is(i-1, "@", "import", "function", "def", "fn") {
			continue
		}
		w := t.raw(i)
		if len(w) < 3 || registers(kind, []string{w}) && !t.is(i+1, ",", ")") {
			continue
		}
		if t.is(i+1, ".", "::") && t.kind(i+2) == word && schematicName(t.raw(i+2)) && len(words(t.raw(i+2))) > 1 && !t.is(i+3, "(") {
			continue // a module in front of a schema
		}
		if k := t.keyOf(i); k >= 0 && schemas[plain(t.value(k))] && !leadsOut(plain(t.value(k))) {
			first = append(first, reference{w, false})
			continue
		}
		if t.is(i+1, "=") || t.is(i+1, ":") && t.file.family != golang || leadsOut(plain(w)) {
			continue
		}
		if _, _, ok := t.inside(i, r, site{tree: t, at: -1}); !ok {
			continue
		}
		switch passed := t.is(t.up(i), "(") && t.up(i) >= r.begin && t.is(i+1, ",", ")", "."); {
		case schematicName(w) || r.types && upper(w[0]):
			rest = append(rest, reference{w, false})
		case passed:
			rest = append(rest, reference{w, true})
		}
	}
	return append(first, rest...)
}

func schematicName(name string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool { return schematic[w] })
}

// resolve returns what a name stands for: in the same file, else in the only
// file of the packages that declares it.
func (x *index) resolve(t *tree, ref reference) []region {
	if list := t.declarations(ref); len(list) > 0 {
		return list
	}
	var found []region
	for _, group := range x.groups[:3] {
		for _, f := range group {
			if f == t.file || f.family != t.file.family || !x.has(f, ref.name) {
				continue
			}
			list := x.tree(f).declarations(ref)
			if len(list) > 0 && len(found) > 0 {
				return nil
			}
			found = append(found, list...)
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

var (
	typeWords     = set("class", "struct", "type", "interface", "record", "object", "enum")
	functionWords = set("def", "fn", "func", "fun", "function")
	valueWords    = set("const", "let", "var", "val", "static", "final")
)

// declarations are the parts of a file that declare a name.
func (t *tree) declarations(ref reference) []region {
	var list []region
	for _, i := range t.holding(ref.name) {
		if t.kind(i) != word || t.raw(i) != ref.name {
			continue
		}
		switch {
		case typeWords[t.raw(i-1)]:
			list = append(list, region{tree: t, span: span{i, t.typeEnd(i)}, whole: true})
		case functionWords[t.raw(i-1)] || t.is(i-1, ")") && t.is(t.mate(i-1)-1, "func"):
			if open := t.params(i); open >= 0 {
				list = append(list, region{tree: t, span: span{open, t.end(open)}, types: true})
			}
		case t.assignedTo(i) && (!ref.passed || t.plainValue(i)):
			list = append(list, region{tree: t, span: span{i, t.expressionEnd(i)}, whole: true})
		}
	}
	if len(list) > 4 {
		return nil
	}
	return list
}

// assignedTo reports whether a name is given a value here for the first time.
func (t *tree) assignedTo(i int) bool {
	if t.is(i-1, ".") || t.is(t.up(i), "(") && !valueWords[t.raw(t.up(i)-1)] {
		return false
	}
	if valueWords[t.raw(i-1)] && !t.is(i+1, ",", ")") {
		return true
	}
	return t.is(i+1, ":=") || t.is(i+1, "=") && (t.first(i) || t.kind(i-1) == word || t.is(i-1, ">"))
}

// plainValue reports whether a variable is given an object or a function, not
// what a call returns.
func (t *tree) plainValue(i int) bool {
	for j := i + 1; j < min(i+20, len(t.tokens)); j++ {
		if t.is(j, "=", ":=") {
			return t.is(j+1, "{", "(", "async", "func", "function", "[")
		}
	}
	return false
}

// typeEnd is where the declaration of a type ends.
func (t *tree) typeEnd(i int) int {
	if t.file.family == python || t.file.family == ruby {
		for j := i; j >= 0 && j > i-4; j-- {
			if t.first(j) {
				return t.dedent(j)
			}
		}
	}
	end := i + 1
	for j := i + 1; j < len(t.tokens) && j < i+80; j++ {
		if t.is(j, ";") || t.is(j, "}") {
			return end
		}
		if m := t.mate(j); m > j {
			end = m
			if t.is(j, "{") {
				return end
			}
			j = m
		}
	}
	return end
}

// expressionEnd is where the value of a variable ends.
func (t *tree) expressionEnd(i int) int {
	j := i + 1
	for ; j < len(t.tokens); j++ {
		if t.is(j, ";", ")", "}", "]", ",") {
			break
		}
		if t.first(j) && !t.is(j, ".", "?", "{", "(", "[") && !t.is(j-1, "=", "(", "{", "[", ",", ".", "=>", ":") {
			break
		}
		if m := t.mate(j); m > j {
			j = m
		}
	}
	return j
}
