package render

import (
	"os/exec"
	"syscall"
)

// ownGroup has cmd start in a process group of its own and end when this
// program dies, however it dies.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}
