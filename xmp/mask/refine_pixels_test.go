package mask_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// partly is the part of the picture that a mask selects between a tenth and nine
// tenths.
func (m selection) partly() float64 {
	n := 0
	for _, v := range m.at {
		if v > 0.1 && v < 0.9 {
			n++
		}
	}
	return float64(n) / float64(len(m.at))
}

func TestMasksAreRefined(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		s := newDeveloper(t, dt, scene.Landscape{}, scene.Options{Megapixels: 0.06})
		hard := mask.Circle{X: 0.5, Y: 0.5, Radius: 0.3, Border: 0.001}
		soft := mask.Circle{X: 0.5, Y: 0.5, Radius: 0.1, Border: 0.3}
		jobs := map[string]*xmp.Sidecar{"": s.baseline}
		for name, m := range map[string]struct {
			circle mask.Circle
			refine mask.Refine
		}{
			"hard": {hard, mask.Refine{}}, "blur": {hard, mask.Refine{BlurRadius: 10}}, "feather": {hard, mask.Refine{FeatherRadius: 20}},
			"soft": {soft, mask.Refine{}}, "steeper": {soft, mask.Refine{Contrast: 0.5}}, "flatter": {soft, mask.Refine{Contrast: -0.5}},
			"brighter": {soft, mask.Refine{Brightness: 0.5}}, "darker": {soft, mask.Refine{Brightness: -0.5}},
			"detailed": {mask.Circle{X: 0.5, Y: 0.5, Radius: 2}, mask.Refine{Details: 0.3}}, "even": {mask.Circle{X: 0.5, Y: 0.5, Radius: 2}, mask.Refine{Details: -0.7}},
		} {
			masked := shape(m.circle)
			masked.Refine = m.refine
			jobs[name] = s.with(s.baseline, s.darkerWhere("mask", masked))
		}
		m := map[string]selection{}
		pictures := s.develop(jobs)
		for name, p := range pictures {
			m[name] = selected(pictures[""], p)
		}
		less := func(what string, a, b float64) {
			t.Helper()
			if !(a < b) {
				t.Errorf("%s: %.4f is not less than %.4f", what, a, b)
			}
		}
		less("a blurred edge is wider", 2*m["hard"].partly(), m["blur"].partly())
		less("a blurred mask has its size", math.Abs(m["hard"].in(pixel.Whole)-m["blur"].in(pixel.Whole)), 0.01)
		less("contrast narrows the transition", m["steeper"].partly(), 0.8*m["soft"].partly())
		less("negative contrast flattens it", m["soft"].partly(), 0.95*m["flatter"].partly())
		less("brightness grows the mask", 1.1*m["soft"].in(pixel.Whole), m["brighter"].in(pixel.Whole))
		less("negative brightness shrinks it", m["darker"].in(pixel.Whole), 0.9*m["soft"].in(pixel.Whole))
		off := 0.0
		for i, v := range m["feather"].at {
			if !math.IsNaN(v) {
				off += math.Abs(v-m["hard"].at[i]) / float64(len(m["feather"].at))
			}
		}
		less("a feathered mask moves to edges", 0.005, off)
		less("and not far", m["feather"].in(pixel.Rect{Width: 0.1, Height: 0.1}), 0.02)
		where := scene.Landscape{}.Regions()
		less("details are in the wood, not in the sky", m["detailed"].in(where.Sky)+0.5, m["detailed"].in(where.Foliage))
		less("the sky is even, the wood is not", m["even"].in(where.Foliage)+0.5, m["even"].in(where.Sky))
	})
}

// mixed is what each mode of scene-referred light makes of 1 and a quarter of
// it. Where it depends on the light, or on the camera's colours, it is NaN.
var mixed = map[string]float64{
	"normal": 0.25, "average": 0.625, "add": 1.25, "subtract": 0.75, "subtract inverse": 0, "difference": 0.75,
	"divide inverse": math.NaN(), "geometric mean": 0.5, "harmonic mean": 0.4, "lightness": 0.25, "chromaticity": 1,
	"multiply": math.NaN(), "divide": math.NaN(), "red": math.NaN(), "green": math.NaN(), "blue": math.NaN(),
}

func TestBlendModesMixWithinTheMaskOnly(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		s := newDeveloper(t, dt, grey{}, scene.Options{Megapixels: 0.06})
		spaces := []mask.ColorSpace{mask.ColorSpaceLab, mask.ColorSpaceRGBDisplay, mask.ColorSpaceRGBScene}
		jobs := map[string]*xmp.Sidecar{"": s.baseline}
		for _, space := range spaces {
			// Every mode in a place of its own, in one picture.
			modes := mask.Modes(space)
			side := s.baseline
			for i, disc := range tiles(len(modes)) {
				m := shape(disc)
				m.Mode = modes[i]
				side = s.with(side, s.masked(s.darker(modes[i]), m, space))
			}
			jobs[space.String()] = side
		}
		pictures := s.develop(jobs)
		for _, space := range spaces {
			modes, discs := mask.Modes(space), tiles(len(mask.Modes(space)))
			plain, got := pictures[""], pictures[space.String()]
			outside, err := pixel.CompareWhere(plain, got, func(u, v float64) bool {
				for _, c := range discs {
					if !discModel(c).surely(u*aspect, v, 0) {
						return false
					}
				}
				return true
			})
			if err != nil || outside.Mean >= 0.1 {
				t.Errorf("%v: between the masks ΔE2000 is %.3f, %v", space, outside.Mean, err)
			}
			results := map[string]bool{}
			for i, c := range discs {
				at := func(m *pixel.Image) float64 {
					return m.At(int(float64(c.X)*float64(m.Width)), int(float64(c.Y)*float64(m.Height))).Luminance()
				}
				ratio := at(got) / at(plain)
				results[fmt.Sprintf("%.2f", ratio)] = true
				want, ok := mixed[modes[i]]
				if space == mask.ColorSpaceRGBScene && (!ok || math.Abs(ratio-want) > 0.01) {
					t.Errorf("%v: %s makes %.3f of the light, want %.3f", space, modes[i], ratio, want)
				}
			}
			if len(results) < 8 {
				t.Errorf("%v: only %d of the modes differ: %v", space, len(results), results)
			}
		}
	})
}
