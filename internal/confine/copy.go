package confine

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/ignore"
)

// Bounds of a copy besides Options.Output.
const (
	maxEntries   = 1_000_000
	maxDepth     = 200
	maxSmallFile = 64 << 20 // that is read as a whole
)

// copier copies a checkout: what Git has or would have, without what gives
// access to other places.
type copier struct {
	ctx      context.Context
	from, to *os.Root
	keep     []string
	omit     []string
	tracked  *index
	bytes    int64 // that are left
	limit    int64
	entries  int
}

func copyCheckout(ctx context.Context, o Options, to string) error {
	if err := os.Mkdir(to, 0o700); err != nil {
		return err
	}
	from, err := os.OpenRoot(o.Root)
	if err != nil {
		return err
	}
	defer from.Close()
	dest, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer dest.Close()
	c := &copier{ctx: ctx, from: from, to: dest, keep: o.Keep, omit: o.Omit, bytes: o.Output, limit: o.Output}
	data, _ := c.read(".git/index")
	c.tracked = readIndex(data)
	exclude, _ := c.read(".git/info/exclude")
	return c.folder(".", (*ignore.Rules)(nil).In("", exclude), 0)
}

// folder copies what lies in a folder, which is made already.
func (c *copier) folder(dir string, rules *ignore.Rules, depth int) error {
	if depth > maxDepth {
		return nil
	}
	if file, err := c.read(path.Join(dir, ".gitignore")); err == nil {
		at := dir
		if at == "." {
			at = ""
		}
		rules = rules.In(at, file)
	}
	entries, err := c.list(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case c.ctx.Err() != nil:
			return c.ctx.Err()
		case e.Name() == ".git":
			err = c.git(name, dir == ".")
		case c.leftOut(name, e, rules):
		case e.IsDir():
			err = c.into(name, func() error { return c.folder(name, rules, depth+1) })
		default:
			err = c.entry(name, e)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// leftOut reports whether something is not copied: what Git ignores and does
// not have, results of earlier runs, and keys that a step of the workflow left.
func (c *copier) leftOut(name string, e fs.DirEntry, rules *ignore.Rules) bool {
	if e.IsDir() && slices.Contains(c.omit, name) {
		return true
	}
	if c.tracked.has(name, e.IsDir()) {
		return false
	}
	if !strings.Contains(name, "/") {
		if key, _ := path.Match("gha-creds-*.json", name); key || e.IsDir() && strings.HasPrefix(name, "sealmark-") {
			return true
		}
	}
	return rules.Match(name, e.IsDir()) && !c.kept(name, e.IsDir())
}

// kept reports whether a path is kept, or a folder holds something that is.
func (c *copier) kept(name string, folder bool) bool {
	for _, k := range c.keep {
		k = path.Clean(k)
		if k == "." || k == name || strings.HasPrefix(name, k+"/") || folder && strings.HasPrefix(k, name+"/") {
			return true
		}
	}
	return false
}

// list reads a folder. One that may not be read is empty.
func (c *copier) list(dir string) ([]fs.DirEntry, error) {
	f, err := c.from.Open(dir)
	if err != nil {
		return nil, nil
	}
	defer f.Close()
	entries, err := f.ReadDir(maxEntries)
	if c.entries += len(entries); c.entries >= maxEntries {
		return nil, fmt.Errorf("it holds more than %d files", maxEntries)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return entries, err
}

// into makes a folder, fills it, and gives it the mode and the time of the
// original.
func (c *copier) into(name string, fill func() error) error {
	info, err := c.from.Lstat(name)
	if err != nil || !info.IsDir() {
		return nil
	}
	if err := c.to.Mkdir(name, 0o700); err != nil {
		return err
	}
	if err := fill(); err != nil {
		return err
	}
	c.to.Chmod(name, info.Mode().Perm()|0o700)
	return c.to.Chtimes(name, info.ModTime(), info.ModTime())
}

// entry copies a file or a link; devices, pipes and sockets are left out.
func (c *copier) entry(name string, e fs.DirEntry) error {
	switch {
	case e.Type().IsRegular():
		return c.file(name)
	case e.Type()&fs.ModeSymlink != 0:
		return c.link(name)
	}
	return nil
}

// link copies a link that stays within the checkout.
func (c *copier) link(name string) error {
	target, err := c.from.Readlink(name)
	if err != nil || filepath.IsAbs(target) || !filepath.IsLocal(path.Join(path.Dir(name), filepath.ToSlash(target))) {
		return nil
	}
	return c.to.Symlink(target, name)
}

// file copies a regular file, without the bits by which it would run as
// another user. One that may not be read is left out.
func (c *copier) file(name string) error {
	in, err := c.from.OpenFile(name, os.O_RDONLY|careful, 0)
	if err != nil {
		return nil
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return nil
	}
	out, err := c.to.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	// A sparse file takes what it claims.
	n, err := io.CopyN(out, in, c.bytes+1)
	if c.bytes -= n; c.bytes < 0 {
		return fmt.Errorf("it holds more than %s", size(c.limit))
	}
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err := out.Chmod(info.Mode().Perm() | 0o600); err != nil {
		return err
	}
	if err := out.Close(); err != nil {
		return err
	}
	return c.to.Chtimes(name, info.ModTime(), info.ModTime())
}

// read reads a small regular file of the checkout.
func (c *copier) read(name string) ([]byte, error) {
	f, err := c.from.OpenFile(name, os.O_RDONLY|careful, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() || info.Size() > maxSmallFile {
		return nil, fmt.Errorf("%s is no small file", name)
	}
	return io.ReadAll(io.LimitReader(f, maxSmallFile))
}

// size is a number of bytes for people.
func size(n int64) string {
	switch {
	case n >= 1<<30 && n%(1<<30) == 0:
		return fmt.Sprintf("%d GiB", n>>30)
	case n >= 1<<20:
		return fmt.Sprintf("%d MiB", n>>20)
	}
	return fmt.Sprintf("%d bytes", n)
}
