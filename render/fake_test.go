package render_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/render"
)

// fakeSetup is a fake darktable, a raw for it, and folders that must be empty in
// the end.
type fakeSetup struct {
	*testutil.Fake
	dt           *render.Darktable
	raw, scratch string
	out          string
}

func newFakeSetup(t *testing.T, o testutil.FakeOptions, processes int) *fakeSetup {
	t.Helper()
	b := &fakeSetup{Fake: testutil.FakeDarktable(t, o), scratch: t.TempDir(), out: t.TempDir()}
	b.raw = filepath.Join(t.TempDir(), "IMG_1.NEF")
	if err := os.WriteFile(b.raw, []byte("raw"), 0o600); err != nil {
		t.Fatal(err)
	}
	var err error
	b.dt, err = render.Find(t.Context(), &render.Options{Path: b.CLI, Scratch: b.scratch, Processes: processes})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *fakeSetup) job(name string) render.Job {
	return render.Job{Raw: b.raw, Sidecar: []byte("<x/>"), Output: filepath.Join(b.out, name), Size: 128, Timeout: time.Minute}
}

// clean fails when a process or a file was left behind.
func (b *fakeSetup) clean(t *testing.T, outputs ...string) {
	t.Helper()
	if pids := b.Running(); len(pids) > 0 {
		t.Errorf("processes still run: %v", pids)
	}
	for dir, want := range map[string][]string{b.scratch: nil, b.out: outputs} {
		if got := names(t, dir); strings.Join(got, " ") != strings.Join(want, " ") {
			t.Errorf("%s has %v, want %v", dir, got, want)
		}
	}
}

func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func kindOf(t *testing.T, err error) *render.Error {
	t.Helper()
	e, ok := errors.AsType[*render.Error](err)
	if !ok {
		t.Fatalf("got %v, want a *render.Error", err)
	}
	return e
}

func TestRenderReportsWhatDarktableDidWrong(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		behaviour testutil.Behaviour
		kind      render.Kind
		exit      int
	}{
		{testutil.WritesNothing, render.NoOutput, 0},
		{testutil.Fails, render.Failed, 3},
		{testutil.Crashes, render.Failed, -1},
		{testutil.Garbage, render.BadOutput, 0},
		{testutil.Truncated, render.BadOutput, 0},
	} {
		t.Run(string(c.behaviour), func(t *testing.T) {
			t.Parallel()
			b := newFakeSetup(t, testutil.FakeOptions{Script: []testutil.Behaviour{c.behaviour, testutil.Works}, ExitCode: 3, Stderr: "the reason why"}, 0)
			_, err := b.dt.Render(t.Context(), b.job("a.jpg"))
			e := kindOf(t, err)
			if e.Kind != c.kind || e.ExitCode != c.exit {
				t.Errorf("kind %v, exit code %d; want %v, %d (%v)", e.Kind, e.ExitCode, c.kind, c.exit, err)
			}
			if !strings.Contains(e.Stderr, "the reason why") || len(e.Command) < 10 || e.Path != b.raw {
				t.Errorf("the error does not have the circumstances: %+v", e)
			}
			b.clean(t)
			if _, err := b.dt.Render(t.Context(), b.job("a.jpg")); err != nil {
				t.Errorf("the next call: %v", err)
			}
			b.clean(t, "a.jpg")
		})
	}
}

func TestRenderRefusesAPictureLargerThanAskedFor(t *testing.T) {
	t.Parallel()
	b := newFakeSetup(t, testutil.FakeOptions{Width: 129, Height: 80}, 0)
	_, err := b.dt.Render(t.Context(), b.job("a.jpg"))
	if e := kindOf(t, err); e.Kind != render.BadOutput {
		t.Errorf("got %v, want bad output", err)
	}
	b.clean(t)
}

func TestRenderEndsEveryProcessInTime(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []testutil.Behaviour{testutil.Hangs, testutil.IgnoresTerm, testutil.HangsInChild} {
		t.Run(string(behaviour), func(t *testing.T) {
			t.Parallel()
			b := newFakeSetup(t, testutil.FakeOptions{Behaviour: behaviour}, 0)
			job := b.job("a.jpg")
			job.Timeout = 300 * time.Millisecond
			began := time.Now()
			_, err := b.dt.Render(t.Context(), job)
			if e := kindOf(t, err); e.Kind != render.TimedOut || !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v, want timed out", err)
			}
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("it took %v", took)
			}
			b.clean(t)
		})
	}
}

func TestRenderHonoursCancellation(t *testing.T) {
	t.Parallel()
	b := newFakeSetup(t, testutil.FakeOptions{Behaviour: testutil.HangsInChild}, 1)
	ctx, cancel := context.WithCancel(t.Context())
	var calls sync.WaitGroup
	for i := range 3 { // one runs, two wait for their turn
		calls.Go(func() {
			_, err := b.dt.Render(ctx, b.job(fmt.Sprintf("%d.jpg", i)))
			if e := kindOf(t, err); e.Kind != render.Canceled || !errors.Is(err, context.Canceled) {
				t.Errorf("got %v, want canceled", err)
			}
		})
	}
	for len(b.Running()) < 2 {
		runtime.Gosched()
	}
	cancel()
	calls.Wait()
	if n := len(b.Calls()); n != 1 {
		t.Errorf("%d processes were started, want 1", n)
	}
	b.clean(t)
}

func TestRenderSurvivesAFloodOnStderr(t *testing.T) {
	t.Parallel()
	b := newFakeSetup(t, testutil.FakeOptions{Behaviour: testutil.Floods}, 0)
	if _, err := b.dt.Render(t.Context(), b.job("a.jpg")); err != nil {
		t.Error(err)
	}
	b.clean(t, "a.jpg")
}

func TestRenderKeepsDarktableToItself(t *testing.T) {
	t.Parallel()
	b := newFakeSetup(t, testutil.FakeOptions{}, 2)
	var calls sync.WaitGroup
	for i := range 6 {
		calls.Go(func() {
			if _, err := b.dt.Render(t.Context(), b.job(fmt.Sprintf("%d.jpg", i))); err != nil {
				t.Error(err)
			}
		})
	}
	calls.Wait()
	seen := map[string]bool{}
	for _, args := range b.Calls() {
		line := " " + strings.Join(args, " ") + " "
		for _, want := range []string{
			" --library :memory: ", " --conf write_sidecar_files=never ", " --disable-opencl ",
			" --apply-custom-presets false ", " --upscale false ", " --width 128 ", " --height 128 ",
		} {
			if !strings.Contains(line, want) {
				t.Errorf("%q lacks %q", line, want)
			}
		}
		for i, a := range args {
			if a == "--configdir" || a == "--cachedir" {
				if seen[args[i+1]] || !strings.HasPrefix(args[i+1], b.scratch) {
					t.Errorf("%s %s is shared or not in the scratch folder", a, args[i+1])
				}
				seen[args[i+1]] = true
			}
		}
	}
	if len(seen) != 12 {
		t.Errorf("%d private folders, want 12", len(seen))
	}
	b.clean(t, "0.jpg", "1.jpg", "2.jpg", "3.jpg", "4.jpg", "5.jpg")
}

func TestRenderNeverOverwrites(t *testing.T) {
	t.Parallel()
	b := newFakeSetup(t, testutil.FakeOptions{}, 0)
	job := b.job("mine.jpg")
	if err := os.WriteFile(job.Output, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := b.dt.Render(t.Context(), job)
	if e := kindOf(t, err); e.Kind != render.Exists {
		t.Errorf("got %v, want exists", err)
	}
	if got, _ := os.ReadFile(job.Output); string(got) != "mine" {
		t.Errorf("the file is now %q", got)
	}
	if n := len(b.Calls()); n != 0 {
		t.Errorf("darktable ran %d times for nothing", n)
	}
	b.clean(t, "mine.jpg")
}

func TestRenderLetsOneOfManyHaveTheName(t *testing.T) {
	t.Parallel()
	b := newFakeSetup(t, testutil.FakeOptions{}, 4)
	var calls sync.WaitGroup
	var mu sync.Mutex
	won := 0
	for range 4 {
		calls.Go(func() {
			_, err := b.dt.Render(t.Context(), b.job("a.jpg"))
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				won++
			} else if e := kindOf(t, err); e.Kind != render.Exists {
				t.Errorf("got %v, want exists", err)
			}
		})
	}
	calls.Wait()
	if won != 1 {
		t.Errorf("%d of 4 published, want 1", won)
	}
	b.clean(t, "a.jpg")
}

func TestRenderChecksTheJob(t *testing.T) {
	t.Parallel()
	b := newFakeSetup(t, testutil.FakeOptions{}, 0)
	for name, change := range map[string]func(*render.Job){
		"size is -1":                  func(j *render.Job) { j.Size = -1 },
		"quality is 101":              func(j *render.Job) { j.Quality = 101 },
		"no bit depth 16":             func(j *render.Job) { j.BitDepth = 16 },
		`unknown colour space "cmyk"`: func(j *render.Job) { j.ColorSpace = "cmyk" },
		`"a.gif" names no picture`:    func(j *render.Job) { j.Output = filepath.Join(b.out, "a.gif") },
		"folder does not exist":       func(j *render.Job) { j.Output = filepath.Join(b.out, "no", "a.jpg") },
		"the sidecar is empty":        func(j *render.Job) { j.Sidecar = nil },
		"timeout is -1s":              func(j *render.Job) { j.Timeout = -time.Second },
		"there is no such file":       func(j *render.Job) { j.Raw += "x" },
		"not a regular file":          func(j *render.Job) { j.Raw = b.out },
	} {
		t.Run(name, func(t *testing.T) {
			job := b.job("a.jpg")
			change(&job)
			_, err := b.dt.Render(t.Context(), job)
			if e := kindOf(t, err); e.Kind != render.BadInput || !strings.Contains(err.Error(), name) {
				t.Errorf("got %v (%v), want bad input that says %q", err, e.Kind, name)
			}
		})
	}
	if n := len(b.Calls()); n != 0 {
		t.Errorf("darktable ran %d times for nothing", n)
	}
	b.clean(t)
}
