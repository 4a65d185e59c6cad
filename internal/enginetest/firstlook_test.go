package enginetest

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// benchLook is how many rounds `make bench-look` measures; without it, nothing is
// measured.
const benchLook = "CHEMIGRAM_BENCH_LOOK"

// TestHowSoonTheFirstPicturesCome prints how long it takes until a raw of 24 megapixels
// that nobody has seen is registered and looked at, in turns with one run of darktable's
// command line for a picture of the same size; then, from the darktable that was
// prepared meanwhile, how long exact previews take after others and after drafts. Each
// round has a workspace, a cache and an engine of its own.
func TestHowSoonTheFirstPicturesCome(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv(benchLook))
	if err != nil {
		t.Skip(benchLook + " does not say how many rounds to measure")
	}
	raw := filepath.Join(t.TempDir(), "landscape.dng")
	if err := scene.Write(raw, scene.Landscape{}, scene.Options{Megapixels: 24, DNG: dng.Options{Noise: 1}}); err != nil {
		t.Fatal(err)
	}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		b := &lookBench{darktable: dt, raw: raw, took: map[string][]time.Duration{}}
		configuration := t.TempDir()
		byHand := func() {
			dt.DevelopByHand(t, configuration, raw, "", filepath.Join(t.TempDir(), "picture.jpg"), 1024, false)
		}
		byHand() // fills the configuration
		for range rounds {
			b.time("by hand", byHand)
			b.round(t)
		}
		t.Logf("darktable %s, %d rounds", dt.Name, rounds)
		base := testutil.Median(b.took["by hand"])
		for _, what := range b.order {
			m := testutil.Median(b.took[what])
			t.Logf("%-34s %6.2f s  %5.2f×  (%v)", what, m.Seconds(), m.Seconds()/base.Seconds(), b.took[what])
		}
	})
}

// A lookBench measures what is done under names.
type lookBench struct {
	darktable testutil.Darktable
	raw       string
	order     []string
	took      map[string][]time.Duration
}

func (b *lookBench) time(what string, do func()) {
	if b.took[what] == nil {
		b.order = append(b.order, what)
	}
	began := time.Now()
	do()
	b.took[what] = append(b.took[what], time.Since(began))
}

// round registers the raw in a new workspace and looks at it.
func (b *lookBench) round(t *testing.T) {
	t.Helper()
	root := t.TempDir()
	e, err := chemigram.Open(t.Context(), &chemigram.Options{
		Workspace: root, Darktable: b.darktable.CLI, Tastes: filepath.Join(root, "tastes"),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = e.Close() }()
	look := func(quality chemigram.PreviewQuality) {
		got, err := e.RenderPreview(t.Context(), chemigram.RenderPreviewParams{ImageID: "a", Quality: quality})
		if err != nil || got.Quality != quality {
			t.Errorf("%+v, %v: not %s", got, err, quality)
		}
	}
	b.time("ingest and the first look", func() {
		_, err := e.Ingest(t.Context(), chemigram.IngestParams{RawPath: b.raw, ImageID: "a"})
		if err != nil {
			t.Fatal(err)
		}
		look(chemigram.QualityExact)
	})
	testutil.WaitFor(t, "a prepared darktable", func() bool {
		health, err := e.HealthCheck(t.Context(), chemigram.HealthCheckParams{})
		return err == nil && health.Darktable.RenderMode == "prepared"
	})
	ev := 0.0
	apply := func() {
		ev += 0.05
		_, err := e.ApplyPrimitive(t.Context(), chemigram.ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &ev})
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // the first of them is the first that this darktable develops after its test
		apply()
		b.time("exact, after another exact one", func() { look(chemigram.QualityExact) })
	}
	for range 3 {
		apply()
		b.time("draft", func() { look(chemigram.QualityDraft) })
	}
	apply()
	b.time("exact, after drafts", func() { look(chemigram.QualityExact) })
}
