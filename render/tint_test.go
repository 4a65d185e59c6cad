package render_test

import (
	"image"
	"image/color"
	"math"
	"testing"

	"github.com/chemigram/chemigram/render"
)

func TestASelectionIsTintedWithALineAroundIt(t *testing.T) {
	t.Parallel()
	grey := image.NewGray(image.Rect(0, 0, 8, 4))
	for i := range grey.Pix {
		grey.Pix[i] = 100
	}
	s := render.Selection{Width: 8, Height: 4, At: make([]float64, 32)}
	for i := range s.At {
		if i%8 < 4 {
			s.At[i] = 1
		}
	}
	shown, selected, err := render.Tint(grey, s)
	if err != nil {
		t.Fatal(err)
	}
	if math.Abs(selected.Fraction-0.5) > 1e-9 {
		t.Errorf("%g of the picture is selected, want a half", selected.Fraction)
	}
	for x, what := range map[int]string{0: "tinted", 2: "tinted", 3: "line", 4: "plain", 7: "plain"} {
		c := color.RGBAModel.Convert(shown.At(x, 1)).(color.RGBA)
		got := "tinted"
		switch {
		case c == (color.RGBA{255, 255, 255, 255}):
			got = "line"
		case c.R == c.G && c.G == c.B:
			got = "plain"
		}
		if got != what {
			t.Errorf("column %d is %s (%v), want %s", x, got, c, what)
		}
	}
}
