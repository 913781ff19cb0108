package target

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/result"
)

// Ruby and PHP: what is started is a script.

var rubySDK = regexp.MustCompile(`(?m)^\s*(?:gem\s*\(?|\w+\.add_(?:runtime_)?dependency\s*\(?)\s*["'](mcp|fast-mcp|mcp-rb|model-context-protocol-rb|ruby-mcp-client)["']`)

func findRuby(f *finder, file string) {
	dir := path.Dir(file)
	files := f.own(dir, f.holding("Gemfile"))
	specs := []string{file}
	name := ""
	for _, other := range files {
		if path.Ext(other) == ".gemspec" && path.Dir(other) == dir {
			specs = append(specs, other)
			name = strings.TrimSuffix(path.Base(other), ".gemspec")
		}
	}
	sdk := result.Why{}
	for _, spec := range specs {
		if m := rubySDK.FindIndex(f.source(spec)); m != nil && sdk.Path == "" {
			sdk = mention(spec, f.source(spec), m)
		}
	}
	steps := []Step{{Args: []string{"bundle", "install"}, Dir: dir}}
	s, all, ok := f.scripted(ruby, dir, files, []string{"exe", "bin"})
	if !ok {
		f.rejectScripted(file, sdk, all)
		return
	}
	s.command = []string{"bundle", "exec", "ruby", from(dir, s.file)}
	c := &candidate{ecosystem: "rubygems", published: name, aliases: s.aliases, entry: s.file}
	c.Name, c.Detector, c.Directory, c.Rank = s.name, "Gemfile", dir, rankRuby
	c.Build, c.Launch = steps, all.launch(s.command, "9292")
	c.Why = []result.Why{s.at, serverWhy(all), why(file, 0, "what it needs is installed with bundle")}
	f.add(c)
}

func findPHP(f *finder, file string) {
	dir := path.Dir(file)
	doc := f.json(file)
	if !doc.isTable() {
		return
	}
	files := f.own(dir, f.holding("composer.json"))
	s, all, ok := f.scripted(php, dir, files, []string{"bin", "public"})
	for _, bin := range doc.at("bin").strings() {
		script, inside := join(dir, bin)
		if inside && f.exists(script) && all.isServer() {
			stem := strings.TrimSuffix(path.Base(script), path.Ext(script))
			s, ok = program{name: stem, aliases: []string{stem}, file: script, at: why(file, doc.at("bin").lineNo(), "bin installs %s", shown(bin))}, true
			break
		}
	}
	if !ok {
		sdk := result.Why{}
		for _, name := range doc.at("require").members() {
			if slices.Contains([]string{"mcp/sdk", "php-mcp/server", "php-mcp/client", "php-mcp/laravel", "logiscape/mcp-sdk-php", "laravel/mcp"}, name) {
				sdk = why(file, doc.at("require", name).lineNo(), "depends on %s", name)
			}
		}
		f.rejectScripted(file, sdk, all)
		return
	}
	c := &candidate{ecosystem: "packagist", published: doc.at("name").str(), aliases: s.aliases, entry: s.file}
	c.Name, c.Detector, c.Directory, c.Rank = s.name, "composer.json", dir, rankPHP
	if len(doc.at("require").members()) > 0 {
		c.Build = []Step{{Args: []string{"composer", "install", "--no-interaction"}, Dir: dir}}
	}
	c.Launch = all.launch([]string{"php", from(dir, s.file)}, "8000")
	c.Why = []result.Why{s.at, serverWhy(all)}
	f.add(c)
}

// scripted finds the script that starts a server: one in the folders for
// commands, else one that makes the server itself.
func (f *finder) scripted(l *language, dir string, files, folders []string) (program, evidence, bool) {
	all := f.look(l, files)
	if !all.isServer() {
		return program{}, all, false
	}
	var best string
	for _, folder := range folders {
		for _, file := range f.below(path.Join(dir, folder), nil) {
			if speaks(path.Base(file)) > 0 || f.look(l, []string{file}).isServer() {
				if best == "" && isScript(l, file, f.source(file)) {
					best = file
				}
			}
		}
	}
	for _, file := range files {
		if best == "" && isScript(l, file, f.source(file)) && !isTest(file) && f.look(l, []string{file}).isServer() && strings.Count(from(dir, file), "/") < 2 && !strings.HasPrefix(from(dir, file), "lib/") && !isOption(from(dir, file)) {
			best = file
		}
	}
	if best == "" {
		return program{}, all, false
	}
	stem := strings.TrimSuffix(path.Base(best), path.Ext(best))
	return program{name: stem, aliases: []string{stem}, file: best, at: why(best, 0, "a script that starts a server")}, all, true
}

// isScript reports whether a file is a script of the language.
func isScript(l *language, file string, data []byte) bool {
	if extension := path.Ext(file); extension != "" {
		return extension == l.extensions[0]
	}
	first, _, _ := strings.Cut(string(data), "\n")
	return strings.HasPrefix(first, "#!") && strings.Contains(first, strings.TrimPrefix(map[string]string{".rb": "ruby", ".php": "php"}[l.extensions[0]], "."))
}

func (f *finder) rejectScripted(file string, sdk result.Why, all evidence) {
	switch {
	case all.isServer():
		f.reject(weightLibrary, why(file, 0, "is a library: %s makes a server, but no script starts it", place(all.server)))
	case all.isClient():
		f.reject(weightClient, why(file, 0, "is a client: %s uses the client side of MCP, and nothing in its source makes a server", place(all.client)))
	case sdk.Path != "":
		f.reject(weightLibrary, why(sdk.Path, sdk.Line, "%s, but no source file makes a server with it", sdk.Text))
	default:
		f.reject(weightNoSDK, why(file, 0, "names no MCP SDK, and no source file answers initialize"))
	}
}
