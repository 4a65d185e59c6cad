package measure

import (
	"math"
	"slices"
)

// noise takes the standard deviation of lightness, against the plane through
// it, in blocks of 8 by 8, and gives the mean of the calmest quarter.
func (p *Picture) noise(mask []bool) float64 {
	const side = 8
	var devs []float64
	for y := 0; y+side <= p.Height; y += side {
		for x := 0; x+side <= p.Width; x += side {
			if mask == nil || mask[(y+side/2)*p.Width+x+side/2] {
				devs = append(devs, p.blockNoise(x, y, side))
			}
		}
	}
	if len(devs) == 0 {
		return math.NaN()
	}
	slices.Sort(devs)
	calmest := devs[:max(1, len(devs)/4)]
	sum := 0.0
	for _, d := range calmest {
		sum += d
	}
	return sum / float64(len(calmest))
}

// blockNoise is the standard deviation in a block, without its slope.
func (p *Picture) blockNoise(x0, y0, side int) float64 {
	var s, sx, sy, ss float64
	half := float64(side-1) / 2
	var xx float64
	for dy := range side {
		for dx := range side {
			l := float64(p.L[(y0+dy)*p.Width+x0+dx])
			u, v := float64(dx)-half, float64(dy)-half
			s, sx, sy, ss = s+l, sx+l*u, sy+l*v, ss+l*l
			xx += u * u
		}
	}
	n := float64(side * side)
	return math.Sqrt(max(0, ss/n-sq(s/n)-(sq(sx)+sq(sy))/(xx*n)))
}
