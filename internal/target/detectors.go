package target

import "path"

// detector reads one kind of file.
type detector struct {
	// Name is what plans carry, and the file as users know it.
	Name string
	// Files are the names of the file, as patterns. One with a slash is a path
	// from the root.
	Files []string
	// Rank orders the plans of different detectors; the greater one wins.
	Rank int
	// Project: the file shows a server by itself. The others say how one is
	// launched.
	Project bool
	// Takes is what is read of it, for the documentation.
	Takes string
	find  func(*finder, string)
}

// Ranks of the detectors: what says most exactly how the server is launched
// comes first.
const (
	rankRegistry     = 100
	rankBundle       = 95
	rankEditor       = 90
	rankSmithery     = 85
	rankNode         = 70
	rankDeno         = 68
	rankPython       = 66
	rankGo           = 64
	rankRust         = 62
	rankMaven        = 60
	rankGradle       = 58
	rankDotnet       = 56
	rankRuby         = 54
	rankPHP          = 52
	rankRequirements = 50
)

// detectors are all of them, in the order in which they run: first what shows
// a server, then what says how it is launched, most exact first.
var detectors = []detector{
	{Name: "package.json", Files: []string{"package.json"}, Rank: rankNode, Project: true, find: findNode,
		Takes: "`bin`, else `scripts.start`, else `main` and `exports`; `scripts.build` and `prepare`; npm, pnpm, yarn or bun by `packageManager` and lock file; workspaces, also those of `pnpm-workspace.yaml`"},
	{Name: "deno.json", Files: []string{"deno.json", "deno.jsonc"}, Rank: rankDeno, Project: true, find: findDeno,
		Takes: "`tasks.start`, else `exports`, else `main.ts`, `mod.ts` or `server.ts`"},
	{Name: "pyproject.toml", Files: []string{"pyproject.toml"}, Rank: rankPython, Project: true, find: findPython,
		Takes: "`project.scripts`, `tool.poetry.scripts`, else a package's `__main__.py`, else a script that starts a server; uv, poetry or pip by lock file"},
	{Name: "go.mod", Files: []string{"go.mod"}, Rank: rankGo, Project: true, find: findGo,
		Takes: "main packages that reach the server side of an MCP SDK through the imports of the module"},
	{Name: "Cargo.toml", Files: []string{"Cargo.toml"}, Rank: rankRust, Project: true, find: findRust,
		Takes: "`bin`, `src/main.rs`, `src/bin/`; workspaces"},
	{Name: "pom.xml", Files: []string{"pom.xml"}, Rank: rankMaven, Project: true, find: findMaven,
		Takes: "the runnable jar of Spring Boot, Quarkus, shade, assembly or a manifest's main class"},
	{Name: "build.gradle", Files: []string{"build.gradle", "build.gradle.kts"}, Rank: rankGradle, Project: true, find: findGradle,
		Takes: "the plugins `application`, Spring Boot and shadow; the name of `settings.gradle`"},
	{Name: "*.csproj", Files: []string{"*.csproj"}, Rank: rankDotnet, Project: true, find: findDotnet,
		Takes: "`PackageReference`, `OutputType`, `AssemblyName`"},
	{Name: "Gemfile", Files: []string{"Gemfile"}, Rank: rankRuby, Project: true, find: findRuby,
		Takes: "`exe/`, `bin/`, and scripts that start a server"},
	{Name: "composer.json", Files: []string{"composer.json"}, Rank: rankPHP, Project: true, find: findPHP,
		Takes: "`bin`, and scripts that start a server"},
	{Name: "requirements.txt", Files: []string{"requirements.txt"}, Rank: rankRequirements, Project: true, find: findRequirements,
		Takes: "a script beside it that starts a server, a package's `__main__.py`"},
	{Name: "server.json", Files: []string{"server.json"}, Rank: rankRegistry, find: findRegistry,
		Takes: "`packages` that this repository publishes: arguments, variables, transports in their order; `remotes` are named, not tested"},
	{Name: "manifest.json", Files: []string{"manifest.json"}, Rank: rankBundle, find: findBundle,
		Takes: "`server.entry_point`, `server.mcp_config`, `user_config`"},
	{Name: "mcp.json", Files: []string{".mcp.json", "mcp.json", ".vscode/mcp.json", ".cursor/mcp.json"}, Rank: rankEditor, find: findEditor,
		Takes: "entries of `mcpServers` or `servers` whose command is a file or a package of this repository"},
	{Name: "smithery.yaml", Files: []string{"smithery.yaml", "smithery.yml"}, Rank: rankSmithery, find: findSmithery,
		Takes: "the object that `startCommand.commandFunction` returns, as far as it can be read without running it; `configSchema`"},
	{Name: "Dockerfile", Files: []string{"Dockerfile", "Containerfile", "docker/Dockerfile"}, find: findDocker,
		Takes: "arguments of a program that was found otherwise; by itself nothing, since Docker is not run"},
}

// reads reports whether a path is one of the detector's files. A pattern with
// a slash counts from any project folder.
func (d detector) reads(file string) bool {
	for _, pattern := range d.Files {
		name := path.Base(file)
		if dir := path.Dir(pattern); dir != "." {
			name = path.Join(path.Base(path.Dir(file)), name)
		}
		if ok, _ := path.Match(pattern, name); ok {
			return true
		}
	}
	return false
}
