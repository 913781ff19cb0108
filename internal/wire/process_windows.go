package wire

import (
	"os"
	"os/exec"
	"strconv"
)

// own is not needed: taskkill follows the tree by parent.
func own(*exec.Cmd) {}

func killGroup(cmd *exec.Cmd) {
	exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	cmd.Process.Kill()
}

// terminateGroup kills: Windows has no signal that asks a console process of
// another group to end.
func terminateGroup(cmd *exec.Cmd) { killGroup(cmd) }

func status(state *os.ProcessState) (code int, signal string) {
	if state == nil {
		return -1, ""
	}
	return state.ExitCode(), ""
}
