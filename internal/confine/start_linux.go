package confine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// order is what a stage is told: what to run, as whom, and within what limits.
type order struct {
	Path      string
	Args, Env []string
	Dir       string
	User      int // also the group; 0 for our own
	Mark      uint64
	Processes int // 0 for no limit
	Files     int
	Size      int64 // of a file
	Offline   bool
}

// launch starts a stage, which becomes the command, and waits until it has.
func (t *Tree) launch(offline bool) error {
	cmd, b := t.cmd, t.box
	if cmd.Err != nil {
		return cmd.Err
	}
	if len(cmd.ExtraFiles) > 0 {
		return errors.New("a box passes no files on")
	}
	o := order{Path: cmd.Path, Args: cmd.Args, Env: cmd.Env, Dir: cmd.Dir, User: b.user.id, Mark: t.mark, Files: b.o.Files, Size: b.o.Output, Offline: offline}
	if b.user.id != 0 {
		// Without a user of its own the limit would count all that we run. It
		// lies above that of the watchdog, which is to see more than allowed.
		o.Processes = b.o.Processes + b.o.Processes/4 + 16
	}
	words, err := json.Marshal(o)
	if err != nil {
		return err
	}
	told, tell, err := os.Pipe()
	if err != nil {
		return err
	}
	defer tell.Close()
	hear, heard, err := os.Pipe()
	if err != nil {
		told.Close()
		return err
	}
	defer hear.Close()
	// The stage gets nothing that could change how it runs.
	cmd.Path, cmd.Args, cmd.Env, cmd.Dir = "/proc/self/exe", []string{stageName}, []string{}, "/"
	cmd.ExtraFiles = []*os.File{told, heard}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if offline {
		unplug(cmd.SysProcAttr)
	}
	err = spawn(cmd)
	told.Close()
	heard.Close()
	cmd.Path, cmd.Args, cmd.Env, cmd.Dir, cmd.ExtraFiles = o.Path, o.Args, o.Env, o.Dir, nil
	if err != nil {
		return fmt.Errorf("start a process: %w", err)
	}
	// Before it bears the mark, so that nobody takes it for a stray.
	b.mu.Lock()
	b.started[cmd.Process.Pid] = true
	b.mu.Unlock()
	tell.Write(words) // if it fails the stage says why, or nothing
	tell.Close()
	answer, err := io.ReadAll(io.LimitReader(hear, 1<<10))
	if err == nil && len(answer) == 0 {
		return nil
	}
	cmd.Process.Kill()
	cmd.Wait()
	return failure(o, string(answer))
}

// failure is the error that a stage wrote: the number of one of execve(2), or
// words.
func failure(o order, answer string) error {
	if n, err := strconv.Atoi(answer); err == nil {
		return &os.PathError{Op: "exec", Path: o.Path, Err: syscall.Errno(n)}
	}
	return errors.New("confine the process: " + answer)
}

// spawn starts a command from a thread that lives as long as we do: the kernel
// ends a child that asked for it when the thread that started it ends.
func spawn(cmd *exec.Cmd) error {
	spawner.once.Do(func() {
		unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
		spawner.jobs = make(chan func())
		go func() {
			runtime.LockOSThread()
			for job := range spawner.jobs {
				job()
			}
		}()
	})
	done := make(chan error)
	spawner.jobs <- func() { done <- cmd.Start() }
	return <-done
}

var spawner struct {
	once sync.Once
	jobs chan func()
}

// unplug makes the process start in a network of its own. Who is not root
// needs a user namespace for that, in which the user stays the same.
func unplug(attr *syscall.SysProcAttr) {
	attr.Cloneflags = syscall.CLONE_NEWNET
	if id := os.Geteuid(); id != 0 {
		attr.Cloneflags |= syscall.CLONE_NEWUSER
		attr.UidMappings = []syscall.SysProcIDMap{{ContainerID: id, HostID: id, Size: 1}}
		attr.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getegid(), HostID: os.Getegid(), Size: 1}}
		attr.AmbientCaps = []uintptr{unix.CAP_NET_ADMIN}
	}
}

// canUnplug reports whether processes of the box can be kept off the network.
func canUnplug(b *Box) bool {
	cmd := exec.Command("/proc/self/exe")
	cmd.Args = []string{stageName, "nothing"}
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	unplug(cmd.SysProcAttr)
	return spawn(cmd) == nil && cmd.Wait() == nil
}
