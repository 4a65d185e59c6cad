package render_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/render"
)

// orphanage tells a copy of this test program to render a.nef in a folder.
const orphanage = "CHEMIGRAM_TEST_ORPHANAGE"

// renderForEver is what that copy does.
func renderForEver(dir string) {
	d, err := render.Find(context.Background(), &render.Options{Path: os.Getenv("DARKTABLE_CLI"), Scratch: dir})
	if err == nil {
		_, err = d.Render(context.Background(), render.Job{Raw: filepath.Join(dir, "a.nef"), Sidecar: []byte("<x/>"), Output: filepath.Join(dir, "a.jpg")})
	}
	fmt.Fprintln(os.Stderr, "it ended:", err)
}

func TestNoDarktableOutlivesAKilledProgram(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux can end a process when another dies")
	}
	t.Parallel()
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{Behaviour: testutil.Hangs})
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.nef"), []byte("raw"), 0o600); err != nil {
		t.Fatal(err)
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), orphanage+"="+dir, "DARKTABLE_CLI="+fake.CLI)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for len(fake.Running()) == 0 {
		runtime.Gosched()
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for len(fake.Running()) > 0 { // the test's time limit ends this when it fails
		runtime.Gosched()
	}
}
