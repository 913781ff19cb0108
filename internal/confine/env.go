package confine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// The folders of a box.
const (
	checkout = "checkout"
	home     = "home"
	temp     = "tmp"
)

var folders = []string{home, temp, "home/.config", "home/.cache", "home/.local/share", "home/.local/state"}

// machine are the variables that say how the machine reaches others and where
// its toolchains lie. None of them is meant to hold a credential; one that
// holds a user's name in a URL is left out.
var machine = []string{
	"LANG", "LC_ALL", "TZ",
	"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
	"SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS", "REQUESTS_CA_BUNDLE",
	"GOPROXY", "GOSUMDB", "GOTOOLCHAIN", "JAVA_HOME", "DOTNET_ROOT",
	"SystemRoot", "SystemDrive", "ComSpec", "PATHEXT", "ProgramFiles",
}

func fromMachine() []string {
	var env []string
	for _, name := range machine {
		if value := os.Getenv(name); value != "" && !strings.Contains(value, "@") {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// inherited is the environment of a box without folders of its own.
func inherited() []string {
	env := fromMachine()
	for _, name := range []string{"PATH", "HOME", "USER", "TMPDIR", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA"} {
		if value := os.Getenv(name); value != "" {
			env = append(env, name+"="+value)
		}
	}
	slices.Sort(env)
	return env
}

// environment is the environment of a box with the folders in base.
func (b *Box) environment(base string) []string {
	at := func(parts ...string) string { return filepath.Join(append([]string{base}, parts...)...) }
	cache := at(home, ".cache")
	env := append(fromMachine(),
		"PATH="+b.path(), "HOME="+at(home), "USER=sealmark", "LOGNAME=sealmark", "SHELL=/bin/sh",
		"TMPDIR="+at(temp), "TEMP="+at(temp), "TMP="+at(temp), "USERPROFILE="+at(home),
		"XDG_CONFIG_HOME="+at(home, ".config"), "XDG_CACHE_HOME="+cache,
		"XDG_DATA_HOME="+at(home, ".local", "share"), "XDG_STATE_HOME="+at(home, ".local", "state"),
		"npm_config_cache="+filepath.Join(cache, "npm"), "UV_CACHE_DIR="+filepath.Join(cache, "uv"), "PIP_CACHE_DIR="+filepath.Join(cache, "pip"),
		"GOPATH="+at(home, "go"), "GOCACHE="+filepath.Join(cache, "go-build"), "GOMODCACHE="+filepath.Join(cache, "go-mod"),
	)
	slices.Sort(env)
	return env
}

// path is the search path without the folders that the box's user can't enter.
func (b *Box) path() string {
	var list []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if filepath.IsAbs(dir) && (!b.o.User || reachable(dir)) {
			list = append(list, dir)
		}
	}
	return strings.Join(list, string(os.PathListSeparator))
}

// reachable reports whether anybody may enter a folder and those above it.
func reachable(dir string) bool {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	for {
		info, err := os.Stat(dir)
		if err != nil || info.Mode().Perm()&1 == 0 {
			return false
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		return true
	}
}
