package render_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
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

// TestLatencyOfPreviews prints how long previews of a raw of 24 megapixels take
// at 1440 pixels: from the command line and from prepared workers in turn, each
// with an exposure of its own.
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
		l := newLab(t, dt)
		scratch := t.TempDir()
		if l.Darktable, err = render.Find(t.Context(), &render.Options{Path: dt.CLI, Scratch: scratch}); err != nil {
			t.Fatal(err)
		}
		baseline, err := l.Baseline(t.Context(), raw)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		job := func() render.Job {
			n++
			return render.Job{
				Raw: raw, Size: 1440, Sidecar: exposed(t, baseline, 0.7+0.01*float64(n)),
				Output: filepath.Join(l.out, fmt.Sprintf("%d.jpg", n)),
			}
		}
		workers := render.NewWorkers(l.Darktable, nil)
		defer workers.Close()
		if _, err := workers.Preview(t.Context(), job()); err != nil {
			t.Fatal(err)
		}
		waitTested(t, workers)
		took := map[string][]time.Duration{}
		measure := func(how string, times int, f func(render.Job) error) {
			t.Helper()
			began := time.Now()
			for range times {
				if err := f(job()); err != nil {
					t.Fatal(how, err)
				}
			}
			took[how] = append(took[how], time.Since(began)/time.Duration(times))
		}
		cold := func(j render.Job) error { _, err := l.Render(t.Context(), j); return err }
		warm := func(j render.Job) error { _, err := workers.Preview(t.Context(), j); return err }
		draft := func(j render.Job) error { _, err := workers.Draft(t.Context(), j); return err }
		for range rounds {
			measure("cold", 1, cold)
			measure("draft", 1, draft)
			measure("fine and exact", 1, warm)
			measure("8 drafts in a row", 8, draft)
		}
		t.Logf("darktable %s, %d rounds, 1440 pixels; worker %d MB at most", dt.Name, rounds, peakMegabytes(scratch))
		base := median(took["cold"])
		for _, how := range []string{"cold", "draft", "8 drafts in a row", "fine and exact"} {
			m := median(took[how])
			t.Logf("%-18s %6.2f s  %4.1f×  (%v)", how, m.Seconds(), base.Seconds()/m.Seconds(), took[how])
		}
	})
}

func median(all []time.Duration) time.Duration {
	all = slices.Sorted(slices.Values(all))
	return all[len(all)/2]
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
