package render_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/render"
)

// renderDir is the environment variable that makes a copy of this test program
// render a.nef in a folder.
const renderDir = "CHEMIGRAM_TEST_RENDER_DIR"

// renderUntilKilled is what that copy does.
func renderUntilKilled(dir string) {
	d, err := render.Find(context.Background(), &render.Options{Path: os.Getenv("DARKTABLE_CLI"), Scratch: dir})
	if err == nil {
		_, err = d.Render(context.Background(), render.Job{Raw: filepath.Join(dir, "a.nef"), Sidecar: []byte("<x/>"), Output: filepath.Join(dir, "a.jpg")})
	}
	fmt.Fprintln(os.Stderr, "it ended:", err)
}

func TestNoDarktableOutlivesAKilledProgram(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("processes are found in /proc")
	}
	t.Parallel()
	for name, wrapped := range map[string]bool{"darktable itself": false, "a wrapper that does not exec": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := testutil.FakeDarktable(t, testutil.FakeOptions{Behaviour: testutil.Hangs})
			dir := t.TempDir()
			cli := fake.CLI
			if wrapped {
				cli = filepath.Join(dir, "wrapper")
				if err := os.WriteFile(cli, fmt.Appendf(nil, "#!/bin/sh\n'%s' \"$@\"\nexit $?\n", fake.CLI), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(dir, "a.nef"), []byte("raw"), 0o600); err != nil {
				t.Fatal(err)
			}
			cmd := testutil.ThisProgram(t, []string{renderDir + "=" + dir, "DARKTABLE_CLI=" + cli})
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			testutil.WaitFor(t, "darktable to run", func() bool { return len(fake.Running()) > 0 })
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = cmd.Wait()
			testutil.WaitFor(t, "darktable to be gone", func() bool { return len(fake.Running()) == 0 })
		})
	}
}

// workerDir is the environment variable that makes a copy of this test program
// prepare a worker in a folder that has chart.dng and edit.xmp.
const workerDir = "CHEMIGRAM_TEST_WORKER_DIR"

// waitUntilKilled is what that copy does. It prints "ready" when a worker waits.
func waitUntilKilled(dir string) {
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

// A worker ends by itself when its program is dead: the signal that the kernel
// sends at a parent's death goes to a shell between the two here.
func TestNoWorkerOutlivesAKilledProgram(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("workers are found in /proc")
	}
	t.Parallel()
	dt := testutil.AnyDarktable(t)
	testutil.AcquireDarktable(t)
	l := newSetup(t, dt)
	dir := filepath.Dir(l.raw)
	scratch, shell := filepath.Join(dir, "scratch"), filepath.Join(dir, "darktable-cli")
	for path, content := range map[string][]byte{
		filepath.Join(dir, "edit.xmp"): l.base,
		shell:                          fmt.Appendf(nil, "#!/bin/sh\n'%s' \"$@\"\nexit $?\n", dt.CLI),
	} {
		if err := os.WriteFile(path, content, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	cmd := testutil.ThisProgram(t, []string{workerDir + "=" + dir, "DARKTABLE_CLI=" + shell})
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(stdout).ReadString('\n'); line != "ready\n" {
		t.Fatalf("it printed %q, %v", line, err)
	}
	if len(running(scratch)) == 0 {
		t.Fatal("no worker runs")
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	testutil.WaitFor(t, "the worker's end", func() bool { return len(running(scratch)) == 0 })

	// The next start cleans up.
	if _, err := render.Find(t.Context(), &render.Options{Path: dt.CLI, Scratch: scratch}); err != nil {
		t.Fatal(err)
	}
	if left := names(t, scratch); len(left) > 0 {
		t.Errorf("the scratch folder still has %v", left)
	}
}
