package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// checkout is the root of the repository.
const checkout = "../.."

// releaseTree is a checkout with what a release rewrites, and the folder with
// the programs of the release v1.2.3.
func releaseTree(t *testing.T) (tree, downloads string) {
	t.Helper()
	tree, downloads = publicDir(t), publicDir(t)
	for _, name := range []string{"action.yml", "setup/action.yml", "setup/install", "scripts/release-tree"} {
		data, err := os.ReadFile(filepath.Join(checkout, name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(tree, name), string(data), 0o755)
	}
	return tree, downloads
}

func write(t *testing.T, path, text string, mode os.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), mode); err != nil {
		t.Fatal(err)
	}
}

// shell runs a program and returns its output and exit code.
func shell(t *testing.T, dir string, env []string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, env
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

const image = "ghcr.io/sealmark/action@sha256:" + "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// sums are the checksums of a whole release; those that are not given are
// made up.
func sums(given map[string][]byte) string {
	var b strings.Builder
	for _, target := range []string{"linux-amd64", "linux-arm64", "darwin-amd64", "darwin-arm64", "windows-amd64.exe", "windows-arm64.exe"} {
		name := "sealmark-" + target
		data, ok := given[name]
		if !ok {
			data = []byte(name)
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), name)
	}
	return b.String()
}

func needsLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("SKIPPED: runs the scripts of a release, which GitHub runs on Linux")
	}
}

// TestReleaseTree: the commit of a tag names image and programs by what they
// are, and differs in nothing else.
func TestReleaseTree(t *testing.T) {
	needsLinux(t)
	tree, _ := releaseTree(t)
	before, err := os.ReadFile(filepath.Join(tree, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(t.TempDir(), "SHA256SUMS")
	write(t, list, sums(nil), 0o644)
	partial := filepath.Join(t.TempDir(), "partial")
	write(t, partial, strings.Replace(sums(nil), "sealmark-darwin-arm64", "sealmark-other", 1), 0o644)
	script := filepath.Join(tree, "scripts", "release-tree")
	for name, args := range map[string][]string{
		"no version":     {"1.2", image, list},
		"a shell's text": {"v1.2.3; true", image, list},
		"no digest":      {"v1.2.3", "ghcr.io/sealmark/action:v1.2.3", list},
		"short digest":   {"v1.2.3", image[:len(image)-1], list},
		"partial sums":   {"v1.2.3", image, partial},
		"no sums":        {"v1.2.3", image},
	} {
		if out, code := shell(t, tree, os.Environ(), append([]string{script}, args...)...); code == 0 || !strings.Contains(out, "release-tree: ") {
			t.Errorf("%s: exit code %d, %s", name, code, out)
		}
	}
	if after, _ := os.ReadFile(filepath.Join(tree, "action.yml")); string(after) != string(before) {
		t.Error("action.yml has changed though the release was refused")
	}
	if out, code := shell(t, tree, os.Environ(), script, "v1.2.3", image, list); code != 0 {
		t.Fatalf("exit code %d, %s", code, out)
	}
	after, err := os.ReadFile(filepath.Join(tree, "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if want := strings.Replace(string(before), "\n  image: Dockerfile\n", "\n  image: docker://"+image+"\n", 1); string(after) != want || want == string(before) {
		t.Errorf("action.yml is\n%s", after)
	}
	var names []string
	for _, pattern := range []string{"*", "setup/*"} {
		found, _ := filepath.Glob(filepath.Join(tree, pattern))
		for _, path := range found {
			name, _ := filepath.Rel(tree, path)
			names = append(names, name)
		}
	}
	if got := strings.Join(names, " "); got != "action.yml scripts setup setup/SHA256SUMS setup/VERSION setup/action.yml setup/install" {
		t.Errorf("the tree holds %s", got)
	}
	if out, code := shell(t, tree, os.Environ(), script, "v1.2.3", image, list); code == 0 {
		t.Errorf("a second release of the same tree: %s", out)
	}
}

// composite runs the steps of setup/action.yml as the runner does: expressions
// replaced, outputs carried on, the files of the runner beside the workspace.
func composite(t *testing.T, tree string, env, inputs map[string]string) (out string, code int, dir string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(tree, "setup", "action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	var action struct {
		Inputs map[string]struct{ Default string }
		Runs   struct {
			Steps []struct {
				ID, Run, Shell string
				Env            map[string]string
			}
		}
	}
	if err := yaml.Unmarshal(data, &action); err != nil {
		t.Fatal(err)
	}
	if len(action.Runs.Steps) != 2 {
		t.Fatalf("%d steps", len(action.Runs.Steps))
	}
	dir = publicDir(t)
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, name := range []string{"workspace", "temp", "home", "files"} {
		if err := os.Mkdir(at(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	event, err := filepath.Abs(filepath.Join(checkout, "internal/gha/testdata/events/push.json"))
	if err != nil {
		t.Fatal(err)
	}
	set := map[string]string{
		"PATH": os.Getenv("PATH"), "HOME": at("home"), "GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_WORKSPACE": at("workspace"),
		"GITHUB_EVENT_NAME": "push", "GITHUB_EVENT_PATH": event, "GITHUB_REPOSITORY": "example-barn/sheep-mcp", "GITHUB_SHA": strings.Repeat("1", 40),
		"GITHUB_REF": "refs/heads/main", "GITHUB_SERVER_URL": "https://github.invalid", "GITHUB_API_URL": "http://127.0.0.1:9",
		"GITHUB_ACTION_PATH": filepath.Join(tree, "setup"), "GITHUB_STEP_SUMMARY": at("files/summary"), "RUNNER_TEMP": at("temp"),
		"RUNNER_OS": "Linux", "RUNNER_ARCH": map[string]string{"amd64": "X64", "arm64": "ARM64"}[runtime.GOARCH],
	}
	for name, value := range env {
		set[name] = value
	}
	outputs := map[string]string{}
	expression := regexp.MustCompile(`\$\{\{ (\S+) \}\}`)
	evaluate := func(text string) string {
		return expression.ReplaceAllStringFunc(text, func(found string) string {
			name := expression.FindStringSubmatch(found)[1]
			if value, ok := outputs[name]; ok {
				return value
			}
			input, ok := strings.CutPrefix(name, "inputs.")
			declared, known := action.Inputs[input]
			if !ok || !known {
				t.Fatalf("unknown expression %s", found)
			}
			if value, given := inputs[input]; given {
				return value
			}
			return strings.ReplaceAll(declared.Default, "${{ github.token }}", canary)
		})
	}
	for _, s := range action.Runs.Steps {
		if s.Shell != "bash" {
			t.Fatalf("shell %s", s.Shell)
		}
		file := at("files/" + s.ID)
		list := []string{"GITHUB_OUTPUT=" + file}
		for name, value := range set {
			list = append(list, name+"="+value)
		}
		for name, value := range s.Env {
			list = append(list, name+"="+evaluate(value))
		}
		text, stepCode := shell(t, at("workspace"), list, "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
		if out, code = out+text, stepCode; code != 0 {
			return out, code, dir
		}
		data, _ := os.ReadFile(file)
		for line := range strings.Lines(string(data)) {
			if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
				outputs["steps."+s.ID+".outputs."+name] = value
			}
		}
	}
	return out, code, dir
}

// TestRelease takes a release the whole way: programs, the tree that is tagged,
// and the action for runners without containers, from a release server.
func TestRelease(t *testing.T) {
	needsLinux(t)
	if testing.Short() {
		t.Skip("builds the program")
	}
	tree, downloads := releaseTree(t)
	name := "sealmark-linux-" + runtime.GOARCH
	if out, code := shell(t, checkout, os.Environ(), "scripts/release-binaries", "v1.2.3", filepath.Join(downloads, "v1.2.3"), "linux-"+runtime.GOARCH); code != 0 {
		t.Fatalf("exit code %d, %s", code, out)
	}
	program, err := os.ReadFile(filepath.Join(downloads, "v1.2.3", name))
	if err != nil {
		t.Fatal(err)
	}
	list, err := os.ReadFile(filepath.Join(downloads, "v1.2.3", "SHA256SUMS"))
	if whole := sums(map[string][]byte{name: program}); err != nil || !strings.Contains(whole, string(list)) {
		t.Fatalf("%v, SHA256SUMS is %q", err, list)
	} else {
		write(t, filepath.Join(downloads, "SHA256SUMS"), whole, 0o644)
	}
	if out, code := shell(t, tree, os.Environ(), "scripts/release-tree", "v1.2.3", image, filepath.Join(downloads, "SHA256SUMS")); code != 0 {
		t.Fatalf("exit code %d, %s", code, out)
	}
	server := httptest.NewServer(http.FileServer(http.Dir(downloads)))
	defer server.Close()
	inputs := map[string]string{"comment": "false", "upload-sarif": "false", "min-grade": "A", "fail-on": "note"}
	env := map[string]string{"SEALMARK_DOWNLOADS": server.URL}

	t.Run("installed and run", func(t *testing.T) {
		if version, code := shell(t, tree, os.Environ(), filepath.Join(downloads, "v1.2.3", name), "--version"); code != 0 || !strings.Contains(version, "v1.2.3") {
			t.Errorf("exit code %d, %s", code, version)
		}
		inputs["command"] = filepath.Join(downloads, "v1.2.3", name) + " fixture demo-fixed"
		out, code, dir := composite(t, tree, env, inputs)
		outputs, err := os.ReadFile(filepath.Join(dir, "files", "run"))
		if code != 0 || err != nil {
			t.Fatalf("exit code %d, %v\n%s", code, err, out)
		}
		if s := (step{outputs: string(outputs)}); s.output("grade") != "A" || s.output("findings") != "0" {
			t.Errorf("outputs\n%s", outputs)
		}
		if strings.Contains(strings.ReplaceAll(out, "::add-mask::"+canary, ""), canary) {
			t.Error("the token is in the log")
		}
	})
	t.Run("without sha256sum, as on macOS", func(t *testing.T) {
		few := t.TempDir()
		for _, tool := range []string{"bash", "dirname", "mktemp", "cat", "awk", "curl", "shasum", "rm", "chmod"} {
			path, err := exec.LookPath(tool)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(path, filepath.Join(few, tool)); err != nil {
				t.Fatal(err)
			}
		}
		inputs["command"] = "false" // which fails the step, with the exit code of the program
		if out, code, _ := composite(t, tree, map[string]string{"SEALMARK_DOWNLOADS": server.URL, "PATH": few}, inputs); code != exitNotAssessed {
			t.Errorf("exit code %d\n%s", code, out)
		}
	})
	// Each is refused before anything is run.
	ran := filepath.Join(t.TempDir(), "ran")
	write(t, filepath.Join(downloads, "evil", "v1.2.3", name), "#!/bin/sh\ntouch "+ran+"\n", 0o755)
	for what, tc := range map[string]struct {
		env  map[string]string
		want string
	}{
		"another program":         {map[string]string{"SEALMARK_DOWNLOADS": server.URL + "/evil"}, "has SHA-256 "},
		"no such file":            {map[string]string{"SEALMARK_DOWNLOADS": server.URL + "/nothing"}, "can't be downloaded"},
		"an unknown system":       {map[string]string{"RUNNER_OS": "Plan9"}, "RUNNER_OS is 'Plan9'"},
		"an unknown architecture": {map[string]string{"RUNNER_ARCH": "ARM"}, "RUNNER_ARCH 'ARM'"},
	} {
		t.Run(what, func(t *testing.T) {
			out, code, dir := composite(t, tree, tc.env, inputs)
			if code == 0 || !strings.Contains(out, "::error title=Sealmark::") || !strings.Contains(out, tc.want) {
				t.Errorf("exit code %d\n%s", code, out)
			}
			left, _ := filepath.Glob(filepath.Join(dir, "temp", "*", "*"))
			if _, err := os.Stat(ran); err == nil || len(left) != 0 {
				t.Errorf("run, or left behind: %v %v", err, left)
			}
		})
	}
}

// TestSetupFromSources: a commit that is no release is built where there is Go.
func TestSetupFromSources(t *testing.T) {
	needsLinux(t)
	if testing.Short() {
		t.Skip("builds the program")
	}
	tree, err := filepath.Abs(checkout)
	if err != nil {
		t.Fatal(err)
	}
	env := map[string]string{}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH", "GOPROXY", "GOFLAGS"} {
		value, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		env[name] = strings.TrimSpace(string(value))
	}
	inputs := map[string]string{"comment": "false", "upload-sarif": "false", "command": "false"}
	if out, code, _ := composite(t, tree, env, inputs); code != exitNotAssessed || !strings.Contains(out, "built from its sources") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	tree, _ = releaseTree(t)
	env = map[string]string{"PATH": "/usr/bin:/bin"}
	if _, err := os.Stat("/usr/bin/go"); err != nil {
		if out, code, _ := composite(t, tree, env, inputs); code != 1 || !strings.Contains(out, "this commit is no release") {
			t.Errorf("exit code %d\n%s", code, out)
		}
	}
}
