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

// inEllipse tells how far a pixel is inside (below 1) or outside of an ellipse,
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
		e, raw := openWith(t, dt, scene.Chart{})
		ingest(t, e, raw)
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
