package prove_test

import (
	"image"
	"math"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
	"github.com/chemigram/chemigram/xmp"
)

// withoutToneMapper switches the workflow's tone mapper off, so that the picture is
// proportional to the light.
func withoutToneMapper(t *testing.T, r *renderer, sidecar *xmp.Sidecar) *xmp.Sidecar {
	t.Helper()
	for _, module := range []string{"filmicrgb", "sigmoid", "basecurve", "agx"} {
		e, ok := sidecar.Find(module, "")
		if !ok {
			continue
		}
		e.Enabled = false
		next, err := sidecar.With(r.release, xmp.Put{Entry: e})
		if err != nil {
			t.Fatal(err)
		}
		return next
	}
	t.Fatal("the baseline has no tone mapper")
	return nil
}

func (r *renderer) apply(t *testing.T, base, on *xmp.Sidecar, name string, values map[string]float64) *xmp.Sidecar {
	t.Helper()
	e, err := builtin(t).Entry(name)
	if err != nil {
		t.Fatal(err)
	}
	edits, _, err := e.Compile(vocab.Application{Values: values, Baseline: base, Current: on, Target: r.release})
	if err != nil {
		t.Fatal(err)
	}
	next, err := on.With(r.release, edits...)
	if err != nil {
		t.Fatal(err)
	}
	return next
}

func (r *renderer) chartBaseline(t *testing.T) *xmp.Sidecar {
	t.Helper()
	base, err := r.Baseline(t.Context(), vocab.Chart)
	if err == nil {
		base, err = base.Compact(r.release)
	}
	if err != nil {
		t.Fatal(err)
	}
	return base
}

func (r *renderer) renderChart(t *testing.T, sidecar *xmp.Sidecar, space string) image.Image {
	t.Helper()
	images, err := r.develop(t.Context(), space, prove.Shot{Scene: vocab.Chart, Sidecar: sidecar.Bytes()})
	if err != nil {
		t.Fatal(err)
	}
	return images[0]
}

// One stop is twice the light: measured on the chart's greys in linear light,
// before any tone curve.
func TestAStopDoublesTheLight(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		r := newRenderer(t, dt)
		base := r.chartBaseline(t)
		stop := r.apply(t, base, base, "exposure", map[string]float64{"ev": 1})
		before := r.renderChart(t, withoutToneMapper(t, r, base), "linear-rec709")
		after := r.renderChart(t, withoutToneMapper(t, r, stop), "linear-rec709")
		for _, patch := range (scene.Chart{}).Patches()[21:] { // the lighter ones would clip
			was, is := linearMean(before, patch.Rect), linearMean(after, patch.Rect)
			t.Logf("%s: %.4f became %.4f, by %.4f", patch.Name, was, is, is/was)
			if math.Abs(is/was-2) > 0.01 {
				t.Errorf("%s: luminance %.4f became %.4f, by %.3f instead of 2", patch.Name, was, is, is/was)
			}
		}
	})
}

// linearMean is the mean luminance of a part of a picture in linear Rec.709.
func linearMean(img image.Image, part pixel.Rect) float64 {
	w, h := float64(img.Bounds().Dx()), float64(img.Bounds().Dy())
	sum, n := 0.0, 0
	for y := int(part.Y * h); y < int((part.Y+part.Height)*h); y++ {
		for x := int(part.X * w); x < int((part.X+part.Width)*w); x++ {
			r, g, b, _ := img.At(x, y).RGBA()
			sum += 0.2126*float64(r) + 0.7152*float64(g) + 0.0722*float64(b)
			n++
		}
	}
	return sum / float64(n) / 65535
}

// Warmth shifts greys along the line from blue to amber, tint across it, and
// neither changes their lightness.
func TestWarmthAndTintMoveGreysTheirOwnWay(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		r := newRenderer(t, dt)
		base := r.chartBaseline(t)
		grey := func(state *xmp.Sidecar) pixel.Lab {
			p := pixel.FromImage(r.renderChart(t, state, "srgb"))
			return p.Mean((scene.Chart{}).Patches()[21].Rect).Lab()
		}
		plain := grey(base)
		if plain.Chroma() > 3 {
			t.Errorf("the baseline's grey is %+v", plain)
		}
		for _, tt := range []struct {
			move, parameter string
			value           float64
			a, b            float64 // by how much the grey has to shift, at least
		}{
			{"warmth", "shift", 30, 0, 5},
			{"warmth", "shift", -30, 0, -5},
			{"tint", "amount", 0.5, 4, 0},
			{"tint", "amount", -0.5, -4, 0},
		} {
			is := grey(r.apply(t, base, base, tt.move, map[string]float64{tt.parameter: tt.value}))
			da, db, dl := is.A-plain.A, is.B-plain.B, is.L-plain.L
			t.Logf("%s %+g: Δa* %+.2f, Δb* %+.2f, ΔL* %+.2f", tt.move, tt.value, da, db, dl)
			if da*tt.a < tt.a*tt.a || db*tt.b < tt.b*tt.b {
				t.Errorf("%s %+g moves a grey by a* %+.2f, b* %+.2f", tt.move, tt.value, da, db)
			}
			if math.Abs(dl) > 1 {
				t.Errorf("%s %+g changes a grey's lightness by %+.2f", tt.move, tt.value, dl)
			}
		}
	})
}

// Warmth is relative to the balance that the camera used, whatever that was: it
// warms a picture in tungsten light and one in shade alike.
func TestWarmthIsRelativeToTheCamerasBalance(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		r := newRenderer(t, dt)
		grey := (scene.Chart{}).Patches()[21].Rect
		for _, name := range []vocab.Scene{tungsten, shade} {
			base, err := r.Baseline(t.Context(), name)
			if err == nil {
				base, err = base.Compact(r.release)
			}
			if err != nil {
				t.Fatal(err)
			}
			warm := r.apply(t, base, base, "warmth", map[string]float64{"shift": 30})
			images, err := r.develop(t.Context(), "srgb", prove.Shot{Scene: name, Sidecar: base.Bytes()}, prove.Shot{Scene: name, Sidecar: warm.Bytes()})
			if err != nil {
				t.Fatal(err)
			}
			was, is := pixel.FromImage(images[0]).Mean(grey).Lab(), pixel.FromImage(images[1]).Mean(grey).Lab()
			t.Logf("%s: %.2f became %.2f", name, was, is)
			if was.Chroma() > 3 || is.B-was.B < 5 || is.B-was.B > 12 {
				t.Errorf("in %s light a grey of %.2f becomes %.2f; want 5 to 12 more of b*", name, was, is)
			}
		}
	})
}
