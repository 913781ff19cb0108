package confine

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Lend gives a folder outside of the box, with all that it holds, to the box's
// user until Close, which gives it to the owner of the folder around it. It is
// for caches that outlive the box. Its error says why the user can't have it.
func (b *Box) Lend(dir, owner string) error {
	if b.user.id == 0 {
		return nil
	}
	if !reachable(filepath.Dir(dir)) {
		return fmt.Errorf("the user of the box can't enter the folders above %s", dir)
	}
	b.lent = append(b.lent, loan{dir, owner})
	return chownAll(dir, b.user.id, b.user.id, func(int) bool { return true })
}

// loan is a folder that is lent, and the one whose owner gets it back.
type loan struct{ dir, owner string }

// giveBack returns what was lent. Nothing runs in the box any more. What is
// not the user's own is left alone: it may be a link to somebody else's file.
func (b *Box) giveBack() error {
	for _, l := range b.lent {
		info, err := os.Stat(l.owner)
		if err != nil {
			return err
		}
		uid, gid := owner(info)
		if err := chownAll(l.dir, uid, gid, func(id int) bool { return id == b.user.id }); err != nil {
			return fmt.Errorf("give %s back: %w", l.dir, err)
		}
	}
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
