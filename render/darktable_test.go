package render_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image/jpeg"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// chart is the path of a small raw of the colour chart, made once.
var chart = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "chemigram-test-")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "chart.dng")
	return path, scene.Write(path, scene.Chart{}, scene.Options{Megapixels: 0.1})
})

func TestMain(m *testing.M) {
	if dir := os.Getenv(renderDir); dir != "" {
		renderUntilKilled(dir)
		return
	}
	if dir := os.Getenv(leaveDir); dir != "" {
		leaveUntilKilled(dir)
		return
	}
	if dir := os.Getenv(workerDir); dir != "" {
		waitUntilKilled(dir)
		return
	}
	code := m.Run()
	if path, err := chart(); err == nil {
		_ = os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// setup is a real darktable and the chart in a folder of the test's own.
type setup struct {
	*render.Darktable
	raw, out string
	// base and bright are the chart's baseline and one of +3 EV.
	base, bright []byte
}

func newSetup(t *testing.T, dt testutil.Darktable) *setup {
	t.Helper()
	d, err := render.Find(t.Context(), &render.Options{Path: dt.CLI, Scratch: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	l := &setup{Darktable: d, raw: filepath.Join(t.TempDir(), "chart.dng"), out: t.TempDir()}
	path, err := chart()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(l.raw, data, 0o600); err != nil {
		t.Fatal(err)
	}
	l.base = baselineOf(t, d, l.raw)
	// The exposure of +0.7 EV in the baseline's parameters, as float32.
	l.bright = bytes.Replace(l.base, []byte("3333333f00004842"), []byte("0000404000004842"), 1)
	if bytes.Equal(l.bright, l.base) {
		t.Fatalf("the baseline has no exposure of +0.7 EV:\n%s", l.base)
	}
	return l
}

// baselines are the chart's, by version: each is asked for once.
var baselines struct {
	sync.Mutex
	of map[string][]byte
}

func baselineOf(t *testing.T, d *render.Darktable, raw string) []byte {
	t.Helper()
	baselines.Lock()
	defer baselines.Unlock()
	if b := baselines.of[d.Version()]; b != nil {
		return b
	}
	b, err := d.Baseline(t.Context(), raw)
	if err != nil {
		t.Fatal(err)
	}
	if baselines.of == nil {
		baselines.of = map[string][]byte{}
	}
	baselines.of[d.Version()] = b
	return b
}

func (l *setup) develop(t *testing.T, job render.Job) render.Picture {
	t.Helper()
	if job.Raw == "" {
		job.Raw = l.raw
	}
	if job.Sidecar == nil {
		job.Sidecar = l.base
	}
	job.Output = filepath.Join(l.out, job.Output)
	p, err := l.Render(t.Context(), job)
	if err != nil {
		e := kindOf(t, err)
		t.Fatalf("%v\n%s\n%s", err, strings.Join(e.Command, " "), e.Stderr)
	}
	return p
}

func loadPixels(t *testing.T, p render.Picture) *pixel.Image {
	t.Helper()
	m, err := pixel.Load(p.Path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// fingerprint is what a folder holds, times included.
func fingerprint(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		var data []byte
		if info.Mode().IsRegular() {
			if data, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		all[path] = fmt.Sprintf("%v %v %x", info.Mode(), info.ModTime().UnixNano(), sha256.Sum256(data))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// history is the part of a packet with the history stack.
func history(packet []byte) string {
	return regexp.MustCompile(`(?s)<darktable:history>.*</darktable:history>`).FindString(string(packet))
}

func TestASidecarOfTheUsersHasNoInfluenceAndIsLeftAlone(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		testutil.AcquireDarktable(t)
		l := newSetup(t, dt)
		if got := names(t, filepath.Dir(l.raw)); !cmp.Equal(got, []string{filepath.Base(l.raw)}) {
			t.Errorf("the baseline of a raw alone left %v in its folder", got)
		}
		alone := loadPixels(t, l.develop(t, render.Job{Output: "alone.png", Size: 200}))
		bright := loadPixels(t, l.develop(t, render.Job{Output: "bright.png", Size: 200, Sidecar: l.bright}))
		if d, err := pixel.Compare(alone, bright); err != nil || d.Mean < 5 {
			t.Fatalf("+3 EV instead of +0.7 EV should be far apart: %+v, %v", d, err)
		}

		if err := os.WriteFile(l.raw+".xmp", l.bright, 0o600); err != nil {
			t.Fatal(err)
		}
		before := fingerprint(t, filepath.Dir(l.raw))
		baseline, err := l.Baseline(t.Context(), l.raw)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(history(l.base), history(baseline)); diff != "" || history(baseline) == "" {
			t.Errorf("the baseline follows the user's sidecar:\n%s", diff)
		}
		beside := loadPixels(t, l.develop(t, render.Job{Output: "beside.png", Size: 200}))
		if d, err := pixel.Compare(alone, beside); err != nil || d.Max != 0 {
			t.Errorf("the picture follows the user's sidecar: %+v, %v", d, err)
		}
		if diff := cmp.Diff(before, fingerprint(t, filepath.Dir(l.raw))); diff != "" {
			t.Errorf("the raw's folder has changed:\n%s", diff)
		}
	})
}

func TestDarktableRefusesWhatIsNoPicture(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		testutil.AcquireDarktable(t)
		d, err := render.Find(t.Context(), &render.Options{Path: dt.CLI, Scratch: t.TempDir()})
		if err != nil {
			t.Fatal(err)
		}
		path, err := chart()
		if err != nil {
			t.Fatal(err)
		}
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string][]byte{
			"text.NEF": []byte("this is a text\n"), "torn.dng": whole[:len(whole)/3], "empty.CR2": nil,
		} {
			raw := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(raw, data, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := d.Baseline(t.Context(), raw)
			if e := kindOf(t, err); e.Kind != render.Failed || !strings.Contains(err.Error(), name) || e.Stderr == "" {
				t.Errorf("%s: got %v (%v) with %q", name, err, e.Kind, e.Stderr)
			}
		}
	})
}

func TestPicturesOtherThanRawsHaveABaseline(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		testutil.AcquireDarktable(t)
		l := newSetup(t, dt)
		for _, name := range []string{"a.jpg", "a.tif"} {
			p := l.develop(t, render.Job{Output: name, Size: 100})
			packet, err := l.Baseline(t.Context(), p.Path)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			if h := history(packet); !strings.Contains(h, `"colorin"`) || strings.Contains(h, `"rawprepare"`) {
				t.Errorf("%s: not the history of a picture that is no raw: %s", name, packet)
			}
		}
	})
}

func TestEveryFormatIsWrittenAndMeasured(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		testutil.AcquireDarktable(t)
		l := newSetup(t, dt)
		for _, job := range []render.Job{
			{Output: "a.jpeg", Size: 120, HighQuality: true},
			{Output: "b.png", BitDepth: 16},
			{Output: "c.tiff", Size: 120, BitDepth: 32, ColorSpace: "linear-rec2020"},
			{Output: "d.webp", Size: 120, Quality: 80},
			{Output: "e.avif", Size: 120, Quality: 80, ColorSpace: "display-p3"},
			{Output: "f.jxl", Size: 120, Quality: 80},
			{Output: "g.exr", Size: 120, ColorSpace: "linear-rec709"},
		} {
			if job.Output == "f.jxl" && strings.HasPrefix(l.Version(), "4.2.") {
				job.Raw, job.Sidecar, job.Output = l.raw, l.base, filepath.Join(l.out, job.Output)
				if _, err := l.Render(t.Context(), job); kindOf(t, err).Kind != render.Unsupported {
					t.Errorf("%s: got %v, want unsupported", job.Output, err)
				}
				continue
			}
			p := l.develop(t, job)
			if place := []byte(os.TempDir() + string(filepath.Separator)); bytes.Contains(contents(t, p.Path), place) {
				t.Errorf("%s names the folder where it was made, below %s", job.Output, place)
			}
			wantWidth := 120
			if job.Size == 0 {
				wantWidth = 380
			}
			if p.Width < wantWidth || p.Width > wantWidth+12 || p.Height*3 < p.Width*2-6 || p.Height*3 > p.Width*2+6 {
				t.Errorf("%s has %d × %d pixels", job.Output, p.Width, p.Height)
			}
			if info, err := os.Stat(p.Path); err != nil || info.Size() != p.Bytes {
				t.Errorf("%s: %v, %v", job.Output, info, err)
			}
		}
	})
}

func TestRendersAtOnceAreAsGoodAsOneByOne(t *testing.T) {
	t.Parallel()
	dt := testutil.AnyDarktable(t)
	testutil.AcquireDarktable(t)
	l := newSetup(t, dt)
	want := map[bool]*pixel.Image{}
	for _, bright := range []bool{false, true} {
		want[bright] = loadPixels(t, l.develop(t, l.variant(bright, fmt.Sprintf("want-%t.png", bright))))
	}
	var all sync.WaitGroup
	for i := range 2 {
		all.Go(func() {
			bright := i%2 == 0
			got := loadPixels(t, l.develop(t, l.variant(bright, fmt.Sprintf("%d.png", i))))
			if d, err := pixel.Compare(want[bright], got); err != nil || d.Max != 0 {
				t.Errorf("render %d: %+v, %v", i, d, err)
			}
		})
	}
	all.Wait()
}

func (l *setup) variant(bright bool, name string) render.Job {
	job := render.Job{Output: name, Size: 150, Sidecar: l.base}
	if bright {
		job.Sidecar = l.bright
	}
	return job
}

func TestARegionHasThePixelsOfTheSensor(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		testutil.AcquireDarktable(t)
		l := newSetup(t, dt)
		whole := l.develop(t, render.Job{Output: "whole.png"})
		region := render.Region{X: 0.25, Y: 0.5, Width: 0.5, Height: 0.25}
		job := render.Job{Raw: l.raw, Sidecar: l.base, Output: filepath.Join(l.out, "region.jpg"), Quality: 98}
		p, err := l.RenderRegion(t.Context(), job, region)
		if err != nil {
			t.Fatal(err)
		}
		m, err := render.Load(whole.Path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := render.Crop(m, region)
		if err != nil {
			t.Fatal(err)
		}
		var coded bytes.Buffer
		if err := render.EncodeJPEG(&coded, want, 98); err != nil {
			t.Fatal(err)
		}
		if want, err = jpeg.Decode(&coded); err != nil {
			t.Fatal(err)
		}
		d, err := pixel.Compare(pixel.FromImage(want), loadPixels(t, p))
		if err != nil || d.Max > 0.1 {
			t.Errorf("the region is not that of the whole picture: %+v, %v", d, err)
		}
		job.Size, job.Output = 100, filepath.Join(l.out, "small.jpg")
		if p, err = l.RenderRegion(t.Context(), job, region); err != nil || p.Width != 100 {
			t.Errorf("got %+v, %v; want a width of 100", p, err)
		}
	})
}
