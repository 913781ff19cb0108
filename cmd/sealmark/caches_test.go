package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestKeptCaches: the folder of cache-dir is one of the checkout, and no link to
// another one, whose content the box would get.
func TestKeptCaches(t *testing.T) {
	workspace := t.TempDir()
	outside := t.TempDir()
	if err := os.Mkdir(filepath.Join(workspace, ".git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{"inner": ".git", "outer": outside} {
		if err := os.Symlink(to, filepath.Join(workspace, name)); err != nil {
			t.Skip("SKIPPED: links can't be made here: ", err)
		}
	}
	for dir, allowed := range map[string]bool{".cache": true, "a/b": true, "inner": false, "inner/hooks": false, "outer": false, "..": false, ".": false} {
		p := &pipeline{}
		if err := p.keptCaches(dir, workspace); (err == nil) != allowed || (p.cache != "") != allowed {
			t.Errorf("%s: %v, %q", dir, err, p.cache)
		}
	}
	for _, dir := range []string{filepath.Join(workspace, ".git"), outside} {
		if _, err := os.Stat(filepath.Join(dir, ".gitignore")); err == nil {
			t.Errorf("%s was written to", dir)
		}
	}
}
