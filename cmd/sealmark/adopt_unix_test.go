//go:build unix

package main

import (
	"os"
	"syscall"
	"testing"
)

// sameOwner fails the test unless paths belong to the owner of a folder.
func sameOwner(t *testing.T, folder string, paths ...string) {
	t.Helper()
	owner := func(path string) [2]uint32 {
		info, err := os.Lstat(path)
		if err != nil {
			t.Fatal(err)
		}
		s := info.Sys().(*syscall.Stat_t)
		return [2]uint32{s.Uid, s.Gid}
	}
	for _, path := range paths {
		if owner(path) != owner(folder) {
			t.Errorf("%s belongs to %v, its folder to %v", path, owner(path), owner(folder))
		}
	}
}
