package confine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// stageName is the name under which we start ourselves to become a confined
// process.
const stageName = "sealmark-stage"

// init turns a process of that name into the confined one, before anything
// else of the program runs. It is here and not in main, so that no program
// with boxes can forget it.
func init() {
	if len(os.Args) == 0 || os.Args[0] != stageName {
		return
	}
	// What is set below holds for the thread that calls execve.
	runtime.LockOSThread()
	var err error
	if len(os.Args) > 1 {
		err = plugLoopback()
	} else {
		err = stage()
	}
	if err == nil {
		os.Exit(0)
	}
	text := err.Error()
	if errno, ok := err.(syscall.Errno); ok {
		text = strconv.Itoa(int(errno))
	}
	os.NewFile(4, "answer").WriteString(text)
	os.Exit(127)
}

// stage reads the order and becomes the process. It returns an error only.
func stage() error {
	words, err := io.ReadAll(os.NewFile(3, "order"))
	if err != nil {
		return fmt.Errorf("read the order: %w", err)
	}
	var o order
	if err := json.Unmarshal(words, &o); err != nil {
		return fmt.Errorf("read the order: %w", err)
	}
	parent := os.Getppid()
	if err := unix.CloseRange(3, ^uint(0), unix.CLOSE_RANGE_CLOEXEC); err != nil {
		for fd := range 1024 {
			if fd > 2 {
				syscall.CloseOnExec(fd)
			}
		}
	}
	if o.Offline {
		if err := plugLoopback(); err != nil {
			return err
		}
	}
	// A process that fills the memory is to be ended before we are.
	os.WriteFile("/proc/self/oom_score_adj", []byte("1000"), 0)
	if err := o.limit(); err != nil {
		return err
	}
	if err := o.drop(); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("forbid new privileges: %w", err)
	}
	// A change of the user clears this, so it comes after.
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(syscall.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("ask to end with Sealmark: %w", err)
	}
	if os.Getppid() != parent {
		return errors.New("its parent has ended")
	}
	// As its user, who may not enter all that root may.
	if o.Dir != "" {
		if err := os.Chdir(o.Dir); err != nil {
			return err
		}
	}
	syscall.Umask(0o022)
	return syscall.Exec(o.Path, o.Args, o.Env)
}

// limit sets the limits that the kernel keeps.
func (o order) limit() error {
	for _, l := range []struct {
		resource int
		value    uint64
	}{
		{limitLocks, o.Mark}, {unix.RLIMIT_CORE, 0}, {unix.RLIMIT_NOFILE, uint64(o.Files)},
		{unix.RLIMIT_FSIZE, uint64(o.Size)}, {unix.RLIMIT_NPROC, uint64(o.Processes)},
	} {
		if l.resource == unix.RLIMIT_NPROC && l.value == 0 {
			continue
		}
		var now unix.Rlimit
		if err := unix.Getrlimit(l.resource, &now); err != nil {
			return fmt.Errorf("read limit %d: %w", l.resource, err)
		}
		value := min(l.value, now.Max)
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: value, Max: value}); err != nil {
			return fmt.Errorf("set limit %d: %w", l.resource, err)
		}
	}
	return nil
}

// drop gives up all privileges for good.
func (o order) drop() error {
	if o.User == 0 {
		return unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
	}
	if err := syscall.Setgroups(nil); err != nil {
		return fmt.Errorf("leave all groups: %w", err)
	}
	if err := syscall.Setresgid(o.User, o.User, o.User); err != nil {
		return fmt.Errorf("take group %d: %w", o.User, err)
	}
	if err := syscall.Setresuid(o.User, o.User, o.User); err != nil {
		return fmt.Errorf("take user %d: %w", o.User, err)
	}
	return nil
}

// plugLoopback brings up the loopback of a new network.
func plugLoopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("bring up the loopback: %w", err)
	}
	defer unix.Close(fd)
	req, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	req.SetUint16(unix.IFF_UP)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, req); err != nil {
		return fmt.Errorf("bring up the loopback: %w", err)
	}
	return nil
}
