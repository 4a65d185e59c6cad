package main

import (
	"fmt"
	"image"

	"github.com/chemigram/chemigram/examples/demo"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/vocab/prove"
)

// harm measures how much was newly clipped, and how much noise came into even parts.
// Detail that was clipped before counts as noise, too.
func (o *outcome) harm() (err error) {
	if o.reframed {
		return nil
	}
	p, q := measure.New(o.before), measure.New(o.after)
	o.clipped = max(measure.NewlyClipped(p, q, true), 0)
	if o.noise, err = measure.AddedNoise(p, q, image.Rect(0, 0, q.Width, q.Height)); err != nil {
		return err
	}
	o.noise = max(o.noise, 0)
	o.numbers = append(o.numbers, fmt.Sprintf("newly clipped %.2f %%, noise added %.2f L*; more than %g %% or %g L* would be harm",
		o.clipped, o.noise, prove.HarmLimit(vocab.Clipping), prove.HarmLimit(vocab.Noise)))
	return nil
}

// moved is the share of the pixels that differ by more than ΔE2000 1.
func moved(before, after image.Image) float64 {
	p, q := measure.New(before), measure.New(after)
	n := 0
	for y := range p.Height {
		for x := range p.Width {
			pixel := image.Rect(x, y, x+1, y+1)
			if measure.DeltaE2000(lab(p, pixel), lab(q, pixel)) > 1 {
				n++
			}
		}
	}
	return float64(n) / float64(max(p.Width*p.Height, 1))
}

// fromSurroundings is how far the colour of a spot is from that around it, in ΔE2000.
func fromSurroundings(m image.Image, at demo.Round) float64 {
	p := measure.New(m)
	w, h := float64(p.Width), float64(p.Height)
	square := func(cx, cy, half float64) image.Rectangle {
		return image.Rect(int(cx-half), int(cy-half), int(cx+half+1), int(cy+half+1)).Intersect(image.Rect(0, 0, p.Width, p.Height))
	}
	r := at.RadiusX * min(w, h)
	cx, cy := at.X*w, at.Y*h
	var around [3]float64
	beside := [4][2]float64{{-2, 0}, {2, 0}, {0, -2}, {0, 2}}
	for _, d := range beside {
		for i, v := range lab(p, square(cx+d[0]*r, cy+d[1]*r, r/2)) {
			around[i] += v / float64(len(beside))
		}
	}
	return measure.DeltaE2000(lab(p, square(cx, cy, r/2)), around)
}

func lab(p *measure.Picture, part image.Rectangle) [3]float64 {
	l, a, b := p.Colour(part)
	return [3]float64{l, a, b}
}
