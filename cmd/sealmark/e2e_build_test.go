package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// buildServer builds a server of testdata/e2e/NAME against a version of the
// module that it is built on, in a temporary module, so that ours does not
// depend on it, and returns the path of the program. Programs are kept in the
// cache of the end-to-end test. Where the module can't be had the test is
// skipped, unless CI is set.
func buildServer(t *testing.T, name, module, version string) string {
	t.Helper()
	source, err := os.ReadFile(filepath.Join("..", "..", "testdata", "e2e", name, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(cache, "sealmark-ci", "e2e-go")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(dir, fmt.Sprintf("%s-%s-%s-%.8x", name, version, runtime.Version(), sha256.Sum256(source)))
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	if _, err := os.Stat(program); err == nil {
		return program
	}
	work := t.TempDir()
	for file, text := range map[string]string{
		"main.go": string(source),
		"go.mod":  fmt.Sprintf("module sealmark-e2e\n\ngo 1.26\n\nrequire %s %s\n", module, version),
	} {
		if err := os.WriteFile(filepath.Join(work, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	built := filepath.Join(dir, filepath.Base(work)+filepath.Base(program)+"-new")
	defer os.Remove(built)
	for _, args := range [][]string{{"mod", "tidy"}, {"build", "-trimpath", "-o", built, "."}} {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir, cmd.Env = work, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		if out, err := cmd.CombinedOutput(); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("go %s for %s %s: %v\n%s", args[0], module, version, err, out)
			}
			t.Skipf("SKIPPED: %s %s can't be built here: %v\n%s", module, version, err, out)
		}
	}
	if err := os.Rename(built, program); err != nil {
		t.Fatal(err)
	}
	return program
}
