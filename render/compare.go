package render

import (
	"image"

	"golang.org/x/image/draw"

	"github.com/chemigram/chemigram/internal/colour"
)

// visible is the ΔE2000 above which a pixel counts as changed: about what a
// person can see side by side.
const visible = 1.0

// Comparison says how far two pictures are apart, in ΔE2000: 1 is just visible
// side by side, 10 at a glance.
type Comparison struct {
	Width, Height int
	// MeanDeltaE and MaxDeltaE are over all pixels.
	MeanDeltaE, MaxDeltaE float64
	// ChangedFraction is the share of pixels that differ by more than 1.
	ChangedFraction float64
	// SameFrame reports whether the pictures have the same size. When they do
	// not, one of them is cropped or turned; the second was then scaled to the
	// size of the first, and the numbers say that the pictures differ rather
	// than how the colours do.
	SameFrame bool

	delta []float32
}

// Compare measures two pictures, which are taken for sRGB, pixel by pixel. It
// fails with an *Error of kind BadInput when one has no pixels.
func Compare(a, b image.Image) (*Comparison, error) {
	c := &Comparison{SameFrame: a.Bounds().Size() == b.Bounds().Size()}
	if !c.SameFrame {
		scaled := image.NewRGBA(image.Rect(0, 0, a.Bounds().Dx(), a.Bounds().Dy()))
		draw.ApproxBiLinear.Scale(scaled, scaled.Bounds(), b, b.Bounds(), draw.Src, nil)
		b = scaled
	}
	p, err := readPixels(a, a.Bounds())
	if err != nil {
		return nil, err
	}
	q, err := readPixels(b, b.Bounds())
	if err != nil {
		return nil, err
	}
	c.Width, c.Height = p.w, p.h
	c.delta = make([]float32, p.w*p.h)
	c.measure(p, q)
	return c, nil
}

func (c *Comparison) measure(p, q pixels) {
	type sums struct {
		total, largest float64
		changed        int
	}
	space := colour.FromSRGB()
	all := make([]sums, p.h)
	inBands(p.h, func(_, y0, y1 int) {
		for y := y0; y < y1; y++ {
			a, b, s := p.row(y), q.row(y), &all[y]
			for x := range p.w {
				i := 3 * x
				if a[i] == b[i] && a[i+1] == b[i+1] && a[i+2] == b[i+2] {
					continue
				}
				d := colour.DeltaE2000(space.Lab(a[i], a[i+1], a[i+2]), space.Lab(b[i], b[i+1], b[i+2]))
				c.delta[y*p.w+x] = float32(d)
				s.total += d
				s.largest = max(s.largest, d)
				if d > visible {
					s.changed++
				}
			}
		}
	})
	n := float64(p.w * p.h)
	for _, s := range all {
		c.MeanDeltaE += s.total / n
		c.MaxDeltaE = max(c.MaxDeltaE, s.largest)
		c.ChangedFraction += float64(s.changed) / n
	}
}
