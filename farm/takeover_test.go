package farm

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// killWhileDeveloping starts workers, one after the other, and kills each as soon as it has
// begun to develop.
func (s *setup) killWhileDeveloping(n int) {
	s.Helper()
	for i := range n {
		w := newProcess(s, "worker", workerTask{URL: s.renderer.URL(), Store: s.dir, Dir: s.TempDir(), CLI: s.fake.CLI, Name: fmt.Sprintf("killed%d", i)})
		testutil.WaitFor(s, "the job", func() bool { return len(s.fake.Calls()) > i })
		w.kill()
	}
}

// The job of a worker that was killed is taken over by another.
func TestADeadWorkersJobIsTakenOver(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("a darktable survives its killed worker here")
	}
	s := newSetup(t, testutil.FakeOptions{Script: []testutil.Behaviour{testutil.Hangs, testutil.Works}}, Options{})
	// One that never takes the job keeps the farm alive.
	ended := make(chan error, 1)
	job := fakeJobs(t, 1)[0]
	newProcess(t, "present", presentTask{URL: s.renderer.URL(), Darktable: s.engine.Identity()})
	s.waitForSlots(1)
	go func() {
		_, err := s.engine.Render(t.Context(), job)
		ended <- err
	}()
	s.killWhileDeveloping(1)
	s.work(WorkerOptions{Processes: 1})
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if made, calls := s.elsewhere.made.Load(), len(s.fake.Calls()); made != 1 || calls != 2 {
		t.Errorf("%d made elsewhere in %d calls", made, calls)
	}
}

// A job that ended three workers ends no fourth: it is made here.
func TestAJobEndsThreeWorkersAtMost(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("a darktable survives its killed worker here")
	}
	hangs := testutil.Hangs
	s := newSetup(t, testutil.FakeOptions{Script: []testutil.Behaviour{hangs, hangs, hangs, testutil.Works}}, Options{})
	ended := make(chan error, 1)
	job := fakeJobs(t, 1)[0]
	newProcess(t, "present", presentTask{URL: s.renderer.URL(), Darktable: s.engine.Identity()})
	s.waitForSlots(1)
	go func() {
		_, err := s.engine.Render(t.Context(), job)
		ended <- err
	}()
	s.killWhileDeveloping(mostTries)
	s.work(WorkerOptions{Processes: 1})
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if made, calls := s.elsewhere.made.Load(), len(s.fake.Calls()); made != 0 || calls != mostTries+1 {
		t.Errorf("%d made elsewhere in %d calls", made, calls)
	}
}

func (s *setup) waitForSlots(n int) {
	s.Helper()
	testutil.WaitFor(s, "the workers", func() bool {
		slots, err := muster(s.Context(), s.renderer.nc, s.engine.Identity())
		return err == nil && slots == n
	})
}

// A worker that ends in peace finishes what it has begun, and takes nothing more.
func TestAWorkerEndsInPeace(t *testing.T) {
	t.Parallel()
	s := newSetup(t, testutil.FakeOptions{}, Options{})
	slow := filepath.Join(t.TempDir(), "darktable-cli")
	script := "#!/bin/sh\n[ \"$1\" = --version ] || sleep 2\nexec '" + s.fake.CLI + "' \"$@\"\n"
	if err := os.WriteFile(slow, []byte(script), 0o700); err != nil { //nolint:gosec // it is a program
		t.Fatal(err)
	}
	s.engine = mustFind(t, &render.Options{Path: slow, Elsewhere: s.elsewhere})
	_, stop := startWorker(t, s.renderer, slow, WorkerOptions{Processes: 1, Prepared: -1, Logger: logger(t, "worker")})
	ended := make(chan error, 1)
	job := fakeJobs(t, 1)[0]
	go func() {
		_, err := s.engine.Render(t.Context(), job)
		ended <- err
	}()
	testutil.WaitFor(t, "the try", func() bool { return len(s.objects("tries/")) == 1 })
	stop()
	if err := <-ended; err != nil || s.elsewhere.made.Load() != 1 {
		t.Errorf("%v, %d made elsewhere", err, s.elsewhere.made.Load())
	}
}

// A worker keeps a darktable with the raw of the last preview, and its pictures are those
// that the command line makes.
func TestAWorkersPreparedDarktable(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		raw := filepath.Join(t.TempDir(), "a.dng")
		if err := scene.Write(raw, scene.Chart{}, scene.Options{Megapixels: 1}); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(raw)
		if err != nil {
			t.Fatal(err)
		}
		r := openFarm(t, openFolder(t, t.TempDir()), Options{})
		w, _ := startWorker(t, r, dt.CLI, WorkerOptions{Logger: logger(t, "worker")})
		elsewhere := &counted{Elsewhere: r}
		here, there := mustFind(t, &render.Options{Path: dt.CLI}), mustFind(t, &render.Options{Path: dt.CLI, Elsewhere: elsewhere})
		sidecar, err := here.Baseline(t.Context(), raw)
		if err != nil {
			t.Fatal(err)
		}
		size := 400
		develop := func(d *render.Darktable) (any, time.Duration) {
			job := render.Job{Raw: raw, RawDigest: digestOf(string(content)), Sidecar: sidecar, Size: size, Output: filepath.Join(t.TempDir(), "a.jpg")}
			p, err := d.Render(t.Context(), job)
			if err != nil {
				t.Fatal(err)
			}
			pixels, err := render.Load(job.Output)
			if err != nil {
				t.Fatal(err)
			}
			return pixels, p.Duration
		}
		develop(there)
		testutil.WaitFor(t, "the test of the prepared darktable", func() bool { return w.prepared.Status().Tested || w.prepared.Status().Reason != nil })
		if reason := w.prepared.Status().Reason; reason != nil {
			t.Skip(reason)
		}
		size = 401
		got, soon := develop(there)
		want, _ := develop(here)
		if !reflect.DeepEqual(got, want) {
			t.Error("it has other pixels")
		}
		if s := w.prepared.Status(); s.Waiting == 0 {
			t.Errorf("%+v", s)
		}
		t.Logf("after %v", soon)
		if elsewhere.failed.Load() > 0 {
			t.Error("made here")
		}
	})
}
