//go:build unix && !linux

package render

import (
	"os/exec"
	"syscall"
)

// ownGroup has cmd start in a process group of its own. Only Linux can end it
// when this program is killed.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }
