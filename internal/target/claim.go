package target

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/result"
)

// claim is what a manifest says of how a server is launched.
type claim struct {
	detector string
	rank     int
	// name is what the manifest calls the server, "" for nothing.
	name string
	// dir is the folder of the manifest. The command starts there.
	dir string
	// target is what the command starts.
	target target
	// explicit: it says more than which package it is.
	explicit bool
	// own: the manifest describes the server of this repository. Others also
	// list servers that the repository only uses.
	own bool
	// silent: nothing is said where no server matches.
	silent bool

	env            []Variable
	transport, url string
	why            result.Why
}

// settle applies the claims to what was found: the most exact manifest says how
// a server is launched, the others add to the reasons.
func (f *finder) settle() {
	slices.SortStableFunc(f.claims, func(a, b claim) int { return cmp.Compare(b.rank, a.rank) })
	for _, c := range f.claims {
		if found := f.match(c); found != nil {
			f.apply(c, found)
			continue
		}
		if c.silent {
			continue
		}
		if c.own {
			f.reject(weightForeign, result.Why{Path: c.why.Path, Line: c.why.Line, Text: c.why.Text + ", which nothing in the checkout builds or is"})
			continue
		}
		w := result.Why{Path: c.why.Path, Line: c.why.Line, Text: c.why.Text + ", which is no server of this repository"}
		f.note(w)
		f.reject(weightForeign, w)
	}
}

// match finds the server that a claim speaks of, or makes one of the file that
// it names. It returns nil for one that is not of this repository.
func (f *finder) match(c claim) *candidate {
	t := c.target
	switch {
	case t.file != "":
		return f.matchFile(c)
	case t.name != "":
		for _, found := range f.found {
			if (t.ecosystem == "" || t.ecosystem == found.ecosystem) && (sameName(found.published, t.name) || t.command && slices.Contains(found.aliases, t.name)) {
				if t.ecosystem == "npm" && sameName(found.published, t.name) && !f.isMainBin(found) {
					continue
				}
				return found
			}
		}
		if c.own {
			return f.only(c.dir, t.ecosystem)
		}
	case t.dir != "":
		return f.only(t.dir, "")
	}
	return nil
}

// isMainBin reports whether a package is started by this of its programs when
// only its name is given.
func (f *finder) isMainBin(c *candidate) bool {
	for _, other := range f.found {
		if other != c && other.Directory == c.Directory && slices.Contains(other.aliases, unscoped(c.published)) {
			return false
		}
	}
	return true
}

var nameSeparators = regexp.MustCompile(`[-_.]+`)

// sameName compares names of packages as registries do.
func sameName(a, b string) bool {
	normal := func(name string) string { return nameSeparators.ReplaceAllString(strings.ToLower(name), "-") }
	return a != "" && normal(a) == normal(b)
}

// only is the one server below a folder, of an ecosystem if one is given, nil
// if there are several.
func (f *finder) only(dir, ecosystem string) *candidate {
	var one *candidate
	for _, c := range f.found {
		if !inDir(dir, c.Directory) || ecosystem != "" && registries[ecosystem] && ecosystem != c.ecosystem {
			continue
		}
		if one != nil {
			return nil
		}
		one = c
	}
	return one
}

// registries are those whose packages are of one ecosystem.
var registries = map[string]bool{"npm": true, "pypi": true, "nuget": true, "cargo": true}

// matchFile finds the server that a file starts. Where the checkout has one
// server only, a manifest that names another file of it is right.
func (f *finder) matchFile(c claim) *candidate {
	file := c.target.file
	if slices.ContainsFunc(strings.Split(file, "/"), func(folder string) bool { return !walked(folder) && folder != "." }) {
		return nil // what others wrote
	}
	deepest := -1
	var near []*candidate
	for _, found := range f.found {
		switch {
		case found.entry == file || f.sameSource(found, file):
			return found
		case !inDir(found.Directory, file):
		case depth(found.Directory) > deepest:
			deepest, near = depth(found.Directory), []*candidate{found}
		case depth(found.Directory) == deepest:
			near = append(near, found)
		}
	}
	there := f.exists(file) || f.isBuilt(file)
	switch {
	case len(near) == 1 && !there:
		return near[0]
	case len(near) == 1 && !near[0].claimed && near[0].ecosystem == ecosystemOf(file):
		f.restart(near[0], c.target)
		return near[0]
	case there:
		return f.fromFile(c)
	}
	return nil
}

// sameSource reports whether a file is made of the same source as the program of
// a server: src/index.ts and dist/index.js.
func (f *finder) sameSource(c *candidate, file string) bool {
	if c.ecosystem != "npm" || ecosystemOf(file) != "npm" || !inDir(c.Directory, file) {
		return false
	}
	source := f.sourceOf(c.Directory, file)
	return source != "" && source == f.sourceOf(c.Directory, c.entry)
}

// isBuilt reports whether a file that is not in the checkout is one that a
// build of JavaScript may make.
func (f *finder) isBuilt(file string) bool {
	p := f.nodeAround(file)
	return p != nil && !isOption(from(p.dir, file)) && ecosystemOf(file) == "npm" && len(p.steps(f, file)) > len(p.install()) && slices.Contains(outputs, strings.Split(from(p.dir, file), "/")[0])
}

func ecosystemOf(file string) string {
	switch extension := path.Ext(file); {
	case slices.Contains(javascript.extensions, extension):
		return "npm"
	case extension == ".py":
		return "pypi"
	}
	return ""
}

// nodeAround is the project that a file belongs to, nil for none.
func (f *finder) nodeAround(file string) *nodeProject {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if p := f.nodeProject(dir); p != nil {
			return p
		}
		if dir == "." {
			return nil
		}
	}
}

// pythonAround is the project that a file belongs to, nil for none.
func (f *finder) pythonAround(file string) *pythonProject {
	for dir := path.Dir(file); ; dir = path.Dir(dir) {
		if f.exists(path.Join(dir, "pyproject.toml")) || f.exists(path.Join(dir, "requirements.txt")) {
			return f.pythonProject(dir)
		}
		if dir == "." {
			return nil
		}
	}
}

// restart lets a server start another file of its project.
func (f *finder) restart(c *candidate, t target) {
	c.entry = t.file
	switch p, q := f.nodeAround(t.file), f.pythonAround(t.file); {
	case c.ecosystem == "npm" && p != nil && p.dir == c.Directory:
		c.program = f.nodeCommand(p, t.file)
		c.Build = p.steps(f, t.file)
	case c.ecosystem == "pypi" && q != nil && q.dir == c.Directory:
		c.program = q.run(from(c.Directory, t.file))
	default:
		c.program = append(slices.Clone(t.program), from(c.Directory, t.file))
	}
}

// fromFile makes a server of a file that only a manifest names.
func (f *finder) fromFile(c claim) *candidate {
	file := c.target.file
	stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
	found := &candidate{entry: file, aliases: []string{stem}, ecosystem: ecosystemOf(file)}
	found.Name, found.Directory, found.Detector, found.Rank = cmp.Or(c.name, stem), c.dir, c.detector, c.rank
	if !inDir(c.dir, file) {
		found.Directory = path.Dir(file)
	}
	switch p, q := f.nodeAround(file), f.pythonAround(file); {
	case found.ecosystem == "npm" && p != nil:
		found.Directory = p.dir
		found.program, found.Build = f.nodeCommand(p, file), p.steps(f, file)
		if len(c.target.program) > 0 && c.target.program[0] != "node" {
			found.program = append(slices.Clone(c.target.program), from(p.dir, file))
		}
		found.Why = p.whyBuild(f, found.Build, file)
	case found.ecosystem == "pypi" && q != nil:
		found.Directory = q.dir
		found.program, found.Build = q.run(from(q.dir, file)), q.steps(f, q.packaged())
		found.Why = []result.Why{q.whyBuild(f)}
	default:
		name := from(found.Directory, file)
		if len(c.target.program) == 0 && !strings.Contains(name, "/") {
			name = "./" + name
		}
		found.program = append(slices.Clone(c.target.program), name)
	}
	found.Command = found.program
	return f.add(found)
}

// apply takes over what a manifest says of a server.
func (f *finder) apply(c claim, found *candidate) {
	found.Why = slices.Insert(found.Why, found.claims, c.why)
	found.claims++
	l := found.Launch
	if c.explicit {
		l = Launch{Command: append(slices.Clone(found.program), c.target.args...), Transport: cmp.Or(c.transport, Stdio), URL: c.url, Env: c.env}
		if l.Transport != Stdio && l.URL == "" {
			l.URL = cmp.Or(found.URL, "http://127.0.0.1:"+PortPlaceholder+"/mcp")
		}
	}
	switch {
	case !found.claimed:
		env := found.Env
		if l.Transport == Stdio {
			env = slices.DeleteFunc(slices.Clone(env), func(v Variable) bool { return v.Value == PortPlaceholder })
		}
		found.Launch = l
		found.Env = mergeEnv(c.env, env)
		if c.rank > found.Rank {
			found.Detector, found.Rank = c.detector, c.rank
		}
		found.claimed = c.explicit
	case c.explicit && found.Detector == c.detector && !sameLaunch(l, found.Launch):
		found.Alternatives = append(found.Alternatives, l)
	default:
		found.Env = mergeEnv(found.Env, slices.DeleteFunc(slices.Clone(c.env), func(v Variable) bool { return v.Value != "" }))
	}
}

func sameLaunch(a, b Launch) bool {
	return slices.Equal(a.Command, b.Command) && a.URL == b.URL && a.Transport == b.Transport
}

// mergeEnv adds variables that are not there yet.
func mergeEnv(env, more []Variable) []Variable {
	merged := slices.Clone(env)
	for _, v := range more {
		i := slices.IndexFunc(merged, func(known Variable) bool { return known.Name == v.Name })
		if i < 0 {
			merged = append(merged, v)
			continue
		}
		merged[i].Required = merged[i].Required || v.Required
		merged[i].Secret = merged[i].Secret || v.Secret
		if merged[i].Secret {
			merged[i].Value = ""
		}
	}
	slices.SortFunc(merged, func(a, b Variable) int { return strings.Compare(a.Name, b.Name) })
	return merged
}
