package confine

import (
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
