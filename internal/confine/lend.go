package confine

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
)

// Lend gives the box's user a folder outside of the box, with all that it holds,
// until Close; then it is the owner's of the folder around it. It is for caches
// that outlive the box. The user finds it where Lend says: a folder that it can't
// enter is copied into the box, and what is new there is copied back.
func (b *Box) Lend(dir, around string) (at string, err error) {
	if b.user.id == 0 {
		return dir, nil
	}
	everything := func(int) bool { return true }
	if reachable(filepath.Dir(dir)) {
		b.lent = append(b.lent, loan{dir: dir, around: around})
		return dir, chownAll(dir, b.user.id, b.user.id, everything)
	}
	at = filepath.Join(b.base, lent, strconv.Itoa(len(b.lent)))
	if err := os.MkdirAll(at, 0o755); err != nil {
		return "", err
	}
	if err := renew(dir, at, b.o.Output/2, func(*os.Root, string) error { return nil }); err != nil {
		return "", err
	}
	b.lent = append(b.lent, loan{dir, around, at})
	return at, chownAll(filepath.Join(b.base, lent), b.user.id, b.user.id, everything)
}

// loan is a folder that is lent, the one whose owner gets it back, and its copy
// in the box, if it is one that the user has.
type loan struct{ dir, around, copied string }

// giveBack returns what was lent. Nothing runs in the box any more. What is
// not the user's own is left alone: it may be a link to somebody else's file.
func (b *Box) giveBack() error {
	for _, l := range b.lent {
		info, err := os.Stat(l.around)
		if err != nil {
			return err
		}
		uid, gid := owner(info)
		if l.copied != "" {
			err = renew(l.copied, l.dir, b.o.Output, func(to *os.Root, name string) error { return to.Lchown(name, uid, gid) })
		} else {
			err = chownAll(l.dir, uid, gid, func(id int) bool { return id == b.user.id })
		}
		if err != nil {
			return fmt.Errorf("give %s back: %w", l.dir, err)
		}
	}
	b.lent = nil
	return nil
}

// chownAll gives a folder and what it holds to another owner, without following
// a link.
func chownAll(dir string, uid, gid int, which func(uid int) bool) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if id, _ := owner(info); !which(id) {
			return nil
		}
		return root.Lchown(path, uid, gid)
	})
}

// renew copies to a folder what is new or changed in another one, as far as it
// is files, folders, and links that stay within it; made is told of each.
func renew(from, to string, limit int64, made func(to *os.Root, name string) error) error {
	source, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer source.Close()
	dest, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer dest.Close()
	left, entries := limit, 0
	return fs.WalkDir(source.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || name == "." {
			return err
		}
		if entries++; entries > maxEntries {
			return fmt.Errorf("it holds more than %d files", maxEntries)
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		there, missing := dest.Lstat(name)
		switch {
		case e.IsDir() && missing != nil:
			err = dest.Mkdir(name, 0o755)
		case e.Type()&fs.ModeSymlink != 0 && missing != nil:
			link, failed := source.Readlink(name)
			if failed != nil || filepath.IsAbs(link) || !filepath.IsLocal(filepath.Join(filepath.Dir(name), link)) {
				return nil
			}
			err = dest.Symlink(link, name)
		case !e.Type().IsRegular(), missing == nil && (!there.Mode().IsRegular() || there.Size() == info.Size() && there.ModTime().Equal(info.ModTime())):
			return nil
		default:
			if left -= info.Size(); left < 0 {
				return fmt.Errorf("it holds more than %s", size(limit))
			}
			err = renewFile(source, dest, name)
		}
		if err != nil {
			return err
		}
		return made(dest, name)
	})
}

// renewFile copies a file, in one step for who reads it.
func renewFile(from, to *os.Root, name string) error {
	in, err := from.OpenFile(name, os.O_RDONLY|careful, 0)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	part := name + ".sealmark-part"
	out, err := to.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer to.Remove(part)
	_, err = io.Copy(out, io.LimitReader(in, info.Size()))
	err = errors.Join(err, out.Chmod(info.Mode().Perm()), out.Close())
	if err != nil {
		return err
	}
	if err := to.Chtimes(part, info.ModTime(), info.ModTime()); err != nil {
		return err
	}
	return to.Rename(part, name)
}
