package target

import (
	"path"
	"runtime"
	"slices"
	"strings"
)

// plainWords splits a command line that needs no shell. ok is false for one
// that does, and for one with quotes.
func plainWords(line string) (words []string, ok bool) {
	if strings.ContainsAny(line, "|&;<>`$(){}*?\\\"'\n") {
		return nil, false
	}
	words = strings.Fields(line)
	return words, len(words) > 0
}

// assignments takes NAME=VALUE in front of a command away.
func assignments(words []string, at Variable) (env []Variable, command []string) {
	for len(words) > 0 {
		name, value, ok := strings.Cut(words[0], "=")
		if !ok || !isVariable(name) {
			break
		}
		v := at
		v.Name, v.Value, v.Secret = name, value, isSecret(name)
		if v.Secret {
			v.Value = ""
		}
		env, words = append(env, v), words[1:]
	}
	return env, words
}

// isVariable reports whether a name can be that of a variable.
func isVariable(name string) bool {
	for i, c := range name {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && len(name) <= 200
}

// secretWords mark the names of variables whose values must not be seen.
var secretWords = []string{"TOKEN", "KEY", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "AUTH", "COOKIE", "DSN", "PRIVATE"}

func isSecret(name string) bool {
	upper := strings.ToUpper(name)
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(upper, word) })
}

// from returns a path of the root as seen from a folder of it.
func from(dir, file string) string {
	if dir == "." {
		return file
	}
	if inDir(dir, file) {
		return strings.TrimPrefix(strings.TrimPrefix(file, dir), "/")
	}
	return strings.Repeat("../", depth(dir)) + file
}

// join returns the path of a file named in a folder. ok is false if it lies
// outside the root or can't be the path of a file.
func join(dir, name string) (joined string, ok bool) {
	if name == "" || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "~") || strings.ContainsAny(name, "\x00\n") {
		return "", false
	}
	joined = path.Join(dir, strings.ReplaceAll(name, "\\", "/"))
	return joined, joined != ".." && !strings.HasPrefix(joined, "../")
}

// executable is the name of a program that a build makes.
func executable(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// isOption reports whether a name would be read as an option of a command.
func isOption(name string) bool { return strings.HasPrefix(name, "-") }
