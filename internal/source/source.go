// Package source finds where a repository defines the tools, prompts,
// resources and arguments of its server, by reading its files as strings,
// words and marks. It runs no code and follows no link out of the repository.
// A place that is not certain enough is no place.
package source

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sealmark/action/internal/rule"
)

// limit is the longest time that reading a repository may take.
const limit = 20 * time.Second

// Options say which server of a repository is meant.
type Options struct {
	// Root is the folder of the repository.
	Root string
	// Directory is where the server is built or launched, relative to Root,
	// with forward slashes, "" for Root itself.
	Directory string
	// Command is its launch command, whose paths tell which package it is.
	Command []string
	// Own: the server is known to be one of the repository's.
	Own bool
}

// index holds the source files of a repository.
type index struct {
	files []*file
	homes map[string]*home
	// home is the folder of the server's package.
	home string
	// entry is the file or folder that the command names, "" for none.
	entry string
	// own: the server is one of the repository's.
	own bool
	// groups are the files in the order in which they are searched.
	groups [][]*file
	trees  map[*file]*tree
	// order holds the files of trees, the oldest first, and size their tokens.
	order []*file
	size  int
	// registers: the sources, without build output, register something.
	registers *bool
}

// open reads a repository.
func open(ctx context.Context, o Options) (*index, error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	root, err := os.OpenRoot(o.Root)
	if err != nil {
		return nil, fmt.Errorf("read the repository: %w", err)
	}
	defer root.Close()
	x := &index{trees: map[*file]*tree{}, own: o.Own}
	dir := clean(o.Directory)
	entry, own := entryOf(root, dir, o.Command)
	w := &walker{ctx: ctx, root: root, from: cmp.Or(entry, dir), homes: map[string]*home{}}
	if err = w.walk("", nil, "", false, 0); err == nil {
		err = w.load()
	}
	if err != nil {
		return nil, fmt.Errorf("read the repository: %w", err)
	}
	x.files, x.homes, x.entry = w.files, w.homes, w.from
	x.home = x.homeOf(w.from)
	if named, ok := x.named(o.Command); ok {
		x.home, x.own = named, true
	}
	x.own = x.own || own
	x.group()
	return x, nil
}

func clean(dir string) string {
	dir = path.Clean(strings.TrimPrefix(dir, "./"))
	if dir == "." || dir == "/" || strings.HasPrefix(dir, "..") {
		return ""
	}
	return strings.TrimPrefix(dir, "/")
}

// entryOf is the file or folder of the repository that a command launches, ""
// if it names none. own: it launches something of the repository, which may
// have to be built first.
func entryOf(root *os.Root, dir string, command []string) (entry string, own bool) {
	for i, arg := range command {
		arg, relative := inRoot(root.Name(), dir, arg)
		if arg == "" || i > 0 && !relative && familyOf(arg) == 0 {
			continue
		}
		code := i == 0 && relative || familyOf(arg) != 0 && familyOf(arg) != document || slices.Contains([]string{".jar", ".dll", ".exe"}, path.Ext(arg))
		info, err := root.Stat(arg)
		switch {
		case err == nil && (code && info.Mode().IsRegular() || info.IsDir() && arg != dir && holdsCode(root, arg)):
			return arg, true
		case err != nil && code:
			for up := path.Dir(arg); up != "." && up != dir; up = path.Dir(up) {
				if info, err := root.Stat(up); err == nil && info.IsDir() {
					return up, true
				}
			}
			own = true
		}
	}
	return "", own
}

// inRoot is a word of a command as a path in the repository, "" if it can't
// be one. relative: it is written as a path.
func inRoot(root, dir, arg string) (name string, relative bool) {
	arg, root = strings.ReplaceAll(arg, `\`, "/"), strings.ReplaceAll(root, `\`, "/")
	if arg == "" || arg[0] == '-' || strings.Contains(arg, "://") || len(arg) > 500 {
		return "", false
	}
	relative = strings.Contains(arg, "/") && arg[0] != '@'
	if rest, ok := strings.CutPrefix(arg, root+"/"); ok {
		arg = rest
	} else if path.IsAbs(arg) || strings.Contains(arg, ":/") {
		return "", false
	} else {
		arg = path.Join(dir, arg)
	}
	if arg == ".." || strings.HasPrefix(arg, "../") || strings.Contains("/"+arg, "/node_modules/") {
		return "", false
	}
	return arg, relative
}

// holdsCode reports whether there is source directly in a folder.
func holdsCode(root *os.Root, dir string) bool {
	f, err := root.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	names, _ := f.Readdirnames(1000)
	return slices.ContainsFunc(names, func(n string) bool { return familyOf(n) != 0 && familyOf(n) != document })
}

// homeOf is the folder of the package that a path belongs to.
func (x *index) homeOf(name string) string {
	for {
		if x.homes[name] != nil || name == "" {
			return name
		}
		if name = path.Dir(name); name == "." {
			name = ""
		}
	}
}

// named returns the package whose name the command has, as in npx NAME.
func (x *index) named(command []string) (dir string, ok bool) {
	for _, arg := range command {
		arg, _, _ = strings.Cut(strings.TrimPrefix(arg, "@"), "@")
		for at, h := range x.homes {
			if h.name != "" && strings.TrimPrefix(h.name, "@") == arg && (!ok || at < dir) {
				dir, ok = at, true
			}
		}
	}
	return dir, ok
}

// group sorts the files: those of the server's package, those of packages that
// it uses, build output of both, and documents.
func (x *index) group() {
	reached := reach(x.home, x.homes, x.files)
	x.groups = make([][]*file, 4)
	for _, f := range x.files {
		own := f.home == x.home
		n := 3
		switch {
		case !own && !reached[f.home] && x.home != "":
			continue
		case f.family == document:
		case f.built:
			n = 2
		case own:
			n = 0
		default:
			n = 1
		}
		x.groups[n] = append(x.groups[n], f)
	}
}

// tree returns a file as tokens.
func (x *index) tree(f *file) *tree {
	if t := x.trees[f]; t != nil {
		return t
	}
	const most = 3_000_000
	t := newTree(f)
	x.size += len(t.tokens)
	for len(x.order) > 0 && x.size > most {
		x.size -= len(x.trees[x.order[0]].tokens)
		delete(x.trees, x.order[0])
		x.order = x.order[1:]
	}
	x.trees[f] = t
	x.order = append(x.order, f)
	return t
}

// locate returns where the subject of a finding is defined, or one of its
// arguments: a JSON pointer, "" for none. It is nil where that is not certain.
func (x *index) locate(subject, argument string) *rule.Location {
	kind, name, _ := strings.Cut(subject, ":")
	s, basis := x.find(kind, name)
	if basis == "" {
		return nil
	}
	at := s.at
	if argument != "" && basis == rule.Definition {
		if inner, ok := x.argument(s, kind, argument); ok {
			s.tree, at = inner.tree, inner.at
		}
	}
	line, column := s.tree.place(at)
	return &rule.Location{Path: s.tree.file.path, Line: line, Column: column, Basis: basis}
}

// find returns where a name is defined, or the only place that mentions it.
func (x *index) find(kind, name string) (site, rule.Basis) {
	if plain(name) == "" && kind != kindResource || name == "" || len(name) > 1000 || !set(kindTool, kindPrompt, kindResource, kindServer)[kind] {
		return site{}, ""
	}
	var mentions []site
	for n, files := range x.groups {
		if n == 2 && x.registering() {
			continue
		}
		sites := x.sites(files, kind, name)
		best, ok := x.choose(sites)
		switch {
		case ok && best.score >= scoreDefined:
			return best, rule.Definition
		case len(sites) > 0 && !ok && sites[0].score >= scoreDefined:
			return site{}, ""
		}
		mentions = append(mentions, sites...)
	}
	if len(mentions) == 0 {
		mentions = x.tails(kind, name)
	}
	if kind == kindServer || len(mentions) == 0 {
		return site{}, ""
	}
	best := slices.MaxFunc(mentions, func(a, b site) int { return a.score - b.score })
	alike := 0
	for _, m := range mentions {
		if m.score == best.score {
			alike++
		}
	}
	if alike > 1 {
		return site{}, ""
	}
	return best, rule.Mention
}

// sites are all places of a name in files, the most telling first.
func (x *index) sites(files []*file, kind, name string) []site {
	var list []site
	for _, f := range files {
		if !f.has(name) {
			continue
		}
		t := x.tree(f)
		for i := range t.tokens {
			if s := t.judge(i, kind, name); s.score > 0 {
				if f.family == document && s.score < scoreObject {
					s.score = min(s.score, scoreConstant)
				}
				list = append(list, s)
			}
		}
	}
	list = append(list, x.constants(files, kind, list)...)
	list = append(list, x.passed(files, kind, name, list)...)
	slices.SortStableFunc(list, func(a, b site) int { return b.score - a.score })
	return list
}

// judge judges a token as a name.
func (t *tree) judge(i int, kind, name string) site {
	switch t.kind(i) {
	case text:
		if n := int(t.tokens[i].end - t.tokens[i].begin); n >= len(name)+2 && n < 2*len(name)+16 && t.value(i) == name {
			return t.literal(i, kind)
		}
	case word:
		if t.file.family == document && t.raw(i) == name {
			return t.literal(i, kind)
		}
		if kind == kindServer || kind == kindResource || !spelled(t.file.family, t.raw(i), name) {
			break
		}
		if s := t.declaration(i, kind); s.score > 0 {
			return s
		}
		if t.raw(i) == name && t.is(i+1, ":") && !t.is(i-1, "?", ".") {
			return t.keyed(i, kind)
		}
	}
	return site{}
}

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
			if f != s.tree.file && !lone || !f.has(name) {
				continue
			}
			t := x.tree(f)
			for i := range t.tokens {
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
		if f.has(name) {
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
		if f.family != python && f.family != csharp || !f.has(name) {
			continue
		}
		t := x.tree(f)
		for i := range t.tokens {
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

// tails finds names of which only the end is written: `${prefix}_search`.
func (x *index) tails(kind, name string) []site {
	var list []site
	const shortest = 4
	for _, f := range slices.Concat(x.groups[0], x.groups[1]) {
		if f.family != script && f.family != python {
			continue
		}
		t := x.tree(f)
		for i := range t.tokens {
			if t.kind(i) != text {
				continue
			}
			begin, end, ok := t.template(i)
			if !ok || len(end) < shortest || len(name) <= len(begin)+len(end) || !strings.HasPrefix(name, begin) || !strings.HasSuffix(name, end) {
				continue
			}
			if found := t.literal(i, kind); found.score >= scoreDefined {
				found.score = scoreTail
				list = append(list, found)
			}
		}
	}
	return list
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

// choose returns the best of the sites, which are sorted, if it is clearly
// better than those in other files or nearer to the file that is launched.
func (x *index) choose(sites []site) (site, bool) {
	if len(sites) == 0 {
		return site{}, false
	}
	best := sites[0]
	rivals := []site{best}
	for _, s := range sites[1:] {
		if s.score+clear <= best.score {
			break
		}
		if s.tree.file != best.tree.file {
			rivals = append(rivals, s)
		}
	}
	if len(rivals) == 1 {
		return best, true
	}
	if x.entry == "" {
		return site{}, false
	}
	slices.SortStableFunc(rivals, func(a, b site) int {
		return cmp.Compare(together(b.tree.file.path, x.entry), together(a.tree.file.path, x.entry))
	})
	near, next := together(rivals[0].tree.file.path, x.entry), 0
	for _, s := range rivals[1:] {
		if s.tree.file != rivals[0].tree.file {
			next = together(s.tree.file.path, x.entry)
			break
		}
	}
	return rivals[0], near > next
}

// together is how many folders two paths share from the left.
func together(a, b string) int {
	n := 0
	as, bs := strings.Split(a, "/"), strings.Split(b, "/")
	for n < len(as) && n < len(bs) && as[n] == bs[n] {
		n++
	}
	return n
}

// registering reports whether any source that is not build output registers a
// tool.
func (x *index) registering() bool {
	if x.registers != nil {
		return *x.registers
	}
	found := false
	for _, f := range slices.Concat(x.groups[0], x.groups[1]) {
		if found || !bytes.Contains(f.src, []byte("ool")) {
			continue
		}
		t := x.tree(f)
		for i := range t.tokens {
			if t.kind(i) == text && t.literal(i, kindTool).score >= scoreLikely || t.kind(i) == word && t.declaration(i, kindTool).score > 0 {
				found = true
				break
			}
		}
	}
	x.registers = &found
	return found
}

// has reports whether a file has a name, alone or in the spelling of the
// language.
func (f *file) has(name string) bool {
	needle := []byte(name)
	for at := 0; ; {
		i := bytes.Index(f.src[at:], needle)
		if i < 0 {
			break
		}
		begin, end := at+i, at+i+len(needle)
		if !(isWord(needle[0]) && begin > 0 && isWord(f.src[begin-1])) && !(isWord(needle[len(needle)-1]) && end < len(f.src) && isWord(f.src[end])) {
			return true
		}
		at = begin + 1
	}
	if f.family != csharp && f.family != ruby && f.family != php {
		return false
	}
	if f.lower == nil {
		f.lower = bytes.ToLower(f.src)
	}
	return bytes.Contains(f.lower, []byte(plain(name)))
}
