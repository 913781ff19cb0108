package target

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

// harmless is what an argument is given that a manifest requires and leaves
// open.
func harmless(format string) string {
	switch format {
	case "number", "integer":
		return "1"
	case "boolean":
		return "true"
	case "filepath", "file", "directory":
		return "."
	}
	return "sealmark"
}

var portName = regexp.MustCompile(`(?i)(^|[-_])port$`)

// variable makes a variable of a manifest. A value that stands for another one,
// and that of a secret, is left out.
func variable(name, value string, required, secret bool, file string, line int, format string, args ...any) Variable {
	v := Variable{Name: name, Required: required, Secret: secret || isSecret(name), Why: why(file, line, format, args...)}
	if !v.Secret && !strings.Contains(value, "${") && !strings.Contains(value, "<") && !strings.ContainsRune(value, 0) {
		v.Value = value
	}
	return v
}

// findEditor reads the files that editors and agents keep their servers in.
func findEditor(f *finder, file string) {
	doc := f.json(file)
	servers := doc.at("mcpServers")
	for _, other := range []*node{doc.at("servers"), doc.at("mcp", "servers")} {
		if servers == nil && other.isTable() {
			servers = other
		}
	}
	dir := path.Dir(file)
	if slices.Contains(editorFolders, path.Base(dir)) {
		dir = path.Dir(dir)
	}
	for _, name := range servers.members() {
		entry := servers.at(name)
		line := entry.lineNo()
		words := append([]string{entry.at("command").str()}, entry.at("args").strings()...)
		if words[0] == "" {
			if url := entry.at("url").str(); url != "" {
				f.note(why(file, line, "%s is a server elsewhere: %s", shown(name), shown(url)))
			}
			continue
		}
		at := dir
		if cwd, ok := join(dir, localPath(entry.at("cwd").str())); ok {
			at = cwd
		}
		t := resolve(at, words)
		c := claim{detector: "mcp.json", rank: rankEditor, name: name, dir: at, target: t, explicit: true, why: why(file, line, "%s starts %s", shown(name), shown(strings.Join(words, " ")))}
		env := entry.at("env")
		for _, variableName := range env.members() {
			if isVariable(variableName) {
				c.env = append(c.env, variable(variableName, env.at(variableName).plain(), false, false, file, env.at(variableName).lineNo(), "given to %s", shown(name)))
			}
		}
		f.claims = append(f.claims, c)
	}
}

// findBundle reads the manifest of an MCP bundle.
func findBundle(f *finder, file string) {
	doc := f.json(file)
	server := doc.at("server")
	if !server.isTable() || server.at("entry_point") == nil && server.at("mcp_config") == nil {
		return // another kind of manifest.json
	}
	dir := path.Dir(file)
	b := bundle{file: file, config: doc.at("user_config")}
	words := append([]string{server.at("mcp_config", "command").str()}, server.at("mcp_config", "args").strings()...)
	line := server.at("mcp_config", "command").lineNo()
	if words[0] == "" {
		line = server.at("entry_point").lineNo()
		words = []string{server.at("entry_point").str()}
		if program := map[string]string{"node": "node", "python": "python3", "uv": "python3"}[server.at("type").str()]; program != "" {
			words = []string{program, words[0]}
		} else if !strings.Contains(words[0], "/") {
			words[0] = "./" + words[0]
		}
	}
	args := words
	for i := range args {
		args[i] = b.fill(args[i])
	}
	t := resolve(dir, args)
	c := claim{detector: "manifest.json", rank: rankBundle, name: doc.at("name").str(), dir: dir, target: t, explicit: true, own: true,
		why: why(file, line, "the bundle starts %s", shown(strings.Join(words, " ")))}
	env := server.at("mcp_config", "env")
	for _, name := range env.members() {
		value := env.at(name)
		if !isVariable(name) {
			continue
		}
		key, open := b.key(value.str())
		declared := b.config.at(key)
		if !open {
			c.env = append(c.env, variable(name, localPath(value.plain()), false, false, file, value.lineNo(), "mcp_config.env"))
			continue
		}
		c.env = append(c.env, variable(name, declared.at("default").plain(), declared.at("required").yes(), declared.at("sensitive").yes(), file, declared.lineNo(), "user_config.%s: %s", shown(key), shown(declared.at("title").str())))
	}
	f.claims = append(f.claims, c)
}

// bundle fills in what the user of a bundle is asked for.
type bundle struct {
	file   string
	config *node
}

var userConfig = regexp.MustCompile(`\$\{user_config\.([\w-]+)\}`)

// key is the name in ${user_config.NAME}.
func (b bundle) key(value string) (key string, ok bool) {
	m := userConfig.FindStringSubmatch(value)
	if m == nil {
		return "", false
	}
	return m[1], true
}

func (b bundle) fill(value string) string {
	return userConfig.ReplaceAllStringFunc(value, func(match string) string {
		key, _ := b.key(match)
		declared := b.config.at(key)
		if standard := declared.at("default").plain(); standard != "" && !strings.Contains(standard, "${") {
			return standard
		}
		return harmless(declared.at("type").str())
	})
}
