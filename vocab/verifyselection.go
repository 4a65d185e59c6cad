package vocab

import (
	"context"
	"slices"

	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// toneMappers bend light. Without them what is added to a pixel's light comes
// out as it was added.
var toneMappers = []string{"agx", "basecurve", "filmicrgb", "sigmoid"}

// The probes show what a mask selects, however dark the place: one adds half of
// full scale to the light within the mask, and the other, which comes after it
// everywhere, takes three stops away so that nothing clips.
var (
	lightProbe = probe("probe 1", map[string]float64{"exposure": 1, "black": -0.5})
	darkProbe  = probe("probe 2", map[string]float64{"exposure": -3})
)

func probe(instance string, fields map[string]float64) *Entry {
	op := Op{Module: "exposure", Instance: instance, Set: map[string]Expr{}}
	for field, value := range fields {
		op.Set[field] = Expr{Constant: iop.Number(value)}
	}
	return &Entry{Name: "probe", Ops: []Op{op}}
}

// A selection is how much of a scene a mask selects: the light of each pixel
// without the probe, with it inside the mask, and with it everywhere.
type selection struct {
	width, height         int
	without, within, full []float64
}

// selection develops what is selected on a scene.
func (v *wave) selection(ctx context.Context, scene Scene, where *Within) (selection, error) {
	base, err := v.baseline(ctx, scene)
	if err != nil {
		return selection{}, err
	}
	var flat []xmp.Edit
	for _, e := range base.History() {
		if slices.Contains(toneMappers, e.Operation) {
			e.Enabled = false
			flat = append(flat, xmp.Put{Entry: e})
		}
	}
	without, err := base.With(v.Target, flat...)
	if err == nil {
		without, err = v.put(darkProbe, without, nil)
	}
	if err != nil {
		return selection{}, err
	}
	var s selection
	for _, step := range []struct {
		light *[]float64
		state func() (*xmp.Sidecar, error)
	}{
		{&s.without, func() (*xmp.Sidecar, error) { return without, nil }},
		{&s.within, func() (*xmp.Sidecar, error) { return v.put(lightProbe, without, where) }},
		{&s.full, func() (*xmp.Sidecar, error) { return v.put(lightProbe, without, nil) }},
	} {
		state, err := step.state()
		if err != nil {
			return selection{}, err
		}
		p, err := v.picture(scene, state)
		if err != nil {
			return selection{}, err
		}
		s.width, s.height, *step.light = p.Width, p.Height, luminances(p)
	}
	return s, nil
}

// put adds a probe to a state.
func (v *verifier) put(probe *Entry, on *xmp.Sidecar, where *Within) (*xmp.Sidecar, error) {
	edits, _, err := probe.Compile(Application{Baseline: on, Current: on, Target: v.Target, Within: where})
	if err != nil {
		return nil, err
	}
	return on.With(v.Target, edits...)
}

func luminances(p *measure.Picture) []float64 {
	light := make([]float64, len(p.L))
	for i, l := range p.L {
		light[i] = measure.Luminance(float64(l))
	}
	return light
}

// at is how much of a pixel is selected, 0 to 1 but for noise.
func (s selection) at(i int) float64 {
	return (s.within[i] - s.without[i]) / (s.full[i] - s.without[i])
}

// share is the part of the pixels of which more than a half is selected.
func (s selection) share() float64 {
	n := 0
	for i := range s.within {
		if s.at(i) > 0.5 {
			n++
		}
	}
	return float64(n) / float64(len(s.within))
}

// of is how much of a place is selected.
func (s selection) of(place Place) float64 {
	var with, all float64
	w, h := float64(s.width), float64(s.height)
	x0, y0 := int(place.X*w+0.5), int(place.Y*h+0.5)
	x1, y1 := max(int((place.X+place.Width)*w+0.5), x0+1), max(int((place.Y+place.Height)*h+0.5), y0+1)
	for y := max(y0, 0); y < min(y1, s.height); y++ {
		for x := max(x0, 0); x < min(x1, s.width); x++ {
			i := y*s.width + x
			with, all = with+s.within[i]-s.without[i], all+s.full[i]-s.without[i]
		}
	}
	return with / all
}
