package gha

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

var update = flag.Bool("update", false, "rewrite the tables of the README")

func root(parts ...string) string {
	return filepath.Join(append([]string{"..", ".."}, parts...)...)
}

// TestActionFile: action.yml holds the table of inputs and outputs.
func TestActionFile(t *testing.T) {
	data, err := os.ReadFile(root("action.yml"))
	if err != nil {
		t.Fatal(err)
	}
	type field struct {
		Description string
		Required    bool
		Default     string
	}
	var action struct {
		Name, Description string
		Branding          struct{ Icon, Color string }
		Inputs, Outputs   yaml.MapSlice
		Runs              struct {
			Using, Image string
			Args         []string
		}
	}
	if err := yaml.Unmarshal(data, &action); err != nil {
		t.Fatal(err)
	}
	if n := len(action.Description); n == 0 || n >= 125 {
		t.Errorf("the description has %d characters; the Marketplace takes under 125", n)
	}
	if action.Branding.Icon == "" || action.Branding.Color == "" || action.Runs.Using != "docker" || len(action.Runs.Args) > 0 {
		t.Errorf("branding %+v, runs %+v", action.Branding, action.Runs)
	}
	read := func(item any) field {
		var f field
		text, err := yaml.Marshal(item)
		if err == nil {
			err = yaml.Unmarshal(text, &f)
		}
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	if len(action.Inputs) != len(Inputs) || len(action.Outputs) != len(Outputs) {
		t.Fatalf("%d inputs and %d outputs, want %d and %d", len(action.Inputs), len(action.Outputs), len(Inputs), len(Outputs))
	}
	for i, in := range Inputs {
		got := read(action.Inputs[i].Value)
		if action.Inputs[i].Key != in.Name || got.Description != in.Description || got.Default != in.Default || got.Required {
			t.Errorf("input %d is %v %+v, want %+v", i, action.Inputs[i].Key, got, in)
		}
	}
	for i, out := range Outputs {
		if got := read(action.Outputs[i].Value); action.Outputs[i].Key != out.Name || got.Description != out.Description {
			t.Errorf("output %d is %v %+v, want %+v", i, action.Outputs[i].Key, got, out)
		}
	}
}

// TestReadme: the README holds the same tables between its marks.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile(root("README.md"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	inputs, outputs := Tables()
	for name, table := range map[string]string{"inputs": inputs, "outputs": outputs} {
		before, rest, ok1 := strings.Cut(text, "<!-- "+name+" -->\n")
		inside, after, ok2 := strings.Cut(rest, "<!-- /"+name+" -->")
		switch {
		case !ok1 || !ok2:
			t.Errorf("README.md has no marks for the table of %s", name)
		case *update:
			text = before + "<!-- " + name + " -->\n" + table + "<!-- /" + name + " -->" + after
		case inside != table:
			t.Errorf("the table of %s in README.md is stale; run go test ./internal/gha -update", name)
		}
	}
	if *update {
		if err := os.WriteFile(root("README.md"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func runner(t *testing.T, vars map[string]string) (*Runner, *bytes.Buffer) {
	t.Helper()
	var out bytes.Buffer
	return New(&out, func(name string) string { return vars[name] }), &out
}

func TestInputs(t *testing.T) {
	r, _ := runner(t, map[string]string{"INPUT_FAIL-ON": " warning ", "INPUT_COMMENT": "False", "INPUT_ANNOTATIONS": "maybe"})
	if got := r.Input("fail-on"); got != "warning" {
		t.Errorf("fail-on is %q", got)
	}
	for name, want := range map[string]bool{"comment": false, "upload-sarif": true} {
		if got, err := r.Flag(name); got != want || err != nil {
			t.Errorf("%s is %v, %v", name, got, err)
		}
	}
	if _, err := r.Flag("annotations"); err == nil {
		t.Error("maybe is taken as true or false")
	}
}

// TestOutputs: a value can't close its own block and set another output.
func TestOutputs(t *testing.T) {
	file := filepath.Join(t.TempDir(), "output")
	r, _ := runner(t, map[string]string{"GITHUB_OUTPUT": file})
	evil := "x\n_GitHubActionsFileCommandDelimeter_\nscore=100"
	if err := r.SetOutput("grade", evil); err != nil {
		t.Fatal(err)
	}
	if err := r.SetOutput("grade", evil); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(data), "\n")
	name, first, _ := strings.Cut(lines[0], "<<")
	_, second, _ := strings.Cut(lines[5], "<<")
	if name != "grade" || first == second || lines[4] != first {
		t.Errorf("got %q", lines)
	}
	r, _ = runner(t, map[string]string{"GITHUB_OUTPUT": t.TempDir(), "GITHUB_STEP_SUMMARY": "/no/such/folder/summary"})
	if r.SetOutput("a", "b") == nil || r.Summary("x") == nil {
		t.Error("a file that can't be written is no error")
	}
	r, _ = runner(t, nil)
	if r.SetOutput("a", "b") != nil || r.Summary("x") != nil || r.Summary(strings.Repeat("x", maxSummary+1)) == nil {
		t.Error("outside of a workflow nothing is written, and a summary that is too long is refused")
	}
}

// TestAnnotations: foreign text starts no command, and the caps are kept.
func TestAnnotations(t *testing.T) {
	r, out := runner(t, nil)
	evil := "50%, a:b\n::error::forged\r##[error]forged"
	var list []Annotation
	for range 12 {
		list = append(list, Annotation{Level: "warning", Path: "a,b:c.ts", Line: 3, Title: evil, Message: evil})
	}
	list = append(list, Annotation{Level: "note", Path: "x", Message: strings.Repeat("m", 9000)})
	if left := r.Annotate(list); left != 2 {
		t.Errorf("%d were left out", left)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 11 {
		t.Fatalf("%d lines: %q", len(lines), lines)
	}
	for _, line := range lines {
		if !strings.HasPrefix(line, "::warning ") && !strings.HasPrefix(line, "::notice ") || len(line) > 4300 {
			t.Errorf("a line of %d bytes: %.200q", len(line), line)
		}
	}
	if !strings.Contains(lines[0], "file=a%2Cb%3Ac.ts") || !strings.Contains(lines[0], "50%25") {
		t.Errorf("not escaped: %s", lines[0])
	}
}

func TestGuarded(t *testing.T) {
	r, out := runner(t, nil)
	w, end := r.Guarded()
	w.Write([]byte("::error::forged\nx ##[error]forged\n"))
	end()
	r.Info("a\n::error::forged ##[add-mask]x")
	for i, line := range strings.Split(out.String(), "\n") {
		trimmed := strings.TrimSpace(line)
		command := strings.HasPrefix(trimmed, "::") || strings.Contains(line, "##[")
		if allowed := i == 0 || strings.HasPrefix(trimmed, "::sealmark"); command && !allowed {
			t.Errorf("line %d is a command: %q", i, line)
		}
	}
}

func TestMask(t *testing.T) {
	r, out := runner(t, nil)
	r.Mask("")
	r.Mask("one\ntwo\n")
	if got := out.String(); got != "::add-mask::one\n::add-mask::two\n" {
		t.Errorf("got %q", got)
	}
}

func TestEvents(t *testing.T) {
	const merge, head = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"
	tests := []struct {
		name, event, ref, payload string
		checkout                  string
		pr                        int
		fork                      bool
		sha, analysed             string
		refused                   bool
	}{
		{name: "push", event: "push", ref: "refs/heads/main", payload: "push.json", sha: merge, analysed: "refs/heads/main"},
		{name: "tag", event: "push", ref: "refs/tags/v1", payload: "push.json", sha: merge, analysed: "refs/tags/v1"},
		{name: "pull request", event: "pull_request", ref: "refs/pull/7/merge", payload: "pull_request.json", pr: 7, sha: merge, analysed: "refs/pull/7/merge"},
		{name: "its head is checked out", event: "pull_request", ref: "refs/pull/7/merge", payload: "pull_request.json", checkout: head, pr: 7, sha: head, analysed: "refs/pull/7/head"},
		{name: "fork", event: "pull_request", ref: "refs/pull/8/merge", payload: "pull_request_fork.json", pr: 8, fork: true, sha: merge, analysed: "refs/pull/8/merge"},
		{name: "deleted fork", event: "pull_request", ref: "refs/pull/9/merge", payload: "pull_request_deleted_fork.json", pr: 9, fork: true, sha: merge, analysed: "refs/pull/9/merge"},
		{name: "schedule", event: "schedule", ref: "refs/heads/main", payload: "schedule.json", sha: merge, analysed: "refs/heads/main"},
		{name: "dispatch", event: "workflow_dispatch", ref: "refs/heads/main", payload: "workflow_dispatch.json", sha: merge, analysed: "refs/heads/main"},
		{name: "merge queue", event: "merge_group", ref: "refs/heads/gh-readonly-queue/main/pr-7-abc", payload: "merge_group.json", refused: true},
		{name: "odd ref", event: "push", ref: "main", payload: "push.json", refused: true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			workspace := t.TempDir()
			if tt.checkout != "" {
				os.Mkdir(filepath.Join(workspace, ".git"), 0o755)
				os.WriteFile(filepath.Join(workspace, ".git", "HEAD"), []byte(tt.checkout+"\n"), 0o600)
			}
			r, _ := runner(t, map[string]string{
				"GITHUB_EVENT_NAME": tt.event, "GITHUB_REF": tt.ref, "GITHUB_SHA": merge, "GITHUB_REPOSITORY": "octo-org/parcel-desk",
				"GITHUB_EVENT_PATH": root("testdata", "events", tt.payload), "GITHUB_WORKSPACE": workspace,
			})
			e, err := r.Event()
			if err != nil {
				t.Fatal(err)
			}
			sha, ref, why := e.Analysed()
			if e.PullRequest != tt.pr || e.Fork != tt.fork || sha != tt.sha || ref != tt.analysed || (why != "") != tt.refused {
				t.Errorf("event %+v: %s %s %q", e, sha, ref, why)
			}
			if e.Owner != "octo-org" || e.Repo != "parcel-desk" || e.APIURL != "https://api.github.com" {
				t.Errorf("event %+v", e)
			}
		})
	}
	r, _ := runner(t, map[string]string{"GITHUB_EVENT_PATH": "/no/such/file"})
	if _, err := r.Event(); err == nil {
		t.Error("a payload that can't be read is no error")
	}
}
