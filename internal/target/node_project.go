package target

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// nodeProject is a folder with a package.json.
type nodeProject struct {
	dir, file string
	doc       *node
	name      string
	// root is the folder of the workspace that it belongs to, its own one
	// otherwise.
	root string
	// manager is npm, pnpm, yarn or bun; lock the lock file, "" for none.
	manager, lock string
	// berry: yarn 2 or later. pnp: its packages are in no node_modules.
	berry, pnp bool
}

// lockFiles tell which package manager a project is kept with.
var lockFiles = []struct{ manager, file string }{
	{"pnpm", "pnpm-lock.yaml"},
	{"yarn", "yarn.lock"},
	{"bun", "bun.lock"},
	{"bun", "bun.lockb"},
	{"npm", "package-lock.json"},
	{"npm", "npm-shrinkwrap.json"},
}

// nodeProject reads the package.json of a folder, nil if there is none.
func (f *finder) nodeProject(dir string) *nodeProject {
	file := path.Join(dir, "package.json")
	if !f.exists(file) {
		return nil
	}
	doc := f.json(file)
	if !doc.isTable() {
		return nil
	}
	p := &nodeProject{dir: dir, file: file, doc: doc, name: doc.at("name").str(), root: f.workspaceOf(dir)}
	p.choose(f)
	return p
}

// workspaceOf is the folder whose workspaces a package belongs to.
func (f *finder) workspaceOf(dir string) string {
	for up := dir; up != "."; {
		up = path.Dir(up)
		for _, pattern := range f.workspaces(up) {
			if matchesWorkspace(pattern, from(up, dir)) {
				return up
			}
		}
	}
	return dir
}

// workspaces are the patterns of the workspaces that a folder declares.
func (f *finder) workspaces(dir string) []string {
	var patterns []string
	if file := path.Join(dir, "package.json"); f.exists(file) {
		declared := f.json(file).at("workspaces")
		patterns = append(declared.strings(), declared.at("packages").strings()...)
	}
	if file := path.Join(dir, "pnpm-workspace.yaml"); f.exists(file) {
		patterns = append(patterns, f.yaml(file).at("packages").strings()...)
	}
	return patterns
}

func matchesWorkspace(pattern, dir string) bool {
	pattern = strings.Trim(strings.TrimPrefix(pattern, "./"), "/")
	if before, _, deep := strings.Cut(pattern, "**"); deep {
		return strings.HasPrefix(dir, before)
	}
	ok, _ := path.Match(pattern, dir)
	return ok
}

// choose finds the package manager: packageManager, else the lock file, else
// npm.
func (p *nodeProject) choose(f *finder) {
	p.manager = "npm"
	dirs := []string{p.root}
	if p.root != p.dir {
		dirs = append(dirs, p.dir)
	}
	named := ""
	for _, dir := range dirs {
		field := f.json(path.Join(dir, "package.json")).at("packageManager").str()
		if name, _, _ := strings.Cut(field, "@"); named == "" && slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, name) {
			named = name
			p.berry = name == "yarn" && !strings.HasPrefix(field, "yarn@1.")
		}
	}
	for _, lock := range lockFiles {
		file := path.Join(p.root, lock.file)
		if f.exists(file) && (named == "" || named == lock.manager) {
			p.manager, p.lock = lock.manager, file
			break
		}
	}
	if named != "" {
		p.manager = named
	} else if p.lock == "" && f.exists(path.Join(p.root, "pnpm-workspace.yaml")) {
		p.manager = "pnpm"
	}
	if p.manager != "yarn" {
		return
	}
	settings := path.Join(p.root, ".yarnrc.yml")
	p.berry = p.berry || f.exists(settings) || bytes.Contains(f.source(p.lock), []byte("\n__metadata:"))
	p.pnp = p.berry && !(f.exists(settings) && f.yaml(settings).at("nodeLinker").str() == "node-modules")
}

// install are the steps that fetch the packages, those of development too: a
// build needs them.
func (p *nodeProject) install() []Step {
	args := []string{p.manager, "install"}
	switch {
	case p.lock == "" && !p.hasPackages():
		return nil
	case p.lock == "":
	case p.manager == "npm":
		args = []string{"npm", "ci"}
	case p.berry:
		args = append(args, "--immutable")
	default:
		args = append(args, "--frozen-lockfile")
	}
	return []Step{{Args: args, Dir: p.root}}
}

func (p *nodeProject) hasPackages() bool {
	return p.root != p.dir || len(p.doc.at("dependencies").members())+len(p.doc.at("devDependencies").members())+len(p.doc.at("optionalDependencies").members())+len(p.doc.at("workspaces").elements()) > 0
}

// dependencies are the names of the packages that it needs.
func (p *nodeProject) dependencies() []string {
	return slices.Concat(p.doc.at("dependencies").members(), p.doc.at("devDependencies").members(), p.doc.at("peerDependencies").members(), p.doc.at("optionalDependencies").members())
}

// dependency is the line of a dependency, 0 if there is none.
func (p *nodeProject) dependency(name string) int {
	for _, group := range []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"} {
		if line := p.doc.at(group, name).lineNo(); line > 0 {
			return line
		}
	}
	return 0
}

func (p *nodeProject) script(name string) string {
	return strings.TrimSpace(p.doc.at("scripts", name).str())
}

// buildScripts are the scripts that make what bin and main name, in the order
// in which they are looked for. Only build is run when its result is there
// already.
var buildScripts = []string{"build", "compile", "tsc", "build:ts", "prepack", "prepublishOnly", "prepublish"}

// steps are the commands that install and build the project so that a program
// of it can be started.
func (p *nodeProject) steps(f *finder, program string) []Step {
	steps := p.install()
	script := p.buildScript(f, program)
	if script == "build" && p.builtByInstall() {
		return steps
	}
	for _, other := range p.before(f, map[string]bool{}) {
		if s := other.buildScript(f, ""); s != "" {
			steps = append(steps, other.run(s))
		}
	}
	switch {
	case script != "":
		steps = append(steps, p.run(script))
	case program == "" || f.exists(program) || p.script("prepare") != "" && !p.workspace():
	case p.workspace() && f.nodeProject(p.root) != nil && f.nodeProject(p.root).script("build") != "":
		steps = append(steps, f.nodeProject(p.root).run("build"))
	case f.exists(path.Join(p.dir, "tsconfig.json")) && (p.dependency("typescript") > 0 || p.workspace()):
		steps = append(steps, Step{Args: []string{"npx", "--no-install", "tsc", "--project", "."}, Dir: p.dir})
	}
	return steps
}

// buildScript is the name of the script that builds the project, "" for none.
func (p *nodeProject) buildScript(f *finder, program string) string {
	for _, name := range buildScripts {
		if text := p.script(name); text == "" || strings.HasPrefix(text, "docker ") {
			continue
		}
		if name == "build" || program != "" && !f.exists(program) {
			return name
		}
	}
	return ""
}

// builtByInstall: the package manager runs prepare when it installs, and
// prepare builds.
func (p *nodeProject) builtByInstall() bool {
	prepare := p.script("prepare")
	if prepare == "" || p.workspace() || len(p.install()) == 0 || p.manager != "npm" && p.manager != "pnpm" {
		return false
	}
	return prepare == p.script("build") || strings.Contains(prepare, "run build") || strings.Contains(prepare, p.manager+" build")
}

func (p *nodeProject) workspace() bool { return p.root != p.dir }

// run is the step that runs a script.
func (p *nodeProject) run(script string) Step {
	if p.manager == "npm" && p.workspace() {
		return Step{Args: []string{"npm", "run", script, "-w", from(p.root, p.dir)}, Dir: p.root}
	}
	return Step{Args: []string{p.manager, "run", script}, Dir: p.dir}
}

// before are the packages of the same workspace that must be built first, in
// that order.
func (p *nodeProject) before(f *finder, seen map[string]bool) []*nodeProject {
	if !p.workspace() {
		return nil
	}
	seen[p.dir] = true
	var first []*nodeProject
	for _, name := range p.dependencies() {
		dir, ok := f.packageDirs()[name]
		if !ok || seen[dir] {
			continue
		}
		if other := f.nodeProject(dir); other != nil && other.root == p.root {
			first = append(first, other.before(f, seen)...)
			first = append(first, other)
		}
	}
	return first
}

// packageDirs are the folders of the packages of the repository, by name.
func (f *finder) packageDirs() map[string]string {
	if f.packages != nil {
		return f.packages
	}
	f.packages = map[string]string{}
	for _, file := range f.files {
		if path.Base(file) != "package.json" || isAside(file) {
			continue
		}
		if name := f.json(file).at("name").str(); name != "" && f.packages[name] == "" {
			f.packages[name] = path.Dir(file)
		}
	}
	return f.packages
}
