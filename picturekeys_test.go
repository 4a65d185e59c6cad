package chemigram

import (
	"fmt"
	goimage "image"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// show gives every picture that a verb shows of an image, by the verb and what it
// shows: all verbs that keep pictures are here.
func show(t *testing.T, e *Engine, id ImageID, mask Mask) map[string]string {
	t.Helper()
	shown := map[string]string{}
	note := func(what, path string, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s of %s: %v", what, id, err)
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		shown[what] = string(data)
	}
	for _, p := range []RenderPreviewParams{
		{Quality: QualityExact}, {Region: &Region{X: 0.25, Y: 0.25, Width: 0.5, Height: 0.5}},
	} {
		p.ImageID, p.Size = id, 96
		what := fmt.Sprintf("render_preview %v", p.Region != nil)
		res, err := e.RenderPreview(t.Context(), p)
		note(what, res.JPEGPath, err)
	}
	both, err := e.Compare(t.Context(), CompareParams{ImageID: id, HashA: "baseline", HashB: "HEAD", Size: 96})
	note("compare", both.JPEGPath, err)
	note("compare difference", both.DifferencePath, err)
	selected, err := e.PreviewMask(t.Context(), PreviewMaskParams{ImageID: id, Mask: mask, Size: 96})
	note("preview_mask", selected.JPEGPath, err)
	sheet, err := e.RenderVariants(t.Context(), RenderVariantsParams{ImageID: id, PrimitiveName: "exposure", Values: []float64{0.7}, Size: 96})
	note("render_variants", sheet.JPEGPath, err)
	stats, err := e.ImageStats(t.Context(), ImageStatsParams{ImageID: id, Size: 96})
	if err != nil {
		t.Fatal(err)
	}
	stats.StateHash = ""
	shown["image_stats"] = fmt.Sprintf("%+v", stats)
	return shown
}

// writeRaw photographs a scene, always with the same camera.
func writeRaw(t *testing.T, path string, s scene.Scene) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := scene.Write(path, s, scene.Options{Megapixels: 0.1}); err != nil {
		t.Fatal(err)
	}
	return path
}

// writeHalf writes the mask of one half of the picture.
func writeHalf(t *testing.T, path string, left bool) {
	t.Helper()
	m := goimage.NewGray(goimage.Rect(0, 0, 60, 40))
	for i := range m.Pix {
		if (i%60 < 30) == left {
			m.Pix[i] = 255
		}
	}
	if err := os.Rename(writePNG(t, m), path); err != nil {
		t.Fatal(err)
	}
}

// Two raws of one camera and one name with one edit have one state; no verb shows
// one for the other, in one engine or through the folder that engines share. A mask
// is what its file holds, not where it lies.
func TestNoVerbShowsAnotherPicture(t *testing.T) {
	dt := testutil.AnyDarktable(t)
	dir := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	open := func() *Engine {
		e, err := Open(t.Context(), &Options{Workspace: filepath.Join(dir, "workspace"), Darktable: dt.CLI, Workers: -1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = e.Close() })
		return e
	}
	e := open()
	states := map[string]bool{}
	for id, s := range map[ImageID]scene.Scene{"a": scene.Landscape{}, "b": scene.Chart{}} {
		raw := writeRaw(t, filepath.Join(dir, string(id), "IMG_0001.dng"), s)
		if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: id}); err != nil {
			t.Fatal(err)
		}
		res, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: id, PrimitiveName: "exposure", Value: new(0.7)})
		if err != nil {
			t.Fatal(err)
		}
		states[*res.StateAfter.HeadHash] = true
	}
	if len(states) != 1 {
		t.Fatalf("the two images have %d states; this test needs them to have one", len(states))
	}
	file := filepath.Join(dir, "mask.png")
	writeHalf(t, file, true)
	mask := Mask{File: file}
	a, b := show(t, e, "a", mask), show(t, e, "b", mask)
	other := open()
	b2, a2 := show(t, other, "b", mask), show(t, other, "a", mask)
	for verb := range a {
		if a[verb] == b[verb] {
			t.Errorf("%s shows the same for two raws", verb)
		}
		if a2[verb] != a[verb] || b2[verb] != b[verb] {
			t.Errorf("%s of another engine shows something else", verb)
		}
	}
	writeHalf(t, file, false)
	res, err := e.PreviewMask(t.Context(), PreviewMaskParams{ImageID: "a", Mask: mask, Size: 96})
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(res.JPEGPath); err != nil || string(data) == a["preview_mask"] {
		t.Errorf("the mask's file was rewritten, and preview_mask shows the old one (%v)", err)
	}
}
