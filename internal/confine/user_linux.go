package confine

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"syscall"
)

// The user and group ids that boxes take: 128 in a range that Debian reserves
// and systemd leaves unused.
const (
	firstUser = 60600
	users     = 128
)

// user is the user of a box; id is also that of its only group. The zero user
// is our own.
type user struct {
	id   int
	held net.Listener
}

// lease takes a user that no other box and no process has.
func lease() (user, error) {
	if os.Geteuid() != 0 {
		return user{}, errors.New("a user for the box: only root can run commands as another user")
	}
	busy := map[int]bool{}
	for _, p := range processes() {
		busy[p.user] = true
	}
	for id := firstUser; id < firstUser+users; id++ {
		if busy[id] {
			continue
		}
		// The abstract address is free again when we end, however we do.
		if held, err := net.Listen("unix", fmt.Sprintf("@sealmark-box-%d", id)); err == nil {
			return user{id, held}, nil
		}
	}
	return user{}, fmt.Errorf("a user for the box: the ids from %d to %d are all in use", firstUser, firstUser+users-1)
}

func (u user) release() error {
	if u.held == nil {
		return nil
	}
	u.sweep()
	return u.held.Close()
}

// own gives the folders of the box to its user. The box itself stays ours, so
// that they can't be moved, and nobody else may enter it.
func (u user) own(base string) error {
	if u.id == 0 {
		return nil
	}
	err := filepath.WalkDir(base, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || path == base {
			return err
		}
		return os.Lchown(path, u.id, u.id)
	})
	if err == nil {
		err = os.Chown(base, 0, u.id)
	}
	if err == nil {
		err = os.Chmod(base, 0o710)
	}
	if err != nil {
		return fmt.Errorf("give the box to its user: %w", err)
	}
	return nil
}

// shared are the folders in which everybody may make files.
var shared = []string{"/tmp", "/var/tmp", "/dev/shm"}

// sweep removes what the user left in folders that it shares with others, so
// that the next one with its id does not find it.
func (u user) sweep() {
	for _, dir := range shared {
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			path := filepath.Join(dir, e.Name())
			info, err := e.Info()
			if err != nil {
				continue
			}
			if s, ok := info.Sys().(*syscall.Stat_t); ok && int(s.Uid) == u.id {
				removeAll(path)
			}
		}
	}
}

// owner is who has a file.
func owner(info fs.FileInfo) (uid, gid int) {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int(s.Uid), int(s.Gid)
	}
	return -1, -1
}
