package measure

import (
	"errors"
	"image"
	"image/color"
	"math"
	"testing"
)

// A border through an even field is seen whatever its softness; the same border along an
// edge that the picture has is not.
func TestABorderShowsWhereThePictureHasNoEdge(t *testing.T) {
	const width, height = 64, 48
	paint := func(light func(x int) float64) *Picture {
		m := image.NewRGBA64(image.Rect(0, 0, width, height))
		for y := range height {
			for x := range width {
				v := uint16(light(x))
				m.SetRGBA64(x, y, color.RGBA64{v, v, v, 0xffff})
			}
		}
		return New(m)
	}
	even := func(x int) float64 { return 30000 + 20*float64(x) }
	edge := func(x int) float64 {
		if x >= width/2 {
			return 45000
		}
		return 20000
	}
	for _, tt := range []struct {
		name  string
		light func(x int) float64
		soft  float64
		shows bool
	}{
		{"hard in an even field", even, 1, true},
		{"soft in an even field", even, 12, true},
		{"along an edge", edge, 1, false},
	} {
		opacity := make([]float64, width*height)
		within := func(x int) float64 { return min(1, max(0, (float64(x)-width/2+tt.soft/2)/tt.soft)) }
		for i := range opacity {
			opacity[i] = within(i % width)
		}
		before := paint(tt.light)
		after := paint(func(x int) float64 { return tt.light(x) * (1 - 0.2*within(x)) })
		added, had, err := Border(before, after, opacity)
		if err != nil || (added > 1.5*had) != tt.shows {
			t.Errorf("%s: %.2f added to %.2f, %v", tt.name, added, had, err)
		}
		if same, _, _ := Border(before, before, opacity); same != 0 {
			t.Errorf("%s: nothing done adds %g", tt.name, same)
		}
		if none, _, _ := Border(before, after, make([]float64, width*height)); !math.IsNaN(none) {
			t.Errorf("%s: no border adds %g", tt.name, none)
		}
		if _, _, err := Border(before, after, opacity[1:]); !errors.Is(err, ErrSize) {
			t.Errorf("%s: of another size: %v", tt.name, err)
		}
	}
}
