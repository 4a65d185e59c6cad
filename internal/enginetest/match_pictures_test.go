package enginetest

import (
	"bytes"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// References are matched on painted scenes: the JPEG of an invented camera inside the raw,
// and the palettes of other scenes. CHEMIGRAM_MATCH_PICTURES names a folder for what the
// verb shows.
func TestReferencesOfPaintedScenesAreMatched(t *testing.T) {
	s := &series{t: t, engine: openOn(t, testutil.AnyDarktable(t))}
	paint := func(view scene.Scene) (path string) {
		path = filepath.Join(t.TempDir(), "scene.dng")
		if err := scene.Write(path, view, scene.Options{Megapixels: 0.35, DNG: dng.Options{AsShotKelvin: daylight, Noise: 0.5}}); err != nil {
			t.Fatal(err)
		}
		return path
	}
	ingest := func(path string, id chemigram.ImageID) chemigram.ImageID {
		if _, err := s.engine.Ingest(t.Context(), chemigram.IngestParams{RawPath: path, ImageID: id, TimeoutSeconds: seconds}); err != nil {
			t.Fatal(err)
		}
		return id
	}
	developed := func(id chemigram.ImageID, look string) (string, image.Image) {
		if look != "" {
			if _, err := s.engine.ApplyPrimitive(t.Context(), chemigram.ApplyPrimitiveParams{ImageID: id, PrimitiveName: look}); err != nil {
				t.Fatal(err)
			}
		}
		res, err := s.engine.RenderPreview(t.Context(), chemigram.RenderPreviewParams{
			ImageID: id, Size: 720, Quality: chemigram.QualityExact, TimeoutSeconds: seconds,
		})
		if err != nil {
			t.Fatal(err)
		}
		return res.JPEGPath, decode(t, res.JPEGPath)
	}
	match := func(id chemigram.ImageID, reference, understood, name string, left float64) {
		res, err := s.engine.MatchReference(t.Context(), chemigram.MatchReferenceParams{ImageID: id, Reference: reference, TimeoutSeconds: seconds})
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%s: %s: %.2f before, %.2f by light alone, %.2f after; %s %s", name, res.Understood, res.Before, res.LightAlone, res.After, words(res.Applied), res.LeftAlone)
		if res.Understood != understood || res.After > left*res.Before {
			t.Errorf("%s is understood as %s, and of %.2f %.2f are left", name, res.Understood, res.Before, res.After)
		}
		if dir := os.Getenv("CHEMIGRAM_MATCH_PICTURES"); dir != "" {
			copyFile(t, res.JPEGPath, filepath.Join(dir, name+".jpg"))
		}
	}

	_, plain := developed(ingest(paint(scene.Landscape{}), "landscape"), "")
	raw := paint(scene.Landscape{})
	how := renderings[0]
	if err := dng.AddPreview(raw, encode(t, rendered{plain, how.matrix, how.curve, how.chroma})); err != nil {
		t.Fatal(err)
	}
	match(ingest(raw, "camera"), "camera", "aligned", "matching_camera", 0.5)

	for i, look := range []string{"look_candlelight", "look_moonlight"} {
		lamps, _ := developed(ingest(paint(scene.Lamps{}), chemigram.ImageID(fmt.Sprint("lamps", i))), look)
		reference := filepath.Join(t.TempDir(), look+".jpg")
		copyFile(t, lamps, reference)
		if _, err := s.engine.Reset(t.Context(), chemigram.ResetParams{ImageID: "landscape"}); err != nil {
			t.Fatal(err)
		}
		match("landscape", reference, "palette", "matching_"+look, 0.5)
	}
}

// BenchmarkMatchReference is a whole call for a raw of 24 megapixels and the JPEG of an
// invented camera, with -benchtime 1x.
func BenchmarkMatchReference(b *testing.B) {
	dt := testutil.AnyDarktable(b)
	e, err := chemigram.Open(b.Context(), &chemigram.Options{Workspace: filepath.Join(b.TempDir(), "workspace"), Darktable: dt.CLI, Tastes: filepath.Join(b.TempDir(), "tastes")})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = e.Close() })
	raw := filepath.Join(b.TempDir(), "scene.dng")
	if err := scene.Write(raw, scene.Landscape{}, scene.Options{Megapixels: 24, DNG: dng.Options{AsShotKelvin: daylight, Noise: 0.5}}); err != nil {
		b.Fatal(err)
	}
	if _, err := e.Ingest(b.Context(), chemigram.IngestParams{RawPath: raw, ImageID: "plain"}); err != nil {
		b.Fatal(err)
	}
	plain, err := e.RenderPreview(b.Context(), chemigram.RenderPreviewParams{ImageID: "plain", Size: 1024})
	if err != nil {
		b.Fatal(err)
	}
	for i := 1; ; i++ { // until prepared darktables make drafts, as they do soon after the first look
		ev := 0.01 * float64(i)
		_, err := e.ApplyPrimitive(b.Context(), chemigram.ApplyPrimitiveParams{ImageID: "plain", PrimitiveName: "exposure", Value: &ev})
		if err != nil {
			b.Fatal(err)
		}
		shown, err := e.RenderPreview(b.Context(), chemigram.RenderPreviewParams{ImageID: "plain", Size: 1024})
		if err != nil {
			b.Fatal(err)
		}
		if shown.Quality == chemigram.QualityDraft {
			break
		}
	}
	how := renderings[0]
	reference := filepath.Join(b.TempDir(), "reference.jpg")
	var data bytes.Buffer
	if err := render.EncodeJPEG(&data, rendered{decode(b, plain.JPEGPath), how.matrix, how.curve, how.chroma}, 95); err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(reference, data.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	for b.Loop() { // once: drafts are kept
		res, err := e.MatchReference(b.Context(), chemigram.MatchReferenceParams{ImageID: "plain", Reference: reference, DryRun: true})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(res.Renders), "drafts")
	}
}
