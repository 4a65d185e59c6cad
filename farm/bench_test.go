package farm

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// rounds is how many rounds the benchmarks measure.
func rounds(t *testing.T) int {
	t.Helper()
	const name = "CHEMIGRAM_BENCH_FARM"
	n, err := strconv.Atoi(os.Getenv(name))
	if err != nil {
		t.Skip(name + " does not say how many rounds to measure")
	}
	return n
}

// TestThroughputOfWorkers prints how long one and six workers, each a process, take for
// sixty pictures of a darktable that sleeps for two seconds.
func TestThroughputOfWorkers(t *testing.T) {
	n := rounds(t)
	const pictures, sleep = 60, 2
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{})
	cli := filepath.Join(t.TempDir(), "darktable-cli")
	script := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = --version ] || sleep %d\nexec '%s' \"$@\"\n", sleep, fake.CLI)
	if err := os.WriteFile(cli, []byte(script), 0o700); err != nil { //nolint:gosec // it is a program
		t.Fatal(err)
	}
	took := map[int][]time.Duration{}
	for round := range n {
		for _, workers := range []int{1, 6} {
			dir := t.TempDir()
			r := openFarm(t, openFolder(t, dir), Options{Patience: 10 * time.Second})
			var all []*process
			for i := range workers {
				all = append(all, newProcess(t, "worker", workerTask{URL: r.URL(), Store: dir, Dir: t.TempDir(), CLI: cli, Name: fmt.Sprint(i)}))
			}
			elsewhere := &counted{Elsewhere: r}
			engine := mustFind(t, &render.Options{Path: cli, Elsewhere: elsewhere})
			testutil.WaitFor(t, "the workers", func() bool {
				slots, err := muster(t.Context(), r.nc, engine.Identity())
				return err == nil && slots == workers
			})
			raw, digest := writeRaw(t, "a.dng", "raw")
			jobs, out := make([]render.Job, pictures), t.TempDir()
			for i := range jobs {
				jobs[i] = render.Job{Raw: raw, RawDigest: digest, Sidecar: baseline.Packet("5.4.1"), Size: 100 + i, Output: filepath.Join(out, fmt.Sprintf("%d.jpg", i))}
			}
			began := time.Now()
			wantPictures(t, engine.RenderAll(t.Context(), jobs, nil))
			took[workers] = append(took[workers], time.Since(began))
			if elsewhere.made.Load() != pictures {
				t.Errorf("%d pictures came from workers", elsewhere.made.Load())
			}
			for _, p := range all {
				p.kill()
			}
			_ = r.Close()
		}
		t.Logf("round %d of %d", round+1, n)
	}
	one, six := testutil.Median(took[1]), testutil.Median(took[6])
	t.Logf("%d pictures of %d s: one worker %.2f s, six %.2f s: %.2f× (%v, %v)", pictures, sleep, one.Seconds(), six.Seconds(), one.Seconds()/six.Seconds(), took[1], took[6])
}

// TestOverheadOverABatch prints how much longer a batch takes that goes over a farm of one
// worker on this machine, for each picture: with raws that travel, and with raws that the
// worker has.
func TestOverheadOverABatch(t *testing.T) {
	n := rounds(t)
	const pictures = 16
	dt := testutil.AnyDarktable(t)
	dir := t.TempDir()
	r := openFarm(t, openFolder(t, dir), Options{Patience: 10 * time.Second})
	newProcess(t, "worker", workerTask{URL: r.URL(), Store: dir, Dir: t.TempDir(), CLI: dt.CLI, Name: "worker", Processes: 2})
	elsewhere := &counted{Elsewhere: r}
	here, there := mustFind(t, &render.Options{Path: dt.CLI, Processes: 2}), mustFind(t, &render.Options{Path: dt.CLI, Elsewhere: elsewhere})
	testutil.WaitFor(t, "the worker", func() bool {
		slots, err := muster(t.Context(), r.nc, here.Identity())
		return err == nil && slots == 2
	})
	took := map[string][]time.Duration{}
	for round := range n {
		raws := make([]string, pictures)
		for i := range raws {
			raws[i] = filepath.Join(t.TempDir(), fmt.Sprintf("IMG_%d.dng", i))
			o := scene.Options{Megapixels: 1, DNG: dng.Options{Noise: 1, Seed: uint64(round*pictures + i)}}
			if err := scene.Write(raws[i], scene.Chart{}, o); err != nil {
				t.Fatal(err)
			}
		}
		sidecar, err := here.Baseline(t.Context(), raws[0])
		if err != nil {
			t.Fatal(err)
		}
		measure := func(what string, d *render.Darktable) {
			jobs, out := make([]render.Job, pictures), t.TempDir()
			for i, raw := range raws {
				content, err := os.ReadFile(raw)
				if err != nil {
					t.Fatal(err)
				}
				link := filepath.Join(out, strings.ReplaceAll(what, " ", "_")+filepath.Base(raw))
				if err := os.Link(raw, link); err != nil {
					t.Fatal(err)
				}
				jobs[i] = render.Job{Raw: link, RawDigest: digestOf(string(content)), Sidecar: sidecar, Size: 1440, Output: filepath.Join(out, fmt.Sprintf("%d.jpg", i))}
			}
			began := time.Now()
			wantPictures(t, d.RenderAll(t.Context(), jobs, nil))
			took[what] = append(took[what], time.Since(began))
			t.Logf("%s: %.2f s for %d pictures", what, time.Since(began).Seconds(), pictures)
		}
		measure("here", here)
		measure("raws travel", there)
		measure("raws are there", there)
		measure("here", here)
	}
	if elsewhere.failed.Load() > 0 {
		t.Errorf("%d pictures did not come from the worker", elsewhere.failed.Load())
	}
	base := testutil.Median(took["here"])
	t.Logf("darktable %s, %d pictures of 1 megapixel as previews of 1440 pixels: here %.2f s (%v)", dt.Name, pictures, base.Seconds(), took["here"])
	for _, what := range []string{"raws travel", "raws are there"} {
		m := testutil.Median(took[what])
		t.Logf("%s: %.2f s, %.0f ms more for a picture (%v)", what, m.Seconds(), float64((m-base).Milliseconds())/pictures, took[what])
	}
}
