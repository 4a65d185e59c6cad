package measure

import (
	"math"
	"slices"
)

// Measure is something that a person would see, as a number.
type Measure string

// The measures. Lightness is CIELAB's L*, 0..100.
const (
	// LumaMean is the mean lightness.
	LumaMean Measure = "luma_mean"
	// Contrast is the lightness at the 95th less that at the 5th percentile.
	Contrast Measure = "contrast"
	// Chroma is the mean distance from grey, in CIELAB.
	Chroma Measure = "chroma"
	// ChromaSpread is the 90th less the 10th percentile of chroma: it shrinks
	// when pale colours gain more than strong ones.
	ChromaSpread Measure = "chroma_spread"
	// Warmth is the mean b*: up is yellower, down is bluer.
	Warmth Measure = "warmth"
	// Tint is the mean a*: up is towards magenta, down towards green.
	Tint Measure = "tint"
	// Sharpness is the mean step in lightness from each pixel to the mean of
	// its four neighbours.
	Sharpness Measure = "sharpness"
	// LocalContrast is how much lightness varies over about a fortieth of the
	// long edge, without what is finer.
	LocalContrast Measure = "local_contrast"
	// Noise is the grain in the calmest quarter of the picture: the standard
	// deviation of lightness there.
	Noise Measure = "noise"
	// VignetteFalloff is the mean lightness of the corners less that of the
	// centre: down is darker corners.
	VignetteFalloff Measure = "vignette_falloff"
	// TopFalloff is the mean lightness of the top third less that of the
	// bottom third.
	TopFalloff Measure = "top_falloff"
	// LeftFalloff is the mean lightness of the left third less that of the
	// right third.
	LeftFalloff Measure = "left_falloff"
	// Speckles is the share of pixels, in percent, that belong to a bright spot
	// on its own, at most five pixels wide.
	Speckles Measure = "speckles"
	// ConvergeUp is how far upright edges lean together towards the top: those
	// of the left third against those of the right, in degrees. Below 0 they
	// lean apart.
	ConvergeUp Measure = "converge_up"
	// ConvergeLeft is how far level edges come together towards the left: those
	// of the bottom third against those of the top, in degrees.
	ConvergeLeft Measure = "converge_left"
	// Tilt is how far straight edges lean, in degrees clockwise.
	Tilt Measure = "tilt"
	// ClippedFraction is the share of pixels with a channel at its top, in
	// percent.
	ClippedFraction Measure = "clipped_fraction"
	// CrushedFraction is the share of black pixels, in percent.
	CrushedFraction Measure = "crushed_fraction"
	// Width, Height are in pixels; Aspect is width by height.
	Width  Measure = "width"
	Height Measure = "height"
	Aspect Measure = "aspect"
)

// Measures lists all measures.
func Measures() []Measure {
	return []Measure{
		LumaMean, Contrast, Chroma, ChromaSpread, Warmth, Tint, Sharpness, LocalContrast, Noise,
		Speckles,
		VignetteFalloff, TopFalloff, LeftFalloff, Tilt, ConvergeUp, ConvergeLeft, ClippedFraction, CrushedFraction, Width, Height, Aspect,
	}
}

// IsGeometry tells whether the measure is about the frame. The others need no
// frame, but a Region needs that it is unchanged.
func (m Measure) IsGeometry() bool { return m == Width || m == Height || m == Aspect }

// Of measures a picture within a mask. A nil mask is the whole picture. Where
// the mask is empty the measure is NaN.
func (m Measure) Of(p *Picture, mask []bool) float64 {
	switch m {
	case LumaMean:
		return mean(p.L, mask)
	case Contrast:
		return spread(p.L, mask, 0.05, 0.95)
	case Chroma:
		return mean(p.chroma(), mask)
	case ChromaSpread:
		return spread(p.chroma(), mask, 0.10, 0.90)
	case Warmth:
		return mean(p.B, mask)
	case Tint:
		return mean(p.A, mask)
	case Sharpness:
		return mean(p.fineDetail(), mask)
	case LocalContrast:
		return deviation(p.midDetail(), mask)
	case Noise:
		return p.noise(mask)
	case ClippedFraction:
		return 100 * share(p.Clipped, mask)
	case CrushedFraction:
		return 100 * share(p.Crushed, mask)
	case Speckles:
		return 100 * share(p.speckles(), mask)
	}
	return m.ofFrame(p)
}

// ofFrame measures what belongs to places in the frame, or to the frame itself.
func (m Measure) ofFrame(p *Picture) float64 {
	switch m {
	case VignetteFalloff:
		return p.falloff()
	case TopFalloff:
		return p.topFalloff()
	case LeftFalloff:
		return p.leftFalloff()
	case ConvergeUp:
		return p.convergeUp()
	case ConvergeLeft:
		return p.convergeLeft()
	case Tilt:
		return p.tilt()
	case Width:
		return float64(p.Width)
	case Height:
		return float64(p.Height)
	case Aspect:
		return float64(p.Width) / float64(p.Height)
	}
	return math.NaN()
}

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

func mean(v []float32, mask []bool) float64 {
	sum, n := 0.0, 0
	for i, x := range v {
		if mask == nil || mask[i] {
			sum += float64(x)
			n++
		}
	}
	return sum / float64(n)
}

func deviation(v []float32, mask []bool) float64 {
	m := mean(v, mask)
	sum, n := 0.0, 0
	for i, x := range v {
		if mask == nil || mask[i] {
			sum += sq(float64(x) - m)
			n++
		}
	}
	return math.Sqrt(sum / float64(n))
}

func spread(v []float32, mask []bool, low, high float64) float64 {
	var chosen []float32
	for i, x := range v {
		if mask == nil || mask[i] {
			chosen = append(chosen, x)
		}
	}
	if len(chosen) == 0 {
		return math.NaN()
	}
	slices.Sort(chosen)
	return quantile(chosen, high) - quantile(chosen, low)
}

func quantile(sorted []float32, q float64) float64 {
	if len(sorted) == 0 {
		return math.NaN()
	}
	return float64(sorted[int(q*float64(len(sorted)-1)+0.5)])
}

func share(v, mask []bool) float64 {
	hits, n := 0, 0
	for i, x := range v {
		if mask == nil || mask[i] {
			n++
			if x {
				hits++
			}
		}
	}
	return float64(hits) / float64(n)
}
