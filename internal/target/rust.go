package target

import (
	"path"
	"strings"

	"github.com/sealmark/action/internal/result"
)

// rustSDKs are crates that servers are written with.
var rustSDKs = []string{"rmcp", "rust-mcp-sdk", "mcp-server", "mcp-core", "mcpr", "mcp-sdk", "async-mcp", "turbomcp", "pmcp"}

func findRust(f *finder, file string) {
	dir := path.Dir(file)
	doc := f.toml(file)
	name := doc.at("package", "name").str()
	if name == "" {
		return // the root of a workspace
	}
	files := f.own(dir, f.holding("Cargo.toml"))
	all := f.look(rust, files)
	programs := f.rustPrograms(dir, file, doc)
	if !all.isServer() || len(programs) == 0 {
		f.rejectOther(file, doc.at("dependencies"), rustSDKs, all)
		return
	}
	served := f.serveOwn(rust, programs)
	root := f.cargoRoot(dir)
	for _, s := range served {
		c := &candidate{ecosystem: "cargo", published: name, aliases: s.aliases, entry: s.file}
		c.Name, c.Detector, c.Directory, c.Rank = s.name, "Cargo.toml", dir, rankRust
		args := []string{"cargo", "build", "--release", "--bin", s.name}
		if f.exists(path.Join(root, "Cargo.lock")) {
			args = append(args, "--locked")
		}
		c.Build = []Step{{Args: args, Dir: dir}}
		c.Launch = all.launch([]string{from(dir, path.Join(root, "target/release", executable(s.name)))}, "8000")
		c.Why = []result.Why{s.at, serverWhy(all)}
		f.add(c)
	}
}

// serveOwn keeps the programs whose own file shows a server, all of them if
// none does.
func (f *finder) serveOwn(l *language, programs []program) []program {
	var served []program
	for _, s := range programs {
		if f.exists(s.file) && f.look(l, []string{s.file}).isServer() {
			served = append(served, s)
		}
	}
	if len(served) == 0 {
		return programs
	}
	return served
}

// rustPrograms are the binaries of a crate.
func (f *finder) rustPrograms(dir, file string, doc *node) []program {
	var found []program
	add := func(name, source string, at result.Why) {
		if name == "" || isOption(name) || strings.ContainsAny(name, "/\\ ") || !f.exists(source) {
			return
		}
		for _, s := range found {
			if s.file == source || s.name == name {
				return
			}
		}
		found = append(found, program{name: name, aliases: []string{name}, file: source, at: at})
	}
	name := doc.at("package", "name").str()
	for _, bin := range doc.at("bin").elements() {
		binName := bin.at("name").str()
		source := path.Join(dir, "src/bin", binName+".rs")
		if declared, ok := join(dir, bin.at("path").str()); ok {
			source = declared
		} else if binName == name {
			source = path.Join(dir, "src/main.rs")
		}
		add(binName, source, why(file, bin.lineNo(), "a binary of the crate: %s", shown(binName)))
	}
	add(name, path.Join(dir, "src/main.rs"), why(path.Join(dir, "src/main.rs"), 0, "the binary of the crate %s", shown(name)))
	for _, source := range f.below(path.Join(dir, "src/bin"), nil) {
		base := path.Base(source)
		switch {
		case base == "main.rs":
			base = path.Base(path.Dir(source))
		case path.Dir(source) != path.Join(dir, "src/bin"):
			continue
		}
		base = strings.TrimSuffix(base, ".rs")
		add(base, source, why(source, 0, "a binary of the crate: %s", shown(base)))
	}
	return found
}

// cargoRoot is the folder of the workspace that a crate belongs to.
func (f *finder) cargoRoot(dir string) string {
	for up := dir; up != "."; {
		up = path.Dir(up)
		file := path.Join(up, "Cargo.toml")
		if !f.exists(file) {
			continue
		}
		for _, pattern := range f.toml(file).at("workspace", "members").strings() {
			if matchesWorkspace(pattern, from(up, dir)) {
				return up
			}
		}
	}
	return dir
}

// rejectOther says why a project is no server, in languages where a program is
// not looked into more closely.
func (f *finder) rejectOther(file string, dependencies *node, sdks []string, all evidence) {
	line := 0
	for _, sdk := range sdks {
		if line = dependencies.at(sdk).lineNo(); line > 0 {
			break
		}
	}
	switch {
	case all.isServer():
		f.reject(weightLibrary, why(file, line, "is a library: %s makes a server, but no program starts it", place(all.server)))
	case all.isClient():
		f.reject(weightClient, why(file, line, "is a client: %s uses the client side of MCP, and nothing in its source makes a server", place(all.client)))
	case line > 0:
		f.reject(weightLibrary, why(file, line, "depends on an MCP SDK, but no source file makes a server with it"))
	default:
		f.reject(weightNoSDK, why(file, 0, "names no MCP SDK, and no source file answers initialize"))
	}
}
