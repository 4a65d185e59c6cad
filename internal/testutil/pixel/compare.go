package pixel

import (
	"errors"
	"fmt"
	"slices"
)

// Difference says how far two pictures are apart, pixel by pixel, in CIEDE2000.
type Difference struct {
	// Mean, P99 and Max are the mean, the 99th percentile and the largest
	// difference. Below 1 nobody sees it.
	Mean, P99, Max float64
	// Changed is the fraction of pixels that differ by more than 1.
	Changed float64
	// Pixels is how many were compared.
	Pixels int
}

// Mask picks the places of a picture that count, by fractions of its width and
// height.
type Mask func(u, v float64) bool

// Inside picks what lies in any of the rectangles.
func Inside(rects ...Rect) Mask {
	return func(u, v float64) bool {
		return slices.ContainsFunc(rects, func(r Rect) bool { return r.Contains(u, v) })
	}
}

// Outside picks what lies in none of the rectangles. Grow them to leave out a
// feathered edge.
func Outside(rects ...Rect) Mask {
	in := Inside(rects...)
	return func(u, v float64) bool { return !in(u, v) }
}

// ErrSize is wrapped when two pictures of different size are compared.
var ErrSize = errors.New("the pictures differ in size")

// Compare measures the whole pictures.
func Compare(a, b *Image) (Difference, error) { return CompareWhere(a, b, nil) }

// CompareWhere measures the pixels that the mask picks; nil picks all. A mask
// that picks none is an error.
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
		return Difference{}, errors.New("pixel: the mask picks no pixel")
	}
	d := Difference{Pixels: len(delta)}
	var bins [20001]int // of 0.01, for the percentile
	changed := 0
	for _, e := range delta {
		d.Mean += float64(e)
		d.Max = max(d.Max, float64(e))
		if e > 1 {
			changed++
		}
		bins[min(int(e*100), len(bins)-1)]++
	}
	d.Mean /= float64(len(delta))
	d.Changed = float64(changed) / float64(len(delta))
	d.P99 = min(percentile(bins[:], len(delta), 0.99)/100, d.Max)
	return d, nil
}

// percentile is the upper edge of the bin in which the p-th of n values lies.
func percentile(bins []int, n int, p float64) float64 {
	seen := 0
	for i, count := range bins {
		seen += count
		if float64(seen) >= p*float64(n) {
			return float64(i + 1)
		}
	}
	return float64(len(bins))
}
