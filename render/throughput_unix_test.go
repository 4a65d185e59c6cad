//go:build unix

package render_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// series is how many raws TestThroughputOfBatches develops.
const series = 8

// TestThroughputOfBatches prints how long eight raws of 24 megapixels take, as
// previews and as exports: in a shell loop of darktable-cli, and as a batch, in
// one process with all threads and in one for each processor with one thread
// each. All take turns.
func TestThroughputOfBatches(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv(latency))
	if err != nil {
		t.Skip(latency + " does not say how many rounds to measure")
	}
	raws := make([]string, series)
	dir := t.TempDir()
	for i := range raws {
		raws[i] = filepath.Join(dir, fmt.Sprintf("IMG_%d.dng", i))
		o := scene.Options{Megapixels: 24, DNG: dng.Options{Noise: 1, Seed: uint64(i), EV: 0.1 * float64(i)}}
		if err := scene.Write(raws[i], scene.Chart{}, o); err != nil {
			t.Fatal(err)
		}
	}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		l := newSetup(t, dt)
		sidecar, err := l.Baseline(t.Context(), raws[0])
		if err != nil {
			t.Fatal(err)
		}
		alone, err := render.Find(t.Context(), &render.Options{Path: dt.CLI, Scratch: t.TempDir(), Processes: 1})
		if err != nil {
			t.Fatal(err)
		}
		for what, like := range map[string]render.Job{
			"previews of 1440 pixels": {Size: 1440},
			"exports in full size":    {HighQuality: true},
		} {
			like.Sidecar = sidecar
			ways := []struct {
				name    string
				develop func(t *testing.T, jobs []render.Job)
			}{
				{"shell loop", (&loop{dt, t.TempDir()}).develop},
				{"batch, one process", batchOf(alone)},
				{"batch", batchOf(l.Darktable)},
			}
			took, worked := map[string][]time.Duration{}, map[string][]time.Duration{}
			for range rounds {
				for _, way := range ways {
					jobs := make([]render.Job, series)
					for i := range jobs {
						jobs[i] = like
						jobs[i].Raw, jobs[i].Output = raws[i], filepath.Join(t.TempDir(), "picture.jpg")
					}
					began, before := time.Now(), childrensTime(t)
					way.develop(t, jobs)
					took[way.name] = append(took[way.name], time.Since(began))
					worked[way.name] = append(worked[way.name], childrensTime(t)-before)
				}
			}
			t.Logf("darktable %s, %d %s, %d rounds", dt.Name, series, what, rounds)
			base := testutil.Median(took[ways[0].name])
			for _, way := range ways {
				m := testutil.Median(took[way.name])
				t.Logf("%-18s %6.2f s  %4.1f×  %6.2f s of the processors  (%v)",
					way.name, m.Seconds(), base.Seconds()/m.Seconds(), testutil.Median(worked[way.name]).Seconds(), took[way.name])
			}
		}
	})
}

// A loop is a shell's, over darktable-cli.
type loop struct {
	darktable     testutil.Darktable
	configuration string
}

func (l *loop) develop(t *testing.T, jobs []render.Job) {
	sidecar := filepath.Join(t.TempDir(), "edit.xmp")
	if err := os.WriteFile(sidecar, jobs[0].Sidecar, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs {
		l.darktable.DevelopByHand(t, l.configuration, j.Raw, sidecar, j.Output, j.Size, j.HighQuality)
	}
}

func batchOf(d *render.Darktable) func(*testing.T, []render.Job) {
	return func(t *testing.T, jobs []render.Job) {
		for _, o := range d.RenderAll(t.Context(), jobs, nil) {
			if o.Err != nil {
				t.Fatal(o.Err)
			}
		}
	}
}

// childrensTime is what the processors have worked for ended children of this
// program.
func childrensTime(t *testing.T) time.Duration {
	t.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_CHILDREN, &used); err != nil {
		t.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
