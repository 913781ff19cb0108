package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/fixture"
	"github.com/sealmark/action/internal/golden"
	"github.com/sealmark/action/internal/suite"
)

func TestMain(m *testing.M) {
	if os.Getenv(fixture.Variable) != "" {
		fixture.FromEnv()
	}
	os.Exit(m.Run())
}

// TestScripts runs the command line as a user would: the program as it is built
// for them, which starts several times as fast as one with the race detector.
func TestScripts(t *testing.T) {
	for _, program := range []string{"npm", "go"} {
		if _, err := exec.LookPath(program); err != nil && os.Getenv("CI") != "" {
			t.Fatalf("%s is not installed", program)
		}
	}
	repos, err := filepath.Abs(filepath.Join("..", "..", "testdata", "repos"))
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Dir(build(t)) // which holds sealmark alone
	testscript.Run(t, testscript.Params{
		Dir:           filepath.Join("testdata", "script"),
		UpdateScripts: *golden.Update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "1")
			env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
			env.Setenv("BIN", bin)
			env.Setenv("PATH", bin+string(filepath.ListSeparator)+env.Getenv("PATH"))
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			// repo NAME DIR makes a checkout of a sample repository.
			"repo": func(ts *testscript.TestScript, _ bool, args []string) {
				dir := ts.MkAbs(args[1])
				ts.Check(os.CopyFS(dir, os.DirFS(filepath.Join(repos, args[0]))))
				ts.Check(os.Mkdir(filepath.Join(dir, ".git"), 0o755))
			},
		},
	})
}

// TestDocs: the generated pages are those that the code writes.
func TestDocs(t *testing.T) {
	files, err := docFiles()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range files {
		path := filepath.Join("..", "..", filepath.FromSlash(name))
		got, err := os.ReadFile(path)
		if err != nil {
			t.Errorf("%v; run go run ./cmd/sealmark docs .", err)
			continue
		}
		if string(got) != string(want) {
			t.Errorf("%s is stale; run go run ./cmd/sealmark docs .", name)
		}
	}
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "checks", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages {
		if _, known := files["docs/checks/"+filepath.Base(page)]; !known {
			t.Errorf("%s is written by nobody", page)
		}
	}
}

// TestResultSchema: the result of a run, and that of one that is not assessed,
// are what the published schema says.
func TestResultSchema(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	schema, err := compiler.Compile(filepath.Join("..", "..", "docs", "result.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"accepts", "exits-at-once"} {
		c, err := config.Build(config.Sources{Path: config.NoFile, Command: []string{self}, Env: []string{fixture.Variable + "=" + name}}, suite.Catalog())
		if err != nil {
			t.Fatal(err)
		}
		document, err := suite.Run{Config: c, Version: "test", Key: name}.Do(t.Context()).Marshal()
		if err != nil {
			t.Fatal(err)
		}
		instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(instance); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := checkedResult(document); err != nil {
			t.Errorf("%s can't be published: %v", name, err)
		}
	}
}
