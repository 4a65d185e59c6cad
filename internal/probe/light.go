package probe

import (
	"context"
	"image"
	"math"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Point is a round place in a developed picture: its middle in fractions of width
// and height from the top left, its radius as a fraction of the shorter side.
type Point struct{ X, Y, Radius float64 }

// Light measures the colour about a point as the baseline has it, in linear Rec.
// 2020. It refuses points that are burnt out or nearly black.
func (p *Probe) Light(ctx context.Context, raw Raw, s stack.Stack, at Point) ([3]float64, error) {
	picture, err := p.Linear(ctx, raw, s)
	if err != nil {
		return [3]float64{}, err
	}
	return at.light(picture)
}

// Linear develops the baseline's colour in the current geometry, in linear Rec. 2020
// without a tone curve.
func (p *Probe) Linear(ctx context.Context, raw Raw, s stack.Stack) (image.Image, error) {
	look, err := linearBaseline(s)
	if err != nil {
		return nil, err
	}
	pictures, err := p.develop(ctx, raw, s.Release, PreviewSize, look)
	if err != nil {
		return nil, err
	}
	return pictures[0], nil
}

// linearBaseline is the current geometry with the baseline's colour, and no tone
// curve. The current black level stays: it shifts the colour of what is dark.
func linearBaseline(s stack.Stack) (*xmp.Sidecar, error) {
	edits := disable(s.Current.History())
	if original, ok := s.Baseline.Find("channelmixerrgb", ""); ok {
		original.MultiName = ""
		edits = append(edits, xmp.Put{Entry: original})
	}
	if exposure, ok := s.Current.Find("exposure", ""); ok && exposure.Enabled {
		params, err := iop.Decode(exposure.Operation, exposure.Modversion, exposure.Params)
		if err == nil {
			params, err = params.With("exposure", iop.Number(0))
		}
		if err != nil {
			return nil, err
		}
		exposure.MultiName, exposure.Params = "", params.Encode()
		edits = append(edits, xmp.Put{Entry: exposure})
	}
	return s.Current.With(s.Release, edits...)
}

// light is the mean colour of the place in a linear picture.
func (p Point) light(m image.Image) (light [3]float64, err error) {
	box := m.Bounds()
	x, y := p.X*float64(box.Dx()), p.Y*float64(box.Dy())
	radius := max(p.Radius*float64(min(box.Dx(), box.Dy())), 0.75)
	n := 0.0
	for j := int(y - radius); float64(j) <= y+radius; j++ {
		for i := int(x - radius); float64(i) <= x+radius; i++ {
			at := image.Pt(i, j).Add(box.Min)
			if math.Hypot(float64(i)+0.5-x, float64(j)+0.5-y) > radius || !at.In(box) {
				continue
			}
			r, g, b, _ := m.At(at.X, at.Y).RGBA()
			if max(r, g, b) == 0xffff {
				return light, fault.Invalid("/x", "at %.4g, %.4g the picture is overexposed, or nearly, and its colour lost: choose a darker grey", p.X, p.Y)
			}
			n++
			for c, v := range [3]uint32{r, g, b} {
				light[c] += float64(v) / 0xffff
			}
		}
	}
	const dark = 0.002 // 9 stops below white: 130 steps of 16 bits
	for c := range light {
		if light[c] /= max(n, 1); light[c] < dark {
			return light, fault.Invalid("/x", "at %.4g, %.4g the picture is too dark to tell the light's colour", p.X, p.Y)
		}
	}
	return light, nil
}

// Colour gives a* and b* of the place in a developed picture.
func (p Point) Colour(m image.Image) (a, b float64, err error) {
	width, height := float64(m.Bounds().Dx()), float64(m.Bounds().Dy())
	short := min(width, height)
	w, h := p.Radius*short/width, p.Radius*short/height
	x, y := max(p.X-w, 0), max(p.Y-h, 0)
	stats, err := render.Measure(m, render.Region{X: x, Y: y, Width: min(2*w, 1-x), Height: min(2*h, 1-y)})
	if err != nil {
		return 0, 0, err
	}
	return stats.Lab.A, stats.Lab.B, nil
}
