package chemigram

import (
	"math"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/xmp/mask"
)

// ellipse is a mask of one ellipse with an edge of 0.02.
func ellipse(x, y, a, b, rotation float64) *Mask {
	return &Mask{Shapes: []MaskShape{{
		Kind: mask.KindEllipse, X: &x, Y: &y, Radius: a, RadiusY: b, Rotation: rotation, Softness: new(mask.Share(0.02)),
	}}}
}

func applyMasked(t *testing.T, e *Engine, p ApplyPrimitiveParams) EditResult {
	t.Helper()
	p.ImageID = "a"
	res, err := e.ApplyPrimitive(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// inEllipse is how far a pixel is inside (below 1) or outside of an ellipse,
// in its half axes.
func inEllipse(x, y float64, p *pixel.Image, cx, cy, a, b, rotation float64) float64 {
	w, h := float64(p.Width), float64(p.Height)
	short := min(w, h)
	dx, dy := (x+0.5-cx*w)/short, (y+0.5-cy*h)/short
	sin, cos := math.Sincos(rotation * math.Pi / 180)
	return math.Hypot((dx*cos+dy*sin)/a, (dy*cos-dx*sin)/b)
}

// A shape is where its numbers say, in the picture as it is seen: turned,
// perspective corrected and cropped.
func TestAShapeIsPlacedInTheDevelopedPicture(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := ready(t, dt, scene.Chart{})
		if _, err := set(t, e, "ashift", "", "rotation", "8"); err != nil {
			t.Fatal(err)
		}
		if _, err := set(t, e, "crop", "", "cx", "0.2", "cy", "0.1", "cw", "0.9", "ch", "0.85"); err != nil {
			t.Fatal(err)
		}
		before := previewOf(t, e, "")
		applyMasked(t, e, ApplyPrimitiveParams{PrimitiveName: "exposure", Value: new(-1.5), Mask: ellipse(0.4, 0.6, 0.3, 0.15, 30)})
		after := previewOf(t, e, "")
		var inside, outside, missed, n, beyond float64
		for i := range before.Width * before.Height {
			x, y := i%before.Width, i/before.Width
			d := pixel.DeltaE2000(before.At(x, y).Lab(), after.At(x, y).Lab())
			switch r := inEllipse(float64(x), float64(y), before, 0.4, 0.6, 0.3, 0.15, 30); {
			case r < 0.95:
				n++
				inside += d
				if d < 5 {
					missed++
				}
			case r > 1.3:
				outside, beyond = outside+d, beyond+1
			}
		}
		if missed/n > 0.01 || !(outside/beyond < 0.1) {
			t.Errorf("inside ΔE %.1f, %.2f %% of it missed; outside %.3f", inside/n, 100*missed/n, outside/beyond)
		}
	})
}

// What preview_mask shows is where a move then works, in a picture that is
// turned and cropped: and neither the shape nor the numbers depend on how dark
// the place is.
func TestAMaskIsSeenBeforeItIsUsed(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, _ := ready(t, dt, scene.Chart{})
		if _, err := set(t, e, "crop", "", "cx", "0.25", "cy", "0", "cw", "0.95", "ch", "1"); err != nil {
			t.Fatal(err)
		}
		where := ellipse(0.5, 0.5, 0.3, 0.2, 0)
		head := headHash(t, e)
		seen, err := e.PreviewMask(t.Context(), PreviewMaskParams{ImageID: "a", Mask: *where, Size: 300})
		if err != nil {
			t.Fatal(err)
		}
		w, h := float64(seen.Width), float64(seen.Height)
		short := min(w, h)
		// The border's fall-off counts about half of its 0.02.
		want := math.Pi * 0.308 * 0.208 * short * short / (w * h)
		if math.Abs(seen.Fraction-want) > 0.01 {
			t.Errorf("the ellipse selects %.3f of the picture, want %.3f", seen.Fraction, want)
		}
		sky, err := e.PreviewMask(t.Context(), PreviewMaskParams{ImageID: "a", Mask: Mask{Name: "sky_blue"}, Size: 300})
		if err != nil {
			t.Fatal(err)
		}
		if sky.Lab.Hue < 230 || sky.Lab.Hue > 310 || sky.Lab.Chroma < 15 {
			t.Errorf("what is sky blue has the mean colour %+v", sky.Lab)
		}
		if headHash(t, e) != head {
			t.Error("looking at a mask changed the edit")
		}
	})
}

// Regions in one snapshot, each with its own values; replaced by what has the
// same label, taken back at the neutral value.
func TestMovesByRegionAreOneSnapshot(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, baseline := ready(t, dt, scene.Chart{})
		left, right := ellipse(0.25, 0.5, 0.1, 0.1, 0), ellipse(0.75, 0.5, 0.1, 0.1, 0)
		left.Label = "left"
		plain := previewOf(t, e, "")
		res, err := e.ApplyPerRegion(t.Context(), ApplyPerRegionParams{
			ImageID: "a", PrimitiveName: "exposure",
			Regions: []RegionMove{{Mask: *left, Value: new(1.0)}, {Mask: *right, Value: new(-1.0)}, {Mask: Mask{Name: "top_third"}, PrimitiveName: "warmth", Value: new(40.0)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		log, err := e.Log(t.Context(), LogParams{ImageID: "a"})
		if err != nil {
			t.Fatal(err)
		}
		if log.Total != 2 || !res.Changed {
			t.Errorf("%d snapshots, want the baseline and one more", log.Total)
		}
		edited := previewOf(t, e, "")
		light := func(p *pixel.Image, x, y float64) float64 {
			return p.Mean(pixel.Rect{X: x - 0.03, Y: y - 0.03, Width: 0.06, Height: 0.06}).Luminance()
		}
		for _, place := range []struct {
			name     string
			x, y     float64
			low, top float64
		}{
			{"left", 0.25, 0.5, 1.3, 2.5},
			{"right", 0.75, 0.5, 0.3, 0.75},
			{"between", 0.5, 0.6, 0.99, 1.01},
		} {
			if ratio := light(edited, place.x, place.y) / light(plain, place.x, place.y); !(ratio > place.low && ratio < place.top) {
				t.Errorf("%s: the light changes by %.2f, want %g to %g", place.name, ratio, place.low, place.top)
			}
		}
		moved := ellipse(0.25, 0.8, 0.1, 0.1, 0)
		moved.Label = "left"
		applyMasked(t, e, ApplyPrimitiveParams{PrimitiveName: "exposure", Value: new(1.0), Mask: moved})
		again := applyMasked(t, e, ApplyPrimitiveParams{PrimitiveName: "exposure", Value: new(1.0), Mask: moved})
		if again.Changed {
			t.Error("the same move with the same mask changed the edit")
		}
		if got := light(previewOf(t, e, ""), 0.25, 0.5) / light(plain, 0.25, 0.5); math.Abs(got-1) > 0.01 {
			t.Errorf("what was lightened first is still %.2f times as light, after its label moved on", got)
		}
		for _, where := range []*Mask{moved, right} {
			applyMasked(t, e, ApplyPrimitiveParams{PrimitiveName: "exposure", Value: new(0.0), Mask: where})
		}
		back := applyMasked(t, e, ApplyPrimitiveParams{PrimitiveName: "warmth", Value: new(0.0), Mask: &Mask{Name: "top_third"}})
		if *back.StateAfter.HeadHash != baseline.BaselineHash {
			t.Error("taking all back is not the baseline")
		}
	})
}
