package mask_test

import (
	"math"
	"testing"

	"github.com/chemigram/chemigram/xmp/mask"
)

func TestTheDevelopedPicturesFullSize(t *testing.T) {
	t.Parallel()
	input := mask.Size{Width: 3, Height: 2}
	cropped := mask.Frame{
		Input: input, Developed: mask.Size{Width: 320, Height: 160},
		At: func(u, v float64) (x, y float64) { return 0.25 + 0.5*u, 0.3 + 0.375*v },
	}
	upright := mask.Frame{
		Input: input, Developed: mask.Size{Width: 200, Height: 300},
		At: func(u, v float64) (x, y float64) { return v, 1 - u },
	}
	tests := []struct {
		name      string
		frame     mask.Frame
		raw, want mask.Size
	}{
		{"a crop", cropped, mask.Size{Width: 6000, Height: 4000}, mask.Size{Width: 3000, Height: 1500}},
		{"upright", upright, mask.Size{Width: 6000, Height: 4000}, mask.Size{Width: 4000, Height: 6000}},
		{"upright, and the file says so", upright, mask.Size{Width: 4000, Height: 6000}, mask.Size{Width: 4000, Height: 6000}},
		{"unknown", cropped, mask.Size{}, mask.Size{}},
		{"a preview's size", cropped, mask.Size{Width: 160, Height: 107}, mask.Size{}},
		{"another picture's size", cropped, mask.Size{Width: 4000, Height: 4000}, mask.Size{}},
	}
	for _, tt := range tests {
		if got := tt.frame.FullSize(tt.raw); math.Hypot(got.Width-tt.want.Width, got.Height-tt.want.Height) > 1e-3 {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}
