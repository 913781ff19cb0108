package target

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/result"
)

// pythonSDKs are packages that servers are written with.
var pythonSDKs = []string{"mcp", "fastmcp", "fastapi-mcp", "mcp-server", "mcp-use"}

// pythonProject is a folder of Python code with its way to be installed.
type pythonProject struct {
	dir, file string
	doc       *node // of pyproject.toml, nil without one
	// root is the folder of the uv workspace that it belongs to, its own one
	// otherwise.
	root string
	// manager is uv, poetry or pip; lock the lock file, "" for none.
	manager, lock string
}

func (f *finder) pythonProject(dir string) *pythonProject {
	p := &pythonProject{dir: dir, root: dir, manager: "pip"}
	file := path.Join(dir, "pyproject.toml")
	if !f.exists(file) {
		p.file = path.Join(dir, "requirements.txt")
		return p
	}
	p.file, p.doc = file, f.toml(file)
	for up := dir; ; up = path.Dir(up) {
		if up == dir || slices.ContainsFunc(f.toml(path.Join(up, "pyproject.toml")).at("tool", "uv", "workspace", "members").strings(), func(pattern string) bool { return matchesWorkspace(pattern, from(up, dir)) }) {
			if lock := path.Join(up, "uv.lock"); f.exists(lock) {
				p.manager, p.lock, p.root = "uv", lock, up
				return p
			}
		}
		if up == "." {
			break
		}
	}
	if lock := path.Join(dir, "poetry.lock"); f.exists(lock) {
		p.manager, p.lock = "poetry", lock
	} else if p.doc.at("tool", "uv").isTable() || strings.HasPrefix(p.doc.at("build-system", "build-backend").str(), "uv_build") {
		p.manager = "uv"
	}
	return p
}

const venv = ".sealmark/venv"

// python is the interpreter of the project's own environment.
func (p *pythonProject) python() string { return p.installed("python") }

// installed is a program of the project's own environment.
func (p *pythonProject) installed(name string) string {
	if executable("x") != "x" {
		return venv + "/Scripts/" + executable(name)
	}
	return venv + "/bin/" + name
}

// steps install the project. Without a package of its own only what it needs
// is installed.
func (p *pythonProject) steps(f *finder, packaged bool) []Step {
	switch p.manager {
	case "uv":
		args := []string{"uv", "sync"}
		if p.lock != "" {
			args = append(args, "--frozen")
		}
		if p.root != p.dir {
			args = append(args, "--package", p.name())
		}
		return []Step{{Args: args, Dir: p.root}}
	case "poetry":
		args := []string{"poetry", "install", "--no-interaction", "--only", "main"}
		if !packaged {
			args = append(args, "--no-root")
		}
		return []Step{{Args: args, Dir: p.dir}}
	}
	steps := []Step{{Args: []string{"python3", "-m", "venv", venv}, Dir: p.dir}}
	install := []string{p.python(), "-m", "pip", "install", "--disable-pip-version-check"}
	var needs []string
	switch {
	case packaged:
		needs = []string{"."}
	case f.exists(path.Join(p.dir, "requirements.txt")):
		needs = []string{"-r", "requirements.txt"}
	default:
		needs = p.requirements()
	}
	if len(needs) == 0 {
		return steps
	}
	return append(steps, Step{Args: append(install, needs...), Dir: p.dir})
}

// requirements are those of project.dependencies.
func (p *pythonProject) requirements() []string {
	return slices.DeleteFunc(slices.Clone(p.doc.at("project", "dependencies").strings()), isOption)
}

// packaged reports whether the project can be installed as a package.
func (p *pythonProject) packaged() bool { return p.doc.at("build-system").isTable() }

func (p *pythonProject) name() string {
	if name := p.doc.at("project", "name").str(); name != "" {
		return name
	}
	return p.doc.at("tool", "poetry", "name").str()
}

// script starts a command that the project installs.
func (p *pythonProject) script(name string) []string {
	switch p.manager {
	case "uv":
		return p.uvRun(name)
	case "poetry":
		return []string{"poetry", "run", name}
	}
	return []string{p.installed(name)}
}

// run starts the interpreter with a file or a module.
func (p *pythonProject) run(args ...string) []string {
	switch p.manager {
	case "uv":
		return append(p.uvRun("python"), args...)
	case "poetry":
		return append([]string{"poetry", "run", "python"}, args...)
	}
	return append([]string{p.python()}, args...)
}

// uvRun runs what uv sync has installed, and fetches nothing any more.
func (p *pythonProject) uvRun(name string) []string {
	args := []string{"uv", "run", "--no-sync"}
	if p.root != p.dir {
		args = append(args, "--package", p.name())
	}
	return append(args, name)
}

// dependsOn finds an SDK among what the project needs.
func (p *pythonProject) dependsOn(f *finder) (sdk string, at result.Why) {
	for _, sdk := range pythonSDKs {
		named := regexp.MustCompile(`(?mi)^[ \t]*["']?` + regexp.QuoteMeta(sdk) + `(\[[^\]]*\])?[ \t]*(["'=<>~!;@#\r]|$)`)
		for _, file := range []string{path.Join(p.dir, "pyproject.toml"), path.Join(p.dir, "requirements.txt")} {
			data := f.source(file)
			if at := named.FindIndex(data); at != nil {
				return sdk, mention(file, data, at)
			}
		}
	}
	return "", result.Why{}
}

// whyBuild says what the installation rests on.
func (p *pythonProject) whyBuild(f *finder) result.Why {
	if p.lock != "" {
		return why(p.lock, 0, "the lock file: it is installed with %s", p.manager)
	}
	if file := path.Join(p.dir, "requirements.txt"); p.manager == "pip" && !p.packaged() && f.exists(file) {
		return why(file, 0, "says what to install with pip")
	}
	return why(p.file, 0, "no lock file: it is installed with %s, at whatever versions are current", p.manager)
}

// modulePath finds the file of a module, "" if it is none of the project.
func (f *finder) modulePath(dir, module string) string {
	rel := strings.ReplaceAll(module, ".", "/")
	for _, base := range []string{"src", "", "lib", "python"} {
		for _, end := range []string{".py", "/__init__.py"} {
			if name := path.Join(dir, base, rel) + end; f.exists(name) {
				return name
			}
		}
	}
	return ""
}

var (
	fromImport  = regexp.MustCompile(`(?m)^[ \t]*from[ \t]+(\.*[\w.]*)[ \t]+import[ \t]+\(?([\w., \t\n]*)`)
	plainImport = regexp.MustCompile(`(?m)^[ \t]*import[ \t]+([\w.]+)`)
)

// reachPython are the files that a module is made of, as far as its imports can
// be followed within the project.
func (f *finder) reachPython(dir, file string) []string {
	var files []string
	seen := map[string]bool{file: true}
	for queue := []string{file}; len(queue) > 0 && len(files) < maxReached && !f.late(); queue = queue[1:] {
		file := queue[0]
		files = append(files, file)
		for _, next := range f.pythonImports(dir, file) {
			if !seen[next] {
				seen[next] = true
				queue = append(queue, next)
			}
		}
	}
	return files
}

// pythonImports are the files of the project that a file imports.
func (f *finder) pythonImports(dir, file string) []string {
	if found, known := f.imported[file]; known {
		return found
	}
	data := f.source(file)
	var found []string
	add := func(name string) {
		if name != "" {
			found = append(found, name)
		}
	}
	for _, m := range plainImport.FindAllSubmatch(data, -1) {
		add(f.modulePath(dir, string(m[1])))
	}
	for _, m := range fromImport.FindAllSubmatch(data, -1) {
		module := string(m[1])
		name := strings.TrimLeft(module, ".")
		base := dir
		find := func(module string) string { return f.modulePath(dir, module) }
		if dots := len(module) - len(name); dots > 0 {
			base = path.Dir(file)
			for range min(dots-1, maxDepth) {
				base = path.Dir(base)
			}
			find = func(module string) string { return f.moduleIn(base, module) }
		}
		add(find(name))
		for part := range strings.SplitSeq(string(m[2]), ",") {
			if words := strings.Fields(part); len(words) > 0 {
				add(find(strings.Trim(name+"."+words[0], ".")))
			}
		}
	}
	f.imported[file] = found
	return found
}

// moduleIn finds the file of a module in a folder.
func (f *finder) moduleIn(dir, module string) string {
	rel := path.Join(dir, strings.ReplaceAll(module, ".", "/"))
	for _, name := range []string{rel + ".py", path.Join(rel, "__init__.py")} {
		if f.exists(name) {
			return name
		}
	}
	return ""
}
