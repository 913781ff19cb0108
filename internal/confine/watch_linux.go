package confine

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// The watchdog looks again after the time in which a process could take the
// memory that is left to the limit, within these bounds.
const (
	shortest = 10 * time.Millisecond
	longest  = 250 * time.Millisecond
	pace     = 2 << 30 // bytes a second
)

// watch looks after the limits of the box while anything runs in it.
func (b *Box) watch() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.watching {
		return
	}
	b.watching = true
	b.watched.Go(func() {
		d := disk{box: b}
		for pause := shortest; ; {
			time.Sleep(pause)
			b.mu.Lock()
			if len(b.trees) == 0 {
				b.watching = false
				b.mu.Unlock()
				return
			}
			b.mu.Unlock()
			begin := time.Now()
			left := b.look()
			d.look()
			pause = time.Duration(float64(max(left, 0)) / pace * float64(time.Second))
			pause = max(min(max(pause, shortest), longest), 20*time.Since(begin))
		}
	})
}

// look holds the processes of the box against its limits, and returns how much
// memory is left, 0 to look again soon.
func (b *Box) look() (left int64) {
	list := slices.DeleteFunc(b.members(nil), process.ended)
	var resident int64
	threads := 0
	for _, p := range list {
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

func (d *disk) look() {
	b := d.box
	if b.base == "" {
		return
	}
	now := free(append(shared, b.base))
	if d.left > 0 && d.free-now < max(d.left/2, 1<<20) {
		return
	}
	d.free, d.left = now, b.o.Output-b.used()
	if d.left < 0 {
		b.breach(fmt.Sprintf("It wrote more than the %s that it may, and was ended.", size(b.o.Output)))
		b.killAll(nil)
		b.empty()
	}
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

// maxCounted bounds how many files are counted.
const maxCounted = 3_000_000

// used is the space that the box takes: its folders, what its user has in
// folders of all, and files that are open but have no name any more.
func (b *Box) used() (bytes int64) {
	n := 0
	count := func(dir string, user int) {
		filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
			if n++; n > maxCounted {
				return filepath.SkipAll
			}
			if err != nil {
				return nil
			}
			info, err := e.Info()
			if err != nil {
				return nil
			}
			if s, ok := info.Sys().(*syscall.Stat_t); ok && (user == 0 || int(s.Uid) == user) {
				bytes += s.Blocks * 512
			}
			if path != dir && path == b.base {
				return filepath.SkipDir
			}
			return nil
		})
	}
	count(b.base, 0)
	if b.user.id != 0 {
		for _, dir := range shared {
			count(dir, b.user.id)
		}
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
	if b.user.id != 0 {
		b.user.sweep()
	}
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
