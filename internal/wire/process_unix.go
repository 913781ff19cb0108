//go:build unix

package wire

import (
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/unix"
)

// own gives the process a process group of its own.
func own(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func killGroup(cmd *exec.Cmd)      { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
func terminateGroup(cmd *exec.Cmd) { syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

// status returns the exit status, or -1 and the name of the signal that ended
// the process.
func status(state *os.ProcessState) (code int, signal string) {
	if state == nil {
		return -1, ""
	}
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return -1, unix.SignalName(ws.Signal())
	}
	return state.ExitCode(), ""
}
