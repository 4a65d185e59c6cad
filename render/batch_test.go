package render_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/render"
)

// A batch gives the pixels that single renders give, whatever lies beside the
// raw, and an outcome for each job.
func TestABatchGivesWhatSingleRendersGive(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		l := newSetup(t, dt)
		guarded := filepath.Join(t.TempDir(), "chart.dng")
		data, err := os.ReadFile(l.raw)
		if err != nil {
			t.Fatal(err)
		}
		for path, content := range map[string][]byte{
			guarded: data, guarded + ".xmp": l.bright,
			filepath.Join(l.out, "torn.dng"): data[:2000],
		} {
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		job := func(raw string, sidecar []byte, name string) render.Job {
			return render.Job{Raw: raw, Sidecar: sidecar, Output: filepath.Join(l.out, name), Size: 200, BitDepth: 16, State: "abc"}
		}
		jobs := []render.Job{
			job(l.raw, l.base, "base.png"),
			job(l.raw, l.bright, "bright.png"),
			job(guarded, l.base, "guarded.png"),
			job(filepath.Join(l.out, "torn.dng"), l.base, "torn.png"),
			job(filepath.Join(l.out, "missing.dng"), l.base, "missing.png"),
			job(l.raw, bytes.ReplaceAll(l.base, []byte(`auto_presets_applied="1"`), []byte(`auto_presets_applied="0"`)), "open.png"),
		}
		var done []int
		outcomes := l.RenderAll(t.Context(), jobs, &render.BatchOptions{Done: func(i int, _ render.Outcome) { done = append(done, i) }})
		if len(done) != len(jobs) {
			t.Errorf("Done was called for %v, want each job once", done)
		}
		single := map[string]image.Image{}
		for name, sidecar := range map[string][]byte{"base": l.base, "bright": l.bright} {
			j := job(l.raw, sidecar, name+"-alone.png")
			j.Uncompressed = true // other bytes, the same pixels
			alone, err := l.Render(t.Context(), j)
			if err != nil {
				t.Fatal(err)
			}
			if raster := int64(alone.Width * alone.Height * 6); alone.Bytes < raster {
				t.Errorf("%s has %d bytes: its raster of %d is compressed", name, alone.Bytes, raster)
			}
			single[name] = load(t, j.Output)
		}
		for i, like := range []string{"base", "bright", "base", "", "", "base"} {
			o := outcomes[i]
			if like == "" {
				kindOf(t, o.Err)
				continue
			}
			if o.Err != nil {
				t.Errorf("%s: %v", jobs[i].Output, o.Err)
				continue
			}
			if o.Picture.Path != jobs[i].Output || o.Picture.Format != "png" || o.Picture.Duration <= 0 {
				t.Errorf("the picture is %+v", o.Picture)
			}
			if !cmp.Equal(load(t, o.Picture.Path), single[like]) {
				t.Errorf("%s has other pixels than alone", jobs[i].Output)
			}
			written, err := os.ReadFile(o.Picture.Path)
			if err != nil || !bytes.Contains(written, []byte(`chemigram:state="abc"`)) || !bytes.Contains(written, []byte(`DerivedFrom="chart.dng"`)) {
				t.Errorf("%s does not name its state and its raw (%v)", o.Picture.Path, err)
			}
		}
		if !errors.Is(outcomes[4].Err, fs.ErrNotExist) {
			t.Errorf("a raw that is missing: %v", outcomes[4].Err)
		}
	})
}

func load(t *testing.T, path string) image.Image {
	t.Helper()
	m, err := render.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var applied = []byte(`<x darktable:auto_presets_applied="1"/>`)

func (b *fakeSetup) jobs(n int) []render.Job {
	jobs := make([]render.Job, n)
	for i := range jobs {
		jobs[i] = b.job(fmt.Sprintf("%d.jpg", i))
		jobs[i].Sidecar = applied
	}
	return jobs
}

// What a common process does wrong costs time, and no picture.
func TestABatchOutlivesABadProcess(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []testutil.Behaviour{
		testutil.WritesNothing, testutil.Fails, testutil.Crashes, testutil.Garbage, testutil.Truncated, testutil.Hangs,
	} {
		t.Run(string(behaviour), func(t *testing.T) {
			t.Parallel()
			b := newFakeSetup(t, testutil.FakeOptions{Script: []testutil.Behaviour{behaviour, testutil.Works}}, 1)
			jobs := b.jobs(2)
			for i := range jobs {
				jobs[i].Timeout = 5 * time.Second
			}
			for _, o := range b.dt.RenderAll(t.Context(), jobs, nil) {
				if o.Err != nil {
					t.Error(o.Err)
				}
			}
			if calls := len(b.Calls()); calls != 3 {
				t.Errorf("darktable was started %d times, want 3", calls)
			}
			b.clean(t, "0.jpg", "1.jpg")
		})
	}
}

func TestABatchStartsFewProcesses(t *testing.T) {
	t.Parallel()
	b := newFakeSetup(t, testutil.FakeOptions{}, 2)
	jobs := b.jobs(12)
	jobs[3].Size = 64               // another command line
	jobs[5].Output = b.raw          // no picture's extension
	jobs[7].Output = jobs[6].Output // taken when its turn comes
	outcomes := b.dt.RenderAll(t.Context(), jobs, &render.BatchOptions{Chunk: 4})
	for i, o := range outcomes {
		want := map[int]render.Kind{5: render.BadInput, 7: render.Exists}[i]
		switch {
		case want == "" && o.Err != nil:
			t.Errorf("job %d: %v", i, o.Err)
		case want != "" && kindOf(t, o.Err).Kind != want:
			t.Errorf("job %d: %v, want %v", i, o.Err, want)
		}
	}
	if calls := len(b.Calls()); calls != 4 { // 3 chunks of the ten, and one alone
		t.Errorf("darktable was started %d times, want 4", calls)
	}
}

func TestACancelledBatchEndsEachJob(t *testing.T) {
	t.Parallel()
	b := newFakeSetup(t, testutil.FakeOptions{Behaviour: testutil.HangsInChild}, 2)
	ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
	defer cancel()
	for i, o := range b.dt.RenderAll(ctx, b.jobs(6), nil) {
		if kindOf(t, o.Err).Kind != render.TimedOut {
			t.Errorf("job %d: %v, want timed out", i, o.Err)
		}
	}
	b.clean(t)
}
