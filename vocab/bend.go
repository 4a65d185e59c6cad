package vocab

import (
	"math"

	"github.com/chemigram/chemigram/xmp/mask"
)

// bend is what the module ashift does to a frame: a rotation in degrees, against the
// clock, and lens shifts along the height and along the width. By a shift of s one of two
// sides becomes e to the power of s times as long as the other.
type bend struct{ rotation, upright, level float64 }

type point struct{ x, y float64 }

// cuts gives the sides of a rectangle in what becomes of a frame, as shares of the
// bounding box: the largest of the frame's own proportions after a rotation, and
// otherwise the largest, so that nothing in it is empty.
func (b bend) cuts(frame mask.Size) map[string]float64 {
	if b == (bend{}) {
		return map[string]float64{"cl": 0, "cr": 1, "ct": 0, "cb": 1}
	}
	quad := b.quad(frame)
	low, high := quad[0], quad[0]
	for _, p := range quad {
		low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
	}
	ratios := []float64{1}
	if b.upright != 0 || b.level != 0 {
		for r := 1.02; r < 2.5; r *= 1.02 {
			ratios = append(ratios, r, 1/r)
		}
	}
	const rim = 1.5 // pixels that darktable interpolates with what is outside
	middle := point{(low.x + high.x) / 2, (low.y + high.y) / 2}
	var best, half point
	best = middle
	for _, ratio := range ratios {
		shape := point{frame.Width / 2 * math.Sqrt(ratio), frame.Height / 2 / math.Sqrt(ratio)}
		for i := -10; i <= 10; i++ {
			for j := -10; j <= 10; j++ {
				at := point{middle.x + float64(i)/50*frame.Width, middle.y + float64(j)/50*frame.Height}
				if b.level == 0 && i != 0 && b.rotation == 0 || b.upright == 0 && j != 0 && b.rotation == 0 || b.upright == 0 && b.level == 0 && (i != 0 || j != 0) {
					continue // it is symmetrical
				}
				if k := fit(quad, at, shape); k*k*shape.x*shape.y > half.x*half.y {
					best, half = at, point{k * shape.x, k * shape.y}
				}
			}
		}
	}
	smaller := max(1-rim/min(half.x, half.y), 0.5)
	half = point{half.x * smaller, half.y * smaller}
	w, h := high.x-low.x, high.y-low.y
	return map[string]float64{
		"cl": (best.x - half.x - low.x) / w, "cr": (best.x + half.x - low.x) / w,
		"ct": (best.y - half.y - low.y) / h, "cb": (best.y + half.y - low.y) / h,
	}
}

// quad is where the frame's corners come to lie, clockwise from the top left.
func (b bend) quad(frame mask.Size) [4]point {
	w, h := frame.Width, frame.Height
	sin, cos := math.Sincos(b.rotation * math.Pi / 180)
	var quad [4]point
	for i, p := range [4]point{{0, 0}, {w, 0}, {w, h}, {0, h}} {
		x, y := p.x-w/2, p.y-h/2
		p = point{x*cos + y*sin + w/2, y*cos - x*sin + h/2}
		p.y, p.x = shifted(b.upright, p.y, p.x, h, w)
		p.x, p.y = shifted(b.level, p.x, p.y, w, h)
		quad[i] = p
	}
	return quad
}

// shifted moves a point by a lens shift along one side of the frame; the other
// coordinate is drawn together or apart.
func shifted(shift, along, across, side, other float64) (float64, float64) {
	e := math.Exp(shift)
	w := (e-1)*along/side + 1
	return e * along / w, ((e-1)*other/side*along/2 + 2*e/(e+1)*across - (e-1)*other/(e+1)/2) / w
}

// fit is how many times a rectangle, given by its half sides, fits around a point
// within a convex quadrilateral.
func fit(quad [4]point, at, half point) float64 {
	most := math.Inf(1)
	for i, p := range quad {
		q := quad[(i+1)%4]
		nx, ny := p.y-q.y, q.x-p.x // to the inside
		most = min(most, ((at.x-p.x)*nx+(at.y-p.y)*ny)/(math.Abs(nx)*half.x+math.Abs(ny)*half.y))
	}
	return max(most, 0)
}
