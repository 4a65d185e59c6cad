//go:build !unix

package render

import (
	"os"
	"os/exec"
)

func ownGroup(*exec.Cmd) {}

func terminateGroup(pid int) error {
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}

func killGroup(int) {}
