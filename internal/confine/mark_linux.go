package confine

import (
	"os"
	"sync/atomic"

	"golang.org/x/sys/unix"
)

// limitLocks is RLIMIT_LOCKS, a limit that Linux keeps and passes on but has
// applied to nothing since 2.4.25 (getrlimit(2)). Its hard value serves as the
// mark of a tree: children inherit it whatever else they shed, and nobody
// without privileges can raise it.
const limitLocks = 10

var trees atomic.Uint64

// newMark is a value below our own limit that no other tree bears.
func newMark() uint64 {
	ceiling := uint64(unix.RLIM_INFINITY) / 2
	var own unix.Rlimit
	if unix.Getrlimit(limitLocks, &own) == nil {
		ceiling = min(ceiling, own.Max)
	}
	return ceiling - uint64(os.Getpid())<<20 - trees.Add(1)&(1<<20-1)
}
