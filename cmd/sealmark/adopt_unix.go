//go:build unix

package main

import (
	"os"
	"syscall"
)

// adopt gives a file to the owner of a folder: the container runs as root, and
// what root leaves in a checkout, the runner can't clean up. It is tried only.
func adopt(path, folder string) {
	info, err := os.Stat(folder)
	if err != nil {
		return
	}
	if owner, ok := info.Sys().(*syscall.Stat_t); ok {
		os.Lchown(path, int(owner.Uid), int(owner.Gid))
	}
}
