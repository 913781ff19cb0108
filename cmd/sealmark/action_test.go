package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/publish/fakegithub"
)

// canary is a token that must not show up anywhere.
const canary = "ghs_canary0123456789canary0123456789"

// step is a run of the action's image, without the image.
type step struct {
	code                       int
	log, errors, outputs, page string
	dir                        string
}

// runStep runs the built program as the runner would, for an event of
// internal/gha/testdata/events, against a fake GitHub.
func runStep(t *testing.T, program string, g *fakegithub.GitHub, name, payload, run string, inputs map[string]string) step {
	t.Helper()
	return runStepIn(t, nil, program, g, name, payload, run, inputs)
}

// runStepIn is runStep in a workspace with files.
func runStepIn(t *testing.T, files map[string]string, program string, g *fakegithub.GitHub, name, payload, run string, inputs map[string]string) step {
	t.Helper()
	dir := t.TempDir()
	for path, text := range files {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	event, err := filepath.Abs(filepath.Join("..", "..", "internal", "gha", "testdata", "events", payload+".json"))
	if err != nil {
		t.Fatal(err)
	}
	return runStepAt(t, dir, event, program, g, name, run, inputs)
}

// runStepAt is runStep in a folder, with the file of an event.
func runStepAt(t *testing.T, dir, event, program string, g *fakegithub.GitHub, name, run string, inputs map[string]string) step {
	t.Helper()
	server := httptest.NewServer(g)
	defer server.Close()
	env := map[string]string{
		"PATH": filepath.Dir(program) + string(os.PathListSeparator) + os.Getenv("PATH"), "HOME": dir, "GITHUB_ACTIONS": "true",
		"GITHUB_EVENT_NAME": name, "GITHUB_EVENT_PATH": event, "GITHUB_REPOSITORY": "example-barn/sheep-mcp",
		"GITHUB_SHA": strings.Repeat("1", 40), "GITHUB_REF": "refs/pull/7/merge", "GITHUB_RUN_ID": run, "GITHUB_RUN_ATTEMPT": "1", "GITHUB_SERVER_URL": "https://github.invalid", "GITHUB_WORKSPACE": dir,
		"GITHUB_API_URL": server.URL, "GITHUB_GRAPHQL_URL": server.URL + "/graphql",
		"GITHUB_OUTPUT": filepath.Join(dir, "output"), "GITHUB_STEP_SUMMARY": filepath.Join(dir, "summary"), "RUNNER_TEMP": dir,
		"ACTIONS_RUNTIME_TOKEN": canary, "ACTIONS_ID_TOKEN_REQUEST_TOKEN": canary, "GITHUB_TOKEN": canary, "DEPLOY_KEY": canary, "INPUT_TOKEN": canary,
		"INPUT_COMMENT": "true", "INPUT_UPLOAD-SARIF": "true", "INPUT_ANNOTATIONS": "true",
	}
	for input, value := range inputs {
		env["INPUT_"+strings.ToUpper(input)] = value
	}
	cmd := exec.CommandContext(t.Context(), program, "action")
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	for key, value := range env {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	s := step{code: cmd.ProcessState.ExitCode(), log: out.String(), errors: errOut.String(), dir: dir}
	outputs, _ := os.ReadFile(env["GITHUB_OUTPUT"])
	page, _ := os.ReadFile(env["GITHUB_STEP_SUMMARY"])
	s.outputs, s.page = string(outputs), string(page)
	s.keepsToken(t)
	for _, p := range g.Problems {
		t.Error(p)
	}
	return s
}

// keepsToken fails the test if the token is in anything that the step wrote,
// other than the command that hides it.
func (s step) keepsToken(t *testing.T) {
	t.Helper()
	log := strings.ReplaceAll(s.log, "::add-mask::"+canary+"\n", "")
	texts := map[string]string{"the log": log, "standard error": s.errors}
	filepath.WalkDir(s.dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			data, _ := os.ReadFile(path)
			texts[path] = string(data)
		}
		return nil
	})
	for where, text := range texts {
		if strings.Contains(text, canary) {
			t.Errorf("the token is in %s", where)
		}
	}
}

// showsEachFindingOnce fails the test unless each finding that counts is once
// in the report of the log, once in the summary, and annotated once at most.
func (s step) showsEachFindingOnce(t *testing.T) {
	t.Helper()
	r, err := openResult(filepath.Join(s.dir, s.output("result-file")))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Reported()) == 0 {
		t.Fatal("there is no finding")
	}
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	var printed, annotated strings.Builder
	for line := range strings.Lines(s.log) {
		if regexp.MustCompile(`^::(error|warning|notice) `).MatchString(line) {
			annotated.WriteString(line)
		} else {
			printed.WriteString(line)
		}
	}
	for _, f := range r.Reported() {
		message := words(f.Message)
		for where, text := range map[string]string{"log": words(printed.String()), "summary": words(html.UnescapeString(s.page))} {
			if n := strings.Count(text, message); n != 1 {
				t.Errorf("%q is %d times in the %s", message, n, where)
			}
		}
		if n := strings.Count(words(annotated.String()), message); n > 1 {
			t.Errorf("%q is annotated %d times", message, n)
		}
	}
}

func (s step) output(name string) string {
	m := regexp.MustCompile(`(?m)^`+name+`<<.*\n(.*)\n`).FindAllStringSubmatch(s.outputs, -1)
	if m == nil {
		return "not set"
	}
	return m[len(m)-1][1]
}

func build(t *testing.T) string {
	t.Helper()
	program := filepath.Join(publicDir(t), "sealmark")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return program
}

// publicDir is a temporary folder that everybody may enter and write: the
// server runs as a user of its own where the test runs as root.
func publicDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for path, mode := range map[string]os.FileMode{dir: 0o777, filepath.Dir(dir): 0o755} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func newFake(t *testing.T) *fakegithub.GitHub {
	t.Helper()
	g, err := fakegithub.New(fakegithub.Cloud, canary)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// The whole way of the action, on a server with faults.
func TestAction(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program and waits for code scanning")
	}
	program := build(t)
	inputs := map[string]string{"command": "sealmark fixture crash", "category": "barn", "fail-on": "error"}
	g := newFake(t)
	first := runStep(t, program, g, "pull_request", "pull_request", "50", inputs)

	t.Run("everything is delivered", func(t *testing.T) {
		if first.code != exitGate || len(g.Uploads) != 1 || len(g.Comments) != 1 {
			t.Fatalf("exit code %d, %d uploads, %d comments\n%s%s", first.code, len(g.Uploads), len(g.Comments), first.log, first.errors)
		}
		u := g.Uploads[0]
		if u.CommitSHA != strings.Repeat("1", 40) || u.Ref != "refs/pull/7/merge" || category(t, u.SARIF) != "barn/" {
			t.Errorf("uploaded for %s %s in %s", u.CommitSHA, u.Ref, category(t, u.SARIF))
		}
		for _, name := range []string{"score", "grade", "coverage", "findings", "result-file", "sarif-file", "comment-url"} {
			if v := first.output(name); v == "" || v == "not set" {
				t.Errorf("output %s is %q", name, v)
			}
		}
		for _, name := range []string{"result-file", "sarif-file"} {
			path := first.output(name)
			if _, err := os.Stat(filepath.Join(first.dir, path)); err != nil || filepath.IsAbs(path) {
				t.Errorf("%s is not in the checkout: %v", path, err)
			}
		}
		if !strings.Contains(first.log, "::error file=") || !strings.Contains(first.page, "robust.crash") {
			t.Errorf("log and summary:\n%s\n%s", first.log, first.page)
		}
	})
	t.Run("a second run updates the comment", func(t *testing.T) {
		g.Comments[0].Body = strings.Replace(g.Comments[0].Body, "Sealmark", "An older Sealmark", 1)
		second := runStep(t, program, g, "pull_request", "pull_request", "51", inputs)
		if g.Count("PATCH ") != 1 || len(g.Comments) != 1 || second.output("comment-url") != first.output("comment-url") {
			t.Errorf("%v", g.Log)
		}
	})
	t.Run("refusals change nothing but the summary", func(t *testing.T) {
		g := newFake(t)
		g.Fault = func(*http.Request) *fakegithub.Answer {
			return &fakegithub.Answer{Status: 403, Header: map[string]string{"Content-Type": "application/json"}, Body: `{"message":"Resource not accessible by integration"}`}
		}
		for _, failOn := range []string{"error", "never"} {
			inputs["fail-on"] = failOn
			s := runStep(t, program, g, "pull_request", "pull_request_fork", "50", inputs)
			if want := map[string]int{"error": exitGate, "never": exitOK}[failOn]; s.code != want {
				t.Errorf("exit code %d, want %d", s.code, want)
			}
			s.showsEachFindingOnce(t)
			for _, part := range []string{"were not uploaded to code scanning", "No comment was posted", "robust.crash"} {
				if !strings.Contains(s.page, part) {
					t.Errorf("the summary does not say %q", part)
				}
			}
		}
	})
	t.Run("a server that does not start", func(t *testing.T) {
		g := newFake(t)
		s := runStep(t, program, g, "pull_request", "pull_request", "50", map[string]string{"command": "false"})
		if s.code != exitNotAssessed || len(g.Uploads) != 0 || len(g.Comments) != 1 || s.output("grade") != "" {
			t.Errorf("exit code %d, %d uploads, %d comments, grade %q", s.code, len(g.Uploads), len(g.Comments), s.output("grade"))
		}
	})
	t.Run("pull_request_target is refused", func(t *testing.T) {
		g := newFake(t)
		s := runStep(t, program, g, "pull_request_target", "pull_request_target", "50", inputs)
		if s.code != exitUsage || len(g.Log) != 0 || !strings.Contains(s.log, "::error::pull_request_target would run code that anybody can send") || !strings.Contains(s.page, "allow-pull-request-target") {
			t.Errorf("exit code %d, %v\n%s%s", s.code, g.Log, s.log, s.page)
		}
	})
	t.Run("pull_request_target is allowed, and posts nothing about the base", func(t *testing.T) {
		if !mayDropRights() {
			t.Skip("SKIPPED: needs root, as in the container")
		}
		g := newFake(t)
		// The file of the pull request asks for a secret of the step.
		allowed := map[string]string{"command": "sealmark fixture demo-fixed", "allow-pull-request-target": "true", "config": "asks.yml"}
		file := "server: { command: [sealmark, fixture, demo-fixed], env: { KEY: \"${DEPLOY_KEY}\" } }\n"
		s := runStepIn(t, map[string]string{"asks.yml": file}, program, g, "pull_request_target", "pull_request_target", "50", allowed)
		if s.code != exitUsage || !strings.Contains(s.log, "DEPLOY_KEY") {
			t.Errorf("exit code %d\n%s", s.code, s.log)
		}
		delete(allowed, "config")
		s = runStep(t, program, g, "pull_request_target", "pull_request_target", "50", allowed)
		if s.code != exitOK || len(g.Uploads)+len(g.Comments) != 0 || !strings.Contains(s.page, "neither the head nor the merge") {
			t.Errorf("exit code %d, %v\n%s%s", s.code, g.Log, s.log, s.page)
		}
	})
	t.Run("wrong inputs", func(t *testing.T) {
		s := runStep(t, program, newFake(t), "push", "push", "50", map[string]string{"command": "x 'y", "comment": "perhaps", "min-score": "many"})
		for _, part := range []string{"input command", "input comment", "input min-score"} {
			if s.code != exitUsage || !strings.Contains(s.log, part) {
				t.Errorf("exit code %d, no %q in %s", s.code, part, s.log)
			}
		}
	})
	t.Run("the server's environment is small", func(t *testing.T) {
		file := filepath.Join(publicDir(t), "environment")
		runStep(t, program, newFake(t), "push", "push", "50", map[string]string{
			"command": fmt.Sprintf(`sh -c "env >%s; exec sealmark fixture clean"`, file), "env": "BARN=red\n\nSHEEP=12 white", "upload-sarif": "false",
		})
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if !strings.Contains(text, "BARN=red\n") || !strings.Contains(text, "SHEEP=12 white\n") {
			t.Errorf("the variables of the input are missing: %s", text)
		}
		for _, part := range []string{canary, "INPUT_", "GITHUB_", "ACTIONS_", "RUNNER_"} {
			if strings.Contains(text, part) {
				t.Errorf("%s reached the server", part)
			}
		}
	})
}

// category reads the category of a SARIF document's only run.
func category(t *testing.T, document []byte) string {
	t.Helper()
	var log struct {
		Runs []struct {
			AutomationDetails struct{ ID string }
		}
	}
	if err := json.Unmarshal(document, &log); err != nil || len(log.Runs) != 1 {
		t.Fatalf("%v, %d runs", err, len(log.Runs))
	}
	return log.Runs[0].AutomationDetails.ID
}
