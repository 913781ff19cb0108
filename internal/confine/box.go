// Package confine keeps what is built and run away from what it must not touch:
// a copy of the checkout, a user of its own, limits, and a process tree that
// can be ended as a whole.
package confine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/sealmark/action/internal/result"
)

// Options say what a box holds and what is allowed in it. Limits that are 0
// have their default.
type Options struct {
	// Root is the checkout that is copied, "" for no copy.
	Root string
	// User: all runs as an unprivileged user of the box's own. That needs root.
	User bool
	// Offline: what Start starts has no network but its own loopback, where the
	// platform permits that.
	Offline bool
	// Memory is the limit of all processes together in bytes of resident
	// memory; three quarters of what the machine or container has by default.
	Memory int64
	// Processes is the limit of processes and threads together, Files that of
	// open files of each process: 4096 and 16384 by default.
	Processes, Files int
	// Output is how much may be written to the disk in bytes, 10 GiB by
	// default. It bounds the copy too.
	Output int64
	// Keep are paths that are copied though Git ignores them, relative to the
	// root with forward slashes; "." for all.
	Keep []string
	// Omit are folders that are never copied, relative to the root with forward
	// slashes.
	Omit []string
}

// The default limits.
const (
	defaultProcesses = 4096
	defaultFiles     = 16384
	defaultOutput    = 10 << 30
)

func (o Options) withDefaults() Options {
	if o.Memory == 0 {
		o.Memory = memory() / 4 * 3
	}
	if o.Processes == 0 {
		o.Processes = defaultProcesses
	}
	if o.Files == 0 {
		o.Files = defaultFiles
	}
	if o.Output == 0 {
		o.Output = defaultOutput
	}
	return o
}

// Box is a place in which commands are run.
type Box struct {
	o    Options
	base string // what the box made, "" for nothing
	dir  string
	env  []string
	user user
	lent []loan

	mu       sync.Mutex
	trees    map[*Tree]bool
	breaches []string
	started  map[int]bool // processes that we wait for ourselves
	offline  bool         // it works here, and all that is run is offline
	watching bool
	watched  sync.WaitGroup
}

// New makes a box. Its error says what could not be had: the copy or the user.
func New(ctx context.Context, o Options) (*Box, error) {
	b := &Box{o: o.withDefaults(), dir: o.Root, trees: map[*Tree]bool{}, started: map[int]bool{}}
	if o.User {
		var err error
		if b.user, err = lease(); err != nil {
			return nil, err
		}
	}
	if err := b.furnish(ctx); err != nil {
		b.Close()
		return nil, err
	}
	b.offline = o.Offline && canUnplug(b)
	return b, nil
}

// furnish makes the folders of the box and fills them.
func (b *Box) furnish(ctx context.Context) error {
	if b.o.Root == "" && !b.o.User {
		b.env = inherited()
		return nil
	}
	parent := os.TempDir()
	if b.o.User && !reachable(parent) {
		parent = "/tmp"
	}
	base, err := os.MkdirTemp(parent, "sealmark-box-")
	if err != nil {
		return fmt.Errorf("make a folder for the box: %w; TMPDIR names another place", err)
	}
	b.base = base
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return err
	}
	for _, folder := range folders {
		if err := os.MkdirAll(filepath.Join(base, folder), 0o700); err != nil {
			return err
		}
	}
	b.env = b.environment(base)
	if b.o.Root != "" {
		b.dir = filepath.Join(base, checkout)
		if err := copyCheckout(ctx, b.o, b.dir); err != nil {
			return fmt.Errorf("copy %s: %w", b.o.Root, err)
		}
	}
	return b.user.own(base)
}

// Dir is the copy of the checkout; without one it is the root itself.
func (b *Box) Dir() string { return b.dir }

// Env is the environment of what is run in the box: where it finds programs
// and its own folders.
func (b *Box) Env() []string { return slices.Clone(b.env) }

// Isolation says what holds in the box.
func (b *Box) Isolation() result.Isolation {
	b.mu.Lock()
	defer b.mu.Unlock()
	i := result.Isolation{User: b.user.id != 0, Copy: b.base != "" && b.o.Root != "", Network: "on", Breaches: slices.Clone(b.breaches)}
	if b.offline {
		i.Network = "off"
	}
	return i
}

// Breaches are sentences on what was stopped or ended, each once, sorted.
func (b *Box) Breaches() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.breaches)
}

// breach notes a sentence on what was stopped or ended.
func (b *Box) breach(sentence string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i, found := slices.BinarySearch(b.breaches, sentence); !found {
		b.breaches = slices.Insert(b.breaches, i, sentence)
	}
}

// Close ends all that runs in the box and removes what the box made.
func (b *Box) Close() error {
	b.end()
	err := b.giveBack()
	if kept := b.user.release(); kept != nil {
		err = kept
	}
	if b.base != "" {
		if gone := removeAll(b.base); gone != nil {
			err = fmt.Errorf("remove the box: %w", gone)
		}
	}
	return err
}

// removeAll removes a folder, also one with folders that nobody may write.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	open(root, ".")
	return os.RemoveAll(dir)
}

// open makes the folders below a path writable.
func open(root *os.Root, dir string) {
	root.Chmod(dir, 0o700)
	f, err := root.Open(dir)
	if err != nil {
		return
	}
	defer f.Close()
	entries, _ := f.ReadDir(-1)
	for _, e := range entries {
		if e.IsDir() {
			open(root, filepath.Join(dir, e.Name()))
		}
	}
}
