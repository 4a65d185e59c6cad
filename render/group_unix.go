//go:build unix

package render

import "syscall"

func terminateGroup(pid int) error { return syscall.Kill(-pid, syscall.SIGTERM) }

func killGroup(pid int) { _ = syscall.Kill(-pid, syscall.SIGKILL) }
