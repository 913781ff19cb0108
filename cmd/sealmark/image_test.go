package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"io/fs"
	"maps"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/publish/fakegithub"
)

// engine is the image under test and the client of the container engine, which
// scripts/image-test prepares.
type engine struct{ docker, image, socket string }

func newEngine(t *testing.T) engine {
	t.Helper()
	image := os.Getenv("SEALMARK_IMAGE")
	if image == "" {
		t.Skip("SKIPPED: scripts/image-test builds the image and runs this")
	}
	e := engine{docker: os.Getenv("SEALMARK_DOCKER"), image: image, socket: "/var/run/docker.sock"}
	if path, ok := strings.CutPrefix(os.Getenv("DOCKER_HOST"), "unix://"); ok {
		e.socket = path
	}
	return e
}

// run starts a container of the image, and removes it whatever happens.
func (e engine) run(t *testing.T, env []string, args ...string) (out, errOut string, code int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Minute)
	defer cancel()
	name := "sealmark-test-" + strings.ToLower(rand.Text())
	cmd := exec.CommandContext(ctx, e.docker, append([]string{"run", "--rm", "--name", name}, args...)...)
	cmd.Env, cmd.WaitDelay = append(os.Environ(), env...), time.Second
	defer exec.Command(e.docker, "rm", "--force", "--volumes", name).Run()
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return stdout.String(), stderr.String(), cmd.ProcessState.ExitCode()
}

// The toolchains are there for a user without rights, and need no network to
// say so.
func TestImageToolchains(t *testing.T) {
	e := newEngine(t)
	programs := []string{"sealmark", "node", "npm", "corepack", "pnpm", "yarn", "git", "python", "python3"}
	if os.Getenv("SEALMARK_IMAGE_STAND_INS") == "" {
		programs = append(programs, "uv", "uvx")
	}
	script := "set -e; cd /tmp; export HOME=/tmp; go version"
	for _, name := range programs {
		script += "; echo " + name + " $(" + name + " --version)"
	}
	out, errOut, code := e.run(t, nil, "--network", "none", "--user", "4321:4321", "--entrypoint", "/bin/sh", e.image, "-c", script)
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, errOut)
	}
	t.Log(out)
	for _, part := range append(programs, "go version") {
		if !strings.Contains("\n"+out, "\n"+part+" ") {
			t.Errorf("%s says nothing:\n%s", part, out)
		}
	}
}

// thief is code at the start of a server: it takes what it can, and tells the
// result of it as its version.
const thief = `import * as fs from "node:fs";
const stolen = [];
const attempt = (what, action) => { try { action(); stolen.push(what); } catch {} };
for (const path of ["/proc/1/environ", "/github/workflow/event.json", "/github/home/credentials", "/github/runner_temp/credentials", "/github/file_commands/env"]) attempt(path, () => fs.readFileSync(path));
for (const name of ["env", "output", "summary", "path"]) attempt(name, () => fs.appendFileSync("/github/file_commands/" + name, "STOLEN=1\n"));
attempt("/var/run/docker.sock", () => fs.accessSync("/var/run/docker.sock", fs.constants.W_OK));
attempt("the checkout", () => fs.writeFileSync("/github/workspace/stolen", ""));
if (Object.keys(process.env).some((key) => /^(INPUT|ACTIONS|GITHUB)_/.test(key))) stolen.push("the environment");
`

// job runs the image as the runner runs a container action, for a pull request
// and against a fake GitHub.
func (e engine) job(t *testing.T, g *fakegithub.GitHub, repository string, change func(workspace string), inputs map[string]string) step {
	t.Helper()
	server := httptest.NewServer(g)
	defer server.Close()
	host := t.TempDir()
	at := func(name string) string { return filepath.Join(host, name) }
	folders := []string{"temp", "home", "workflow", "file_commands"}
	for _, folder := range folders {
		if err := os.Mkdir(at(folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	root := filepath.Join("..", "..")
	if err := os.CopyFS(at("workspace"), os.DirFS(filepath.Join(root, "testdata", "repos", repository))); err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(at("workspace"))
	}
	event, err := os.ReadFile(filepath.Join(root, "internal", "gha", "testdata", "events", "pull_request.json"))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{
		"workflow/event.json": string(event), "file_commands/env": "", "file_commands/output": "", "file_commands/summary": "", "file_commands/path": "",
		"home/credentials": "of an earlier step", "temp/credentials": "of an earlier step",
	}
	for name, text := range files {
		if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const owner = 1001 // of the runner's files; in the container it is nobody
	if os.Geteuid() == 0 {
		err := filepath.WalkDir(host, func(path string, _ fs.DirEntry, err error) error {
			return errors.Join(err, os.Lchown(path, owner, owner))
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{
		"HOME": "/github/home", "GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_WORKSPACE": "/github/workspace",
		"GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": "/github/workflow/event.json", "GITHUB_REPOSITORY": "example-barn/sheep-mcp",
		"GITHUB_SHA": strings.Repeat("1", 40), "GITHUB_REF": "refs/pull/7/merge", "GITHUB_RUN_ID": "50", "GITHUB_RUN_ATTEMPT": "1",
		"GITHUB_SERVER_URL": "https://github.invalid", "GITHUB_API_URL": server.URL, "GITHUB_GRAPHQL_URL": server.URL + "/graphql",
		"GITHUB_ENV": "/github/file_commands/env", "GITHUB_OUTPUT": "/github/file_commands/output",
		"GITHUB_PATH": "/github/file_commands/path", "GITHUB_STEP_SUMMARY": "/github/file_commands/summary",
		"RUNNER_TEMP": "/github/runner_temp", "RUNNER_OS": "Linux", "RUNNER_WORKSPACE": host,
		"ACTIONS_RUNTIME_TOKEN": canary, "ACTIONS_ID_TOKEN_REQUEST_TOKEN": canary,
	}
	for _, in := range gha.Inputs { // the runner sets them all
		env["INPUT_"+strings.ToUpper(in.Name)] = in.Default
	}
	env["INPUT_TOKEN"] = canary
	for name, value := range inputs {
		env["INPUT_"+strings.ToUpper(name)] = value
	}
	args := []string{"--label", "sealmark", "--workdir", "/github/workspace", "--network", "host"} // to the fake GitHub
	var values []string
	for _, key := range slices.Sorted(maps.Keys(env)) {
		args, values = append(args, "-e", key), append(values, key+"="+env[key])
	}
	for from, to := range map[string]string{
		e.socket: "/var/run/docker.sock", at("temp"): "/github/runner_temp", at("home"): "/github/home", at("workflow"): "/github/workflow",
		at("file_commands"): "/github/file_commands", at("workspace"): "/github/workspace",
	} {
		args = append(args, "-v", from+":"+to)
	}
	// HOME and the like are the container's, not those of its client.
	values = slices.DeleteFunc(values, func(pair string) bool { return strings.HasPrefix(pair, "HOME=") })
	args[slices.Index(args, "HOME")] = "HOME=" + env["HOME"]

	s := step{dir: at("workspace")}
	s.log, s.errors, s.code = e.run(t, values, append(args, e.image)...)
	outputs, _ := os.ReadFile(at("file_commands/output"))
	page, _ := os.ReadFile(at("file_commands/summary"))
	s.outputs, s.page = string(outputs), string(page)
	for _, folder := range folders {
		if info, err := os.Stat(at(folder)); err != nil || info.Mode().Perm() != 0o755 {
			t.Errorf("the folder %s of the runner was not given back: %v, %v", folder, err, info.Mode())
		}
	}
	for _, name := range []string{"workflow/event.json", "file_commands/env", "file_commands/path"} {
		if data, err := os.ReadFile(at(name)); err != nil || string(data) != files[name] {
			t.Errorf("%s has changed: %v %q", name, err, data)
		}
	}
	s.fake = g
	s.keeps(t, canary)
	for _, p := range g.Problems {
		t.Error(p)
	}
	return s
}

// finished fails the test unless a run was delivered by every way.
func (s step) finished(t *testing.T, g *fakegithub.GitHub) {
	t.Helper()
	if s.code != exitOK || len(g.Uploads) != 1 || len(g.Comments) != 1 {
		t.Fatalf("exit code %d, %d uploads, %d comments\n%s%s", s.code, len(g.Uploads), len(g.Comments), s.log, s.errors)
	}
	for _, out := range gha.Outputs {
		if v := s.output(out.Name); v == "" || v == "not set" {
			t.Errorf("output %s is %q", out.Name, v)
		}
	}
	for _, name := range []string{"result-file", "sarif-file"} {
		path := s.output(name)
		if info, err := os.Stat(filepath.Join(s.dir, path)); err != nil || filepath.IsAbs(path) || info.Size() == 0 {
			t.Errorf("%s is not in the workspace: %v", path, err)
		}
	}
	if !strings.Contains(s.page, "Sealmark") || !strings.Contains(s.page, s.output("score")) {
		t.Errorf("the summary lacks the score %s:\n%s", s.output("score"), s.page)
	}
}

// Commands that are given, with a toolchain that setup adds and caches that
// outlast the run.
func TestImageCommand(t *testing.T) {
	e, g := newEngine(t), newFake(t)
	s := e.job(t, g, "node-bin", func(workspace string) { // what an earlier step installed
		if err := os.CopyFS(filepath.Join(workspace, "node_modules", "@modelcontextprotocol", "sdk"), os.DirFS(filepath.Join(workspace, "vendor", "sdk"))); err != nil {
			t.Fatal(err)
		}
	}, map[string]string{
		"setup": "ln -s /usr/local/bin/node /usr/local/bin/barn", "build": "npm cache verify", "command": "barn server.js",
		"cache-dir": ".sealmark-cache", "fail-on": "never",
	})
	s.finished(t, g)
	if kept, err := os.ReadDir(filepath.Join(s.dir, ".sealmark-cache", "npm")); err != nil || len(kept) == 0 {
		t.Errorf("the cache of npm was not kept: %v", err)
	}
	if os.Geteuid() == 0 {
		checkOwner(t, s.dir)
	}
	r, err := openResult(filepath.Join(s.dir, s.output("result-file")))
	if err != nil || r.Server.Name != "tide" {
		t.Errorf("%v, server %q", err, r.Server.Name)
	}
}

// Without any input the server is found, built and launched, and gets at
// nothing of the job.
func TestImageWithoutInputs(t *testing.T) {
	e, g := newEngine(t), newFake(t)
	s := e.job(t, g, "node-build", func(workspace string) {
		source := filepath.Join(workspace, "src", "index.ts")
		data, err := os.ReadFile(source)
		if err != nil {
			t.Fatal(err)
		}
		first, rest, _ := strings.Cut(string(data), "\n")
		hostile := strings.ReplaceAll(rest, `version: "1.0.0"`, `version: ["1.0.0", ...stolen].join(" ")`)
		if hostile == rest {
			t.Fatal("the sample has no version to replace")
		}
		if err := os.WriteFile(source, []byte(first+"\n"+thief+hostile), 0o644); err != nil {
			t.Fatal(err)
		}
	}, map[string]string{"fail-on": "never"})
	s.finished(t, g)
	r, err := openResult(filepath.Join(s.dir, s.output("result-file")))
	if err != nil || r.Server.Name != "quarry" || r.Server.Version != "1.0.0" {
		t.Errorf("%v, server %q %q; what stands behind the version was stolen", err, r.Server.Name, r.Server.Version)
	}
	if os.Geteuid() == 0 {
		checkOwner(t, s.dir)
	}
}
