package prove

import (
	"context"
	"slices"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// toneMappers are not linear. Without them what is added to a pixel's light is
// added to the picture's, too.
var toneMappers = []string{"agx", "basecurve", "filmicrgb", "sigmoid"}

// A mask's selection is measured with two entries, so that it shows in dark
// places, too: lighten, within the mask, adds half of full scale to the light, and
// darken, which follows it in the pipeline everywhere, takes three stops away so
// that nothing clips.
var (
	lighten = exposureEntry("probe 1", map[string]float64{"exposure": 1, "black": -0.5})
	darken  = exposureEntry("probe 2", map[string]float64{"exposure": -3})
)

func exposureEntry(instance string, fields map[string]float64) *vocab.Entry {
	op := vocab.Op{Module: "exposure", Instance: instance, Set: map[string]vocab.Expr{}}
	for field, value := range fields {
		op.Set[field] = vocab.Expr{Constant: iop.Number(value)}
	}
	return &vocab.Entry{Name: instance, Ops: []vocab.Op{op}}
}

// A selection is how much of a scene a mask selects: the light of each pixel
// without lighten, with it inside the mask, and with it everywhere.
type selection struct {
	width, height        int
	without, inside, all []float64
}

// selection measures what a mask selects of a scene.
func (b *batch) selection(ctx context.Context, scene vocab.Scene, within *vocab.Within) (selection, error) {
	without, err := b.linear(ctx, scene)
	if err != nil {
		return selection{}, err
	}
	var s selection
	for _, step := range []struct {
		light *[]float64
		state func() (*xmp.Sidecar, error)
	}{
		{&s.without, func() (*xmp.Sidecar, error) { return without, nil }},
		{&s.inside, func() (*xmp.Sidecar, error) { return b.adjust(lighten, without, within) }},
		{&s.all, func() (*xmp.Sidecar, error) { return b.adjust(lighten, without, nil) }},
	} {
		state, err := step.state()
		if err != nil {
			return selection{}, err
		}
		p, err := b.picture(scene, state)
		if err != nil {
			return selection{}, err
		}
		s.width, s.height, *step.light = p.Width, p.Height, luminances(p)
	}
	return s, nil
}

// linear gives a scene's baseline without tone mappers, darkened.
func (v *verifier) linear(ctx context.Context, scene vocab.Scene) (*xmp.Sidecar, error) {
	base, err := v.baseline(ctx, scene)
	if err != nil {
		return nil, err
	}
	var off []xmp.Edit
	for _, e := range base.History() {
		if slices.Contains(toneMappers, e.Operation) {
			e.Enabled = false
			off = append(off, xmp.Put{Entry: e})
		}
	}
	without, err := base.With(v.Target, off...)
	if err != nil {
		return nil, err
	}
	return v.adjust(darken, without, nil)
}

// adjust applies lighten or darken to a state.
func (v *verifier) adjust(e *vocab.Entry, on *xmp.Sidecar, within *vocab.Within) (*xmp.Sidecar, error) {
	edits, _, err := e.Compile(vocab.Application{Baseline: on, Current: on, Target: v.Target, Within: within})
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

// opacity is how much of a pixel is selected, 0 to 1 but for noise.
func (s selection) opacity(i int) float64 {
	return (s.inside[i] - s.without[i]) / (s.all[i] - s.without[i])
}

// split gives the pixels that are certainly selected and those that are certainly
// not. The feather is in neither.
func (s selection) split() (inside, outside []bool) {
	inside, outside = make([]bool, len(s.inside)), make([]bool, len(s.inside))
	for i := range s.inside {
		opacity := s.opacity(i)
		inside[i], outside[i] = opacity > 0.5, opacity < 0.001
	}
	return inside, outside
}

// area is the share of the pixels of which more than a half is selected.
func (s selection) area() float64 {
	n := 0
	for i := range s.inside {
		if s.opacity(i) > 0.5 {
			n++
		}
	}
	return float64(n) / float64(len(s.inside))
}

// meanOpacity is how much of a place is selected.
func (s selection) meanOpacity(place Place) float64 {
	var selected, whole float64
	w, h := float64(s.width), float64(s.height)
	x0, y0 := int(place.X*w+0.5), int(place.Y*h+0.5)
	x1, y1 := max(int((place.X+place.Width)*w+0.5), x0+1), max(int((place.Y+place.Height)*h+0.5), y0+1)
	for y := max(y0, 0); y < min(y1, s.height); y++ {
		for x := max(x0, 0); x < min(x1, s.width); x++ {
			i := y*s.width + x
			selected, whole = selected+s.inside[i]-s.without[i], whole+s.all[i]-s.without[i]
		}
	}
	return selected / whole
}
