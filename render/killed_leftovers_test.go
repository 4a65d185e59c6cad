package render_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/render"
)

const (
	// leaveDir is the environment variable that makes a copy of this test program work
	// in a folder that has a.nef.
	leaveDir = "CHEMIGRAM_TEST_LEAVE_DIR"
	// onlyStart makes that copy start alone, and end.
	onlyStart = "CHEMIGRAM_TEST_ONLY_START"
)

// leaveUntilKilled is what that copy does: it starts, and develops into a cache, into a
// temporary one, and several pictures at once.
func leaveUntilKilled(dir string) {
	ctx := context.Background()
	d, err := render.Find(ctx, &render.Options{Path: os.Getenv("DARKTABLE_CLI"), Processes: 8})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	cache, err := render.OpenCache(filepath.Join(dir, "cache"), nil)
	if err != nil || os.Getenv(onlyStart) != "" {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	temporary, err := render.OpenCache("", nil)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	job := render.Job{Raw: filepath.Join(dir, "a.nef"), RawDigest: "abc", Darktable: d.Identity(), Sidecar: baseline.Packet("5.4.1"), Size: 64}
	recipe, err := job.Recipe("exact", render.Region{})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return
	}
	develop := func(ctx context.Context, path string) (render.Picture, error) {
		job := job
		job.Output = path
		return d.Render(ctx, job)
	}
	for _, c := range []*render.Cache{cache, temporary} {
		go func() {
			_, _, err := c.Picture(ctx, recipe, develop)
			fmt.Fprintln(os.Stderr, "it ended:", err)
		}()
	}
	job.Size, recipe.Size = 65, 65
	_, err = cache.Pictures(ctx, d, []render.Wanted{{Recipe: recipe, Job: job}}, nil)
	fmt.Fprintln(os.Stderr, "it ended:", err)
}

// What a killed program left goes at the next start, however young it is; what belongs
// to one that lives stays, however old.
func TestLeftoversOfAKilledProgramAreRemovedAtTheNextStart(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the fake darktable is a POSIX shell script")
	}
	t.Parallel()
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{Behaviour: testutil.HangsInChild})
	dir := t.TempDir()
	temp := filepath.Join(dir, "temp")
	if err := os.Mkdir(temp, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.nef"), []byte("raw"), 0o600); err != nil {
		t.Fatal(err)
	}
	start := func(env ...string) *exec.Cmd {
		return testutil.ThisProgram(t, append([]string{leaveDir + "=" + dir, "DARKTABLE_CLI=" + fake.CLI, "TMPDIR=" + temp}, env...))
	}
	work := func() *exec.Cmd {
		before := len(fake.Calls())
		cmd := start()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		testutil.WaitFor(t, "three darktables to run", func() bool { return len(fake.Calls()) == before+3 })
		return cmd
	}
	folders := func() (list []string) {
		list, err := filepath.Glob(filepath.Join(temp, "chemigram-*"))
		if err != nil {
			t.Fatal(err)
		}
		making, err := filepath.Glob(filepath.Join(dir, "cache", "tmp", "*"))
		if err != nil {
			t.Fatal(err)
		}
		return append(list, making...)
	}
	next := func() {
		t.Helper()
		if out, err := start(onlyStart + "=1").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}

	killed := work()
	of := folders() // three scratch folders, a temporary cache, pictures on their way, and one that is made
	for _, kind := range []string{"chemigram-render-", "chemigram-cache-", "chemigram-previews-", filepath.Join("cache", "tmp")} {
		if !strings.Contains(fmt.Sprint(of), kind) {
			t.Errorf("it has no %s: %v", kind, of)
		}
	}
	next()
	if left := folders(); len(left) != len(of) {
		t.Errorf("of a program that lives %v are left of %v", left, of)
	}
	if err := killed.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = killed.Wait()
	living := work()
	for _, folder := range of {
		if _, err := os.Stat(folder); err == nil {
			t.Errorf("%s is left of a program that was killed", folder)
		}
	}
	if n := len(folders()); n != len(of) {
		t.Errorf("the one that lives has %d folders, want %d", n, len(of))
	}
	if err := living.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = living.Wait()
	next()
	if left := folders(); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
	testutil.WaitFor(t, "the darktables to be gone", func() bool { return len(fake.Running()) == 0 })
}
