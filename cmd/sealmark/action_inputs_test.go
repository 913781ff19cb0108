package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sealmark/action/internal/result"
)

// results are the results that a step wrote, in the order of the outputs.
func (s step) results(t *testing.T) []*result.Result {
	t.Helper()
	_, names, _ := strings.Cut(s.outputs, "result-file<<")
	delimiter, names, _ := strings.Cut(names, "\n")
	names, _, _ = strings.Cut(names, delimiter)
	var list []*result.Result
	for _, name := range strings.Fields(names) {
		r, err := openResult(filepath.Join(s.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		t.Fatalf("no result, exit code %d\n%s%s", s.code, s.log, s.errors)
	}
	return list
}

// notes reports whether a result holds a notice with the words.
func notes(r *result.Result, words string) bool {
	return slices.ContainsFunc(r.Notices, func(n string) bool { return strings.Contains(n, words) })
}

// quick are inputs with which nothing is sent to GitHub.
func quick(inputs map[string]string) map[string]string {
	all := map[string]string{"upload-sarif": "false", "comment": "false", "fail-on": "never"}
	for name, value := range inputs {
		all[name] = value
	}
	return all
}

// TestActionInputs: each input that says how a server is built and launched
// does what it says.
func TestActionInputs(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: builds the program")
	}
	program := build(t)
	push := func(t *testing.T, files, inputs map[string]string) step {
		t.Helper()
		return runStepIn(t, files, program, newFake(t), "push", "push", "50", quick(inputs))
	}

	t.Run("the configuration leads nobody out of the checkout", func(t *testing.T) {
		files := map[string]string{"sealmark.yml": "server: {working_directory: .., command: [sh, -c, 'id >&2; exit 1']}\n"}
		s := runStepIn(t, files, program, newFake(t), "pull_request", "pull_request", "50", nil)
		if s.code != exitUsage || !strings.Contains(s.log, "is not a folder in the repository") || strings.Contains(s.log+s.errors, "uid=") {
			t.Errorf("exit code %d\n%s%s", s.code, s.log, s.errors)
		}
	})

	t.Run("secrets of the build and the server are in no output", func(t *testing.T) {
		secrets := []string{"npm-canary-51c09be2", "pip-canary-77d1aa03", "https://reader:pip-canary-77d1aa03@pip.example.test/simple", "server-canary-2a90c1f4"}
		files := map[string]string{
			"build.sh": "echo \"token $NPM_TOKEN\"\nu=${PIP_INDEX_URL#*reader:}\necho \"fetch $PIP_INDEX_URL with ${u%%@*}\" >&2\ntest -z \"$API_KEY\"\n",
			"serve.sh": "echo \"the key is $API_KEY, the build had $NPM_TOKEN\" >&2\ntest -z \"$NPM_TOKEN\" || exit 9\nexec sealmark fixture crash\n",
			"fails.sh": "echo \"error: $NPM_TOKEN is refused\"\nexit 1\n",
		}
		inputs := map[string]string{
			"build": "sh build.sh", "command": "sh serve.sh", "fail-on": "error",
			"build-env": "NPM_TOKEN=" + secrets[0] + "\nPIP_INDEX_URL=" + secrets[2], "env": "API_KEY=" + secrets[3],
		}
		s := runStepIn(t, files, program, newFake(t), "pull_request", "pull_request", "50", inputs)
		if r := s.results(t)[0]; r.Status != result.Assessed || !slices.Equal(r.Server.Env, []string{"API_KEY"}) || len(s.fake.Uploads) != 1 || len(s.fake.Comments) != 1 {
			t.Errorf("exit code %d, variables %q, %d uploads, %d comments\n%s%s", s.code, r.Server.Env, len(s.fake.Uploads), len(s.fake.Comments), s.log, s.errors)
		}
		if !strings.Contains(s.log, "::group::Build ") || !strings.Contains(s.log, "token [redacted:NPM_TOKEN]") {
			t.Errorf("the build is not in the log:\n%s", s.log)
		}
		for _, secret := range secrets {
			if !strings.Contains(s.log, "::add-mask::"+secret+"\n") {
				t.Errorf("%s is not masked", secret)
			}
			s.keeps(t, secret)
		}
		inputs["build"] = "sh fails.sh"
		s = runStepIn(t, files, program, newFake(t), "pull_request", "pull_request", "50", inputs)
		r := s.results(t)[0]
		if s.code != exitNotAssessed || r.Reason == nil || r.Reason.Rule != "launch.build-failed" || !strings.Contains(r.Reason.Text, "[redacted:NPM_TOKEN] is refused") {
			t.Errorf("exit code %d, %+v", s.code, r.Reason)
		}
		if log, err := os.ReadFile(filepath.Join(s.dir, s.output("build-log"))); s.output("build-log") != r.Volatile.BuildLog || err != nil || !strings.Contains(string(log), "is refused") {
			t.Errorf("the log of the build is not kept: %v %s", err, log)
		}
		for _, secret := range secrets {
			if !strings.Contains(s.log, "::add-mask::"+secret+"\n") {
				t.Errorf("%s is not masked", secret)
			}
			s.keeps(t, secret)
		}
	})

	t.Run("a fork has no secrets, and the result says so", func(t *testing.T) {
		inputs := quick(map[string]string{"command": "sealmark fixture accepts", "env": "API_KEY=", "build-env": "NPM_TOKEN="})
		s := runStepIn(t, nil, program, newFake(t), "pull_request", "pull_request_fork", "50", inputs)
		if r := s.results(t)[0]; !notes(r, "comes from a fork, which gets no secrets: API_KEY, NPM_TOKEN had no value") || !strings.Contains(s.page, "which gets no secrets") {
			t.Errorf("notices %q\n%s", r.Notices, s.page)
		}
		if s := push(t, nil, inputs); notes(s.results(t)[0], "fork") {
			t.Error("a push is taken for a fork")
		}
	})

	t.Run("cache-dir", func(t *testing.T) {
		files := map[string]string{"build.sh": `mkdir -p "$npm_config_cache" && echo 1 >>"$npm_config_cache/runs" && echo "cached $(wc -l <"$npm_config_cache/runs")"` + "\n", ".kept/npm/runs": "0\n"}
		inputs := map[string]string{"build": "sh build.sh", "command": "sealmark fixture accepts", "cache-dir": ".kept"}
		s := push(t, files, inputs)
		data, err := os.ReadFile(filepath.Join(s.dir, ".kept", "npm", "runs"))
		if r := s.results(t)[0]; err != nil || string(data) != "0\n1\n" || !strings.Contains(s.log, "cached 2") || len(r.Notices) > 0 {
			t.Errorf("%q, %v, %q\n%s", data, err, r.Notices, s.log)
		}
		sameOwner(t, s.dir, filepath.Join(s.dir, ".kept", "npm", "runs"), filepath.Join(s.dir, s.output("result-file")))
		for _, wrong := range []string{"..", "/tmp/x", "."} {
			inputs["cache-dir"] = wrong
			if s := push(t, files, inputs); s.code != exitUsage || !strings.Contains(s.log, "must name a folder within the checkout") {
				t.Errorf("%q: exit code %d", wrong, s.code)
			}
		}
	})

	t.Run("setup", func(t *testing.T) {
		tools := publicDir(t)
		inputs := map[string]string{"setup": "env\nsh -c \"printf x >" + tools + "/tool\"", "command": "test -f " + tools + "/tool", "build": "test -f " + tools + "/tool"}
		s := push(t, nil, inputs)
		if _, err := os.Stat(filepath.Join(tools, "tool")); err != nil || !strings.Contains(s.log, "::group::Set up") || s.results(t)[0].Reason.Rule != "launch.exited" {
			t.Errorf("%v\n%s", err, s.log)
		}
		for _, part := range []string{"INPUT_", "GITHUB_", "ACTIONS_"} {
			if strings.Contains(s.log, part) {
				t.Errorf("setup gets %s", part)
			}
		}
		for setup, want := range map[string]string{
			"sh -c 'echo error: no such package; exit 100'": "input setup: the build failed",
			"no-such-installer x":                           "input setup: no-such-installer is not installed",
			"x 'y":                                          "input setup",
		} {
			if s := push(t, nil, map[string]string{"setup": setup, "command": "false"}); s.code != exitUsage || !strings.Contains(s.log, "::error::"+want) {
				t.Errorf("%s: exit code %d\n%s", setup, s.code, s.log)
			}
		}
	})

	t.Run("server", func(t *testing.T) {
		files := map[string]string{"sealmark.yml": "servers:\n  - { name: east, command: [sealmark, fixture, accepts] }\n  - { name: west, command: [sealmark, fixture, accepts] }\n"}
		var keys []string
		for _, r := range push(t, files, nil).results(t) {
			keys = append(keys, r.Server.Key)
		}
		if !slices.Equal(keys, []string{"east", "west"}) {
			t.Errorf("%q", keys)
		}
		if list := push(t, files, map[string]string{"server": "west"}).results(t); len(list) != 1 || list[0].Server.Key != "west" {
			t.Errorf("%d results", len(list))
		}
		if s := push(t, files, map[string]string{"server": "north"}); s.code != exitUsage || !strings.Contains(s.log, "east") {
			t.Errorf("exit code %d\n%s", s.code, s.log)
		}
		g := newFake(t)
		runStepIn(t, files, program, g, "pull_request", "pull_request", "50", map[string]string{"category": "barn"})
		var categories []string
		for _, u := range g.Uploads {
			categories = append(categories, category(t, u.SARIF))
		}
		slices.Sort(categories)
		if !slices.Equal(categories, []string{"barn/east/", "barn/west/"}) || len(g.Comments) != 2 {
			t.Errorf("uploaded in %q, %d comments", categories, len(g.Comments))
		}
	})

	t.Run("env-canaries", func(t *testing.T) {
		inputs := map[string]string{"command": "sealmark fixture needs-env"}
		if r := push(t, nil, inputs).results(t)[0]; r.Status != result.Assessed || !notes(r, "without DEMO_API_KEY, so it was tested with harmless values") {
			t.Errorf("%s, %q", r.Status, r.Notices)
		}
		inputs["env-canaries"] = "off"
		if r := push(t, nil, inputs).results(t)[0]; r.Status != result.NotAssessed || len(r.Server.Canaries) > 0 {
			t.Errorf("%s, %q", r.Status, r.Server.Canaries)
		}
	})

	t.Run("network", func(t *testing.T) {
		files := map[string]string{"serve.sh": "tail -n +3 /proc/net/dev | cut -d: -f1 >&2\nexec sealmark fixture crash\n"}
		r := push(t, files, map[string]string{"command": "sh serve.sh", "network": "off"}).results(t)[0]
		if off := r.Server.Isolation.Network == "off"; off == notes(r, "network: off could not be kept") {
			t.Errorf("network %s, %q", r.Server.Isolation.Network, r.Notices)
		}
		r = push(t, nil, map[string]string{"command": "sealmark fixture listens", "url": "http://127.0.0.1:${PORT}/mcp", "network": "off"}).results(t)[0]
		if r.Status != result.Assessed || r.Server.Isolation.Network != "on" || !notes(r, "network: off could not be kept") {
			t.Errorf("%s, network %s, %q", r.Status, r.Server.Isolation.Network, r.Notices)
		}
	})

	t.Run("no inputs", func(t *testing.T) {
		if _, err := exec.LookPath("npm"); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatal("npm is not installed")
			}
			t.Skip("SKIPPED: npm is not installed")
		}
		files := sampleFiles(t, "node-two-servers")
		s := push(t, files, nil)
		r := s.results(t)[0]
		if r.Status != result.Assessed || r.Server.Name != "arrivals" || r.Server.Plan == nil || !r.Server.Isolation.Copy || r.Server.Isolation.User != mayDropRights() || !notes(r, "holds other servers too: departures") {
			t.Errorf("%+v %q\n%s", r.Server, r.Notices, s.log)
		}
		if warned := strings.Count(s.log, deskWarning); warned != map[bool]int{true: 0, false: 1}[mayDropRights()] {
			t.Errorf("warned %d times", warned)
		}
		if _, err := os.Stat(filepath.Join(s.dir, "node_modules")); err == nil {
			t.Error("the checkout was built in")
		}
		if list := push(t, files, map[string]string{"server": "all"}).results(t); len(list) != 2 || list[0].Server.Name != "arrivals" || list[1].Server.Name != "departures" {
			t.Errorf("%d results", len(list))
		}
	})
}

// sampleFiles are the files of a sample repository.
func sampleFiles(t *testing.T, name string) map[string]string {
	t.Helper()
	files := map[string]string{}
	root := filepath.Join("..", "..", "testdata", "repos", name)
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// TestPipelineDeterminism: two runs of the same repository have the same
// result, though their copies, processes and ports are others, and the server
// tells of them.
func TestPipelineDeterminism(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: builds the program")
	}
	program := build(t)
	files := map[string]string{
		".git/HEAD": "ref: refs/heads/main\n",
		"build.sh":  "echo built in $PWD for $HOME >made\n",
		"serve.sh":  "cat made >&2\necho cwd $PWD, home $HOME, temp $TMPDIR, port $PORT, process $$ >&2\nexec sealmark fixture \"$1\"\n",
		"fails.sh":  "echo error: $PWD/x.c and $TMPDIR/y.c, process $$\nexit 1\n",
	}
	dir := publicDir(t)
	for name, inputs := range map[string]map[string]string{
		"over stdio": {"build": "sh build.sh", "command": "sh serve.sh crash"},
		"over HTTP":  {"build": "sh build.sh", "command": "sh serve.sh listens-crashes", "url": "http://127.0.0.1:${PORT}/mcp"},
		"unbuilt":    {"build": "sh fails.sh", "command": "sh serve.sh crash"},
		"unstarted":  {"build": "sh build.sh", "command": "sh serve.sh nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			var documents []string
			for range 2 {
				s := runStepIn(t, files, program, newFake(t), "push", "push", "50", quick(inputs))
				r := s.results(t)[0]
				if len(r.Findings) == 0 {
					t.Fatal("there is no finding")
				}
				r.Volatile = result.Volatile{}
				r.Server.Key = "" // the name of the folder
				document, err := r.Marshal()
				if err != nil {
					t.Fatal(err)
				}
				documents = append(documents, string(document))
				for _, path := range []string{dir, "sealmark-box"} {
					if strings.Contains(string(document), path) {
						t.Errorf("%s is in the result", path)
					}
				}
			}
			if diff := cmp.Diff(documents[0], documents[1]); diff != "" {
				t.Errorf("two runs differ:\n%s", diff)
			}
		})
	}
}
