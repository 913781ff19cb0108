//go:build unix

package main

import (
	"io/fs"
	"path/filepath"
	"syscall"
	"testing"
)

// checkOwner fails the test if a file below the folder does not belong to the
// folder's owner.
func checkOwner(t *testing.T, dir string) {
	t.Helper()
	owner := -1
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		uid := int(info.Sys().(*syscall.Stat_t).Uid)
		if owner < 0 {
			owner = uid
		}
		if uid != owner {
			t.Errorf("%s belongs to %d, not to the workspace's owner %d", path, uid, owner)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
