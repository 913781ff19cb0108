package target

import (
	"path"
	"slices"
	"strings"
)

// target is what a command of a manifest starts.
type target struct {
	// file is a path from the root, with program the interpreter and its
	// options.
	file    string
	program []string
	// name is that of a package, in an ecosystem, or with command that of an
	// installed command.
	name, ecosystem string
	command         bool
	// dir is a folder whose server is meant.
	dir string
	// args follow.
	args []string
}

// folderVariables stand for the folder of the repository in the files of
// editors and bundles.
var folderVariables = []string{"${workspaceFolder}", "${workspaceRoot}", "${__dirname}", "${CLAUDE_PROJECT_DIR}", "${CLAUDE_PROJECT_DIR:-.}", "$CLAUDE_PROJECT_DIR", "${CLAUDE_PLUGIN_ROOT}", "$PWD", "${PWD}"}

// localPath takes a variable for the folder off a word.
func localPath(word string) string {
	word = strings.ReplaceAll(word, "${/}", "/")
	for _, variable := range folderVariables {
		if word == variable {
			return "."
		}
		if rest, ok := strings.CutPrefix(word, variable+"/"); ok {
			return rest
		}
	}
	return word
}

// valueOptions are options of starting programs that take the next word.
var valueOptions = []string{"--from", "--with", "--with-requirements", "--with-editable", "--python", "--package", "--env-file", "--extra", "--group", "--index", "--index-url", "--tag", "--manifest-path", "--features", "-p", "-e", "-r", "--require", "--import", "--loader", "--config", "-c", "--tsconfig"}

// resolve finds what the words of a command start, as seen from a folder.
func resolve(dir string, words []string) target {
	args := make([]string, len(words))
	for i, word := range words {
		args[i] = localPath(word)
	}
	for len(args) > 2 && (args[0] == "cmd" || args[0] == "cmd.exe") && strings.EqualFold(args[1], "/c") {
		args = args[2:]
	}
	if len(args) > 0 && args[0] == "env" {
		_, args = assignments(args[1:], Variable{})
	}
	if len(args) == 0 || args[0] == "" {
		return target{}
	}
	name := strings.TrimSuffix(strings.TrimSuffix(path.Base(args[0]), ".exe"), ".cmd")
	rest := args[1:]
	switch name {
	case "docker", "podman":
		return target{} // no container is started
	case "sh", "bash", "zsh", "pwsh", "powershell":
		if len(rest) > 0 && !isOption(rest[0]) {
			return fileTarget(dir, args[:1], rest)
		}
		return target{}
	case "npx", "bunx", "pnpx":
		return packaged(dir, rest)
	case "npm", "pnpm", "yarn", "bun", "deno":
		return managed(dir, name, rest)
	case "uvx", "pipx":
		if name == "pipx" && len(rest) > 0 {
			rest = rest[1:]
		}
		return tool(dir, rest)
	case "uv", "poetry", "pdm", "hatch", "rye":
		return pythonTool(dir, rest)
	case "python", "python3", "py":
		return pythonTarget(dir, args[:1], rest)
	case "go":
		return goTarget(dir, rest)
	case "cargo", "dotnet", "mvn", "gradle":
		return toolTarget(dir, rest)
	case "java":
		if i := slices.Index(rest, "-jar"); i >= 0 && i+1 < len(rest) {
			return fileTarget(dir, args[:i+2], rest[i+1:])
		}
		return target{}
	case "bundle":
		if len(rest) > 1 && rest[0] == "exec" {
			return resolve(dir, rest[1:])
		}
		return target{}
	}
	if i := fileArgument(args); i > 0 {
		return fileTarget(dir, args[:i], args[i:])
	}
	if strings.Contains(args[0], "/") {
		return fileTarget(dir, nil, args)
	}
	return target{name: args[0], command: true, args: rest}
}

// fileTarget is a file with its arguments, if it lies in the repository.
func fileTarget(dir string, program, words []string) target {
	if len(words) == 0 {
		return target{}
	}
	file, ok := join(dir, words[0])
	if !ok {
		return target{}
	}
	return target{file: file, program: program, args: words[1:]}
}

// firstWord is the place of the first word that is no option and no option's
// value, len(words) if there is none.
func firstWord(words []string) int {
	for i := 0; i < len(words); i++ {
		switch {
		case words[i] == "--":
			return min(i+1, len(words))
		case slices.Contains(valueOptions, words[i]):
			i++
		case !isOption(words[i]):
			return i
		}
	}
	return len(words)
}

// packaged is what npx starts.
func packaged(dir string, words []string) target {
	i := firstWord(words)
	if i == len(words) {
		return target{}
	}
	switch name := words[i]; {
	case slices.Contains([]string{"tsx", "ts-node"}, name) && i+1 < len(words):
		return fileTarget(dir, []string{"npx", "--no-install", name}, words[i+1:])
	case name == "." || strings.HasPrefix(name, "./"):
		if at, ok := join(dir, name); ok {
			return target{dir: at, args: words[i+1:]}
		}
		return target{}
	default:
		return target{name: withoutVersion(name), ecosystem: "npm", args: words[i+1:]}
	}
}

// withoutVersion takes @1.2.3 off the name of a package.
func withoutVersion(name string) string {
	if i := strings.LastIndex(name, "@"); i > 0 {
		return name[:i]
	}
	return name
}

// managed is what npm and its like start.
func managed(dir, manager string, words []string) target {
	for i := 0; i+1 < len(words); i++ {
		if slices.Contains([]string{"--prefix", "-C", "--dir", "--cwd"}, words[i]) {
			at, ok := join(dir, words[i+1])
			if !ok {
				return target{}
			}
			dir, words = at, append(slices.Clone(words[:i]), words[i+2:]...)
			break
		}
	}
	i := firstWord(words)
	if i == len(words) {
		return target{}
	}
	verb, rest := words[i], words[i+1:]
	switch {
	case verb == "dlx" || verb == "exec" || verb == "x":
		return packaged(dir, rest)
	case manager == "bun" || manager == "deno":
		if at := fileArgument(append([]string{manager}, words...)); at > 0 && strings.Contains(words[at-1], ".") {
			return fileTarget(dir, append([]string{manager}, words[:at-1]...), words[at-1:])
		}
	}
	if verb == "run" || verb == "run-script" || verb == "task" {
		if i := firstWord(rest); i < len(rest) {
			rest = rest[i+1:]
		}
	} else if verb != "start" {
		return target{}
	}
	if len(rest) > 0 && rest[0] == "--" {
		rest = rest[1:]
	}
	return target{dir: dir, args: rest}
}

// tool is what uvx starts.
func tool(dir string, words []string) target {
	for i := 0; i+1 < len(words); i++ {
		if words[i] != "--from" {
			continue
		}
		if at, ok := join(dir, words[i+1]); ok && strings.HasPrefix(words[i+1], ".") {
			rest := words[i+2:]
			if n := firstWord(rest); n < len(rest) {
				rest = rest[n+1:]
			}
			return target{dir: at, args: rest}
		}
	}
	i := firstWord(words)
	if i == len(words) {
		return target{}
	}
	name, _, _ := strings.Cut(withoutVersion(words[i]), "==")
	name, _, _ = strings.Cut(name, "[")
	return target{name: name, ecosystem: "pypi", command: true, args: words[i+1:]}
}

// pythonTool is what uv run, poetry run and the like start.
func pythonTool(dir string, words []string) target {
	var left []string
	for i := 0; i < len(words); i++ {
		name, value, joined := strings.Cut(words[i], "=")
		if !slices.Contains([]string{"--directory", "--project", "-C"}, name) {
			left = append(left, words[i])
			continue
		}
		if !joined {
			if i++; i == len(words) {
				return target{}
			}
			value = words[i]
		}
		at, ok := join(dir, localPath(value))
		if !ok {
			return target{}
		}
		dir = at
	}
	i := firstWord(left)
	switch {
	case i == len(left):
		return target{}
	case left[i] == "tool" && i+1 < len(left):
		return tool(dir, left[i+2:])
	case left[i] != "run":
		return target{}
	}
	left = left[i+1:]
	if len(left) > 1 && left[0] == "-m" {
		return target{name: left[1], ecosystem: "pypi", command: true, args: left[2:]}
	}
	if i = firstWord(left); i == len(left) {
		return target{}
	}
	left = left[i:]
	switch {
	case left[0] == "python" || left[0] == "python3":
		return pythonTarget(dir, nil, left[1:])
	case (left[0] == "mcp" || left[0] == "fastmcp") && len(left) > 2 && left[1] == "run":
		file, _, _ := strings.Cut(left[2], ":")
		t := fileTarget(dir, nil, []string{file})
		t.dir = dir
		return t
	case strings.HasSuffix(left[0], ".py"):
		return fileTarget(dir, []string{"uv", "run"}, left)
	case strings.Contains(left[0], "/"):
		return target{}
	}
	return target{name: left[0], ecosystem: "pypi", command: true, args: left[1:]}
}

// pythonTarget is what python starts.
func pythonTarget(dir string, program, words []string) target {
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case word == "-m" && i+1 < len(words):
			return target{name: words[i+1], ecosystem: "pypi", command: true, args: words[i+2:]}
		case !isOption(word):
			return fileTarget(dir, append(slices.Clone(program), words[:i]...), words[i:])
		}
	}
	return target{}
}

// goTarget is what go run starts.
func goTarget(dir string, words []string) target {
	if len(words) == 0 || words[0] != "run" {
		return target{}
	}
	words = words[1:]
	i := firstWord(words)
	if i == len(words) {
		return target{}
	}
	if name := words[i]; name != "." && !strings.HasPrefix(name, "./") && !strings.HasSuffix(name, ".go") {
		return target{name: withoutVersion(name), ecosystem: "go", args: words[i+1:]}
	}
	t := fileTarget(dir, nil, words[i:])
	for len(t.args) > 0 && strings.HasSuffix(t.args[0], ".go") {
		t.args = t.args[1:]
	}
	if path.Ext(t.file) == ".go" {
		t.file = path.Dir(t.file)
	}
	return t
}

// toolTarget is what cargo run, dotnet run and the like start: the server of
// the folder, or the binary or project that is named.
func toolTarget(dir string, words []string) target {
	t := target{dir: dir}
	if i := slices.Index(words, "--"); i >= 0 {
		words, t.args = words[:i], words[i+1:]
	}
	for i := 0; i+1 < len(words); i++ {
		switch words[i] {
		case "--bin":
			return target{name: words[i+1], command: true, args: t.args}
		case "--project":
			if at, ok := join(dir, words[i+1]); ok {
				if path.Ext(at) != "" {
					return target{file: at, args: t.args}
				}
				t.dir = at
			}
		case "--manifest-path":
			if at, ok := join(dir, words[i+1]); ok {
				t.dir = path.Dir(at)
			}
		}
	}
	return t
}
