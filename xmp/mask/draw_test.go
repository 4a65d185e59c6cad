package mask_test

import (
	"math"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/xmp/mask"
)

// What is drawn here is held to the models that darktable's own masks are held to.
func TestDrawnMasksAreWhatTheirNumbersSay(t *testing.T) {
	t.Parallel()
	const width, height = 300, 200
	for _, c := range drawnCases() {
		if !c.mask.IsDrawn() {
			t.Errorf("%s is not drawn", c.name)
		}
		var off []float64
		mean := 0.0
		for i, got := range c.mask.Draw(width, height) {
			x, y := (float64(i%width)+0.5)/height, (float64(i/width)+0.5)/height
			if want := c.want(x, y); !math.IsNaN(want) {
				off = append(off, math.Abs(got-want))
				mean += math.Abs(got - want)
			}
		}
		slices.Sort(off)
		mean /= float64(len(off))
		if p99 := off[len(off)*99/100]; !(mean < 0.002) || !(p99 < 0.05) {
			t.Errorf("%s: %.4f off in the mean, 1%% of it by more than %.3f", c.name, mean, p99)
		}
	}
}

func TestRangesAndRefinementsAreNotDrawn(t *testing.T) {
	t.Parallel()
	disc := []mask.Member{{Shape: mask.Circle{X: 0.5, Y: 0.5, Radius: 0.2}}}
	for name, m := range map[string]mask.Mask{
		"nothing":   {},
		"a range":   {Shapes: disc, Ranges: []mask.Select{{Channel: mask.Gray, Range: mask.Range{Low: 0.1, LowFull: 0.2, HighFull: 1, High: 1}}}},
		"a feather": {Shapes: disc, Refine: mask.Refine{FeatherRadius: 5}},
		"a blur":    {Shapes: disc, Refine: mask.Refine{BlurRadius: 5}},
		"details":   {Shapes: disc, Refine: mask.Refine{Details: 0.5}},
	} {
		if m.IsDrawn() {
			t.Errorf("%s is drawn", name)
		}
	}
}

// Outlines that leave the picture, and those without a size, are drawn all the same.
func TestOddShapesAreDrawn(t *testing.T) {
	t.Parallel()
	node := func(x, y, radius float32) mask.BrushNode {
		return mask.BrushNode{X: x, Y: y, InX: x, InY: y, OutX: x, OutY: y, BorderA: radius, BorderB: radius, Density: 1, Hardness: 1}
	}
	for name, s := range map[string]mask.Shape{
		"far outside":   polygon(0.3, -1e6, -1e6, 1e6, -1e6, 1e6, 1e6),
		"no border":     mask.Circle{X: 0.5, Y: 0.5, Radius: 0.2},
		"no transition": mask.Gradient{X: 0.5, Y: 0.5},
		"a taper":       mask.Brush{Nodes: []mask.BrushNode{node(0.1, 0.5, 0.02), node(0.9, 0.5, 0.2)}},
		"no length":     mask.Brush{Nodes: []mask.BrushNode{node(0.5, 0.5, 0.1), node(0.5, 0.5, 0.1)}},
	} {
		selected := 0.0
		for _, v := range shape(s).Draw(60, 40) {
			if !(v >= 0 && v <= 1) {
				t.Fatalf("%s: %v is selected", name, v)
			}
			selected += v / (60 * 40)
		}
		if !(selected > 0) {
			t.Errorf("%s: nothing is selected", name)
		}
	}
}

// A stroke whose points have radii of their own tapers from one to the next.
func TestAStrokeTapers(t *testing.T) {
	t.Parallel()
	hard := mask.Share(0)
	at := func(points ...[]float64) (mask.Mask, error) {
		return mask.Spec{Shapes: []mask.SpecShape{{Kind: mask.KindBrush, Points: points, Softness: &hard}}}.Mask(mask.Whole(mask.Size{Width: 300, Height: 200}))
	}
	m, err := at([]float64{0.1, 0.5, 0.05}, []float64{0.9, 0.5, 0.25})
	if err != nil {
		t.Fatal(err)
	}
	values := m.Draw(300, 200)
	for x, want := range map[int]float64{60: 0.075, 150: 0.15, 240: 0.225} {
		width := 0.0
		for y := range 200 {
			width += values[y*300+x] / 200
		}
		if math.Abs(width/2-want) > 0.01 {
			t.Errorf("at %d its radius is %.3f, want %.3f", x, width/2, want)
		}
	}
	for name, points := range map[string][][]float64{
		"no radius": {{0.1, 0.5}, {0.9, 0.5, 0.1}}, "a radius of 0": {{0.1, 0.5, 0}, {0.9, 0.5, 0.1}},
		"four numbers": {{0.1, 0.5, 0.1, 1}, {0.9, 0.5, 0.1}}, "no number": {{0.1, 0.5, math.NaN()}, {0.9, 0.5, 0.1}},
	} {
		if _, err := at(points...); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}
