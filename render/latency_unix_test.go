//go:build unix

package render_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// latency is how many rounds `make bench-render` measures; without it, nothing
// is measured.
const latency = "CHEMIGRAM_BENCH_RENDER"

// TestLatencyOfPreviews prints how long previews of a raw of 24 megapixels take:
// from the command line, as a careful user has it (--hq false, a folder of its own
// for the configuration, which an earlier run has filled), and from prepared
// workers in turn, each with an exposure of its own. 1350 pixels are those of a box
// of 1440 × 900, the size of one of darktable's thumbnails; 1024 are the default of
// previews.
func TestLatencyOfPreviews(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv(latency))
	if err != nil {
		t.Skip(latency + " does not say how many rounds to measure")
	}
	raw := filepath.Join(t.TempDir(), "landscape.dng")
	if err := scene.Write(raw, scene.Landscape{}, scene.Options{Megapixels: 24, DNG: dng.Options{Noise: 1}}); err != nil {
		t.Fatal(err)
	}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		l := newSetup(t, dt)
		scratch := t.TempDir()
		if l.Darktable, err = render.Find(t.Context(), &render.Options{Path: dt.CLI, Scratch: scratch}); err != nil {
			t.Fatal(err)
		}
		baseline, err := l.Baseline(t.Context(), raw)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		job := func(size int) render.Job {
			n++
			return render.Job{
				Raw: raw, Size: size, Sidecar: exposed(t, baseline, 0.7+0.01*float64(n)),
				Output: filepath.Join(l.out, fmt.Sprintf("%d.jpg", n)),
			}
		}
		shell := &loop{dt, t.TempDir()}
		cold := func(j render.Job) error { shell.develop(t, []render.Job{j}); return nil }
		workers := render.NewWorkers(l.Darktable, nil)
		defer workers.Close()
		warm := func(j render.Job) error { _, err := workers.Preview(t.Context(), j); return err }
		draft := func(j render.Job) error { _, err := workers.Draft(t.Context(), j); return err }
		if err := errors.Join(cold(job(1024)), warm(job(1024))); err != nil {
			t.Fatal(err)
		}
		waitTested(t, workers)
		ways := []struct {
			name  string
			times int
			f     func(render.Job) error
		}{{"cold", 1, cold}, {"draft", 1, draft}, {"fine and exact", 1, warm}, {"8 drafts in a row", 8, draft}}
		for _, size := range []int{1350, 1024} {
			took := map[string][]time.Duration{}
			for range rounds {
				for _, way := range ways {
					began := time.Now()
					for range way.times {
						if err := way.f(job(size)); err != nil {
							t.Fatal(way.name, err)
						}
					}
					took[way.name] = append(took[way.name], time.Since(began)/time.Duration(way.times))
				}
			}
			t.Logf("darktable %s, %d rounds, %d pixels; worker %d MB at most", dt.Name, rounds, size, peakMegabytes(scratch))
			base := testutil.Median(took["cold"])
			for _, way := range ways {
				m := testutil.Median(took[way.name])
				t.Logf("%-18s %6.2f s  %4.1f×  (%v)", way.name, m.Seconds(), base.Seconds()/m.Seconds(), took[way.name])
			}
		}
	})
}

// exposed is a baseline with another exposure than +0.7 EV.
func exposed(t *testing.T, baseline []byte, ev float64) []byte {
	t.Helper()
	value := hex.EncodeToString(binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(ev))))
	out := bytes.Replace(baseline, []byte("3333333f00004842"), []byte(value+"00004842"), 1)
	if bytes.Equal(out, baseline) {
		t.Fatal("the baseline has no exposure of +0.7 EV")
	}
	return out
}

// peakMegabytes is the most memory that a darktable in a scratch folder has had.
func peakMegabytes(scratch string) (most int) {
	for _, pid := range running(scratch) {
		status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		var kilobytes int
		_, _ = fmt.Sscan(rest, &kilobytes)
		most = max(most, kilobytes>>10)
	}
	return most
}
