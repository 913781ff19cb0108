package target

import (
	"cmp"
	"path"
	"regexp"
	"strings"
)

// findRegistry reads the manifest of the MCP registry. It describes what was
// published: the packages are looked for in the checkout, and nothing is
// fetched from a registry in their place.
func findRegistry(f *finder, file string) {
	doc := f.json(file)
	packages := doc.at("packages").elements()
	remotes := doc.at("remotes").elements()
	if len(packages)+len(remotes) == 0 || doc.at("name").str() == "" {
		return // another kind of server.json
	}
	for _, p := range packages {
		f.registryPackage(file, p, len(packages) > 1)
	}
	for _, remote := range remotes {
		url := remote.at("url").str()
		w := why(file, remote.at("url").lineNo(), "names a server that runs elsewhere, %s: what answers there is not this checkout. To question it all the same give its address: sealmark run --url, or the input url", shown(url))
		f.note(w)
		f.reject(weightRemote, w)
	}
}

// either is the first of several members that is there: the format has had
// other spellings.
func either(n *node, names ...string) *node {
	for _, name := range names {
		if value := n.at(name); value != nil {
			return value
		}
	}
	return nil
}

func (f *finder) registryPackage(file string, p *node, several bool) {
	kind := either(p, "registryType", "registry_type", "registry_name").str()
	identifier := either(p, "identifier", "name")
	name := identifier.str()
	if name == "" {
		return
	}
	c := claim{detector: "server.json", rank: rankRegistry, dir: path.Dir(file), own: true,
		why: why(file, identifier.lineNo(), "the registry knows it as the %s package %s", shown(kind), shown(name))}
	c.target = target{name: withoutVersion(name), ecosystem: kind}
	if kind == "pypi" {
		c.target.command = true
	}
	for _, argument := range either(p, "packageArguments", "package_arguments").elements() {
		words := argumentWords(argument)
		if len(words) == 0 {
			continue
		}
		c.target.args = append(c.target.args, words...)
		c.explicit = true
	}
	for _, v := range either(p, "environmentVariables", "environment_variables").elements() {
		if n := v.at("name").str(); isVariable(n) {
			value := cmp.Or(v.at("value").plain(), v.at("default").plain())
			if strings.Contains(value, "{") {
				value = ""
			}
			c.env = append(c.env, variable(n, value, either(v, "isRequired", "is_required").yes(), either(v, "isSecret", "is_secret").yes(), file, v.at("name").lineNo(), "%s", shown(cmp.Or(v.at("description").str(), "declared here"))))
		}
	}
	transport := p.at("transport")
	switch kind := transport.at("type").str(); kind {
	case StreamableHTTP, SSE:
		c.transport, c.explicit = kind, true
		c.reach(transport.at("url").str())
	case Stdio:
		c.transport, c.explicit = kind, c.explicit || several
	}
	f.claims = append(f.claims, c)
}

// argumentWords are the words of an argument, none if it can be left out.
func argumentWords(argument *node) []string {
	value := argument.at("value").plain()
	required := either(argument, "isRequired", "is_required").yes()
	if value == "" || strings.Contains(value, "{") {
		value = filled(value, argument.at("variables"))
	}
	if value == "" && required {
		value = cmp.Or(argument.at("default").plain(), harmless(argument.at("format").str()))
	}
	name := argument.at("name").str()
	flag := argument.at("format").str() == "boolean"
	switch {
	case argument.at("type").str() != "named":
		if value == "" {
			return nil
		}
		return []string{value}
	case name == "" || value == "" && !required && argument.at("value") == nil && argument.at("default").plain() == "":
		return nil
	case portName.MatchString(name):
		return []string{name, PortPlaceholder}
	case flag && value != "false":
		return []string{name}
	case value == "":
		return nil
	}
	return []string{name, value}
}

var braces = regexp.MustCompile(`\{([\w.-]+)\}`)

// filled puts the variables of a manifest into a value.
func filled(value string, variables *node) string {
	return braces.ReplaceAllStringFunc(value, func(match string) string {
		v := variables.at(strings.Trim(match, "{}"))
		return cmp.Or(v.at("value").plain(), v.at("default").plain(), harmless(v.at("format").str()))
	})
}

var urlPort = regexp.MustCompile(`^(https?)://(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|\{[\w.-]+\})(?::(\d+|\{[\w.-]+\}))?(/[^\s]*)?$`)

// reach says where the server of the package answers once it runs: at the port
// that an argument or a variable takes, else at the one of the manifest.
func (c *claim) reach(url string) {
	m := urlPort.FindStringSubmatch(url)
	if m == nil {
		return
	}
	port, taken := m[2], false
	for _, word := range c.target.args {
		taken = taken || word == PortPlaceholder
	}
	for i := range c.env {
		if v := &c.env[i]; !taken && portName.MatchString(v.Name) {
			v.Value, taken = PortPlaceholder, true
		}
	}
	if taken || port == "" || strings.HasPrefix(port, "{") {
		port = PortPlaceholder
	}
	c.url = "http://127.0.0.1:" + port + cmp.Or(m[3], "/mcp")
}
