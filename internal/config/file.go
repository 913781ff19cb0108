package config

import (
	"slices"
	"sort"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/sealmark/action/internal/rule"
)

// value is a setting and where it was set.
type value struct {
	v  any
	at Origin
}

// File is a checked configuration file.
type File struct {
	// Name is the path of the file, "" for none.
	Name string
	// values holds the settings by dotted key, but for those of the servers.
	values map[string]value
	// servers holds the one of server, or those of the list of servers.
	servers []*part
	// all: every server that is found is meant.
	all    bool
	probes []probe
	accept []Acceptance
}

func emptyFile(name string) *File { return &File{Name: name, values: map[string]value{}} }

// reader walks a YAML tree and collects values and errors.
type reader struct {
	file   *File
	checks []rule.Check
	faults faults
}

func (r *reader) fail(n ast.Node, key, format string, args ...any) {
	r.faults.add(r.place(n), key, format, args...)
}

func (r *reader) place(n ast.Node) Origin {
	at := n.GetToken().Position
	return Origin{File: r.file.Name, Line: at.Line, Column: at.Column}
}

// entries returns the members of a map, in order. Aliases and merge keys are
// refused: no setting needs them.
func (r *reader) entries(n ast.Node, name string) []*ast.MappingValueNode {
	what := name
	if name == "" {
		what = "the file"
	}
	var list []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		list = n.Values
	case *ast.MappingValueNode:
		list = []*ast.MappingValueNode{n}
	case *ast.NullNode:
		return nil
	case *ast.AnchorNode, *ast.AliasNode, *ast.TagNode:
		r.fail(n, name, noAnchors)
		return nil
	default:
		r.fail(n, name, "%s must be a map", what)
		return nil
	}
	first := map[string]int{}
	var kept []*ast.MappingValueNode
	for _, entry := range list {
		key, ok := keyText(entry)
		if !ok {
			r.fail(entry.Key, name, "a key must be plain text: "+noAnchors)
			continue
		}
		if line := first[key]; line > 0 {
			r.fail(entry.Key, dotted(name, key), "duplicate key %s: it is set in line %d already", quoted(key), line)
			continue
		}
		first[key] = r.place(entry.Key).Line
		kept = append(kept, entry)
	}
	return kept
}

const noAnchors = "anchors, aliases, merge keys and tags are not used in this file"

// keyText returns the text of a key; ok is false if it is more than that.
func keyText(entry *ast.MappingValueNode) (text string, ok bool) {
	switch key := entry.Key.(type) {
	case *ast.StringNode:
		return key.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.NullNode, *ast.InfinityNode, *ast.NanNode:
		return entry.Key.GetToken().Value, true
	}
	return "", false
}

func textOf(entry *ast.MappingValueNode) string {
	text, _ := keyText(entry)
	return text
}

func dotted(parent, key string) string {
	if parent == "" {
		return key
	}
	return parent + "." + key
}

// names lists the last parts of the keys below a prefix, and the first parts
// of those further down.
func names(keys []rule.Key, prefix string) []string {
	var list []string
	for _, k := range keys {
		rest, ok := strings.CutPrefix(k.Name, prefix)
		if !ok {
			continue
		}
		first, _, _ := strings.Cut(rest, ".")
		if !slices.Contains(list, first) {
			list = append(list, first)
		}
	}
	sort.Strings(list)
	return list
}

func (r *reader) top(n ast.Node) {
	known := append(names(Keys, ""), "checks", "rules")
	var single *part
	for _, entry := range r.entries(n, "") {
		switch key := textOf(entry); key {
		case "server":
			single = r.server(entry.Value, key)
		case "servers":
			r.servers(entry)
		case "checks":
			r.perCheck(entry.Value)
		case "rules":
			r.perRule(entry.Value)
		case "contract":
			r.group(entry.Value, key)
		case "probes":
			r.probes(entry.Value)
		case "accept":
			r.accept(entry.Value)
		default:
			if !slices.Contains(known, key) {
				r.fail(entry.Key, key, "unknown key %s%s", quoted(key), suggestion(key, known))
				continue
			}
			r.set(keyNamed(key), entry.Value)
		}
	}
	switch several := r.file.all || len(r.file.servers) > 0; {
	case single != nil && several:
		r.fail(n, "servers", "server and servers are both given: keep one of them")
	case single != nil:
		r.file.servers = []*part{single}
	}
}

// set checks a value against its key and keeps it.
func (r *reader) set(key rule.Key, n ast.Node) { r.setIn(r.file.values, key, n) }

func (r *reader) setIn(values map[string]value, key rule.Key, n ast.Node) {
	read := r.scalar
	if key.Type == rule.Texts {
		read = r.list
	}
	v, ok := read(n, key.Name)
	if !ok {
		return
	}
	converted, err := convert(key, v)
	if err != nil {
		r.fail(n, key.Name, "%s %v", key.Name, err)
		return
	}
	values[key.Name] = value{converted, r.place(n)}
}

// scalar returns the plain value of a node.
func (r *reader) scalar(n ast.Node, key string) (any, bool) {
	switch n := n.(type) {
	case *ast.NullNode:
		return nil, true
	case *ast.BoolNode:
		return n.Value, true
	case *ast.IntegerNode:
		if text := n.GetToken().Value; len(text) > 1 && text[0] == '0' && strings.Trim(text, "0123456789") == "" {
			r.fail(n, key, "%s: a number can't begin with 0", key) // YAML 1.1 reads it as octal, 1.2 does not
			return nil, false
		}
		return n.Value, true
	case *ast.FloatNode:
		return n.Value, true
	case *ast.InfinityNode:
		return n.Value, true
	case *ast.NanNode:
		return n.GetValue(), true
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case *ast.MappingNode, *ast.MappingValueNode:
		return map[string]any{}, true
	case *ast.SequenceNode:
		return []any{}, true
	}
	r.fail(n, key, noAnchors)
	return nil, false
}

// text returns a node as text: a number or a boolean is taken as it is
// written.
func (r *reader) text(n ast.Node, key string) (string, bool) {
	switch n.(type) {
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	}
	v, ok := r.scalar(n, key)
	if !ok {
		return "", false
	}
	text, ok := v.(string)
	switch {
	case !ok:
		r.fail(n, key, "%s must be a text, not %s", key, shown(v))
	case strings.Contains(text, "\x00"):
		r.fail(n, key, "%s can't hold a NUL character", key)
		ok = false
	}
	return text, ok
}

func (r *reader) perCheck(n ast.Node) {
	var ids []string
	for _, c := range r.checks {
		ids = append(ids, c.ID)
	}
	for _, entry := range r.entries(n, "checks") {
		id := textOf(entry)
		i := slices.Index(ids, id)
		if i < 0 {
			r.fail(entry.Key, "checks."+id, "unknown check %s%s", quoted(id), suggestion(id, ids))
			continue
		}
		keys := checkKeys(r.checks[i])
		for _, setting := range r.entries(entry.Value, "checks."+id) {
			name := textOf(setting)
			j := slices.IndexFunc(keys, func(k rule.Key) bool { return k.Name == "checks."+id+"."+name })
			if j < 0 {
				r.fail(setting.Key, "checks."+id+"."+name, "unknown key %s of check %s%s", quoted(name), id, suggestion(name, names(keys, "checks."+id+".")))
				continue
			}
			r.set(keys[j], setting.Value)
		}
	}
}

func (r *reader) perRule(n ast.Node) {
	var ids []string
	for _, c := range r.checks {
		for _, known := range c.Rules {
			ids = append(ids, known.ID)
		}
	}
	sort.Strings(ids)
	for _, entry := range r.entries(n, "rules") {
		id := textOf(entry)
		if !slices.Contains(ids, id) {
			r.fail(entry.Key, "rules."+id, "unknown rule %s%s", quoted(id), suggestion(id, ids))
			continue
		}
		for _, setting := range r.entries(entry.Value, "rules."+id) {
			if name := textOf(setting); name != "severity" {
				r.fail(setting.Key, "rules."+id+"."+name, "unknown key %s of rule %s%s", quoted(name), id, suggestion(name, []string{"severity"}))
				continue
			}
			r.set(ruleKey(id), setting.Value)
		}
	}
}

func ruleKey(id string) rule.Key {
	return rule.Key{Name: "rules." + id + ".severity", Type: rule.Enum, Enum: []string{"error", "warning", "note"}, Meaning: "The severity that findings of the rule are reported with. It does not act on points."}
}
