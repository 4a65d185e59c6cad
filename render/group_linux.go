package render

import (
	"os/exec"
	"syscall"
)

// setGroup makes cmd start in a process group of its own and end when this
// program dies, however it dies.
func setGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
