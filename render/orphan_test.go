package render_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"

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

// workhouse tells a copy of this test program to prepare a worker in a folder
// that has chart.dng and edit.xmp.
const workhouse = "CHEMIGRAM_TEST_WORKHOUSE"

// waitForEver is what that copy does. It says "ready" when a worker waits.
func waitForEver(dir string) {
	ctx := context.Background()
	sidecar, err := os.ReadFile(filepath.Join(dir, "edit.xmp"))
	d, findErr := render.Find(ctx, &render.Options{Path: os.Getenv("DARKTABLE_CLI"), Scratch: filepath.Join(dir, "scratch")})
	if err != nil || findErr != nil {
		fmt.Println(err, findErr)
		return
	}
	workers := render.NewWorkers(d, nil)
	_, err = workers.Preview(ctx, render.Job{
		Raw: filepath.Join(dir, "chart.dng"), Sidecar: sidecar, Output: filepath.Join(dir, "a.jpg"), Size: draftSize, Timeout: 5 * time.Minute,
	})
	for range time.Tick(10 * time.Millisecond) {
		switch status := workers.Status(); {
		case err != nil || status.Reason != nil:
			fmt.Println(err, status.Reason)
			return
		case status.Waiting > 0:
			fmt.Println("ready")
			select {}
		}
	}
}

// A worker notices by itself that its program is dead: the kernel, which could
// tell it, tells here only a shell between the two.
func TestNoWorkerOutlivesAKilledProgram(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("workers are found in /proc")
	}
	t.Parallel()
	dt := testutil.AnyDarktable(t)
	testutil.AcquireDarktable(t)
	l := newLab(t, dt)
	dir := filepath.Dir(l.raw)
	scratch, shell := filepath.Join(dir, "scratch"), filepath.Join(dir, "darktable-cli")
	for path, content := range map[string][]byte{
		filepath.Join(dir, "edit.xmp"): l.calm,
		shell:                          fmt.Appendf(nil, "#!/bin/sh\n'%s' \"$@\"\nexit $?\n", dt.CLI),
	} {
		if err := os.WriteFile(path, content, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), program)
	cmd.Env = append(os.Environ(), workhouse+"="+dir, "DARKTABLE_CLI="+shell)
	said, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(said).ReadString('\n'); line != "ready\n" {
		t.Fatalf("it says %q, %v", line, err)
	}
	if len(running(scratch)) == 0 {
		t.Fatal("no worker runs")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	testutil.WaitFor(t, "the worker's end", func() bool { return len(running(scratch)) == 0 })

	// The next start cleans up what is old enough to belong to nobody.
	past := time.Now().Add(-time.Hour)
	for _, name := range names(t, scratch) {
		if err := os.Chtimes(filepath.Join(scratch, name), past, past); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := render.Find(t.Context(), &render.Options{Path: dt.CLI, Scratch: scratch}); err != nil {
		t.Fatal(err)
	}
	if left := names(t, scratch); len(left) > 0 {
		t.Errorf("the scratch folder still has %v", left)
	}
}
