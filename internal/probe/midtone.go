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

// Midtone measures the mid-tone of a part of a picture: log2 of the median luma,
// in linear light. name is what the picture is called in an error.
func Midtone(name string, m image.Image, region render.Region) (float64, error) {
	s, err := render.Measure(m, region)
	if err != nil {
		return 0, err
	}
	if s.Luma.P50 <= 0 || s.Luma.P50 >= 1 {
		return 0, fault.New(fault.InvalidInput, "half of %s is black or white (median luma %g): there is no mid-tone to measure; give a region", name, s.Luma.P50)
	}
	return math.Log2(colour.Linear(s.Luma.P50)), nil
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
