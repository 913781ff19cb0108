package target

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/result"
)

// nodeSDKs are packages that servers are written with.
var nodeSDKs = []string{
	"@modelcontextprotocol/sdk", "@modelcontextprotocol/server", "@modelcontextprotocol/node", "@modelcontextprotocol/express", "@modelcontextprotocol/hono", "@modelcontextprotocol/client", "@modelcontextprotocol/core",
	"fastmcp", "mcp-framework", "litemcp", "xmcp", "mcp-handler", "@vercel/mcp-adapter", "@rekog/mcp-nest", "agents", "tmcp", "muppet", "mcp-use",
}

// program is a file that a package starts.
type program struct {
	name    string
	aliases []string
	// file is its path from the root, "" where a script starts it in its own
	// way.
	file string
	// command starts it, nil for the way of its kind.
	command []string
	env     []Variable
	at      result.Why
	look    evidence
	// known: its source was found.
	known bool
}

func findNode(f *finder, file string) {
	dir := path.Dir(file)
	p := f.nodeProject(dir)
	if p == nil {
		return
	}
	all := f.look(javascript, f.own(dir, f.holding("package.json")))
	programs := p.programs(f)
	sdk, line := p.sdk()
	bundled := sdk != "" && !all.isClient() && len(programs) > 0 && f.exists(programs[0].file) && (!programs[0].known || p.speaksOfMCP())
	if !all.isServer() && len(serving(programs)) == 0 && !bundled {
		p.rejectNode(f, all)
		return
	}
	if !all.isServer() && bundled {
		all.server = why(file, line, "%s, on which it depends, and the source is not in the checkout", sdk)
	}
	for _, s := range programs {
		f.addNode(p, s, all)
	}
	if len(programs) == 0 {
		f.reject(weightLibrary, why(file, p.doc.at("main").lineNo(), "is a library: %s makes a server, but neither bin nor scripts.start nor main starts one", place(all.server)))
	}
}

// rejectNode says why a package is no server.
func (p *nodeProject) rejectNode(f *finder, all evidence) {
	sdk, line := p.sdk()
	switch {
	case all.isClient():
		f.reject(weightClient, why(p.file, line, "is a client: %s uses the client side of MCP, and nothing in its source makes a server", place(all.client)))
	case sdk != "":
		f.reject(weightLibrary, why(p.file, line, "depends on %s, but no source file makes a server with it", sdk))
	case len(f.workspaces(p.dir)) == 0:
		f.reject(weightNoSDK, why(p.file, 0, "names no MCP SDK, and no source file answers initialize"))
	}
}

// sdk is the SDK that the project depends on, "" for none.
func (p *nodeProject) sdk() (name string, line int) {
	for _, name := range nodeSDKs {
		if line = p.dependency(name); line > 0 {
			return name, line
		}
	}
	return "", 0
}

// speaksOfMCP reports whether the package is named for being a server.
func (p *nodeProject) speaksOfMCP() bool { return strings.Contains(strings.ToLower(p.name), "mcp") }

func (f *finder) addNode(p *nodeProject, s program, all evidence) {
	if !s.known {
		s.look = all
	}
	command := s.command
	if command == nil {
		command = f.nodeCommand(p, s.file)
	}
	c := &candidate{ecosystem: "npm", published: p.name, aliases: s.aliases, entry: s.file}
	c.Name, c.Detector, c.Directory, c.Rank = s.name, "package.json", p.dir, rankNode
	c.Build = p.steps(f, s.file)
	c.Launch = s.look.launch(command, "3000")
	c.Env = append(c.Env, s.env...)
	c.Why = []result.Why{s.at, serverWhy(s.look)}
	c.Why = append(c.Why, p.whyBuild(f, c.Build, s.file)...)
	f.add(c)
}

// serverWhy says where the source shows a server.
func serverWhy(e evidence) result.Why {
	w := e.server
	if e.own {
		w.Text = "the source answers " + w.Text + " itself"
		return w
	}
	w.Text = "the source makes a server: " + w.Text
	return w
}

// whyBuild says what the build rests on.
func (p *nodeProject) whyBuild(f *finder, steps []Step, program string) []result.Why {
	var whys []result.Why
	if len(p.install()) > 0 {
		switch {
		case p.lock != "":
			whys = append(whys, why(p.lock, 0, "the lock file: packages are installed with %s", p.manager))
		default:
			whys = append(whys, why(p.file, 0, "no lock file: packages are installed with %s, at whatever versions are current", p.manager))
		}
	}
	script := p.buildScript(f, program)
	if script == "build" && p.builtByInstall() {
		whys = append(whys, why(p.file, p.doc.at("scripts", "prepare").lineNo(), "scripts.prepare builds it when it is installed: %s", shown(p.script("prepare"))))
	} else if script != "" {
		whys = append(whys, why(p.file, p.doc.at("scripts", script).lineNo(), "scripts.%s builds it: %s", script, shown(p.script(script))))
	} else if program != "" && !f.exists(program) && len(steps) == len(p.install()) && p.script("prepare") == "" {
		whys = append(whys, why(p.file, 0, "%s is not in the checkout, and no script is known that makes it", shown(program)))
	}
	return whys
}

// programs are the files that the package starts and that serve MCP: those of
// bin, else that of scripts.start, else main.
func (p *nodeProject) programs(f *finder) []program {
	bins := p.bins(f)
	if served := serving(bins); len(served) > 0 {
		return served
	}
	start, hasStart := p.start(f)
	if hasStart && start.look.isServer() {
		return []program{start}
	}
	// A bin whose source is not known may be the one, or cannot be followed.
	for _, s := range bins {
		if !s.known || p.speaksOfMCP() && !s.look.isClient() {
			s.known = false
			return []program{s}
		}
	}
	if hasStart && !start.known {
		return []program{start}
	}
	if main, ok := p.mainProgram(f); ok {
		return []program{main}
	}
	return nil
}

func serving(programs []program) []program {
	return slices.DeleteFunc(slices.Clone(programs), func(s program) bool { return !s.look.isServer() })
}

// bins are the commands that the package installs, each file once, the one
// that is called like the package first.
func (p *nodeProject) bins(f *finder) []program {
	bin := p.doc.at("bin")
	names := bin.members()
	if bin.str() != "" {
		names = []string{""}
	}
	var found []program
	for _, name := range names {
		value := bin
		if name != "" {
			value = bin.at(name)
		}
		file, ok := join(p.dir, value.str())
		if !ok {
			continue
		}
		if name == "" {
			name = unscoped(p.name)
		}
		if i := slices.IndexFunc(found, func(s program) bool { return s.file == file }); i >= 0 {
			found[i].aliases = append(found[i].aliases, name)
			if name == unscoped(p.name) {
				found[i].name = name
			}
			continue
		}
		s := p.program(f, name, file)
		if name == unscoped(p.name) {
			s.name = ownName(p.name)
		}
		s.at = why(p.file, value.lineNo(), "bin installs %s as the command %s", shown(value.str()), shown(name))
		found = append(found, s)
	}
	slices.SortStableFunc(found, func(a, b program) int { return p.nearness(b) - p.nearness(a) })
	return found
}

// nearness is how much a program is the one that the package is named for.
func (p *nodeProject) nearness(s program) int {
	if slices.Contains(s.aliases, unscoped(p.name)) {
		return 10
	}
	return speaks(s.name)
}

// program looks at what a file starts.
func (p *nodeProject) program(f *finder, name, file string) program {
	s := program{name: name, aliases: []string{name}, file: file}
	if source := f.sourceOf(p.dir, file); source != "" {
		s.look = f.look(javascript, f.reach(source))
		// A bundle does not show what it was made of.
		s.known = s.look.isServer() || !inOutput(from(p.dir, source))
	}
	return s
}

// interpreters are the programs whose first argument is the file to start.
var interpreters = []string{"node", "tsx", "ts-node", "bun", "deno", "python", "python3", "php", "ruby"}

// start is what scripts.start starts.
func (p *nodeProject) start(f *finder) (program, bool) {
	text := p.script("start")
	if text == "" {
		return program{}, false
	}
	at := why(p.file, p.doc.at("scripts", "start").lineNo(), "scripts.start starts it: %s", shown(text))
	name := ownName(p.name)
	s := program{name: name, at: at, command: p.runScript("start")}
	words, plain := plainWords(text)
	if !plain {
		return s, true
	}
	env, words := assignments(words, Variable{Why: at})
	if len(words) == 0 {
		return s, true
	}
	i := fileArgument(words)
	if i < 0 {
		return s, true
	}
	file, ok := join(p.dir, words[i])
	if !ok {
		return s, true
	}
	if found := f.module(file); found != "" && !f.exists(file) {
		file = found
	}
	s = p.program(f, name, file)
	s.at, s.env = at, env
	s.command = words
	if p.needsLocal(words[0]) {
		s.command = append(p.local(), words...)
	}
	if p.pnp && words[0] == "node" {
		s.command = append([]string{"yarn"}, words...)
	}
	return s, true
}

// needsLocal reports whether a program comes with the project's packages.
func (p *nodeProject) needsLocal(name string) bool {
	return slices.Contains([]string{"tsx", "ts-node", "ts-node-esm", "swc-node", "babel-node", "esno"}, name)
}

// local starts a program of the project's packages.
func (p *nodeProject) local() []string {
	switch {
	case p.manager == "pnpm":
		return []string{"pnpm", "exec"}
	case p.pnp:
		return []string{"yarn", "exec"}
	}
	return []string{"npx", "--no-install"}
}

// runScript runs a script without the banner of the package manager, which
// would stand among the server's messages.
func (p *nodeProject) runScript(script string) []string {
	if p.manager == "yarn" && p.berry {
		return []string{"yarn", "run", script}
	}
	return []string{p.manager, "run", "--silent", script}
}

// fileArgument is the place of the file that an interpreter is given, -1 if the
// command is not one of an interpreter.
func fileArgument(words []string) int {
	if !slices.Contains(interpreters, path.Base(words[0])) {
		return -1
	}
	for i := 1; i < len(words); i++ {
		switch word := words[i]; {
		case word == "run" && (words[0] == "bun" || words[0] == "deno"):
		case slices.Contains([]string{"-r", "--require", "--import", "--loader", "--experimental-loader", "--env-file", "--config", "-c", "--project", "-P", "--tsconfig"}, word):
			i++
		case isOption(word):
		default:
			return i
		}
	}
	return -1
}

// main is the file that the package exports, from the root, "" for none.
func (p *nodeProject) main() string {
	for _, value := range []*node{p.doc.at("main"), exported(p.doc.at("exports"), 0), p.doc.at("module")} {
		if file, ok := join(p.dir, value.str()); ok {
			return file
		}
	}
	return ""
}

// exported is the file behind "." of exports.
func exported(value *node, depth int) *node {
	if value.str() != "" || !value.isTable() || depth > 5 {
		return value
	}
	for _, key := range []string{".", "import", "node", "default", "require"} {
		if below := exported(value.at(key), depth+1); below.str() != "" {
			return below
		}
	}
	return nil
}

// mainProgram is main where it starts a server when it is run. What also
// exports functions or types is a library.
func (p *nodeProject) mainProgram(f *finder) (program, bool) {
	file := p.main()
	line := p.doc.at("main").lineNo()
	if file == "" {
		for _, name := range []string{"index", "server", "src/index", "src/server"} {
			if file = f.module(path.Join(p.dir, name)); file != "" {
				break
			}
		}
	}
	if file == "" {
		return program{}, false
	}
	s := p.program(f, ownName(p.name), file)
	source := f.sourceOf(p.dir, file)
	if !s.look.isServer() || !f.starts(source) || exportsThings(string(f.source(source))) {
		return program{}, false
	}
	s.at = why(p.file, line, "main starts a server when it is run: %s", shown(file))
	if line == 0 {
		s.at = why(file, 0, "starts a server when it is run")
	}
	return s, true
}

// starts reports whether a program or what it imports opens a connection.
func (f *finder) starts(source string) bool {
	for _, file := range f.reach(source) {
		text := string(f.source(file))
		for _, word := range []string{".connect(", ".listen(", ".start(", "process.stdin", "serve("} {
			if strings.Contains(text, word) {
				return true
			}
		}
	}
	return false
}

func exportsThings(text string) bool {
	for _, word := range []string{"\nexport ", "module.exports", "\nexports."} {
		if strings.Contains("\n"+text, word) {
			return true
		}
	}
	return false
}

// nodeCommand starts a file in the way of its kind.
func (f *finder) nodeCommand(p *nodeProject, file string) []string {
	name := from(p.dir, file)
	if isOption(name) {
		name = "./" + name
	}
	first, _, _ := strings.Cut(string(f.source(f.sourceOf(p.dir, file))), "\n")
	typed := slices.Contains([]string{".ts", ".mts", ".cts", ".tsx"}, path.Ext(file))
	switch {
	case strings.HasPrefix(first, "#!") && strings.Contains(first, "bun"), typed && p.manager == "bun":
		return []string{"bun", "run", name}
	case strings.HasPrefix(first, "#!") && strings.Contains(first, "deno"):
		return []string{"deno", "run", "--allow-all", name}
	case typed && p.dependency("tsx") == 0 && p.dependency("ts-node") > 0:
		return append(p.local(), "ts-node", name)
	case typed && p.dependency("tsx") > 0:
		return append(p.local(), "tsx", name)
	case strings.HasPrefix(first, "#!") && (strings.Contains(first, "/sh") || strings.Contains(first, "bash")):
		return []string{fmt.Sprintf("./%s", strings.TrimPrefix(name, "./"))}
	case p.pnp:
		return []string{"yarn", "node", name}
	}
	return []string{"node", name}
}
