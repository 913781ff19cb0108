package config

import (
	"maps"
	"reflect"
	"slices"
	"testing"
)

// TestServers: each entry is a server of its own, with what it says and
// nothing of another one.
func TestServers(t *testing.T) {
	in(t, `
servers:
  - name: api
    command: node dist/api.js --port ${PORT}
    url: http://127.0.0.1:${PORT}/mcp
    build: npm ci && npm run build
    build_env: { NPM_TOKEN: "${DEMO_TOKEN}" }
    env: { ONLY_API: "1", LISTEN: "${PORT}" }
  - name: local
    command: [./local]
    build: []
  - name: found
fail_on: warning
`)
	list, err := BuildAll(Sources{Environ: environ, Env: []string{"BOTH=2"}}, catalog())
	if err != nil || len(list) != 3 {
		t.Fatalf("%d, %v", len(list), err)
	}
	api, local, found := list[0], list[1], list[2]
	if api.Name != "api" || api.URL != "http://127.0.0.1:${PORT}/mcp" || !slices.Equal(api.Command, []string{"node", "dist/api.js", "--port", "${PORT}"}) {
		t.Errorf("%+v", api)
	}
	if want := [][]string{{"npm", "ci"}, {"npm", "run", "build"}}; !reflect.DeepEqual(api.Build, want) {
		t.Errorf("build %q, want %q", api.Build, want)
	}
	if !maps.Equal(api.Env, map[string]string{"ONLY_API": "1", "BOTH": "2", "LISTEN": "${PORT}"}) || !maps.Equal(api.BuildEnv, map[string]string{"NPM_TOKEN": "demo-token-value"}) {
		t.Errorf("env %v, build env %v", api.Env, api.BuildEnv)
	}
	if api.Secrets["NPM_TOKEN"] != "demo-token-value" || api.FailOn != "warning" {
		t.Errorf("%+v", api)
	}
	if local.Build == nil || len(local.Build) != 0 || local.URL != "" || !maps.Equal(local.Env, map[string]string{"BOTH": "2"}) {
		t.Errorf("%+v", local)
	}
	if found.Name != "found" || found.Command != nil || found.Build != nil {
		t.Errorf("%+v", found)
	}
	if at := api.Origin("server.url").String(); at != "sealmark.yml:5:10" {
		t.Errorf("the URL comes from %s", at)
	}

	for _, tt := range []struct {
		s    Sources
		want []string
	}{
		{Sources{Server: "local"}, []string{"local"}},
		{Sources{Server: AllServers}, []string{"api", "local", "found"}},
		{Sources{Command: []string{"x"}}, []string{""}},
		{Sources{URL: "http://x"}, []string{""}},
	} {
		tt.s.Environ = environ
		list, err := BuildAll(tt.s, catalog())
		var names []string
		for _, c := range list {
			names = append(names, c.Name)
		}
		if err != nil || !slices.Equal(names, tt.want) {
			t.Errorf("%+v: %q, %v", tt.s, names, err)
		}
	}
}

// TestFound: without a command or URL the server is found out, by name or all.
func TestFound(t *testing.T) {
	for _, tt := range []struct {
		file string
		s    Sources
		name string
		all  bool
	}{
		{"", Sources{}, "", false},
		{"", Sources{Server: "api"}, "api", false},
		{"", Sources{Server: AllServers}, "", true},
		{"servers: all", Sources{}, "", true},
		{"servers: all", Sources{Server: "api"}, "api", false},
		{"servers: all", Sources{Command: []string{"x"}}, "", false},
		{"server: {build: npm ci}", Sources{Server: "api"}, "api", false},
	} {
		in(t, tt.file)
		c, err := Build(tt.s, catalog())
		if err != nil || c.Name != tt.name || c.All != tt.all {
			t.Errorf("%s %+v: %+v, %v", tt.file, tt.s, c, err)
		}
	}
}

// TestServersRefuses: what can't be told apart or told by its name is refused.
func TestServersRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"servers: [{name: a}, {name: a}]":        `f.yml:1:22: two entries of servers have the name "a"`,
		"servers: [{name: a}]\nserver: {url: x}": "f.yml:1:8: server and servers are both given: keep one of them",
		"servers: [{command: x}]":                "f.yml:1:11: each entry of servers needs a name",
		"servers: [{name: all}]":                 `f.yml:1:18: the name of a server is made of letters, digits, dots, underscores and hyphens, and is not all; got "all"`,
		"servers: [{name: a, comand: x}]":        `f.yml:1:21: unknown key "comand" of servers: did you mean "command"?`,
		"server: {build: 'a &&'}":                "f.yml:1:17: server.build: nothing stands after &&",
		"server: {build: '&& a'}":                "f.yml:1:17: server.build: nothing stands before &&",
	} {
		if _, err := Parse("f.yml", []byte(text), catalog()); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}
