package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestWithhold(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("SKIPPED: Windows has no such modes")
	}
	root := t.TempDir()
	at := func(name string) string { return filepath.Join(root, name) }
	for _, name := range []string{"temp", "files", "event", "work", "work/checkout"} {
		if err := os.Mkdir(at(name), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env := map[string]string{
		"RUNNER_TEMP": at("temp"), "GITHUB_ENV": at("files/env"), "GITHUB_OUTPUT": at("files/output"),
		"GITHUB_EVENT_PATH": at("event/event.json"), "GITHUB_PATH": at("work/path"), "GITHUB_STATE": at("missing/state"),
	}
	modes := func(want map[string]os.FileMode) {
		t.Helper()
		for name, mode := range want {
			if info, err := os.Stat(at(name)); err != nil || info.Mode().Perm() != mode {
				t.Errorf("%s: %v, mode %v, want %v", name, err, info.Mode().Perm(), mode)
			}
		}
	}
	restore, err := withhold(func(name string) string { return env[name] }, at("work/checkout"))
	if err != nil {
		t.Error(err)
	}
	modes(map[string]os.FileMode{"temp": 0o750, "files": 0o750, "event": 0o750, "work": 0o755, "work/checkout": 0o755})
	restore()
	modes(map[string]os.FileMode{"temp": 0o755, "files": 0o755, "event": 0o755})
}
