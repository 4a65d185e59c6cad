package testutil

import (
	"os"
	"os/exec"
	"testing"
)

// ThisProgram is a command that runs the test program itself once more, as another
// process, with env ("NAME=value") added to the environment. It is killed when the
// test ends.
func ThisProgram(tb testing.TB, env []string, args ...string) *exec.Cmd {
	tb.Helper()
	program, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.CommandContext(tb.Context(), program, args...)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}
