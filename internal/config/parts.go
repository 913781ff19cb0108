package config

import (
	"regexp"
	"slices"

	"github.com/goccy/go-yaml/ast"
)

// part is what a file says of one server.
type part struct {
	name string
	// values holds the settings by dotted key, as if they stood under server.
	values         map[string]value
	command, build *value // []string and [][]string
	env, buildEnv  map[string]value
}

func emptyPart() *part {
	return &part{values: map[string]value{}, env: map[string]value{}, buildEnv: map[string]value{}}
}

// server reads the map of a server. of is its key.
func (r *reader) server(n ast.Node, of string) *part {
	p := emptyPart()
	known := names(Keys, "server.")
	for _, entry := range r.entries(n, of) {
		switch key := textOf(entry); {
		case key == "name" && of == "servers":
			p.name = r.serverName(entry.Value)
		case key == "command":
			p.command = r.command(entry.Value)
		case key == "build":
			p.build = r.build(entry.Value)
		case key == "env":
			r.environment(entry.Value, "server.env", p.env)
		case key == "build_env":
			r.environment(entry.Value, "server.build_env", p.buildEnv)
		case slices.Contains(known, key):
			r.setIn(p.values, keyNamed("server."+key), entry.Value)
		default:
			r.fail(entry.Key, of+"."+key, "unknown key %s of %s%s", quoted(key), of, suggestion(key, known))
		}
	}
	return p
}

// maxServers bounds the list of servers.
const maxServers = 50

// servers reads the list of servers, or the word all.
func (r *reader) servers(entry *ast.MappingValueNode) {
	const key = "servers"
	switch n := entry.Value.(type) {
	case *ast.NullNode:
	case *ast.StringNode:
		if r.file.all = n.Value == AllServers; !r.file.all {
			r.fail(n, key, "servers must be a list of maps, or %s, not %s", AllServers, quoted(n.Value))
		}
	case *ast.SequenceNode:
		if len(n.Values) > maxServers {
			r.fail(n, key, "servers holds more than %d entries", maxServers)
			return
		}
		for _, item := range n.Values {
			p := r.server(item, key)
			switch {
			case p.name == "":
				r.fail(item, key, "each entry of servers needs a name")
			case slices.ContainsFunc(r.file.servers, func(other *part) bool { return other.name == p.name }):
				r.fail(item, key, "two entries of servers have the name %s", quoted(p.name))
			}
			r.file.servers = append(r.file.servers, p)
		}
	default:
		r.fail(n, key, "servers must be a list of maps, or %s", AllServers)
	}
}

// AllServers stands for every server, in place of a name.
const AllServers = "all"

// serverNames are names that can stand in a file's name and a category.
var serverNames = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$`)

func (r *reader) serverName(n ast.Node) string {
	name, ok := r.text(n, "servers")
	if ok && (!serverNames.MatchString(name) || name == AllServers) {
		r.fail(n, "servers", "the name of a server is made of letters, digits, dots, underscores and hyphens, and is not %s; got %s", AllServers, quoted(name))
	}
	return name
}

// command reads a list of words, or a text that is split into them.
func (r *reader) command(n ast.Node) *value {
	const key = "server.command"
	words, ok := r.words(n, key)
	return orNil(ok, &value{words, r.place(n)})
}

// words reads a command.
func (r *reader) words(n ast.Node, key string) ([]string, bool) {
	list, isList := n.(*ast.SequenceNode)
	if !isList {
		return lined(r, n, key, Split)
	}
	var args []string
	for _, item := range list.Values {
		text, ok := r.text(item, key)
		if !ok {
			return nil, false
		}
		args = append(args, text)
	}
	if len(args) == 0 {
		r.fail(n, key, "%s is empty", key)
	}
	return args, len(args) > 0
}

// lined reads a text and splits it.
func lined[T any](r *reader, n ast.Node, key string, split func(string) (T, error)) (parts T, ok bool) {
	v, ok := r.scalar(n, key)
	if !ok {
		return parts, false
	}
	text, ok := v.(string)
	if !ok {
		r.fail(n, key, "%s must be a list of texts, or one text, not %s", key, shown(v))
		return parts, false
	}
	parts, err := split(text)
	if err != nil {
		r.fail(n, key, "%s: %v", key, err)
	}
	return parts, err == nil
}

// build reads a list of commands, or a text that holds some. An empty list
// builds nothing.
func (r *reader) build(n ast.Node) *value {
	const key = "server.build"
	if _, isNull := n.(*ast.NullNode); isNull {
		return nil
	}
	list, isList := n.(*ast.SequenceNode)
	if !isList {
		steps, ok := lined(r, n, key, Steps)
		return orNil(ok, &value{steps, r.place(n)})
	}
	steps := [][]string{}
	for _, item := range list.Values {
		var more [][]string
		var ok bool
		if _, isList := item.(*ast.SequenceNode); isList {
			more = make([][]string, 1)
			more[0], ok = r.words(item, key)
		} else {
			more, ok = lined(r, item, key, Steps)
		}
		if !ok {
			return nil
		}
		steps = append(steps, more...)
	}
	return &value{steps, r.place(n)}
}

func orNil(ok bool, v *value) *value {
	if ok {
		return v
	}
	return nil
}

func (r *reader) environment(n ast.Node, key string, into map[string]value) {
	for _, entry := range r.entries(n, key) {
		name := textOf(entry)
		if !validName(name) {
			r.fail(entry.Key, key, "%s can't be the name of a variable", quoted(name))
			continue
		}
		if text, ok := r.text(entry.Value, key+"."+name); ok {
			into[name] = value{text, r.place(entry.Value)}
		}
	}
}
