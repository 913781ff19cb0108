package source

import "slices"

// What is looked for.
const (
	kindTool     = "tool"
	kindPrompt   = "prompt"
	kindResource = "resource"
	kindServer   = "server"
)

func set(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}

var (
	// common are words that may stand beside the kind in the name of what
	// registers or describes one.
	common = set("register", "registered", "add", "define", "defined", "create", "new", "make", "declare", "build", "builder", "of", "from", "init", "set", "with", "mcp", "server", "app",
		"fast", "simple", "typed", "raw", "structured", "async", "sync", "function", "custom", "dynamic", "static", "base", "abstract", "ai", "sdk", "safe", "default", "internal", "public", "api",
		"definition", "def", "spec", "specification", "descriptor", "metadata", "info", "class", "model", "protocol", "schema", "core", "features", "rmcp", "decorator")

	// beside are the words that only one kind may have beside it.
	beside = map[string]map[string]bool{
		kindTool:     set("read", "only", "readonly", "write", "remote", "local", "callable", "streaming", "long", "running", "task"),
		kindPrompt:   set("user", "text", "template"),
		kindResource: set("template", "templates", "text", "file", "http", "directory", "binary", "uri"),
	}

	// servers are the words in the name of what makes or describes a server.
	servers = set("mcp", "server", "fast", "implementation", "new", "create", "make", "build", "builder", "low", "level", "info", "stdio", "async", "sync", "with", "from", "lite", "stateless", "set", "of")

	nameKeys = map[string]map[string]bool{
		kindTool: set("name", "toolname", "id", "toolid"), kindPrompt: set("name", "promptname"),
		kindResource: set("uri", "uritemplate", "resourceuri", "template"), kindServer: set("name", "servername"),
	}
	describing = set("description", "desc", "summary", "instructions", "title")
	schemas    = set("inputschema", "parameters", "schema", "inputs", "params", "args", "argsschema", "paramsschema", "paramschema", "zodschema", "inputjsonschema", "argumentsschema",
		"inputshape", "shape", "input", "annotations", "outputschema", "rawinputschema", "inputtype", "argschema", "parametersschema", "inputparams", "requestschema")
	handlers = set("handler", "execute", "run", "call", "callback", "cb", "fn", "func", "invoke", "handle", "implementation", "action", "toolhandler", "impl", "perform", "process", "read", "load", "get")
	prompts  = set("arguments", "argsschema", "messages", "template", "args", "load", "prompt", "content", "render", "build")
	// parts are containers of what a definition is made of, not of definitions.
	parts = set("arguments", "parameters", "properties", "params", "args", "required", "enum", "inputschema", "outputschema", "schema", "contents", "content", "messages", "examples", "items", "fields", "columns", "options", "icons", "function")
)

// registers reports whether a name, its last part first, is that of a call,
// type or annotation that makes or describes one of the kind.
func registers(kind string, parts []string) bool {
	if len(parts) == 0 {
		return false
	}
	list := words(parts[0])
	if len(parts) > 1 && !slices.ContainsFunc(list, func(w string) bool { return isKind(kind, w) || !common[w] }) {
		list = append(list, words(parts[1])...) // Tool::new, tools.register
	}
	if kind == kindServer {
		return len(list) > 0 && !slices.ContainsFunc(list, func(w string) bool { return !servers[w] }) &&
			slices.ContainsFunc(list, func(w string) bool { return w == "mcp" || w == "server" || w == "implementation" })
	}
	named := false
	for _, w := range list {
		switch {
		case isKind(kind, w):
			named = true
		case !common[w] && !beside[kind][w]:
			return false
		}
	}
	return named
}

func isKind(kind, word string) bool { return word == kind || word == kind+"s" }

// about reports whether a name has the kind among its words.
func about(kind, name string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool { return isKind(kind, w) })
}

// holds reports whether a name is that of something of the kind or of a list
// of them, not of a call of one or what comes of it.
func holds(kind, name string) bool {
	return about(kind, name) && !slices.ContainsFunc(words(name), func(w string) bool { return transient[w] })
}

var transient = set("call", "calls", "request", "requests", "result", "results", "response", "params", "error", "use", "usage", "choice", "event", "message", "messages", "arguments", "args", "input", "output", "test", "mock")

func anyOf(keys, among map[string]bool) bool {
	for k := range keys {
		if among[k] {
			return true
		}
	}
	return false
}
