//go:build unix

package wire

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

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
