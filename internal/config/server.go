package config

import (
	"cmp"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Port stands for a free port in the command, the URL and the variables of a
// server that Sealmark starts.
const Port = "${PORT}"

// server merges command, URL, build, folder and variables.
func (b *builder) server() {
	if b.Static {
		b.directory()
		return
	}
	b.pick()
	b.target()
	b.build()
	b.directory()
	b.environment("server.env", "env", b.part.env, b.Env, b.c.Env)
	b.port = false
	b.environment("server.build_env", "build-env", b.part.buildEnv, b.BuildEnv, b.c.BuildEnv)
}

// pick notes the name that is to be found, where the file lists none.
func (b *builder) pick() {
	if b.c.Name != "" || len(b.Command) > 0 || b.URL != "" {
		return
	}
	b.c.All = b.file.all && b.Server == "" || b.Server == AllServers
	if b.Server != AllServers {
		b.c.Name = b.Server
	}
}

// target finds the command and the URL: those of the flags, else those of the
// file. With neither, both are found out later.
func (b *builder) target() {
	c := b.c
	c.Command, c.URL = append([]string(nil), b.Command...), b.URL
	commandAt, urlAt := Origin{}, b.flag("url")
	text, expanded := b.URL, true
	_, filed := c.values["server.url"]
	given := len(c.Command) > 0 || c.URL != ""
	b.port = len(c.Command) > 0 || !given && (b.part.command != nil || !filed)
	if !given {
		if b.part.command != nil {
			commandAt = b.part.command.at
			for _, arg := range b.part.command.v.([]string) {
				word, ok := b.expand(arg, "server.command", commandAt)
				c.Command = append(c.Command, word)
				expanded = expanded && ok
			}
		}
		if v, ok := c.values["server.url"]; ok {
			text, urlAt = v.v.(string), v.at
			ok := false
			c.URL, ok = b.expand(text, "server.url", urlAt)
			expanded = expanded && ok
		}
	}
	if !expanded {
		return
	}
	if len(c.Command) > 0 {
		b.command(commandAt)
	}
	if text != "" {
		b.url(text, urlAt)
	}
}

// build finds the commands that build the server.
func (b *builder) build() {
	const key = "server.build"
	if b.part.build != nil {
		b.c.Build = [][]string{}
		for _, step := range b.part.build.v.([][]string) {
			var words []string
			for _, arg := range step {
				word, ok := b.expand(arg, key, b.part.build.at)
				if !ok {
					return
				}
				words = append(words, word)
			}
			b.c.Build = append(b.c.Build, words)
		}
	}
	if len(b.Build) > 0 {
		b.c.Build = nil
	}
	for _, line := range b.Build {
		steps, err := Steps(line)
		if err != nil {
			b.fail(b.flag("build"), key, "%v", err)
		}
		b.c.Build = append(b.c.Build, steps...)
	}
	for _, step := range b.c.Build {
		if strings.TrimSpace(step[0]) == "" || slices.ContainsFunc(step, hasNUL) {
			b.fail(b.c.values[key].at, key, "a command of the build is empty or holds a NUL character")
		}
	}
}

func (b *builder) command(at Origin) {
	if strings.TrimSpace(b.c.Command[0]) == "" {
		b.fail(at, "server.command", "the name of the program is empty")
	}
	if slices.ContainsFunc(b.c.Command, hasNUL) {
		b.fail(at, "server.command", "a command can't hold a NUL character")
	}
}

// url checks the URL, which was written as text, and notes the secrets that
// it holds.
func (b *builder) url(text string, at Origin) {
	free := strings.Contains(b.c.URL, Port)
	if free && !b.port {
		b.fail(at, "server.url", "${PORT} in the URL is a free port for a server that Sealmark starts: give its command too")
		return
	}
	u, err := url.Parse(strings.ReplaceAll(b.c.URL, Port, "1"))
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		b.fail(at, "server.url", "the URL %s must begin with http:// or https:// and name a host", quoted(text))
		return
	}
	if password, ok := u.User.Password(); ok {
		b.secret("URL password", password)
	}
	for name, values := range u.Query() {
		if !secretName(name) {
			continue
		}
		for _, value := range values {
			b.secret("URL "+name, value)
		}
	}
}

// directory finds the working directory: a flag relative to the current
// folder, a setting relative to its file.
func (b *builder) directory() {
	const key = "server.working_directory"
	c := b.c
	c.Directory = b.Directory
	at := b.flag("working-directory")
	if v, ok := c.values[key]; ok && c.Directory == "" {
		at = v.at
		text, ok := b.expand(v.v.(string), key, at)
		if !ok {
			return
		}
		c.Directory = text
		if c.Directory != "" && !filepath.IsAbs(c.Directory) {
			c.Directory = filepath.Join(filepath.Dir(c.Path), c.Directory)
		}
	}
	if c.Directory == "" {
		return
	}
	filed := b.Directory == ""
	switch info, err := os.Stat(c.Directory); {
	case b.Within != "" && (escapes(b.Within, c.Directory) || filed && !leadsInto(b.Within, c.Directory)):
		b.fail(at, key, "the working directory %s is not a folder in the repository", quoted(c.Directory))
	case err != nil:
		b.fail(at, key, "the working directory %s does not exist", quoted(c.Directory))
	case !info.IsDir():
		b.fail(at, key, "the working directory %s is no folder", quoted(c.Directory))
	}
}

// environment merges variables, in the order of the file.
func (b *builder) environment(key, flag string, filed map[string]value, given []string, into map[string]string) {
	names := make([]string, 0, len(filed))
	for name := range filed {
		names = append(names, name)
	}
	slices.SortFunc(names, func(x, y string) int {
		at, other := filed[x].at, filed[y].at
		return cmp.Or(cmp.Compare(at.Line, other.Line), cmp.Compare(at.Column, other.Column))
	})
	for _, name := range names {
		v := filed[name]
		if text, ok := b.expand(v.v.(string), key+"."+name, v.at); ok {
			b.setEnv(into, name, text)
		}
	}
	for _, pair := range given {
		name, text, ok := strings.Cut(pair, "=")
		switch {
		case !ok:
			b.fail(b.flag(flag), key, "must be NAME=VALUE, not %s alone", quoted(name))
		case !validName(name):
			b.fail(b.flag(flag), key, "%s can't be the name of a variable", quoted(name))
		case hasNUL(text):
			b.fail(b.flag(flag), key, "the value of %s can't hold a NUL character", name)
		default:
			b.setEnv(into, name, text)
		}
	}
}

func hasNUL(text string) bool { return strings.Contains(text, "\x00") }

func (b *builder) setEnv(into map[string]string, name, text string) {
	into[name] = text
	if secretName(name) || keyLike.MatchString(text) && mixed(text) {
		b.secret(name, text)
	}
	if login := loginURL.FindStringSubmatch(text); login != nil {
		b.secret(name, text)
		b.secret(name+" password", login[1])
	}
}

var (
	// loginURL matches an address that holds a user and a password, as those of
	// private registries do.
	loginURL = regexp.MustCompile(`://[^/@\s:]*:([^/@\s]+)@`)
	// keyLike matches what may be a key, whatever the variable is called.
	keyLike = regexp.MustCompile(`^[A-Za-z0-9_+=-]{20,}$`)
)

// mixed reports whether a text holds digits and letters of both cases, as keys
// do and names do not.
func mixed(text string) bool {
	return strings.ContainsAny(text, "0123456789") && strings.ToLower(text) != text && strings.ToUpper(text) != text
}

// secret notes a value to redact. The same name may have one in the build and
// another one in the server.
func (b *builder) secret(name, text string) {
	if text == "" {
		return
	}
	for {
		if had, taken := b.c.Secrets[name]; !taken || had == text {
			b.c.Secrets[name] = text
			return
		}
		name += "'"
	}
}

// secretWords mark the names of variables whose values are redacted.
var secretWords = []string{"TOKEN", "KEY", "SECRET", "PASS", "CREDENTIAL", "AUTH", "COOKIE", "DSN", "PRIVATE"}

func secretName(name string) bool {
	upper := strings.ToUpper(name)
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(upper, word) })
}

// expand replaces ${NAME} by the variable and notes its value as a secret;
// $${ stands for ${. ok is false if that failed.
func (b *builder) expand(text, key string, at Origin) (expanded string, ok bool) {
	var out strings.Builder
	ok = true
	for {
		i := strings.Index(text, "${")
		if i < 0 {
			return out.String() + text, ok
		}
		if i > 0 && text[i-1] == '$' {
			out.WriteString(text[:i-1] + "${")
			text = text[i+2:]
			continue
		}
		name, rest, closed := strings.Cut(text[i+2:], "}")
		if b.port && closed && name == "PORT" {
			out.WriteString(text[:i] + Port)
			text = rest
			continue
		}
		found, set := "", false
		switch {
		case !closed:
			b.fail(at, key, "%s: ${ is never closed by }; $${ stands for ${ itself", key)
			return "", false
		case !plainName(name):
			b.fail(at, key, "%s: ${…} must hold the name of a variable, not %s", key, quoted(name))
		default:
			if found, set = b.Environ(name); !set {
				b.fail(at, key, "%s: the variable %s is not set", key, name)
			}
		}
		ok = ok && set
		b.secret(name, found)
		out.WriteString(text[:i] + found)
		text = rest
	}
}

// plainName reports whether ${NAME} may read a variable of the name.
func plainName(name string) bool {
	for i, c := range name {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// validName reports whether a variable of the name can be given to a process.
func validName(name string) bool {
	return name != "" && !strings.ContainsAny(name, "=\x00\n\r\t ")
}
