package confine

import (
	"os"
	"path/filepath"
	"syscall"
)

// runnersFolder is where the runner mounts the checkout, the event, the files
// of its commands and its temporary folder into the container of an action.
const runnersFolder = "/github"

// sockets are where engines of containers listen, credentials where Kubernetes
// mounts those of the pod.
var (
	sockets     = []string{"/var/run/docker.sock", "/var/run/podman/podman.sock", "/var/run/containerd/containerd.sock", "/var/run/crio/crio.sock"}
	credentials = []string{"/var/run/secrets"}
)

// Wall shuts everybody but root out of what the runner mounts into the container
// of an action: its folder, and sockets of engines that anybody may use. The
// folders above those are the container's own, so nothing changes outside. It
// does nothing elsewhere than in such a container. It returns what stays open.
func Wall(workspace string) (open []string) {
	if os.Geteuid() != 0 || filepath.Dir(workspace) != runnersFolder {
		return nil
	}
	shut := func(dir, what string) {
		if !reachable(dir) {
			return
		}
		if !local(dir) || os.Chmod(dir, 0o700) != nil {
			open = append(open, what)
		}
	}
	shut(runnersFolder, runnersFolder)
	for _, path := range sockets {
		if info, err := os.Stat(path); err == nil && info.Mode()&os.ModeSocket != 0 && info.Mode().Perm()&0o002 != 0 {
			shut(real(filepath.Dir(path)), path)
		}
	}
	for _, path := range credentials {
		if _, err := os.Stat(path); err == nil {
			shut(real(path), path)
		}
	}
	return open
}

func real(path string) string {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		return target
	}
	return path
}

// local reports whether a folder is root's and lies on the file system of the
// container itself.
func local(dir string) bool {
	var s, top syscall.Stat_t
	return syscall.Lstat(dir, &s) == nil && syscall.Lstat("/", &top) == nil && s.Dev == top.Dev && s.Ino != top.Ino && s.Uid == 0
}
