package target

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/result"
)

func findPython(f *finder, file string) {
	dir := path.Dir(file)
	p := f.pythonProject(dir)
	if !p.doc.isTable() {
		return
	}
	f.addPython(p, "pyproject.toml", rankPython)
}

func findRequirements(f *finder, file string) {
	dir := path.Dir(file)
	if f.exists(path.Join(dir, "pyproject.toml")) {
		return
	}
	f.addPython(f.pythonProject(dir), "requirements.txt", rankRequirements)
}

func (f *finder) addPython(p *pythonProject, detector string, rank int) {
	files := f.own(p.dir, f.holding("pyproject.toml", "requirements.txt"))
	all := f.look(python, files)
	programs := f.pythonPrograms(p, files)
	for _, s := range programs {
		look := s.look
		if !s.known {
			look = all
		}
		c := &candidate{ecosystem: "pypi", published: p.name(), aliases: s.aliases, entry: s.file}
		c.Name, c.Detector, c.Directory, c.Rank = s.name, detector, p.dir, rank
		c.Build = p.steps(f, p.packaged() && p.doc != nil)
		c.Launch = look.launch(s.command, "8000")
		c.Why = []result.Why{s.at, serverWhy(look), p.whyBuild(f)}
		f.add(c)
	}
	if len(programs) > 0 {
		return
	}
	sdk, at := p.dependsOn(f)
	switch {
	case all.isServer():
		f.reject(weightLibrary, why(p.file, 0, "is a library: %s makes a server, but no script of the project and no file that can be run starts it", place(all.server)))
	case all.isClient():
		f.reject(weightClient, why(p.file, at.Line, "is a client: %s uses the client side of MCP, and nothing in its source makes a server", place(all.client)))
	case sdk != "":
		f.reject(weightLibrary, why(at.Path, at.Line, "depends on %s, but no source file makes a server with it", sdk))
	default:
		f.reject(weightNoSDK, why(p.file, 0, "names no MCP SDK, and no source file answers initialize"))
	}
}

// pythonPrograms are what the project starts and serves MCP: its scripts, else
// a package that can be run, else a file that can be run.
func (f *finder) pythonPrograms(p *pythonProject, files []string) []program {
	scripts := f.pythonScripts(p)
	if served := serving(scripts); len(served) > 0 {
		return served
	}
	for _, s := range scripts {
		if !s.known && slices.ContainsFunc(files, func(file string) bool { return f.look(python, []string{file}).isServer() }) {
			return []program{s}
		}
	}
	if served := serving(f.runnablePackages(p, files)); len(served) > 0 {
		return served
	}
	served := serving(f.runnableFiles(p, files))
	if len(served) > 1 {
		// One that another one imports is a part of it.
		served = f.outermost(p, served)
	}
	return served
}

// pythonScripts are the commands that the project installs.
func (f *finder) pythonScripts(p *pythonProject) []program {
	if p.doc == nil || p.manager == "pip" && !p.packaged() {
		return nil
	}
	var found []program
	for _, table := range []*node{p.doc.at("project", "scripts"), p.doc.at("tool", "poetry", "scripts")} {
		for _, name := range table.members() {
			value := table.at(name)
			target := value.str()
			if value.isTable() {
				target = value.at("callable").str() + value.at("reference").str()
			}
			if target == "" || isOption(name) || strings.Contains(name, "/") {
				continue
			}
			module, _, _ := strings.Cut(target, ":")
			s := program{name: name, aliases: []string{name}, file: f.modulePath(p.dir, strings.TrimSpace(module)), command: p.script(name)}
			s.at = why(p.file, value.lineNo(), "the project installs the command %s: %s", shown(name), shown(target))
			if i := slices.IndexFunc(found, func(other program) bool { return s.file != "" && other.file == s.file }); i >= 0 {
				found[i].aliases = append(found[i].aliases, name)
				continue
			}
			if s.file != "" {
				s.known, s.look = true, f.look(python, f.reachPython(p.dir, s.file))
			}
			found = append(found, s)
		}
	}
	slices.SortStableFunc(found, func(a, b program) int { return speaks(b.name) - speaks(a.name) })
	return found
}

// runnablePackages are packages with a __main__.py.
func (f *finder) runnablePackages(p *pythonProject, files []string) []program {
	var found []program
	for _, file := range files {
		if path.Base(file) != "__main__.py" || isTest(file) {
			continue
		}
		folder := path.Dir(file)
		rel := from(p.dir, folder)
		root := ""
		if rest, ok := strings.CutPrefix(rel, "src/"); ok {
			root, rel = "src", rest
		}
		if root != "" && !p.packaged() || rel == "" || folder == p.dir {
			continue
		}
		module := strings.ReplaceAll(rel, "/", ".")
		s := program{name: path.Base(folder), aliases: []string{module}, file: file, command: p.run("-m", module), known: true}
		s.look = f.look(python, f.reachPython(p.dir, file))
		s.at = why(file, 0, "the package %s can be run", shown(module))
		found = append(found, s)
	}
	return found
}

var (
	mainGuard = regexp.MustCompile(`(?m)^if[ \t]+__name__[ \t]*==[ \t]*["']__main__["']`)
	topRun    = regexp.MustCompile(`(?m)^(\w+\.run\(|asyncio\.run\(|anyio\.run\(|main\(\))`)
	newServer = regexp.MustCompile(`(?m)^(mcp|server|app)\s*(?::[^=\n]*)?=\s*(?:\w+\.)?(FastMCP|MCPServer)\(`)
)

// serverFiles are names of files that hold a server's program.
var serverFiles = []string{"server.py", "main.py", "app.py", "mcp_server.py", "run.py", "__main__.py", "index.py"}

// runnableFiles are files that start something when they are run.
func (f *finder) runnableFiles(p *pythonProject, files []string) []program {
	var found []program
	for _, file := range files {
		if path.Ext(file) != ".py" || isTest(file) {
			continue
		}
		rel := from(p.dir, file)
		if strings.Count(rel, "/") > 3 || isOption(rel) {
			continue
		}
		data := f.source(file)
		stem := strings.TrimSuffix(path.Base(file), ".py")
		s := program{name: stem, aliases: []string{stem}, file: file, command: p.run(rel), known: true}
		m := mainGuard.FindIndex(data)
		if m == nil {
			m = topRun.FindIndex(data)
		}
		if m != nil {
			s.at = mention(file, data, m)
			s.at.Text = "starts a server when it is run"
		} else if m = newServer.FindIndex(data); m != nil && slices.Contains(serverFiles, path.Base(file)) {
			// The command of the SDK runs the server object of a file.
			s.command = p.script("fastmcp")
			if sdk, _ := p.dependsOn(f); sdk == "mcp" {
				s.command = p.script("mcp")
			}
			s.command = append(s.command, "run", rel)
			s.at = mention(file, data, m)
			s.at.Text = "holds a server object, which the command of its SDK runs"
		} else {
			continue
		}
		s.look = f.look(python, f.reachPython(p.dir, file))
		found = append(found, s)
	}
	return found
}

// outermost leaves out programs that another one imports, and keeps those with
// the name of a server's file if there are any.
func (f *finder) outermost(p *pythonProject, programs []program) []program {
	imported := map[string]bool{}
	for _, s := range programs {
		for _, file := range f.reachPython(p.dir, s.file)[1:] {
			imported[file] = true
		}
	}
	outer := slices.DeleteFunc(slices.Clone(programs), func(s program) bool { return imported[s.file] })
	if len(outer) == 0 {
		outer = programs[:1]
	}
	named := slices.DeleteFunc(slices.Clone(outer), func(s program) bool { return !slices.Contains(serverFiles, path.Base(s.file)) })
	if len(named) > 0 {
		return named
	}
	return outer
}
