package main

import (
	"testing"

	"golang.org/x/sys/unix"
)

func TestConceal(t *testing.T) {
	before, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0)
	if err != nil {
		t.Skipf("SKIPPED: this kernel does not tell: %v", err)
	}
	conceal()
	defer unix.Prctl(unix.PR_SET_DUMPABLE, uintptr(before), 0, 0, 0)
	if after, err := unix.PrctlRetInt(unix.PR_GET_DUMPABLE, 0, 0, 0, 0); err != nil || after != 0 {
		t.Errorf("dumpable is %d, %v", after, err)
	}
}
