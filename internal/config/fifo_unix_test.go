//go:build unix

package config

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestFIFO: a file that would never end is not waited for.
func TestFIFO(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sealmark.yml")
	if err := syscall.Mkfifo(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path, nil); err == nil || !strings.Contains(err.Error(), "no regular file") {
		t.Error(err)
	}
}
