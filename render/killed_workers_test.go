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
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// chaos is how many previews the test that kills workers asks for; 25 when it is
// not set.
const chaos = "CHEMIGRAM_TEST_CHAOS"

// sample is one of the pictures that the test that kills workers asks for.
type sample struct {
	raw    string
	bright bool
}

// samples are looks of three raws with other scenes, and the pixels of each as the
// command line makes them.
func (l *setup) samples(t *testing.T) (looks []sample, want map[sample]*pixel.Image) {
	t.Helper()
	raws := []string{l.raw}
	for _, s := range []scene.Scene{scene.Ramp{}, scene.Landscape{}} {
		path := filepath.Join(t.TempDir(), s.Name()+".dng")
		if err := scene.Write(path, s, scene.Options{Megapixels: 0.1}); err != nil {
			t.Fatal(err)
		}
		raws = append(raws, path)
	}
	var jobs []render.Job
	for _, raw := range raws {
		for _, bright := range []bool{false, true} {
			job := l.preview(fmt.Sprintf("want%d.jpg", len(jobs)), bright)
			job.Raw, job.Quality = raw, 98
			looks, jobs = append(looks, sample{raw, bright}), append(jobs, job)
		}
	}
	want = map[sample]*pixel.Image{}
	for i, o := range l.RenderAll(t.Context(), jobs, nil) {
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		want[looks[i]] = loadPixels(t, o.Picture).Blur(8)
	}
	for i, a := range looks {
		for _, b := range looks[:i] {
			if d, err := pixel.Compare(want[a], want[b]); err != nil || d.Mean < 3 {
				t.Fatalf("%+v and %+v are too much alike to be distinguished: %+v, %v", a, b, d, err)
			}
		}
	}
	return looks, want
}

func TestAPreviewIsRightWhateverHappensToTheWorkers(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("workers are found in /proc")
	}
	t.Parallel()
	dt := testutil.AnyDarktable(t)
	testutil.AcquireDarktable(t)
	l := newSetup(t, dt)
	scratch := t.TempDir()
	d, err := render.Find(t.Context(), &render.Options{Path: dt.CLI, Scratch: scratch})
	if err != nil {
		t.Fatal(err)
	}
	l.Darktable = d
	looks, want := l.samples(t)
	workers := newTestedWorkers(t, l, time.Millisecond) // killed workers do not end the test of workers
	cycles := 25
	if n, err := strconv.Atoi(os.Getenv(chaos)); err == nil {
		cycles = n
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	drafts, canceled, processes, megabytes := 0, 0, 0, 0
	for i := range cycles {
		if i%50 == 49 {
			t.Logf("%d cycles", i)
		}
		look := looks[random.IntN(len(looks))]
		job := l.preview(fmt.Sprintf("chaos%d.jpg", i), look.bright)
		job.Raw = look.raw
		draft := random.IntN(3) > 0
		ctx, cancel := context.WithCancel(t.Context())
		stop := make(chan struct{})
		fate, victim := random.IntN(6), random.Int()
		delay := time.Duration(random.IntN(300)) * time.Millisecond
		go func() {
			select {
			case <-stop:
				return
			case <-time.After(delay):
			}
			switch fate {
			case 0:
				killOne(scratch, victim)
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
		processes, megabytes = max(processes, len(running(scratch))), max(megabytes, residentMegabytes(scratch))
		if errors.Is(err, context.Canceled) && fate == 1 {
			canceled++
			continue
		}
		if e, ok := errors.AsType[*render.Error](err); ok && fate == 0 && e.ExitCode < 0 {
			continue // the command line was killed
		}
		if err != nil {
			t.Fatalf("cycle %d: %v", i, err)
		}
		if draft {
			drafts++
		}
		// A draft of so small a raw is less accurate than drafts promise to be; other
		// looks are at least 3 away.
		if d, err := pixel.Compare(want[look], loadPixels(t, p).Blur(8)); err != nil || d.Mean > 1.5 || !draft && d.Mean > 0.5 {
			t.Errorf("cycle %d (draft=%t, %+v) is wrong: %+v, %v", i, draft, look, d, err)
		}
		_ = os.Remove(p.Path)
	}
	t.Logf("%d cycles: %d drafts, %d canceled, at most %d processes with %d MB together, %+v",
		cycles, drafts, canceled, processes, megabytes, workers.Status())
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

// residentMegabytes is the memory that they have at present.
func residentMegabytes(scratch string) (sum int) {
	for _, pid := range running(scratch) {
		statm, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
		var size, resident int
		_, _ = fmt.Sscan(string(statm), &size, &resident)
		sum += resident * os.Getpagesize() >> 20
	}
	return sum
}

func killOne(scratch string, victim int) {
	if pids := running(scratch); len(pids) > 0 {
		if p, err := os.FindProcess(pids[victim%len(pids)]); err == nil {
			_ = p.Kill() // it may have ended by itself
		}
	}
}
