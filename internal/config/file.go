package config

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sort"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"github.com/sealmark/action/internal/rule"
)

// maxFile bounds a configuration file, in bytes.
const maxFile = 1 << 20

// Error is a fault in a configuration, with its place if it has one.
type Error struct {
	// Place is "FILE:LINE:COLUMN", a file, or the name of a flag.
	Place   string
	Message string
}

func (e *Error) Error() string {
	if e.Place == "" {
		return e.Message
	}
	return e.Place + ": " + e.Message
}

// value is a setting and where it was set.
type value struct {
	v     any
	place string
}

// File is a checked configuration file.
type File struct {
	// Name is the path of the file.
	Name string
	// values holds the settings by dotted key, command and env in their parts.
	values  map[string]value
	command *value
	env     map[string]value
}

// Load reads and checks a configuration file. Its error is an *Error, or
// several joined.
func Load(path string, checks []rule.Check) (*File, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil, &Error{path, "the file does not exist"}
	case err != nil:
		return nil, &Error{path, "the file can't be read: " + cause(err)}
	case info.IsDir():
		return nil, &Error{path, "this is a folder, not a file"}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &Error{path, "the file can't be read: " + cause(err)}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, &Error{path, "the file can't be read: " + cause(err)}
	}
	return Parse(path, data, checks)
}

func cause(err error) string {
	var at *os.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// Parse checks the text of a configuration file. Its error is an *Error, or
// several joined.
func Parse(name string, data []byte, checks []rule.Check) (file *File, err error) {
	defer func() {
		if p := recover(); p != nil {
			file, err = nil, &Error{name, "the file can't be read as YAML"}
		}
	}()
	if len(data) > maxFile {
		return nil, &Error{name, "the file is over 1 MiB"}
	}
	tree, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, yamlError(name, err)
	}
	r := &reader{file: &File{Name: name, values: map[string]value{}, env: map[string]value{}}, checks: checks}
	switch len(tree.Docs) {
	case 0:
		return r.file, nil
	case 1:
	default:
		return nil, &Error{name, "the file holds more than one YAML document"}
	}
	body := tree.Docs[0].Body
	if body == nil || body.Type() == ast.NullType || body.Type() == ast.CommentType {
		return r.file, nil
	}
	r.top(body)
	if len(r.errs) > 0 {
		return nil, errors.Join(r.errs...)
	}
	return r.file, nil
}

// yamlError shortens an error of the YAML parser to one line with its place.
func yamlError(name string, err error) error {
	var syntax yaml.Error
	if errors.As(err, &syntax) && syntax.GetToken() != nil {
		at := syntax.GetToken().Position
		return &Error{fmt.Sprintf("%s:%d:%d", name, at.Line, at.Column), strings.ReplaceAll(syntax.GetMessage(), "\n", " ")}
	}
	first, _, _ := strings.Cut(err.Error(), "\n")
	return &Error{name, first}
}

// reader walks a YAML tree and collects values and errors.
type reader struct {
	file   *File
	checks []rule.Check
	errs   []error
}

func (r *reader) fail(n ast.Node, format string, args ...any) {
	r.errs = append(r.errs, &Error{r.place(n), fmt.Sprintf(format, args...)})
}

func (r *reader) place(n ast.Node) string {
	at := n.GetToken().Position
	return fmt.Sprintf("%s:%d:%d", r.file.Name, at.Line, at.Column)
}

// entries returns the members of a map by key, in order. Aliases and merge
// keys are refused: no setting needs them.
func (r *reader) entries(n ast.Node, what string) []*ast.MappingValueNode {
	var list []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		list = n.Values
	case *ast.MappingValueNode:
		list = []*ast.MappingValueNode{n}
	case *ast.NullNode:
		return nil
	default:
		r.fail(n, "%s must be a map", what)
		return nil
	}
	seen := map[string]bool{}
	var kept []*ast.MappingValueNode
	for _, entry := range list {
		key := keyText(entry)
		if seen[key] {
			r.fail(entry.Key, "the key %q stands here a second time", key)
			continue
		}
		seen[key] = true
		kept = append(kept, entry)
	}
	return kept
}

func keyText(entry *ast.MappingValueNode) string {
	if s, ok := entry.Key.(*ast.StringNode); ok {
		return s.Value
	}
	return entry.Key.String()
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
	for _, entry := range r.entries(n, "the file") {
		switch key := keyText(entry); key {
		case "server":
			r.server(entry.Value)
		case "checks":
			r.perCheck(entry.Value)
		case "rules":
			r.perRule(entry.Value)
		default:
			if !slices.Contains(known, key) {
				r.fail(entry.Key, "unknown key %q%s", key, suggestion(key, known))
				continue
			}
			r.set(keyNamed(key), entry.Value)
		}
	}
}

// set checks a value against its key and keeps it.
func (r *reader) set(key rule.Key, n ast.Node) {
	v, ok := r.scalar(n)
	if !ok {
		return
	}
	converted, err := convert(key, v)
	if err != nil {
		r.fail(n, "%s %v", key.Name, err)
		return
	}
	r.file.values[key.Name] = value{converted, r.place(n)}
}

// scalar returns the plain value of a node.
func (r *reader) scalar(n ast.Node) (any, bool) {
	switch n := n.(type) {
	case *ast.NullNode:
		return nil, true
	case *ast.BoolNode:
		return n.Value, true
	case *ast.IntegerNode:
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
	r.fail(n, "anchors, aliases and tags are not used in this file")
	return nil, false
}

func (r *reader) server(n ast.Node) {
	known := names(Keys, "server.")
	for _, entry := range r.entries(n, "server") {
		switch key := keyText(entry); key {
		case "command":
			r.command(entry.Value)
		case "env":
			r.environment(entry.Value)
		case "url", "working_directory":
			r.set(keyNamed("server."+key), entry.Value)
		default:
			r.fail(entry.Key, "unknown key %q in server%s", key, suggestion(key, known))
		}
	}
}

func (r *reader) command(n ast.Node) {
	if list, ok := n.(*ast.SequenceNode); ok {
		var args []string
		for _, item := range list.Values {
			v, ok := r.scalar(item)
			if !ok {
				return
			}
			switch v := v.(type) {
			case string:
				args = append(args, v)
			case int64, uint64, float64, bool:
				args = append(args, item.GetToken().Value)
			default:
				r.fail(item, "server.command must be a list of texts")
				return
			}
		}
		r.file.command = &value{args, r.place(n)}
		return
	}
	v, ok := r.scalar(n)
	text, isText := v.(string)
	if !ok || !isText {
		r.fail(n, "server.command must be a list of texts or one text")
		return
	}
	args, err := Split(text)
	if err != nil {
		r.fail(n, "server.command: %v", err)
		return
	}
	r.file.command = &value{args, r.place(n)}
}

func (r *reader) environment(n ast.Node) {
	for _, entry := range r.entries(n, "server.env") {
		name := keyText(entry)
		if !validName(name) {
			r.fail(entry.Key, "%q can't be the name of a variable", name)
			continue
		}
		v, ok := r.scalar(entry.Value)
		if !ok {
			continue
		}
		switch v := v.(type) {
		case string:
			r.file.env[name] = value{v, r.place(entry.Value)}
		case int64, uint64, float64, bool:
			r.file.env[name] = value{entry.Value.GetToken().Value, r.place(entry.Value)}
		default:
			r.fail(entry.Value, "server.env.%s must be a text", name)
		}
	}
}

func (r *reader) perCheck(n ast.Node) {
	var ids []string
	for _, c := range r.checks {
		ids = append(ids, c.ID)
	}
	for _, entry := range r.entries(n, "checks") {
		id := keyText(entry)
		i := slices.Index(ids, id)
		if i < 0 {
			r.fail(entry.Key, "unknown check %q%s", id, suggestion(id, ids))
			continue
		}
		keys := checkKeys(r.checks[i])
		for _, setting := range r.entries(entry.Value, "checks."+id) {
			name := keyText(setting)
			j := slices.IndexFunc(keys, func(k rule.Key) bool { return k.Name == "checks."+id+"."+name })
			if j < 0 {
				r.fail(setting.Key, "unknown key %q of check %s%s", name, id, suggestion(name, names(keys, "checks."+id+".")))
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
		id := keyText(entry)
		if !slices.Contains(ids, id) {
			r.fail(entry.Key, "unknown rule %q%s", id, suggestion(id, ids))
			continue
		}
		for _, setting := range r.entries(entry.Value, "rules."+id) {
			if name := keyText(setting); name != "severity" {
				r.fail(setting.Key, "unknown key %q of rule %s%s", name, id, suggestion(name, []string{"severity"}))
				continue
			}
			r.set(ruleKey(id), setting.Value)
		}
	}
}

func ruleKey(id string) rule.Key {
	return rule.Key{Name: "rules." + id + ".severity", Type: rule.Enum, Enum: []string{"error", "warning", "note"}, Meaning: "The severity that findings of the rule are reported with. It does not act on points."}
}
