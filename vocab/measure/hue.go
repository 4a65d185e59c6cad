package measure

import "math"

// The regions by hue: the pixels of the picture before the move whose colour
// has the name, as a person would give it, and which are plainly coloured.
const (
	Reds     Region = "reds"
	Oranges  Region = "oranges"
	Yellows  Region = "yellows"
	Greens   Region = "greens"
	Aquas    Region = "aquas"
	Blues    Region = "blues"
	Purples  Region = "purples"
	Magentas Region = "magentas"
)

// leastChroma is the CIELAB chroma from which a pixel has a hue worth naming.
const leastChroma = 12

// hues are the regions around the circle with the CIELAB hue, in degrees, at
// which each begins. The last one goes on through 0.
var hues = []struct {
	region Region
	from   float64
}{
	{Reds, 15}, {Oranges, 48}, {Yellows, 78}, {Greens, 112}, {Aquas, 172}, {Blues, 235}, {Purples, 292}, {Magentas, 330},
}

func (r Region) isHue() bool {
	for _, h := range hues {
		if h.region == r {
			return true
		}
	}
	return false
}

// hueMask marks the pixels of a hue region.
func (r Region) hueMask(p *Picture) []bool {
	mask := make([]bool, len(p.L))
	for i := range mask {
		lab := p.lab(i)
		mask[i] = lab.Chroma() >= leastChroma && hueName(lab.A, lab.B) == r
	}
	return mask
}

// hueDistance is how far a colour's hue is from those of a region, in degrees; 0 is
// within.
func (r Region) hueDistance(a, b float64) float64 {
	degrees := math.Atan2(b, a) * 180 / math.Pi
	for i, h := range hues {
		if h.region != r {
			continue
		}
		from, to := h.from, hues[(i+1)%len(hues)].from
		past := math.Mod(degrees-from+720, 360)
		if width := math.Mod(to-from+360, 360); past >= width {
			return min(past-width, 360-past)
		}
		return 0
	}
	return 0
}

// hueName gives the region of a hue.
func hueName(a, b float64) Region {
	degrees := math.Atan2(b, a) * 180 / math.Pi
	if degrees < 0 {
		degrees += 360
	}
	name := hues[len(hues)-1].region
	for _, h := range hues {
		if degrees >= h.from {
			name = h.region
		}
	}
	return name
}
