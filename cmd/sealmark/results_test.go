package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/compare"
	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/fixture"
	"github.com/sealmark/action/internal/report"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/score"
	"github.com/sealmark/action/internal/suite"
)

// FuzzResult: whatever a file holds, it is refused with a bounded line of text,
// or compared, gated and shown.
func FuzzResult(f *testing.F) {
	self, err := os.Executable()
	if err != nil {
		f.Fatal(err)
	}
	c, err := config.Build(config.Sources{Path: config.NoFile, Command: []string{self}, Env: []string{fixture.Variable + "=good"}}, suite.Catalog())
	if err != nil {
		f.Fatal(err)
	}
	whole := suite.Run{Config: c, Version: "test", Key: "good"}.Do(f.Context())
	whole.Rules, whole.Checks, whole.Contract = whole.Rules[:3], whole.Checks[:4], nil
	document, err := compare.Baseline(whole).Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(document)
	f.Add(document[:len(document)/2])
	f.Add([]byte(`{"schema_version":"9.0"}`))
	f.Add([]byte(strings.Repeat(`[`, 2000)))
	f.Add([]byte(strings.Replace(string(document), `"percent": 100`, `"percent": -1e308`, 1)))
	f.Add([]byte(strings.ReplaceAll(string(document), `"tools"`, `"\u001b[31m</details>\u202e"`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		base, err := parsedResult("base.json", data)
		if err != nil {
			if text := err.Error(); len(text) > 1000 || strings.ContainsAny(text, "\n\r\x1b") {
				t.Errorf("%q", text)
			}
			return
		}
		now := *whole
		compare.Apply(&now, base, result.FromBaseline, base.Volatile.Commit)
		score.Gate(&now, score.Limits{FailOn: "note", NewOnly: true})
		if err := report.Changes(io.Discard, &now, report.Options{}); err != nil {
			t.Error(err)
		}
		if shown := report.ChangesMarkdown(&now); strings.ContainsAny(shown, "\x1b\u202e") || strings.Contains(shown, "</details>") {
			t.Errorf("%q", shown)
		}
		if _, err := now.Marshal(); err != nil {
			t.Error(err)
		}
		if _, err := compare.Baseline(base).Marshal(); err != nil {
			t.Error(err)
		}
	})
}

// TestOpenResult: what is no file of a bounded size is not read.
func TestOpenResult(t *testing.T) {
	dir := t.TempDir()
	large := filepath.Join(dir, "large.json")
	if err := os.WriteFile(large, []byte(`{"schema_version":"1.0"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(large, result.MaxBytes+100); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{large: "over 64 MiB", dir: "is no file", filepath.Join(dir, "none"): "no such file"} {
		if _, err := openResult(path); err == nil || !strings.Contains(err.Error(), want) && !os.IsNotExist(err) {
			t.Errorf("%s: %v", path, err)
		}
	}
}
