package render_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/render"
)

// draftSize is one at which the chart has drafts.
const draftSize = 128

// chaos is how many previews the test under killing asks for; 25 when it is not
// set.
const chaos = "CHEMIGRAM_TEST_CHAOS"

// prepared is a lab with workers that have proven themselves.
func prepared(t *testing.T, l *lab) *render.Workers {
	t.Helper()
	workers := render.NewWorkers(l.Darktable, &render.WorkersOptions{Max: 2})
	t.Cleanup(func() { _ = workers.Close() })
	if _, err := workers.Draft(t.Context(), l.preview("first.jpg", false)); !errors.Is(err, render.ErrNoDraft) {
		t.Fatalf("got %v before the workers were tested, want no draft", err)
	}
	if _, err := workers.Preview(t.Context(), l.preview("first.jpg", false)); err != nil {
		t.Fatal(err)
	}
	waitTested(t, workers)
	return workers
}

// waitTested waits until workers have proven themselves, however slow the machine
// is; the limit is the test's own.
func waitTested(t *testing.T, workers *render.Workers) {
	t.Helper()
	for range time.Tick(10 * time.Millisecond) {
		switch status := workers.Status(); {
		case status.Reason != nil:
			t.Fatal(status.Reason)
		case status.Tested && status.Serving == 0:
			return
		}
	}
}

func (l *lab) preview(name string, loud bool) render.Job {
	job := l.variant(loud, name)
	job.Raw, job.Output, job.Size, job.Timeout = l.raw, filepath.Join(l.out, name), draftSize, 5*time.Minute
	return job
}

func TestWorkersMakeWhatTheCommandLineMakes(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		t.Parallel()
		testutil.AcquireDarktable(t)
		l := newLab(t, dt)
		workers := prepared(t, l)
		want := map[bool]*pixel.Image{}
		for _, loud := range []bool{false, true} {
			p, err := l.Render(t.Context(), l.preview(fmt.Sprintf("want-%t.jpg", loud), loud))
			if err != nil {
				t.Fatal(err)
			}
			want[loud] = loadPixels(t, p)
		}
		// One after the other in one process: nothing of an edit may stay for the next.
		for i, loud := range []bool{true, false, true} {
			p, err := workers.Preview(t.Context(), l.preview(fmt.Sprintf("%d.jpg", i), loud))
			if err != nil {
				t.Fatal(err)
			}
			if d, err := pixel.Compare(want[loud], loadPixels(t, p)); err != nil || d.Max > 0 {
				t.Errorf("preview %d differs: %+v, %v", i, d, err)
			}
			if p, err = workers.Draft(t.Context(), l.preview(fmt.Sprintf("draft%d.jpg", i), loud)); err != nil {
				t.Fatal(err)
			}
			// What drafts promise.
			if d, err := pixel.Compare(want[loud].Blur(8), loadPixels(t, p).Blur(8)); err != nil || d.Mean > 1 {
				t.Errorf("draft %d differs: %+v, %v", i, d, err)
			}
		}
		if s := workers.Status(); s.Waiting != 1 || s.Serving != 0 {
			t.Errorf("there are %+v, want one worker that waits", s)
		}
	})
}

func TestAPreviewIsRightWhateverHappensToTheWorkers(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("workers are found in /proc")
	}
	t.Parallel()
	dt := testutil.AnyDarktable(t)
	testutil.AcquireDarktable(t)
	l := newLab(t, dt)
	scratch := t.TempDir()
	d, err := render.Find(t.Context(), &render.Options{Path: dt.CLI, Scratch: scratch})
	if err != nil {
		t.Fatal(err)
	}
	l.Darktable = d
	want := map[bool]*pixel.Image{}
	for _, loud := range []bool{false, true} {
		want[loud] = loadPixels(t, l.develop(t, l.sized(loud, fmt.Sprintf("want-%t.png", loud))))
	}
	workers := prepared(t, l)
	raws := []string{l.raw}
	for i := range 2 {
		raws = append(raws, filepath.Join(t.TempDir(), fmt.Sprintf("other%d.dng", i)))
		copyFile(t, l.raw, raws[i+1])
	}
	cycles := 25
	if n, err := strconv.Atoi(os.Getenv(chaos)); err == nil {
		cycles = n
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	drafts, canceled := 0, 0
	for i := range cycles {
		loud := random.IntN(2) == 0
		job := l.preview(fmt.Sprintf("chaos%d.jpg", i), loud)
		job.Raw = raws[random.IntN(len(raws))]
		draft := random.IntN(3) > 0
		ctx, cancel := context.WithCancel(t.Context())
		stop := make(chan struct{})
		fate := random.IntN(6)
		delay := time.Duration(random.IntN(300)) * time.Millisecond
		go func() {
			select {
			case <-stop:
				return
			case <-time.After(delay):
			}
			switch fate {
			case 0:
				killOne(scratch)
			case 1:
				cancel()
			}
		}()
		p, err := render.Picture{}, render.ErrNoDraft
		if draft {
			p, err = workers.Draft(ctx, job)
			draft = err == nil
		}
		if errors.Is(err, render.ErrNoDraft) {
			p, err = workers.Preview(ctx, job)
		}
		close(stop)
		cancel()
		if errors.Is(err, context.Canceled) && fate == 1 {
			canceled++
			continue
		}
		if err != nil {
			t.Fatalf("cycle %d: %v", i, err)
		}
		if draft {
			drafts++
		}
		got, wanted := loadPixels(t, p).Blur(8), want[loud].Blur(8)
		if d, err := pixel.Compare(wanted, got); err != nil || d.Mean > 1 {
			t.Errorf("cycle %d (draft=%t, loud=%t) is wrong: %+v, %v", i, draft, loud, d, err)
		}
		_ = os.Remove(p.Path)
	}
	t.Logf("%d cycles: %d drafts, %d canceled, %+v", cycles, drafts, canceled, workers.Status())
	if drafts == 0 {
		t.Error("no worker made anything")
	}
	if err := workers.Close(); err != nil {
		t.Error(err)
	}
	if left := names(t, scratch); len(left) > 0 {
		t.Errorf("the scratch folder still has %v", left)
	}
	if pids := running(scratch); len(pids) > 0 {
		t.Errorf("processes still run: %v", pids)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	data, err := os.ReadFile(from)
	if err == nil {
		err = os.WriteFile(to, data, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// running are the darktables that work in a scratch folder.
func running(scratch string) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		line, _ := os.ReadFile(file)
		if strings.Contains(string(line), scratch) {
			pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
			pids = append(pids, pid)
		}
	}
	return pids
}

func killOne(scratch string) {
	if pids := running(scratch); len(pids) > 0 && pids[0] != os.Getpid() {
		_ = syscall.Kill(pids[0], syscall.SIGKILL)
	}
}

func TestPreviewsDoWithoutWorkersThatFail(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []testutil.Behaviour{testutil.Fails, testutil.Hangs, testutil.Crashes, testutil.WritesNothing, testutil.Floods} {
		t.Run(string(behaviour), func(t *testing.T) {
			t.Parallel()
			// The first call is the command line's; then the worker; then the command line's again.
			b := newBench(t, testutil.FakeOptions{Script: []testutil.Behaviour{testutil.Works, behaviour, testutil.Works}, Stderr: "the reason why"}, 0)
			workers := render.NewWorkers(b.dt, nil)
			job := b.job("a.jpg")
			job.Timeout = 2 * time.Second
			if _, err := workers.Preview(t.Context(), job); err != nil {
				t.Fatal(err)
			}
			testutil.WaitFor(t, "the workers' test", func() bool { return workers.Status().Reason != nil })
			job.Output = filepath.Join(b.out, "b.jpg")
			if _, err := workers.Preview(t.Context(), job); err != nil {
				t.Error(err)
			}
			if n := len(b.Calls()); n != 3 {
				t.Errorf("darktable was started %d times, want 3", n)
			}
			if err := workers.Close(); err != nil {
				t.Error(err)
			}
			b.clean(t, "a.jpg", "b.jpg")
		})
	}
}

func TestClosedWorkersLeaveEverythingToTheCommandLine(t *testing.T) {
	t.Parallel()
	b := newBench(t, testutil.FakeOptions{}, 0)
	workers := render.NewWorkers(b.dt, nil)
	if err := workers.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := workers.Preview(t.Context(), b.job("a.jpg")); err != nil {
		t.Error(err)
	}
	if workers.Status().Reason == nil {
		t.Error("there is no reason")
	}
	b.clean(t, "a.jpg")
}

func (l *lab) sized(loud bool, name string) render.Job {
	job := l.variant(loud, name)
	job.Size = draftSize
	return job
}
