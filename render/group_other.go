//go:build !unix

package render

import (
	"os"
	"os/exec"
)

func setGroup(*exec.Cmd) {}

func terminateGroup(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}

func killGroup(int) {}
