package measure

import (
	"errors"
	"slices"

	"github.com/chemigram/chemigram/internal/colour"
)

// ErrSize says that two pictures differ in size, so that they cannot be compared.
var ErrSize = errors.New("the pictures differ in size")

// MeanDeltaE is the mean CIEDE2000 distance of two pictures of the same size
// within a mask. A nil mask is the whole picture. Where the mask is empty the
// distance is NaN.
func MeanDeltaE(p, q *Picture, mask []bool) (float64, error) {
	d, err := deltas(p, q, mask)
	return mean(d, nil), err
}

// DeltaEQuantile is the CIEDE2000 distance that a share of the pixels within a
// mask stay below or at; otherwise as [MeanDeltaE].
func DeltaEQuantile(p, q *Picture, mask []bool, share float64) (float64, error) {
	d, err := deltas(p, q, mask)
	slices.Sort(d)
	return quantile(d, share), err
}

// deltas are the distances within a mask.
func deltas(p, q *Picture, mask []bool) ([]float32, error) {
	if p.Width != q.Width || p.Height != q.Height {
		return nil, ErrSize
	}
	d := make([]float32, 0, len(p.L))
	for i := range p.L {
		switch {
		case mask != nil && !mask[i]:
		case p.L[i] == q.L[i] && p.A[i] == q.A[i] && p.B[i] == q.B[i]:
			d = append(d, 0)
		default:
			d = append(d, float32(colour.DeltaE2000(p.lab(i), q.lab(i))))
		}
	}
	return d, nil
}

func (p *Picture) lab(i int) colour.Lab {
	return colour.Lab{L: float64(p.L[i]), A: float64(p.A[i]), B: float64(p.B[i])}
}

// DeltaE2000 is the colour distance CIEDE2000 of two CIELAB colours.
func DeltaE2000(p, q [3]float64) float64 {
	return colour.DeltaE2000(colour.Lab{L: p[0], A: p[1], B: p[2]}, colour.Lab{L: q[0], A: q[1], B: q[2]})
}
