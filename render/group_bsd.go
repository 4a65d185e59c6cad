//go:build unix && !linux

package render

import (
	"os/exec"
	"syscall"
)

// setGroup makes cmd start in a process group of its own. Only Linux can end it
// when this program is killed.
func setGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
