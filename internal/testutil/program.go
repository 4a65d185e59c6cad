package testutil

import (
	"os"
	"os/exec"
	"testing"
)

// EnvEmulator names the variable with the program that runs the test program, where that
// is for another processor than this one: qemu-aarch64-static, for example. The system
// needs no rule for such programs then.
const EnvEmulator = "CHEMIGRAM_TEST_EMULATOR"

// ThisProgram is a command that runs the test program itself once more, as another
// process, with env ("NAME=value") added to the environment. It is killed when the
// test ends.
func ThisProgram(tb testing.TB, env []string, args ...string) *exec.Cmd {
	tb.Helper()
	program, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	if emulator := os.Getenv(EnvEmulator); emulator != "" {
		program, args = emulator, append([]string{program}, args...)
	}
	cmd := exec.CommandContext(tb.Context(), program, args...)
	cmd.Env = append(os.Environ(), env...)
	return cmd
}
