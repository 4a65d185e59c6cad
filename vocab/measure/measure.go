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
	// long edge, without finer detail.
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
	// ConvergeUp is how far upright edges converge towards the top: those of the
	// left third against those of the right, in degrees. Below 0 they diverge.
	ConvergeUp Measure = "converge_up"
	// ConvergeLeft is how far level edges converge towards the left: those of the
	// bottom third against those of the top, in degrees. This, ConvergeUp and Tilt are NaN
	// where edges have no direction in common.
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

// Least is the least that a measure can be, if there is such a value.
func (m Measure) Least() (least float64, ok bool) {
	switch m {
	case Warmth, Tint, VignetteFalloff, TopFalloff, LeftFalloff, Tilt, ConvergeUp, ConvergeLeft:
		return 0, false
	}
	return 0, true
}

// OfFrame reports whether a measure is about the frame and the lines in it, and not about
// light or colour.
func (m Measure) OfFrame() bool {
	return slices.Contains([]Measure{Tilt, ConvergeUp, ConvergeLeft, Width, Height, Aspect}, m)
}

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
	return m.measureFrame(p)
}

// measureFrame measures what depends on places in the frame, or the frame itself.
func (m Measure) measureFrame(p *Picture) float64 {
	switch m {
	case VignetteFalloff:
		return p.falloff(Corners, Centre)
	case TopFalloff:
		return p.falloff(Top, Bottom)
	case LeftFalloff:
		return p.falloff(Left, Right)
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
