package probe

import (
	"context"
	"image"
	"math"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp"
)

const (
	// midtoneTolerance is how far apart two mid-tones may be, in stops.
	midtoneTolerance = 0.1
	// maxDevelopments is how many developments a match may take.
	maxDevelopments = 8
)

// Midtone measures the mid-tone of a part of a picture: log2 of the median of its
// light. name is what the picture is called in an error.
//
// A pixel's light is, in linear light, the mean of its luma and of its largest
// channel, and the more colourful a pixel is, the less it counts: at a chroma of 20
// half as much as a grey one. The luma of a red flower is that of a dark grey, though
// its red may be near to clipping; a measure of luma alone asks for more exposure
// where there is no room for it. What is grey reflects the light of the scene itself.
func Midtone(name string, m image.Image, region render.Region) (float64, error) {
	m, err := render.Crop(m, region)
	if err != nil {
		return 0, err
	}
	const bins = 1 << 12
	var weights [bins]float64
	total := 0.0
	srgb := colour.FromSRGB()
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			lr, lg, lb := srgb.Linear(uint16(r)), srgb.Linear(uint16(g)), srgb.Linear(uint16(b))
			light := (0.2126*lr + 0.7152*lg + 0.0722*lb + max(lr, lg, lb)) / 2
			chroma := srgb.Lab(uint16(r), uint16(g), uint16(b)).Chroma() / 20
			weight := 1 / (1 + chroma*chroma)
			// Bins of equal steps in the cube root, about as lightness has them.
			weights[min(int(math.Cbrt(light)*bins), bins-1)] += weight
			total += weight
		}
	}
	sum, median := 0.0, 0
	for ; median < bins-1 && sum+weights[median] < total/2; median++ {
		sum += weights[median]
	}
	// Within the bin, so that the measure has no steps.
	within := (total/2 - sum) / max(weights[median], math.SmallestNonzeroFloat64)
	light := math.Pow((float64(median)+within)/bins, 3)
	if median == 0 || median == bins-1 {
		return 0, fault.Invalid("/region", "half of %s is black or white (median light %.3g): there is no mid-tone to measure; give a region", name, light)
	}
	return math.Log2(light), nil
}

// ClippedShare is the share of the pixels of a part of a picture, 0 to 1, of which a
// channel is at its top, half a step of 8 bits below it included.
func ClippedShare(m image.Image, region render.Region) (float64, error) {
	m, err := render.Crop(m, region)
	if err != nil {
		return 0, err
	}
	const top = 0xffff - 0xffff/255/2
	box, n := m.Bounds(), 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if r, g, b, _ := m.At(x, y).RGBA(); max(r, g, b) >= top {
				n++
			}
		}
	}
	return float64(n) / float64(box.Dx()*box.Dy()), nil
}

// MatchMidtone changes the exposure of the current look until its mid-tone is the
// wanted one, and gives the new look with the change in stops. measure develops a
// look and gives its mid-tone. Exposure and mid-tone are related by a tone curve
// that is not known, so the change is found by the secant method. name is what the
// picture is called in an error.
func MatchMidtone(
	ctx context.Context, name string, s stack.Stack, want float64, measure func(context.Context, *xmp.Sidecar) (float64, error),
) (look *xmp.Sidecar, ev float64, err error) {
	look, slope := s.Current, 1.0
	var lastEV, lastOff float64
	for n := range maxDevelopments {
		midtone, err := measure(ctx, look)
		if err != nil {
			return nil, 0, err
		}
		off := want - midtone
		if math.Abs(off) <= midtoneTolerance/2 || math.Abs(off) <= midtoneTolerance && n > maxDevelopments/2 {
			return look, ev, nil
		}
		if n > 0 && ev != lastEV {
			slope = min(max((lastOff-off)/(ev-lastEV), 0.25), 4)
		}
		lastEV, lastOff = ev, off
		ev += min(max(off/slope, -3), 3)
		if look, err = s.Expose(ev); err != nil {
			return nil, 0, err
		}
	}
	return nil, 0, fault.New(fault.State, "%s is still %.2f EV away after %d developments: its tone curve or the picture does not reach the reference's mid-tone",
		name, lastOff, maxDevelopments)
}
