package core

import (
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/session"
)

// maxCanaries bounds how many variables a server gets for the asking.
const maxCanaries = 20

// GiveCanaries gives the server that ended at its start a harmless value for
// each variable that it asks for, or that its manifest requires, and returns
// their names; none if it asks for nothing that it does not have, or may get
// nothing.
func GiveCanaries(env *check.Env, failed *session.StartError) []string {
	if !env.Config.EnvCanaries || env.Server.Remote() || failed.Kind != session.Exited {
		return nil
	}
	var names []string
	for _, name := range append(missingVariables(failed.Exit.Stderr), env.Needs...) {
		if len(names) < maxCanaries && !slices.Contains(names, name) && !isSet(env.Server.Command.Env, name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	Plant(env, names)
	return names
}

// Plant gives the server a harmless value for each of the names.
func Plant(env *check.Env, names []string) {
	given := slices.Clone(env.Server.Command.Env)
	for _, name := range names {
		given = append(given, name+"="+harmless(name, folderOf(given)))
	}
	env.Server.Command.Env, env.Given = given, names
}

func isSet(env []string, name string) bool {
	return slices.ContainsFunc(env, func(pair string) bool { return strings.HasPrefix(pair, name+"=") })
}

// folderOf is the temporary folder of an environment.
func folderOf(env []string) string {
	for _, pair := range env {
		if folder, ok := strings.CutPrefix(pair, "TMPDIR="); ok {
			return folder
		}
	}
	return os.TempDir()
}

// kinds are the values by a word of the name, the first that fits. None leads
// to anything that answers: port 9 discards.
var kinds = []struct {
	words *regexp.Regexp
	value string
}{
	{word("POSTGRES|POSTGRESQL|PG|DATABASE_URL|DB_URL"), "postgres://sealmark:sealmark@127.0.0.1:9/sealmark"},
	{word("REDIS_URL|REDIS_URI"), "redis://127.0.0.1:9"},
	{word("MONGO|MONGODB|MONGO_URL|MONGODB_URI"), "mongodb://127.0.0.1:9/sealmark"},
	{word("KEY|TOKEN|SECRET|PASSWORD"), ""},
	{word("URL|URI|ENDPOINT|BASE"), "http://127.0.0.1:9/"},
	{word("HOST|HOSTNAME"), "127.0.0.1"},
	{word("EMAIL"), "canary@sealmark.invalid"},
	{word("FILE"), os.DevNull},
	{word("TIMEOUT|LIMIT|COUNT|SIZE|MAX|MIN|MS|SECONDS|INTERVAL"), "10"},
	{word("ENABLE|ENABLED|DISABLED|DEBUG|VERBOSE"), "false"},
}

// word matches a name that holds one of the words as a part of its own.
func word(words string) *regexp.Regexp { return regexp.MustCompile(`(?:^|_)(?:` + words + `)(?:_|$)`) }

var folders = word("DIR|DIRS|DIRECTORY|PATH|PATHS|FOLDER|ROOT|WORKSPACE")

// harmless is the value for a variable: of the kind that its name speaks of,
// and the same in every run. folder is one that exists.
func harmless(name, folder string) string {
	text := "sealmark-canary-" + strings.ToLower(strings.ReplaceAll(name, "_", "-"))
	switch {
	case name == "PORT":
		return config.Port
	case word("PORT").MatchString(name):
		return "9"
	case folders.MatchString(name):
		return folder
	}
	for _, kind := range kinds {
		if kind.words.MatchString(name) {
			if kind.value == "" {
				return text
			}
			return kind.value
		}
	}
	return text
}

var (
	// askedFor finds the names of environment variables in a line that says
	// that something is missing.
	askedFor = regexp.MustCompile(`\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b`)
	// certain finds them where the words around them leave no doubt.
	certain = []*regexp.Regexp{
		regexp.MustCompile(`\bprocess\.env\.([A-Z][A-Z0-9_]+)\b`),
		regexp.MustCompile(`\bKeyError: ['"]([A-Z][A-Z0-9_]+)['"]`),
		regexp.MustCompile(`(?i:environment variables?|env vars?|env)[\s:'"` + "`" + `]{1,4}([A-Z][A-Z0-9_]{2,})\b`),
		regexp.MustCompile(`\b([A-Z][A-Z0-9_]{2,})['"` + "`" + `]? (?i:environment variable|env var)`),
		regexp.MustCompile(`"path":\s*\[\s*"([A-Z][A-Z0-9_]+)"\s*\]`),
		regexp.MustCompile(`(?m)^([A-Za-z][A-Za-z0-9_]*)\r?\n\s+Field required\b`),
	}
	// missing are the words by which servers say that a variable is not set.
	missing = regexp.MustCompile(`(?i)required|missing|not set|must be set|not defined|undefined|not provided|please set|is unset|not found|environment variable|env var|KeyError|(?:^|[\s:])set [A-Z]`)
	// listing is a line that names variables in those that follow it.
	listing = regexp.MustCompile(`(?i)(?:variables?|env|missing|required)\b.*:\s*$`)
	item    = regexp.MustCompile(`^\s*[-*•]?\s*["'` + "`" + `]?([A-Z][A-Z0-9_]{2,})\b`)
)

// missingVariables returns the environment variables that the last words of a
// server say are missing, in their order. A line without a word for it, and
// error codes such as ERR_MODULE_NOT_FOUND, name none.
func missingVariables(stderr string) []string {
	var names []string
	add := func(name string) {
		if name = strings.ToUpper(name); !notVariable(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	listed := false
	for line := range strings.Lines(stderr) {
		if m := item.FindStringSubmatch(line); listed && m != nil {
			add(m[1])
			continue
		}
		listed = listing.MatchString(line) && missing.MatchString(line)
		if !missing.MatchString(line) {
			continue
		}
		for _, name := range askedFor.FindAllString(line, -1) {
			add(name)
		}
	}
	if !missing.MatchString(stderr) {
		return names
	}
	for _, form := range certain {
		for _, m := range form.FindAllStringSubmatch(stderr, -1) {
			add(m[1])
		}
	}
	return names
}

// notVariable reports whether a name is an error code, or a variable that
// belongs to the runtime and not to the server.
func notVariable(name string) bool {
	for _, prefix := range []string{"ERR_", "MODULE_", "NODE_", "NPM_", "PYTHON", "LD_", "DYLD_", "SEALMARK_", "ERROR", "WARN"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return name == "PATH" || name == "HOME"
}
