package confine

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The watchdog looks again after the time in which a process could take what is
// left to the limit, within these bounds.
const (
	shortest = 10 * time.Millisecond
	longest  = 250 * time.Millisecond
	pace     = 2 << 30 // bytes a second
)

// watch looks after the limits of the box until its end. To count files takes
// long, so that the memory does not wait for it.
func (b *Box) watch() {
	b.watching.Do(func() {
		d := disk{box: b}
		b.watched.Go(func() { b.keepLooking(b.look) })
		b.watched.Go(func() { b.keepLooking(d.look) })
	})
}

// keepLooking looks again and again. It takes a twentieth of the time for that,
// unless that means to look away for too long.
func (b *Box) keepLooking(look func() (left int64)) {
	for pause := shortest; ; {
		select {
		case <-b.open.Done():
			return
		case <-time.After(pause):
		}
		begin := time.Now()
		left := look()
		reach := time.Duration(float64(max(left, 0)) / pace * float64(time.Second))
		pause = min(max(reach, shortest, 20*time.Since(begin)), longest)
	}
}

// inUse reports whether anything was started that was not killed yet.
func (b *Box) inUse() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.trees) > 0
}

// look holds the processes of the box against its limits, and returns how much
// memory is left, 0 to look again soon.
func (b *Box) look() (left int64) {
	if !b.inUse() {
		return b.o.Memory
	}
	list := b.members(nil)
	var resident int64
	threads := 0
	for _, p := range list {
		// Ended ones that nobody has waited for count too, as they do for the
		// kernel's limit.
		b.reap(p)
		resident += p.resident
		threads += p.threads
	}
	if resident > b.o.Memory {
		resident = 0
		for i, p := range list {
			if size, ok := proportional(p.pid); ok {
				list[i].resident = size
			}
			resident += list[i].resident
		}
	}
	switch {
	case resident > b.o.Memory:
		b.breach(fmt.Sprintf("It took more than the %s of memory that it may have, and was ended.", size(b.o.Memory)))
		b.killAll(b.heaviest(list, func(p process) int64 { return p.resident }))
	case threads >= b.o.Processes:
		b.breach(fmt.Sprintf("It started %d processes and threads, which is as many as it may, and was ended.", b.o.Processes))
		b.killAll(b.heaviest(list, func(p process) int64 { return int64(p.threads) }))
	}
	if threads > b.o.Processes/2 {
		return 0
	}
	return b.o.Memory - resident
}

// heaviest is the tree that weighs most.
func (b *Box) heaviest(list []process, weight func(process) int64) *Tree {
	sums := map[uint64]int64{}
	most := uint64(0)
	for _, p := range list {
		if mark, ok := markOf(p.pid); ok {
			sums[mark] += weight(p)
			if sums[mark] > sums[most] {
				most = mark
			}
		}
	}
	return &Tree{box: b, mark: most}
}

// disk watches what the box takes of the disk. Only when that has lost space
// are the files counted.
type disk struct {
	box  *Box
	free int64 // when they were last counted
	left int64 // to the limit
}

// look holds what the box takes against its limit, and returns what is left.
func (d *disk) look() (left int64) {
	b := d.box
	if b.base == "" || !b.inUse() {
		return math.MaxInt64
	}
	spare := room() - b.floor
	now := free(append(shared, b.base))
	if lost := d.free - now; spare > 0 && d.left > 0 && lost < max(d.left/2, 1<<20) {
		return min(spare, d.left-lost)
	}
	d.free, d.left = now, b.o.Output-b.used()
	switch {
	case d.left < 0:
		b.breach(fmt.Sprintf("It wrote more than the %s that it may, and was ended.", size(b.o.Output)))
	case spare <= 0:
		// Files without a name are seen only by who may trace processes.
		b.breach("The disk ran full while it was at work, and it was ended.")
	default:
		return min(spare, d.left)
	}
	b.killAll(nil)
	b.empty()
	return 0
}

// free is the space that is free on the file systems of the folders.
func free(folders []string) (bytes int64) {
	seen := map[unix.Fsid]bool{}
	for _, dir := range folders {
		var s unix.Statfs_t
		if unix.Statfs(dir, &s) == nil && !seen[s.Fsid] {
			seen[s.Fsid] = true
			bytes += int64(s.Bfree) * s.Bsize
		}
	}
	return bytes
}

// room is the space that boxes can have.
func room() int64 {
	var s unix.Statfs_t
	if unix.Statfs(os.TempDir(), &s) != nil {
		return math.MaxInt64
	}
	return int64(s.Bavail) * s.Bsize
}

// maxCounted bounds how many files are counted.
const maxCounted = 3_000_000

// used is the space that the box takes: its folders, what its user has made in
// folders of all, and files that are open but have no name any more.
func (b *Box) used() (bytes int64) {
	n := 0
	count := func(dir string) {
		filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if n++; n > maxCounted {
				return filepath.SkipAll
			}
			if err != nil {
				return nil
			}
			if info, err := e.Info(); err == nil {
				bytes += info.Sys().(*syscall.Stat_t).Blocks * 512
			}
			return nil
		})
	}
	count(b.base)
	for _, path := range b.user.made() {
		count(path)
	}
	type file struct{ device, number uint64 }
	seen := map[file]bool{}
	for _, p := range b.members(nil) {
		open, _ := filepath.Glob(filepath.Join("/proc", strconv.Itoa(p.pid), "fd", "*"))
		for _, path := range open {
			var s syscall.Stat_t
			if syscall.Stat(path, &s) != nil || s.Mode&syscall.S_IFMT != syscall.S_IFREG || s.Nlink > 0 || seen[file{s.Dev, s.Ino}] {
				continue
			}
			seen[file{s.Dev, s.Ino}] = true
			bytes += s.Blocks * 512
		}
	}
	return bytes
}

// empty removes what was written outside of the checkout.
func (b *Box) empty() {
	entries, _ := os.ReadDir(filepath.Join(b.base, temp))
	for _, e := range entries {
		removeAll(filepath.Join(b.base, temp, e.Name()))
	}
	b.user.sweep()
}

// memory is what the machine has, or the container if that is less.
func memory() int64 {
	var info unix.Sysinfo_t
	total := int64(8 << 30)
	if unix.Sysinfo(&info) == nil {
		total = int64(uint64(info.Totalram) * uint64(info.Unit))
	}
	for _, path := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		data, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		if limit, err := strconv.ParseInt(strings.TrimSpace(string(data)), 10, 64); err == nil && limit > 0 {
			total = min(total, limit)
		}
	}
	return total
}
