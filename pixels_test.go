package chemigram

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
)

// openWith opens an engine on a real darktable, with a raw of a scene in a
// folder of its own.
func openWith(t *testing.T, dt testutil.Darktable, s scene.Scene) (e *Engine, raw string) {
	t.Helper()
	raw = filepath.Join(t.TempDir(), "IMG_0001.dng")
	if err := scene.Write(raw, s, scene.Options{Megapixels: 0.3}); err != nil {
		t.Fatal(err)
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	e, err := Open(t.Context(), &Options{Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: dt.CLI, Workers: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	return e, raw
}

// startOf gives an image and what its next edit starts from.
func startOf(t *testing.T, e *Engine, id ImageID) (*workspace.Image, compose.Start) {
	t.Helper()
	img, err := e.image(id)
	if err != nil {
		t.Fatal(err)
	}
	head, err := img.At(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	now, err := e.startFrom(t.Context(), img, head.Sidecar)
	if err != nil {
		t.Fatal(err)
	}
	return img, now
}

func ingest(t *testing.T, e *Engine, raw string) IngestResult {
	t.Helper()
	res, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: "a"})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// ingests remembers what darktable said of a scene's raw.
var ingests struct {
	sync.Mutex
	known map[string]ingested
}

type ingested struct {
	result   IngestResult
	file     workspace.File
	baseline []byte
}

// ready is an engine on a real darktable with the image "a" of a scene. An ingest
// costs a start of darktable, and gives the same for the same raw: each darktable
// is asked once for each scene.
func ready(t *testing.T, dt testutil.Darktable, s scene.Scene) (*Engine, IngestResult) {
	t.Helper()
	e, raw := openWith(t, dt, s)
	ingests.Lock()
	defer ingests.Unlock()
	key := fmt.Sprintf("%s %#v", dt.CLI, s)
	known, ok := ingests.known[key]
	if !ok {
		known.result = ingest(t, e, raw)
		img, err := e.image("a")
		if err != nil {
			t.Fatal(err)
		}
		baseline, err := img.Baseline(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		known.file, known.baseline = img.File, baseline.Sidecar.Canonical()
		if ingests.known == nil {
			ingests.known = map[string]ingested{}
		}
		ingests.known[key] = known
		return e, known.result
	}
	file := known.file
	file.Raw.Path = raw
	if err := os.Chtimes(raw, time.Time{}, file.Raw.ModifiedAt); err != nil {
		t.Fatal(err)
	}
	if err := register(t.Context(), e, file, known.baseline); err != nil {
		t.Fatal(err)
	}
	return e, known.result
}

// previewed is the picture of a preview.
func previewed(t *testing.T, e *Engine, p RenderPreviewParams) *pixel.Image {
	t.Helper()
	res, err := e.RenderPreview(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := pixel.Load(res.JPEGPath)
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

func previewOf(t *testing.T, e *Engine, ref RefOrHash) *pixel.Image {
	t.Helper()
	return previewed(t, e, RenderPreviewParams{ImageID: "a", RefOrHash: ref, Size: 384})
}

func distance(t *testing.T, a, b *pixel.Image) pixel.Difference {
	t.Helper()
	d, err := pixel.Compare(a, b)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestTheBaselineShowsThisRawCorrectly(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, raw := openWith(t, dt, scene.Chart{})
		res := ingest(t, e, raw)
		if !res.Created || res.EXIFSummary.Make != "Chemigram" || res.EXIFSummary.ISO != 100 {
			t.Errorf("ingest = %+v, want a new image of the synthetic camera at ISO 100", res)
		}
		picture := previewOf(t, e, "")
		for _, patch := range (scene.Chart{}).Patches() {
			if !patch.Neutral {
				continue
			}
			lab := picture.Mean(patch.Rect).Lab()
			if lab.A < -3 || lab.A > 3 || lab.B < -3 || lab.B > 3 {
				t.Errorf("%s develops to a* %.1f, b* %.1f; want both within 3 of neutral", patch.Name, lab.A, lab.B)
			}
		}
	})
}

func TestAnIngestAgainGivesTheSameImage(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, raw := openWith(t, dt, scene.Chart{})
		folder := fingerprint(t, filepath.Dir(raw))
		first := ingest(t, e, raw)
		again := ingest(t, e, raw)
		if again.Created || again.BaselineHash != first.BaselineHash {
			t.Errorf("again = %+v, want the same image, not created", again)
		}
		apply(t, e, "exposure", 1)
		previewOf(t, e, "")
		if _, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a", Size: 200}); err != nil {
			t.Fatal(err)
		}
		if got := fingerprint(t, filepath.Dir(raw)); got != folder {
			t.Error("the raw's folder has changed")
		}

		other := filepath.Join(t.TempDir(), "IMG_0001.dng")
		if err := scene.Write(other, scene.Ramp{}, scene.Options{Megapixels: 0.3}); err != nil {
			t.Fatal(err)
		}
		_, err := e.Ingest(t.Context(), IngestParams{RawPath: other, ImageID: "a"})
		if !errors.Is(err, ErrState) || !strings.Contains(err.Error(), `"a-2"`) {
			t.Errorf("err = %v, want a state_error that suggests a-2", err)
		}
	})
}

func TestFilesThatAreNoPictureAreRefused(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, raw := openWith(t, dt, scene.Chart{})
		data, err := os.ReadFile(raw)
		if err != nil {
			t.Fatal(err)
		}
		for name, tt := range map[string]struct {
			content []byte
			code    Code
		}{
			"text.NEF":      {[]byte("this is a text file\n"), ErrDarktable},
			"truncated.dng": {data[:len(data)/3], ErrDarktable},
			"empty.dng":     {nil, ErrInvalidInput},
		} {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, tt.content, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := e.Ingest(t.Context(), IngestParams{RawPath: path})
			if !errors.Is(err, tt.code) {
				t.Errorf("%s: err = %v, want %s", name, err, tt.code)
			}
		}
		if _, err := e.Ingest(t.Context(), IngestParams{RawPath: filepath.Join(t.TempDir(), "missing.dng")}); !errors.Is(err, ErrNotFound) {
			t.Errorf("a missing raw: err = %v, want not_found", err)
		}
		images, err := e.ListImages(t.Context(), ListImagesParams{})
		if err != nil || images.Total != 0 {
			t.Errorf("images = %+v, %v; want none", images, err)
		}
	})
}

func TestAPreviewIsDevelopedOnceAndShowsItsVersion(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := ready(t, dt, scene.Chart{})
		apply(t, e, "exposure", 1)
		p := RenderPreviewParams{ImageID: "a", Size: 256}
		first, err := e.RenderPreview(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		again, err := e.RenderPreview(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if first.Cached || !again.Cached || again.Width != 256 {
			t.Errorf("first = %+v, again = %+v; want the second from the cache, 256 wide", first, again)
		}
		res, err := e.Compare(t.Context(), CompareParams{ImageID: "a", HashA: "baseline", HashB: "HEAD", Size: 256})
		if err != nil {
			t.Fatal(err)
		}
		if res.MeanDeltaE < 3 || res.ChangedFraction < 0.9 {
			t.Errorf("one stop brighter: compare = %+v, want a plain difference", res)
		}
	})
}

// Exports do not come from the cache.
func TestTheSameLookHasTheSamePixels(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, ingested := ready(t, dt, scene.Landscape{})
		exported := func() *pixel.Image {
			res, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a", Size: 200, Format: "png"})
			if err != nil {
				t.Fatal(err)
			}
			picture, err := pixel.Load(res.OutputPath)
			if err != nil {
				t.Fatal(err)
			}
			return picture
		}
		apply(t, e, "exposure", 0.7)
		apply(t, e, "clarity", 0.5)
		forward := exported()
		res, err := e.Reset(t.Context(), ResetParams{ImageID: "a"})
		if err != nil || *res.StateAfter.HeadHash != ingested.BaselineHash {
			t.Fatalf("after a reset: %+v, %v; want the baseline %s", res, err, ingested.BaselineHash)
		}
		apply(t, e, "clarity", 0.5)
		apply(t, e, "exposure", 0.7)
		if d := distance(t, forward, exported()); d.Max != 0 {
			t.Errorf("the moves in another order differ by ΔE2000 %.2f", d.Max)
		}
	})
}

func TestAnExportSaysWhichStateItShows(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := ready(t, dt, scene.Chart{})
		state := *apply(t, e, "exposure", 0.5).StateAfter.HeadHash
		out := t.TempDir()
		for _, format := range []Format{"jpeg", "png", "tiff", "webp"} {
			res, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a", Format: format, Size: 120, OutputDir: out})
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(res.OutputPath)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(data), `chemigram:state="`+state+`"`) || !strings.Contains(string(data), `darktable:operation="exposure"`) {
				t.Errorf("%s does not carry its state and history", format)
			}
			if _, err := render.Load(res.OutputPath); err != nil {
				t.Errorf("%s with its state: %v", format, err)
			}
		}
		again, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a", Size: 120, OutputDir: out})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(again.OutputPath, "_2.jpg") {
			t.Errorf("the second export went to %s, want a name of its own", again.OutputPath)
		}
	})
}

// Instances of one module run in the order of their names: what makes a picture
// grey has to come after what colours its light.
func TestBlackAndWhiteStaysGreyUnderMovesOfColour(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := ready(t, dt, scene.Chart{})
		for name, value := range map[string]float64{"black_and_white": 0.3, "warmth": 40, "tint": 0.6, "saturation": 0.5, "vibrance": 0.5} {
			apply(t, e, name, value)
		}
		picture := previewOf(t, e, "")
		for _, patch := range (scene.Chart{}).Patches() {
			if chroma := picture.Mean(patch.Rect).Lab().Chroma(); chroma > 0.5 {
				t.Errorf("%s has chroma %.2f, want none", patch.Name, chroma)
			}
		}
	})
}
