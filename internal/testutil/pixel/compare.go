package pixel

import (
	"errors"
	"fmt"
	"slices"
)

// Difference is the difference of two pictures, pixel by pixel, in CIEDE2000.
type Difference struct {
	// Mean and Max are the mean and the largest difference. One below 1 is
	// invisible.
	Mean, Max float64
	// Changed is the fraction of pixels that differ by more than 1.
	Changed float64
}

// Mask selects the pixels to compare, by their position in fractions of the width
// and the height.
type Mask func(u, v float64) bool

// Outside selects what lies in none of the rectangles.
func Outside(rects ...Rect) Mask {
	return func(u, v float64) bool {
		return !slices.ContainsFunc(rects, func(r Rect) bool { return r.Contains(u, v) })
	}
}

// ErrSize is wrapped when two pictures of different size are compared.
var ErrSize = errors.New("the pictures differ in size")

// Compare measures the whole pictures.
func Compare(a, b *Image) (Difference, error) { return CompareWhere(a, b, nil) }

// CompareWhere measures the pixels that the mask selects; nil selects all. A mask
// that selects none is an error.
func CompareWhere(a, b *Image, mask Mask) (Difference, error) {
	if a.Width != b.Width || a.Height != b.Height {
		return Difference{}, fmt.Errorf("pixel: %w: %d×%d and %d×%d", ErrSize, a.Width, a.Height, b.Width, b.Height)
	}
	delta := make([]float32, a.Width*a.Height)
	bands(a.Height, func(y0, y1 int) {
		for y := y0; y < y1; y++ {
			for x := range a.Width {
				i := y*a.Width + x
				if mask != nil && !mask((float64(x)+0.5)/float64(a.Width), (float64(y)+0.5)/float64(a.Height)) {
					delta[i] = -1
					continue
				}
				if p, q := a.At(x, y), b.At(x, y); p != q {
					delta[i] = float32(DeltaE2000(p.Lab(), q.Lab()))
				}
			}
		}
	})
	return summarise(slices.DeleteFunc(delta, func(d float32) bool { return d < 0 }))
}

func summarise(delta []float32) (Difference, error) {
	if len(delta) == 0 {
		return Difference{}, errors.New("pixel: the mask selects no pixel")
	}
	var d Difference
	changed := 0
	for _, e := range delta {
		d.Mean += float64(e)
		d.Max = max(d.Max, float64(e))
		if e > 1 {
			changed++
		}
	}
	d.Mean /= float64(len(delta))
	d.Changed = float64(changed) / float64(len(delta))
	return d, nil
}
