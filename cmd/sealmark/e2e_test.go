package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/golden"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/suite"
)

// modulesVariable names the folder in which the packages of
// testdata/e2e/package.json are installed; scripts/e2e-servers installs them.
const modulesVariable = "SEALMARK_E2E_MODULES"

// sdk and mcpGo are the newest versions of the Go modules that the Go servers
// are built on.
const (
	sdkModule, sdkNewest     = "github.com/modelcontextprotocol/go-sdk", "v1.8.0"
	mcpGoModule, mcpGoNewest = "github.com/mark3labs/mcp-go", "v1.2.1"
)

// servers are real servers: from the npm registry, and such of ours that are
// built on a published module. command gets a folder for data.
var servers = []struct {
	name    string
	command func(t *testing.T, data string) []string
	// recorded: there are answers that were recorded without Sealmark.
	recorded bool
}{
	{"server-everything", npm("server-everything", "dist/index.js", "stdio"), true},
	{"server-memory", npm("server-memory", "dist/index.js"), true},
	{"server-filesystem", npm("server-filesystem", "dist/index.js", "DATA"), true},
	{"server-sequential-thinking", npm("server-sequential-thinking", "dist/index.js"), true},
	{"go-sdk", func(t *testing.T, _ string) []string {
		return []string{buildServer(t, "go-sdk", sdkModule, sdkNewest)}
	}, false},
	{"mcp-go", func(t *testing.T, _ string) []string {
		return []string{buildServer(t, "mcp-go", mcpGoModule, mcpGoNewest)}
	}, false},
}

// npm starts a package of testdata/e2e/package.json. The argument DATA is
// replaced by the folder for data.
func npm(name, script string, args ...string) func(*testing.T, string) []string {
	return func(t *testing.T, data string) []string {
		t.Helper()
		modules := os.Getenv(modulesVariable)
		if _, err := exec.LookPath("node"); err != nil || modules == "" {
			if os.Getenv("CI") != "" {
				t.Fatalf("CI must install node and the servers and set %s", modulesVariable)
			}
			t.Skipf("SKIPPED: servers from npm need node and %s; run scripts/e2e-servers", modulesVariable)
		}
		modules, err := filepath.Abs(modules)
		if err != nil {
			t.Fatal(err)
		}
		command := []string{"node", filepath.Join(modules, "node_modules", "@modelcontextprotocol", name, script)}
		for _, arg := range args {
			command = append(command, strings.ReplaceAll(arg, "DATA", data))
		}
		return command
	}
}

// expectation is what is committed of a run.
type expectation struct {
	Status   result.Status           `json:"status"`
	Percent  float64                 `json:"percent"`
	Letter   string                  `json:"letter"`
	Coverage result.Coverage         `json:"coverage"`
	Verdicts map[string]rule.Verdict `json:"verdicts"`
	Findings []string                `json:"findings"`
}

func TestRealServers(t *testing.T) {
	for _, server := range servers {
		t.Run(server.name, func(t *testing.T) {
			first := realRun(t, server.name, server.command, "1")
			second := realRun(t, server.name, server.command, "4")
			if !bytes.Equal(first.document, second.document) {
				t.Errorf("two runs on one and four lanes differ: %s", cmp.Diff(string(first.document), string(second.document)))
			}
			compareGolden(t, server.name, first.result)
			if server.recorded {
				agree(t, server.name, first.result)
			}
		})
	}
}

type realResult struct {
	result   *result.Result
	document []byte
}

func realRun(t *testing.T, name string, start func(*testing.T, string) []string, lanes string) realResult {
	t.Helper()
	data := t.TempDir()
	command := start(t, data)
	c, err := config.Build(config.Sources{Path: config.NoFile, Command: command, Directory: data, Flags: map[string]string{"lanes": lanes},
		Env: []string{"MEMORY_FILE_PATH=" + filepath.Join(data, "memory.jsonl")}}, suite.Catalog())
	if err != nil {
		t.Fatal(err)
	}
	r := suite.Run{Config: c, Version: "test", Key: name, Shown: []string{name}}.Do(t.Context())
	r.Volatile, r.Server.Directory = result.Volatile{}, ""
	document, err := r.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return realResult{r, bytes.ReplaceAll(document, []byte(data), []byte("DATA"))}
}

// compare holds a result against what is committed.
func compareGolden(t *testing.T, name string, r *result.Result) {
	t.Helper()
	got := expectation{Status: r.Status, Coverage: r.Coverage, Verdicts: map[string]rule.Verdict{}, Findings: []string{}}
	if r.Score != nil {
		got.Percent, got.Letter = r.Score.Percent, r.Score.Letter
	}
	for _, c := range r.Checks {
		got.Verdicts[c.ID] = c.Verdict
	}
	for _, f := range r.Findings {
		got.Findings = append(got.Findings, strings.Join([]string{string(f.Severity), f.Rule, f.Subject}, " "))
	}
	path := filepath.Join("..", "..", "testdata", "e2e", name+".expected.json")
	if *golden.Update {
		data, err := json.MarshalIndent(got, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want expectation
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// agree holds the findings against answers that were recorded without
// Sealmark: a tool whose invalid calls were all rejected raises no
// robust.accepted-invalid.
func agree(t *testing.T, name string, r *result.Result) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "corpus", "groundtruth", name+".json"))
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Errorf("CI must have the recorded answers: %v", err)
		}
		t.Logf("SKIPPED: no recorded answers to compare with: %v", err)
		return
	}
	var recorded struct {
		Calls []struct {
			Tool, Case, Class string
			SchemaInvalid     bool
		}
	}
	if err := json.Unmarshal(data, &recorded); err != nil {
		t.Fatal(err)
	}
	accepted := map[string]bool{}
	for _, c := range recorded.Calls {
		if c.SchemaInvalid && c.Case != "extra" {
			accepted["tool:"+c.Tool] = accepted["tool:"+c.Tool] || c.Class == "success"
		}
	}
	for _, f := range r.Findings {
		if known, ok := accepted[f.Subject]; ok && !known && f.Rule == "robust.accepted-invalid" {
			t.Errorf("%s: the recorded answers say that each invalid call was rejected", f.Subject)
		}
	}
}
