package measure

import "slices"

// Region is a part of a picture by its tones or by its hues.
type Region string

// The regions: of the pixels of the picture before the move, the darkest
// quarter, the half between, and the lightest quarter.
const (
	Everywhere Region = ""
	Shadows    Region = "shadows"
	Midtones   Region = "midtones"
	Highlights Region = "highlights"
)

// Regions lists the regions that a claim can name.
func Regions() []Region {
	regions := []Region{Shadows, Midtones, Highlights}
	for _, h := range hues {
		regions = append(regions, h.region)
	}
	return regions
}

// Mask marks the region's pixels. Everywhere is nil.
func (r Region) Mask(p *Picture) []bool {
	switch {
	case r == Everywhere:
		return nil
	case r.isHue():
		return r.hueMask(p)
	}
	sorted := slices.Sorted(slices.Values(p.L))
	low, high := quantile(sorted, 0.25), quantile(sorted, 0.75)
	mask := make([]bool, len(p.L))
	for i, l := range p.L {
		switch r {
		case Shadows:
			mask[i] = float64(l) <= low
		case Midtones:
			mask[i] = float64(l) > low && float64(l) < high
		case Highlights:
			mask[i] = float64(l) >= high
		}
	}
	return mask
}
