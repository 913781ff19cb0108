// Package source finds where a repository defines the tools, prompts,
// resources and arguments of its server, by reading its files as strings,
// words and marks. It runs no code and follows no link out of the repository.
// A place that is not certain enough is no place.
package source

import (
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
	// programs are the folders of programs of Go, and program is the one of
	// them that the command names, "" for none.
	programs map[string]bool
	program  string
	// own: the server is one of the repository's.
	own bool
	// groups are the files in the order in which they are searched.
	groups [][]*file
	trees  map[*file]*tree
	// order holds the files of trees, the oldest first, and size their tokens.
	order []*file
	size  int
	// cost is what searches take.
	cost meter
	// registers: the sources, without build output, register something.
	registers *bool
	// made are the strings that are put together, nil before they are needed.
	made []madeString
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
	x := &index{trees: map[*file]*tree{}, own: o.Own, cost: meter{all: maxAllSteps}}
	dir := clean(o.Directory)
	entry, own := entryOf(root, dir, o.Command)
	w := &walker{ctx: ctx, root: root, dir: dir, from: cmp.Or(entry, dir), homes: map[string]*home{}}
	if w.walk("", nil, "", false, 0) == nil {
		w.load()
	}
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("read the repository: %w", err)
	}
	x.files, x.homes = w.files, w.homes
	x.programs = programs(x.files)
	entry = cmp.Or(x.madeFrom(root.Name(), dir, o.Command), entry)
	x.entry = cmp.Or(entry, dir)
	x.home = x.homeOf(x.entry)
	x.program = x.programOf(entry)
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

// group sorts the files: those of the server's package, those of packages that
// it uses, build output of both, and documents. Other programs are left out.
func (x *index) group() {
	reached := reach(x.home, x.homes, x.files)
	x.groups = make([][]*file, 4)
	for _, f := range x.files {
		own := f.home == x.home
		n := 3
		switch {
		case !own && !reached[f.home] && x.home != "", x.otherProgram(f):
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
	t := newTree(f, &x.cost)
	x.cost.take(len(t.tokens))
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
	var found *rule.Location
	x.cost.bounded(func() {
		s, basis := x.find(kind, name)
		if basis == "" {
			return
		}
		found = s.location(basis)
		if argument == "" || basis != rule.Definition {
			return
		}
		if inner, ok := x.argument(s, kind, argument); ok {
			found = inner.location(basis)
		}
	})
	return found
}

func (s site) location(basis rule.Basis) *rule.Location {
	line, column := s.tree.place(s.at)
	return &rule.Location{Path: s.tree.file.path, Line: line, Column: column, Basis: basis}
}

// defines reports whether a name is defined in the repository.
func (x *index) defines(kind, name string) bool {
	var basis rule.Basis
	x.cost.bounded(func() { _, basis = x.find(kind, name) })
	return basis == rule.Definition
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
		if !x.has(f, name) {
			continue
		}
		t := x.tree(f)
		for _, i := range t.holding(name) {
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
	near := func(s site) int { return nearness(s.tree.file.path, x.entry) }
	slices.SortStableFunc(rivals, func(a, b site) int { return cmp.Compare(near(b), near(a)) })
	next := slices.IndexFunc(rivals, func(s site) bool { return s.tree.file != rivals[0].tree.file })
	return rivals[0], near(rivals[0]) > near(rivals[next])
}

// nearness says how near a file is to the one that is launched: how many
// folders they share from the left, and then whether their names do, as those
// of dist/a.js and src/a.ts.
func nearness(name, entry string) int {
	n := 2 * together(name, entry)
	if familyOf(entry) != 0 && stem(name) == stem(entry) {
		n++
	}
	return n
}

func stem(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

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
	x.registers = new(true) // should the search be cut off
	found := false
	for _, f := range slices.Concat(x.groups[0], x.groups[1]) {
		if found || !strings.Contains(f.src, "ool") {
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
func (x *index) has(f *file, name string) bool {
	x.cost.take(1 + len(f.src)/256)
	for at := 0; ; {
		i := strings.Index(f.src[at:], name)
		if i < 0 {
			break
		}
		begin, end := at+i, at+i+len(name)
		if !(isWord(name[0]) && begin > 0 && isWord(f.src[begin-1])) && !(isWord(name[len(name)-1]) && end < len(f.src) && isWord(f.src[end])) {
			return true
		}
		x.cost.take(1)
		at = begin + 1
	}
	return respelling[f.family] && strings.Contains(f.lowered(), plain(name))
}
