package render_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/render"
)

// draftSize is one at which the chart has drafts.
const draftSize = 128

// newTestedWorkers are workers that have passed their test.
func newTestedWorkers(t *testing.T, l *setup, recovery time.Duration) *render.Workers {
	t.Helper()
	workers := render.NewWorkers(l.Darktable, &render.WorkersOptions{Max: 2, Recovery: recovery})
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

// waitTested waits until workers have passed their test, however slow the machine
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

func (l *setup) preview(name string, bright bool) render.Job {
	job := l.variant(bright, name)
	job.Raw, job.Output, job.Size, job.Timeout = l.raw, filepath.Join(l.out, name), draftSize, 5*time.Minute
	return job
}

func TestWorkersMakeWhatTheCommandLineMakes(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		t.Parallel()
		testutil.AcquireDarktable(t)
		l := newSetup(t, dt)
		workers := newTestedWorkers(t, l, 0)
		want := map[bool]*pixel.Image{}
		for _, bright := range []bool{false, true} {
			p, err := l.Render(t.Context(), l.preview(fmt.Sprintf("want-%t.jpg", bright), bright))
			if err != nil {
				t.Fatal(err)
			}
			want[bright] = loadPixels(t, p)
		}
		// One after the other in one process: nothing of an edit may stay for the next.
		for i, bright := range []bool{true, false, true} {
			p, err := workers.Preview(t.Context(), l.preview(fmt.Sprintf("%d.jpg", i), bright))
			if err != nil {
				t.Fatal(err)
			}
			if d, err := pixel.Compare(want[bright], loadPixels(t, p)); err != nil || d.Max > 0 {
				t.Errorf("preview %d differs: %+v, %v", i, d, err)
			}
			if p, err = workers.Draft(t.Context(), l.preview(fmt.Sprintf("draft%d.jpg", i), bright)); err != nil {
				t.Fatal(err)
			}
			// What drafts promise.
			if d, err := pixel.Compare(want[bright].Blur(8), loadPixels(t, p).Blur(8)); err != nil || d.Mean > 1 {
				t.Errorf("draft %d differs: %+v, %v", i, d, err)
			}
		}
		if s := workers.Status(); s.Waiting != 1 || s.Serving != 0 {
			t.Errorf("there are %+v, want one worker that waits", s)
		}
	})
}

// Pictures of one raw that are wanted at the same time come from the worker that has it: to
// start another takes longer.
func TestTheWorkerThatHasTheRawIsWaitedFor(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		testutil.AcquireDarktable(t)
		l := newSetup(t, dt)
		workers := newTestedWorkers(t, l, 0)
		for round := range 3 {
			var group sync.WaitGroup
			for i := range 2 {
				group.Go(func() {
					if _, err := workers.Draft(t.Context(), l.preview(fmt.Sprintf("%d-%d.jpg", round, i), i == 1)); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
		}
		if s := workers.Status(); s.Waiting != 1 || s.Serving != 0 {
			t.Errorf("there are %+v, want one worker that waits", s)
		}
	})
}

func TestPreviewsDoWithoutWorkersThatFail(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []testutil.Behaviour{testutil.Fails, testutil.Hangs, testutil.Crashes, testutil.WritesNothing, testutil.Floods} {
		t.Run(string(behaviour), func(t *testing.T) {
			t.Parallel()
			// The first call is the command line's; then the worker; then the command line's again.
			b := newFakeSetup(t, testutil.FakeOptions{Script: []testutil.Behaviour{testutil.Works, behaviour, testutil.Works}, Stderr: "the reason why"}, 0)
			workers := render.NewWorkers(b.dt, nil)
			job := b.job("a.jpg")
			job.Timeout = 5 * time.Second
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
	b := newFakeSetup(t, testutil.FakeOptions{}, 0)
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
