package mask_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// randomMask draws a shape somewhere, sometimes inverted.
func randomMask(r *rand.Rand) mask.Mask {
	at := func(from, to float64) float32 { return float32(from + r.Float64()*(to-from)) }
	var s mask.Shape
	switch r.IntN(4) {
	case 0:
		s = mask.Circle{X: at(0, 1), Y: at(0, 1), Radius: at(0.05, 0.3), Border: at(0, 0.2)}
	case 1:
		s = mask.Ellipse{X: at(0, 1), Y: at(0, 1), RadiusA: at(0.05, 0.3), RadiusB: at(0.05, 0.3), Rotation: at(0, 180), Border: at(0, 0.2)}
	case 2:
		s = mask.Gradient{X: at(0.2, 0.8), Y: at(0.2, 0.8), Rotation: at(0, 360), Compression: at(0.05, 0.4), Falloff: mask.FalloffLinear}
	default:
		x, y := at(0, 0.6), at(0, 0.6)
		s = polygon(at(0, 0.1), x, y, x+at(0.1, 0.4), y, x+at(0, 0.2), y+at(0.1, 0.4))
	}
	m := shape(s)
	m.Shapes[0].Invert = r.IntN(3) == 0
	return m
}

// Moves within masks multiply the light where they are: a composition is the
// product of what each does alone, in any order and with others put and taken
// away in between.
func TestACompositionIsWhatItsPartsAreAlone(t *testing.T) {
	t.Parallel()
	const parts, compositions = 10, 3
	r := rand.New(rand.NewPCG(8, 2))
	masks, evs := make([]mask.Mask, parts), make([]float64, parts)
	for i := range masks {
		masks[i], evs[i] = randomMask(r), -0.3-0.5*r.Float64()
	}
	in := make([][]bool, compositions)
	for c := range in {
		in[c] = make([]bool, parts)
	}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		s := newDeveloper(t, dt, grey{}, scene.Options{Megapixels: 0.06})
		part := func(i int) xmp.Put {
			name := fmt.Sprintf("part %d", i)
			return s.masked(s.put("exposure", name, map[string]float64{"exposure": evs[i], "compensate_exposure_bias": 0}), masks[i], mask.ColorSpaceRGBScene)
		}
		jobs := map[string]*xmp.Sidecar{"plain": s.baseline}
		for i := range parts {
			jobs[fmt.Sprint("part ", i)] = s.with(s.baseline, part(i))
		}
		for c := range compositions {
			side := s.baseline
			for i := range in[c] {
				in[c][i] = false
			}
			for range 4 * parts { // put or take away whatever comes
				i := r.IntN(parts)
				if in[c][i] && r.IntN(2) == 0 {
					side = s.with(side, xmp.Remove{Operation: "exposure", MultiName: fmt.Sprintf("part %d", i)})
					in[c][i] = false
				} else {
					side, in[c][i] = s.with(side, part(i)), true
				}
			}
			jobs[fmt.Sprint("composition ", c)] = side
		}
		pictures := s.develop(jobs)
		plain := pictures["plain"]
		for c := range compositions {
			worst := 0.0
			for i := range plain.Width * plain.Height {
				x, y := i%plain.Width, i/plain.Width
				light := plain.At(x, y).G
				want := light
				for k, there := range in[c] {
					if there {
						want *= pictures[fmt.Sprint("part ", k)].At(x, y).G / light
					}
				}
				worst = max(worst, math.Abs(pictures[fmt.Sprint("composition ", c)].At(x, y).G-want)/light)
			}
			if !(worst < 0.01) {
				t.Errorf("composition %v is off by %.2f %% of the light at the worst pixel", in[c], 100*worst)
			}
		}
	})
}

// Twenty masked edits and a crop are all in place; without the third there are
// nineteen.
func TestTwentyMaskedEditsAndACrop(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		s := newDeveloper(t, dt, grey{}, scene.Options{Megapixels: 0.06})
		cropped := s.with(s.baseline, s.put("crop", "", map[string]float64{"cx": 0.1, "cy": 0.1, "cw": 0.9, "ch": 0.9}))
		side := cropped
		place := func(i int) (u, v float64) { return 0.2 + 0.15*float64(i%5), 0.2 + 0.2*float64(i/5) }
		for i := range 20 {
			u, v := place(i)
			side = s.with(side, s.darkerWhere(fmt.Sprintf("edit %02d", i), shape(mask.Circle{X: float32(u), Y: float32(v), Radius: 0.05, Border: 0.01})))
		}
		without := s.with(side, xmp.Remove{Operation: "exposure", MultiName: "edit 02"})
		pictures := s.develop(map[string]*xmp.Sidecar{"plain": cropped, "all": side, "without": without})
		all, rest := selected(pictures["plain"], pictures["all"]), selected(pictures["plain"], pictures["without"])
		for i := range 20 {
			u, v := place(i)
			at := pixel.Rect{X: (u-0.1)/0.8 - 0.01, Y: (v-0.1)/0.8 - 0.01, Width: 0.02, Height: 0.02}
			if got := all.in(at); math.Abs(got-1) > 0.02 {
				t.Errorf("edit %d is %.2f in its place", i, got)
			}
			want := 1.0
			if i == 2 {
				want = 0
			}
			if got := rest.in(at); math.Abs(got-want) > 0.02 {
				t.Errorf("without the third, edit %d is %.2f in its place, want %g", i, got, want)
			}
		}
		// Between the circles nothing is selected.
		if got := all.in(pixel.Rect{X: 0.3 - 0.01, Y: (0.3 - 0.1) / 0.8, Width: 0.02, Height: 0.02}); math.Abs(got) > 0.01 {
			t.Errorf("between the edits %.3f is selected", got)
		}
	})
}
