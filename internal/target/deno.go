package target

import (
	"path"
	"strings"

	"github.com/sealmark/action/internal/result"
)

func findDeno(f *finder, file string) {
	dir := path.Dir(file)
	doc := f.json(file)
	if !doc.isTable() || f.exists(path.Join(dir, "package.json")) {
		return // package.json says how it is launched
	}
	s, ok := f.denoProgram(dir, file, doc)
	all := f.look(javascript, f.own(dir, f.holding("package.json", "deno.json", "deno.jsonc")))
	if !ok || !s.look.isServer() {
		line, sdk := 0, false
		for _, name := range doc.at("imports").members() {
			if target := doc.at("imports", name); strings.Contains(target.str(), "modelcontextprotocol") {
				line, sdk = target.lineNo(), true
			}
		}
		f.rejectOther(file, fakeDependency(map[bool]string{true: "sdk"}[sdk], line), []string{"sdk"}, all)
		return
	}
	c := &candidate{ecosystem: "jsr", published: doc.at("name").str(), aliases: s.aliases, entry: s.file}
	c.Name, c.Detector, c.Directory, c.Rank = s.name, "deno.json", dir, rankDeno
	c.Build = []Step{{Args: []string{"deno", "cache", "./" + from(dir, s.file)}, Dir: dir}}
	if f.exists(path.Join(dir, "deno.lock")) {
		c.Build[0].Args = []string{"deno", "cache", "--frozen", "./" + from(dir, s.file)}
	}
	c.Launch = s.look.launch(s.command, "8000")
	c.Why = []result.Why{s.at, serverWhy(s.look)}
	f.add(c)
}

// denoProgram is what tasks.start runs, else what the package exports, else a
// file with the name of a program.
func (f *finder) denoProgram(dir, file string, doc *node) (program, bool) {
	name := ownName(doc.at("name").str())
	for _, task := range []string{"start", "serve", "mcp"} {
		value := doc.at("tasks", task)
		text := value.str()
		if value.isTable() {
			text = value.at("command").str()
		}
		words, plain := plainWords(text)
		if !plain || words[0] != "deno" {
			continue
		}
		if i := fileArgument(words); i > 0 {
			if source, ok := join(dir, words[i]); ok && f.exists(source) {
				return program{name: name, aliases: []string{task}, file: source, command: words, at: why(file, value.lineNo(), "the task %s starts it: %s", task, shown(text)), look: f.look(javascript, f.reach(source))}, true
			}
		}
	}
	candidates := []string{exported(doc.at("exports"), 0).str(), "main.ts", "server.ts", "mod.ts", "index.ts", "src/main.ts", "src/index.ts", "src/server.ts"}
	for _, candidate := range candidates {
		source, ok := join(dir, candidate)
		if !ok || !f.exists(source) {
			continue
		}
		s := program{name: name, aliases: []string{name}, file: source, command: []string{"deno", "run", "--allow-all", "./" + from(dir, source)}, look: f.look(javascript, f.reach(source))}
		if s.look.isServer() {
			s.at = why(source, 0, "starts a server")
			return s, true
		}
	}
	return program{}, false
}
