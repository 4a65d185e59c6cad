package chemigram

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// openForMatch opens an engine with images of one landscape. What they are named by is
// the JPEG that is in the raw; nil is none.
func openForMatch(t *testing.T, dt testutil.Darktable, images map[ImageID][]byte) *Engine {
	t.Helper()
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	e, err := Open(t.Context(), &Options{Workspace: filepath.Join(t.TempDir(), "workspace"), Darktable: dt.CLI})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	for id, jpeg := range images {
		raw := filepath.Join(t.TempDir(), string(id)+".dng")
		err := scene.Write(raw, scene.Landscape{}, scene.Options{Megapixels: 0.1})
		if err == nil && jpeg != nil {
			err = dng.AddPreview(raw, jpeg)
		}
		if err == nil {
			_, err = e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: id})
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return e
}

func applyAll(t *testing.T, e *Engine, id ImageID, moves map[string]float64) {
	t.Helper()
	for name, value := range moves {
		if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: id, PrimitiveName: name, Value: &value}); err != nil {
			t.Fatal(err)
		}
	}
}

// A hidden edit is found from its exported picture alone, in one labelled snapshot, with
// no more drafts than are allowed, and a dry run says the same; the picture that it then
// is leads to nothing more. The JPEG in a raw is found and matched alike.
func TestAnEditIsFoundFromItsPicture(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e := openForMatch(t, dt, map[ImageID][]byte{"a": nil, "b": nil})
		applyAll(t, e, "b", map[string]float64{"exposure": 0.6, "shadows": 0.5, "saturation": -0.3, "warmth": 14})
		shown, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: "b", Size: 300, Quality: QualityExact})
		if err != nil {
			t.Fatal(err)
		}
		p := MatchReferenceParams{ImageID: "a", Reference: shown.JPEGPath, DryRun: true, Budget: 16}
		dry, err := e.MatchReference(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		if dry.Changed || len(dry.Applied) == 0 || dry.SnapshotHash == "" {
			t.Errorf("a dry run: %+v", dry)
		}
		last := 0
		p.DryRun, p.Label = false, "like the print"
		res, err := e.MatchReference(WithProgress(t.Context(), func(done, total int, _ string) {
			if done < last || done > total {
				t.Errorf("%d of %d after %d", done, total, last)
			}
			last = done
		}), p)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%+v", res.Likeness)
		if !reflect.DeepEqual(res.Applied, dry.Applied) || last != res.Renders || res.Renders > 16 || len(res.Applied) > 6 {
			t.Errorf("%d drafts, %d reported: %+v, in a dry run %+v", res.Renders, last, res.Applied, dry.Applied)
		}
		after := distance(t, pictureOf(t, e, "a").Blur(8), pictureOf(t, e, "b").Blur(8))
		if after.Mean > 2 || res.Understood != "aligned" || !res.Changed || res.After >= res.LightAlone {
			t.Errorf("ΔE2000 %.2f is left: %+v", after.Mean, res.Likeness)
		}
		log, err := e.Log(t.Context(), LogParams{ImageID: "a"})
		if err != nil || log.Total != 2 || log.Entries[0].Label != "like the print" {
			t.Errorf("%+v, %v", log.Entries, err)
		}
		again, err := e.MatchReference(t.Context(), MatchReferenceParams{ImageID: "b", Reference: shown.JPEGPath})
		if err != nil || again.Changed || len(again.Applied) > 0 || again.LeftAlone != "" {
			t.Errorf("the same picture: %+v, %v", again, err)
		}
		jpeg, err := os.ReadFile(shown.JPEGPath)
		if err != nil {
			t.Fatal(err)
		}
		camera := openForMatch(t, dt, map[ImageID][]byte{"c": jpeg})
		from, err := camera.MatchReference(t.Context(), MatchReferenceParams{ImageID: "c", Reference: "camera", DryRun: true, Budget: 8})
		if err != nil || from.Understood != "aligned" || from.After >= from.Before/2 {
			t.Errorf("the camera's JPEG: %+v, %v", from, err)
		}
	})
}

// even is a picture of one colour.
func even(c color.Color, width, height int) image.Image {
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(m, m.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
	return m
}

// References that show nothing, or nothing that can be matched, change nothing and say
// why; and so does a call that ends early.
func TestWhatCannotBeMatchedChangesNothing(t *testing.T) {
	dt := testutil.AnyDarktable(t)
	e := openForMatch(t, dt, map[ImageID][]byte{"a": nil})
	applyAll(t, e, "a", map[string]float64{"exposure": -0.5})
	before, err := e.GetState(t.Context(), GetStateParams{ImageID: "a"})
	if err != nil {
		t.Fatal(err)
	}
	stripes := image.NewRGBA(image.Rect(0, 0, 300, 200))
	for i := range 300 * 200 {
		stripes.SetRGBA(i%300, i/300, []color.RGBA{{255, 0, 255, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}}[i%300/7%3])
	}
	for name, m := range map[string]image.Image{
		"black": even(color.Black, 300, 200), "one colour": even(color.RGBA{200, 90, 40, 255}, 300, 200),
		"a pixel": even(color.White, 1, 1), "another motif": stripes,
	} {
		var data bytes.Buffer
		path := filepath.Join(t.TempDir(), "reference.png")
		if err := errors.Join(png.Encode(&data, m), os.WriteFile(path, data.Bytes(), 0o600)); err != nil {
			t.Fatal(err)
		}
		res, err := e.MatchReference(t.Context(), MatchReferenceParams{ImageID: "a", Reference: path, Budget: 10})
		if err != nil || res.Changed || res.LeftAlone == "" || res.SnapshotHash != *before.HeadHash {
			t.Errorf("%s: %+v, %v", name, res, err)
		}
		t.Log(name, ": ", res.LeftAlone)
	}
	ctx, cancel := context.WithCancel(t.Context())
	other := filepath.Join(t.TempDir(), "other.jpg")
	shown, err := render.Load(mustPreview(t, e, "a"))
	if err != nil {
		t.Fatal(err)
	}
	var data bytes.Buffer
	if err := errors.Join(render.EncodeJPEG(&data, brighter{shown}, 95), os.WriteFile(other, data.Bytes(), 0o600)); err != nil {
		t.Fatal(err)
	}
	_, err = e.MatchReference(WithProgress(ctx, func(done, _ int, _ string) {
		if done == 3 {
			cancel()
		}
	}), MatchReferenceParams{ImageID: "a", Reference: other})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	log, err := e.Log(t.Context(), LogParams{ImageID: "a"})
	if err != nil || log.Total != 2 {
		t.Errorf("%d snapshots, %v", log.Total, err)
	}
}

func mustPreview(t *testing.T, e *Engine, id ImageID) string {
	t.Helper()
	shown, err := e.RenderPreview(t.Context(), RenderPreviewParams{ImageID: id, Size: 300, Quality: QualityExact})
	if err != nil {
		t.Fatal(err)
	}
	return shown.JPEGPath
}

// brighter is a picture with more light.
type brighter struct{ image.Image }

func (b brighter) At(x, y int) color.Color {
	r, g, bl, _ := b.Image.At(x, y).RGBA()
	more := func(v uint32) uint16 { return uint16(min(65535, v*13/10)) }
	return color.RGBA64{more(r), more(g), more(bl), 65535}
}

func (brighter) ColorModel() color.Model { return color.RGBA64Model }

// References that cannot be read are refused before anything is developed.
func TestReferencesThatCannotBeReadAreRefused(t *testing.T) {
	roots := t.TempDir()
	e := openWithout(t, Options{RawRoots: []string{roots}})
	add(t, e, "a", "5.4.1")
	text, outside := filepath.Join(roots, "text.jpg"), filepath.Join(t.TempDir(), "outside.jpg")
	for _, path := range []string{text, outside} {
		if err := os.WriteFile(path, []byte("no picture"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		p    MatchReferenceParams
		code Code
		says string
	}{
		{MatchReferenceParams{Reference: text}, ErrInvalidInput, "JPEG, PNG or TIFF"},
		{MatchReferenceParams{Reference: outside}, ErrPermission, "outside"},
		{MatchReferenceParams{Reference: roots}, ErrInvalidInput, "folder"},
		{MatchReferenceParams{Reference: "../../etc/passwd"}, ErrPermission, "passwd"},
		{MatchReferenceParams{Reference: filepath.Join(roots, "gone.jpg")}, ErrNotFound, "gone.jpg"},
		{MatchReferenceParams{Reference: text, RefOrHash: "HEAD"}, ErrInvalidInput, "no image"},
		{MatchReferenceParams{Reference: "camera", RefOrHash: "HEAD"}, ErrInvalidInput, "no image"},
		{MatchReferenceParams{Reference: " "}, ErrInvalidInput, "reference"},
		{MatchReferenceParams{Reference: text, Budget: 3}, ErrInvalidInput, "8 to 96"},
		{MatchReferenceParams{Reference: text, MaxMoves: 17}, ErrInvalidInput, "1 to 16"},
	} {
		tt.p.ImageID = "a"
		_, err := e.MatchReference(t.Context(), tt.p)
		told := AsError(err)
		if told == nil || told.Code != tt.code || !strings.Contains(errorWithDetails(told), tt.says) {
			t.Errorf("%+v: %v, want %s that says %q", tt.p, err, tt.code, tt.says)
		}
	}
}

func errorWithDetails(e *Error) string { return fmt.Sprint(e.Message, e.Details) }
