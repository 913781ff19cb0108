package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWithin: code that is not trusted leads neither the configuration file nor
// the working directory out of its checkout; what the workflow names itself may
// be elsewhere.
func TestWithin(t *testing.T) {
	outside := t.TempDir()
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(to, path string) {
		t.Helper()
		if err := os.Symlink(to, path); err != nil {
			t.Skip("SKIPPED: links can't be made here: ", err)
		}
	}
	write(filepath.Join(outside, "shadow"), "secretname: x\n")
	write(filepath.Join(outside, "own.yml"), "fail_on: note\n")
	for _, tt := range []struct {
		name, yaml string
		make       func(dir string)
		s          Sources
		refused    string
	}{
		{name: "a folder of the repository", yaml: "server: {working_directory: packages/server, command: [x]}"},
		{name: "a link within it", yaml: "server: {working_directory: alias, command: [x]}", make: func(dir string) { link("packages/server", filepath.Join(dir, "alias")) }},
		{name: "the folder above", yaml: "server: {working_directory: .., command: [x]}", refused: "not a folder in the repository"},
		{name: "an absolute folder", yaml: "server: {working_directory: " + filepath.ToSlash(outside) + ", command: [x]}", refused: "not a folder in the repository"},
		{name: "a link out of it", yaml: "server: {working_directory: alias, command: [x]}", make: func(dir string) { link(outside, filepath.Join(dir, "alias")) }, refused: "not a folder in the repository"},
		{name: "a link that the workflow names", yaml: "server: {command: [x]}", make: func(dir string) { link(outside, filepath.Join(dir, "alias")) }, s: Sources{Directory: "alias"}, refused: "not a folder in the repository"},
		{name: "a folder that the workflow names", yaml: "server: {command: [x]}", s: Sources{Directory: outside}},
		{name: "a file that the workflow names", s: Sources{Path: filepath.Join(outside, "own.yml")}},
		{name: "a file that is a link", make: func(dir string) { link(filepath.Join(outside, "shadow"), filepath.Join(dir, "sealmark.yml")) }, refused: "a link out of the repository"},
		{name: "a named file that is a link", make: func(dir string) { link(filepath.Join(outside, "shadow"), filepath.Join(dir, "own.yml")) }, s: Sources{Path: "own.yml"}, refused: "a link out of the repository"},
		{name: "a file that is a device", make: func(dir string) { link(os.DevNull, filepath.Join(dir, "sealmark.yml")) }, refused: "a link out of the repository"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			if err := os.MkdirAll(filepath.Join("packages", "server"), 0o755); err != nil {
				t.Fatal(err)
			}
			if tt.yaml != "" {
				write("sealmark.yml", tt.yaml)
			}
			if tt.make != nil {
				tt.make(dir)
			}
			tt.s.Within, tt.s.Command = dir, nil
			if tt.yaml == "" {
				tt.s.Command = []string{"x"}
			}
			_, err := Build(tt.s, nil)
			if (err == nil) != (tt.refused == "") || err != nil && (!strings.Contains(err.Error(), tt.refused) || strings.Contains(err.Error(), "secretname")) {
				t.Errorf("%v, want %q", err, tt.refused)
			}
		})
	}
}
