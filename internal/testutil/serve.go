package testutil

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
)

var listening = regexp.MustCompile(`url=(http://\S+)`)

// ServeHTTP starts a server that is told to listen at a port of the system's choice,
// and returns the URL that it logs once it listens, and its log. The test's end ends it
// by SIGTERM, so the command's context must not end with the test's. A port that a test
// looks for itself may be another's before its server listens.
func ServeHTTP(tb testing.TB, cmd *exec.Cmd) (url string, log *os.File) {
	tb.Helper()
	log, err := os.Create(filepath.Join(tb.TempDir(), "log"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = log.Close() })
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		if err := cmd.Wait(); err != nil {
			tb.Errorf("after SIGTERM: %v", err)
		}
	})
	WaitFor(tb, "the server to listen", func() bool {
		text, err := os.ReadFile(log.Name())
		found := listening.FindSubmatch(text)
		if found != nil {
			url = string(found[1])
		}
		return err != nil || found != nil
	})
	if url == "" {
		tb.Fatal("the server's log cannot be read")
	}
	return url, log
}
