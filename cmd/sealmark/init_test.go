package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/suite"
	"github.com/sealmark/action/internal/target"
)

// sampleRepos are the folders of the sample repositories.
func sampleRepos(t *testing.T) []string {
	t.Helper()
	dirs, err := filepath.Glob(filepath.Join("..", "..", "testdata", "repos", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	var repos []string
	for _, dir := range dirs {
		if repo := filepath.Dir(dir); !slices.Contains(repos, repo) {
			repos = append(repos, repo)
		}
	}
	if len(repos) < 34 {
		t.Fatalf("only %d sample repositories", len(repos))
	}
	return repos
}

// initialised writes the files of init for each plan of each sample
// repository, and returns the folders.
func initialised(t *testing.T) map[string]target.Plan {
	t.Helper()
	folders := map[string]target.Plan{}
	for _, repo := range sampleRepos(t) {
		d, err := target.Detect(repo)
		if err != nil {
			t.Fatal(err)
		}
		for _, plan := range d.Plans {
			dir := t.TempDir()
			if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(plan.Directory)), 0o755); err != nil {
				t.Fatal(err)
			}
			var out strings.Builder
			if err := writeFiles(&out, dir, initFiles(dir, plan, d.Plans)); err != nil {
				t.Fatal(err)
			}
			if strings.Count(out.String(), "wrote") != 2 {
				t.Fatalf("%s: %s", repo, &out)
			}
			folders[dir] = plan
		}
	}
	return folders
}

// TestInitConfig: what init writes is a valid configuration that launches what
// was found.
func TestInitConfig(t *testing.T) {
	for dir, plan := range initialised(t) {
		path := filepath.Join(dir, "sealmark.yml")
		if _, err := config.Load(path, suite.Catalog()); err != nil {
			t.Errorf("%s: %v", plan.Name, err)
			continue
		}
		if !oneFolder(plan) {
			continue
		}
		c, err := config.Build(config.Sources{Path: path, Environ: func(name string) (string, bool) { return "", false }}, suite.Catalog())
		if err != nil {
			t.Errorf("%s: %v", plan.Name, err)
			continue
		}
		if diff := cmp.Diff(plan.Command, c.Command); diff != "" {
			t.Errorf("%s, -plan +configuration:\n%s", plan.Name, diff)
		}
		var steps [][]string
		for _, step := range plan.Build {
			steps = append(steps, step.Args)
		}
		if diff := cmp.Diff(steps, c.Build); diff != "" {
			t.Errorf("%s, -plan +configuration:\n%s", plan.Name, diff)
		}
	}
}

// TestInitWorkflow holds the workflow against actionlint.
func TestInitWorkflow(t *testing.T) {
	var files []string
	seen := map[string]bool{}
	for dir := range initialised(t) {
		file := filepath.Join(dir, ".github", "workflows", "sealmark.yml")
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !seen[string(text)] {
			seen[string(text)] = true
			files = append(files, file)
		}
	}
	const actionlint = "github.com/rhysd/actionlint/cmd/actionlint@v1.7.12"
	args := append([]string{"run", actionlint, "-shellcheck=", "-pyflakes=", "-no-color"}, files...)
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = t.TempDir() // outside our module
	if out, err := cmd.CombinedOutput(); err != nil {
		if os.Getenv("CI") == "" && !strings.Contains(string(out), ".yml:") {
			t.Skipf("SKIPPED: actionlint can't be had here: %v\n%s", err, out)
		}
		t.Errorf("actionlint: %v\n%s", err, out)
	}
}

func TestYAMLWord(t *testing.T) {
	for text, want := range map[string]string{
		"node": "node", "--port": "--port", "./x": "./x", ".sealmark/bin/x": ".sealmark/bin/x", "-m": "-m",
		"": `""`, "true": `"true"`, "NO": `"NO"`, "3000": `"3000"`, "-": `"-"`, "1e3": `"1e3"`, ".": `"."`, ".inf": `".inf"`,
		"a: b": `"a: b"`, "#x": `"#x"`, "*x": `"*x"`, "a,b": `"a,b"`, "x\ny\x1b": `"x\ny\u001b"`, "${PORT}": `"${PORT}"`, "<x>": `"<x>"`,
	} {
		if got := yamlWord(text); got != want {
			t.Errorf("%q is written %s, want %s", text, got, want)
		}
	}
}

// TestDefaultBranch: what the remote calls its own counts, and else what is
// checked out if it is master.
func TestDefaultBranch(t *testing.T) {
	for want, files := range map[string]map[string]string{
		"main":        {"HEAD": "ref: refs/heads/feature\n"},
		"master":      {"HEAD": "ref: refs/heads/master\n"},
		"release/1.x": {"HEAD": "ref: refs/heads/master\n", "refs/remotes/origin/HEAD": "ref: refs/remotes/origin/release/1.x\n"},
	} {
		dir := t.TempDir()
		for name, text := range files {
			path := filepath.Join(dir, ".git", filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		if got := defaultBranch(dir); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
