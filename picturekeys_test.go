package chemigram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	goimage "image"
	"os"
	"path/filepath"
	"strings"
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
	numbers, err := json.Marshal(stats)
	if err != nil {
		t.Fatal(err)
	}
	shown["image_stats"] = string(numbers)
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
		if a[verb] == b[verb] || a2[verb] == b2[verb] || a[verb] == b2[verb] || a2[verb] == b[verb] {
			t.Errorf("%s shows the same for two raws", verb)
		}
		// What a mask selects is measured by each engine, within darktable's rounding.
		if verb != "preview_mask" && (a2[verb] != a[verb] || b2[verb] != b[verb]) {
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

// rebuild replaces a fake darktable by another build of the same version and size.
func rebuild(t *testing.T, fake *testutil.Fake) {
	t.Helper()
	info, err := os.Stat(fake.CLI)
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(fake.CLI)
	if err != nil {
		t.Fatal(err)
	}
	other := strings.Replace(string(program), "# A replacement", "# a replacement", 1)
	if other == string(program) {
		other = strings.Replace(string(program), "# a replacement", "# A replacement", 1)
	}
	if err := os.WriteFile(fake.CLI+".new", []byte(other), info.Mode()); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(fake.CLI+".new", info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(fake.CLI+".new", fake.CLI); err != nil {
		t.Fatal(err)
	}
}

// replaceRaw puts other content of the same size and time in an image's raw's place.
func replaceRaw(t *testing.T, e *Engine, id ImageID) {
	t.Helper()
	img, err := e.image(id)
	if err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(img.Raw.Path)
	if err != nil {
		t.Fatal(err)
	}
	content[len(content)/2] ^= 1
	if err := os.WriteFile(img.Raw.Path+".new", content, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(img.Raw.Path+".new", img.Raw.ModifiedAt, img.Raw.ModifiedAt); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(img.Raw.Path+".new", img.Raw.Path); err != nil {
		t.Fatal(err)
	}
}

// developing are the verbs that develop an image, or show what was developed.
var developing = map[string]func(ctx context.Context, e *Engine) error{
	"render_preview": func(ctx context.Context, e *Engine) error {
		_, err := e.RenderPreview(ctx, RenderPreviewParams{ImageID: "a", Size: 96})
		return err
	},
	"compare": func(ctx context.Context, e *Engine) error {
		_, err := e.Compare(ctx, CompareParams{ImageID: "a", HashA: "baseline", HashB: "HEAD", Size: 96})
		return err
	},
	"render_variants": func(ctx context.Context, e *Engine) error {
		_, err := e.RenderVariants(ctx, RenderVariantsParams{ImageID: "a", PrimitiveName: "exposure", Values: []float64{0, 1}, Size: 96})
		return err
	},
	"preview_mask": func(ctx context.Context, e *Engine) error {
		_, err := e.PreviewMask(ctx, PreviewMaskParams{ImageID: "a", Mask: Mask{Ranges: []MaskRange{{Channel: "lightness", From: new(0.2)}}}, Size: 96})
		return err
	},
	"image_stats": func(ctx context.Context, e *Engine) error {
		_, err := e.ImageStats(ctx, ImageStatsParams{ImageID: "a", Size: 96})
		return err
	},
	"export_final": func(ctx context.Context, e *Engine) error {
		_, err := e.ExportFinal(ctx, ExportFinalParams{ImageID: "a", Size: 96})
		return err
	},
	"export_batch": func(ctx context.Context, e *Engine) error {
		res, err := e.ExportBatch(ctx, ExportBatchParams{Items: []ExportItem{{ImageID: "a"}}, Size: 96})
		if err == nil && res.Failed > 0 {
			err = &Error{Code: res.Outcomes[0].ErrorCode, Message: res.Outcomes[0].Error}
		}
		return err
	},
}

// No verb shows what was kept of a raw that was replaced, nor develops the new one
// under the old one's name.
func TestNoVerbDevelopsARawThatWasReplaced(t *testing.T) {
	e, fake := openFake(t, testutil.FakeOptions{}, "a")
	for name, verb := range developing {
		if err := verb(t.Context(), e); err != nil && name != "preview_mask" { // the fake has no mask to measure
			t.Fatalf("%s: %v", name, err)
		}
	}
	replaceRaw(t, e, "a")
	calls := len(fake.Calls())
	for name, verb := range developing {
		if err := verb(t.Context(), e); !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "has changed since a was ingested") {
			t.Errorf("%s: %v, want a state_error that says so", name, err)
		}
	}
	if n := len(fake.Calls()); n != calls {
		t.Errorf("darktable was started %d times", n-calls)
	}
}

// What another build of one version developed is not shown, and comes back with the
// build that made it.
func TestAnotherBuildOfDarktableDevelopsAnew(t *testing.T) {
	e, fake := openFake(t, testutil.FakeOptions{}, "a")
	cached := func() bool {
		res, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "a", Size: 96})
		if err != nil {
			t.Fatal(err)
		}
		return res.Cached
	}
	if cached() || !cached() {
		t.Fatal("a preview is not kept")
	}
	rebuild(t, fake)
	if cached() || !cached() {
		t.Error("the preview of another build was shown, or the new one is not kept")
	}
	rebuild(t, fake)
	if !cached() {
		t.Error("the first build is back, and its preview is not")
	}
}
