package measure

import (
	"math"
	"slices"
)

// Region is a part of a picture by its tones, by its hues or by its place.
type Region string

// The regions: of the pixels of the picture before the move, the darkest
// quarter, the half between, and the lightest quarter.
const (
	Everywhere Region = ""
	Shadows    Region = "shadows"
	Midtones   Region = "midtones"
	Highlights Region = "highlights"
)

// The regions by lightness: of the picture before the move, from L* 0 to 100.
const (
	NearBlack Region = "near_black" // below 10
	Dark      Region = "dark"       // 10 to 25
	Dim       Region = "dim"        // 25 to 40
	Middle    Region = "middle"     // 40 to 60
	Light     Region = "light"      // 60 to 75
	Bright    Region = "bright"     // 75 to 90
	NearWhite Region = "near_white" // 90 and above
)

// Others is what is well away from the regions in which an entry's claims say that it
// moves something:
// by 15 of L* from tones, by 30 degrees of hue from colours, or of little chroma, and
// outside of places.
const Others Region = "others"

// tones are the regions by lightness with where they begin.
var tones = []struct {
	region Region
	from   float64
}{{NearBlack, 0}, {Dark, 10}, {Dim, 25}, {Middle, 40}, {Light, 60}, {Bright, 75}, {NearWhite, 90}}

// Regions lists the regions that a claim can name.
func Regions() []Region {
	regions := []Region{Shadows, Midtones, Highlights, Others}
	for _, t := range tones {
		regions = append(regions, t.region)
	}
	for _, h := range hues {
		regions = append(regions, h.region)
	}
	return append(regions, places...)
}

// Mask marks the region's pixels. Everywhere is nil. besides are the regions that
// Others is away from.
func (r Region) Mask(p *Picture, besides ...Region) []bool {
	switch {
	case r == Everywhere:
		return nil
	case r == Others:
		return othersMask(p, besides)
	case r.isHue():
		return r.hueMask(p)
	case slices.Contains(places, r):
		return r.placeMask(p)
	}
	low, high, _ := r.lightness(p)
	mask := make([]bool, len(p.L))
	for i, l := range p.L {
		mask[i] = float64(l) >= low && float64(l) < high
	}
	return mask
}

// lightness gives where a region of tones begins and ends.
func (r Region) lightness(p *Picture) (low, high float64, ok bool) {
	for i, t := range tones {
		if t.region != r {
			continue
		}
		if i+1 < len(tones) {
			return t.from, tones[i+1].from, true
		}
		return t.from, math.Inf(1), true
	}
	sorted := slices.Sorted(slices.Values(p.L))
	first, last := quantile(sorted, 0.25), quantile(sorted, 0.75)
	switch r {
	case Shadows:
		return math.Inf(-1), math.Nextafter(first, math.Inf(1)), true
	case Midtones:
		return math.Nextafter(first, math.Inf(1)), last, true
	case Highlights:
		return last, math.Inf(1), true
	}
	return 0, 0, false
}

// othersMask marks what is well away from regions.
func othersMask(p *Picture, besides []Region) []bool {
	const tone, angle, grey = 15, 30, leastChroma / 2
	mask := make([]bool, len(p.L))
	for i := range mask {
		mask[i] = true
	}
	for _, r := range besides {
		low, high, tones := r.lightness(p)
		for i := range mask {
			switch {
			case !mask[i]:
			case tones:
				l := float64(p.L[i])
				mask[i] = l < low-tone || l >= high+tone
			case r.isHue():
				lab := p.lab(i)
				mask[i] = lab.Chroma() < grey || lab.Chroma() >= leastChroma && r.hueDistance(lab.A, lab.B) >= angle
			default:
				mask[i] = !r.contains(i%p.Width, i/p.Width, p.Width, p.Height)
			}
		}
	}
	return mask
}
