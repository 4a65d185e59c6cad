package probe

import (
	"context"
	"slices"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Selection measures what a mask selects of the current look. Half of full scale
// is added to the light, nowhere, within the mask, and everywhere; how far the
// second lies between the others is how much is selected, however dark the place.
func (p *Probe) Selection(ctx context.Context, raw Raw, start compose.Start, spec mask.Spec) (render.Selection, error) {
	spec, err := start.Expand(spec)
	if err != nil {
		return render.Selection{}, err
	}
	placed, err := start.Place(ctx, spec)
	if err != nil {
		return render.Selection{}, err
	}
	looks, err := selectionLooks(start.Release, start.Current, placed)
	if err != nil {
		return render.Selection{}, err
	}
	pictures, err := p.develop(ctx, raw, start.Release, smallSize, looks[:]...)
	if err != nil {
		return render.Selection{}, err
	}
	size := pictures[0].Bounds().Size()
	if pictures[1].Bounds().Size() != size || pictures[2].Bounds().Size() != size {
		return render.Selection{}, fault.New(fault.Masking, "the mask changes the picture's size, so what it selects cannot be shown")
	}
	const green = 1
	none, some, all := channels(pictures[0])[green], channels(pictures[1])[green], channels(pictures[2])[green]
	s := render.Selection{Width: size.X, Height: size.Y, At: make([]float64, size.X*size.Y)}
	for i := range s.At {
		if step := all[i] - none[i]; step > 0 {
			s.At[i] = min(max((some[i]-none[i])/step, 0), 1)
		}
	}
	return s, nil
}

// selectionLooks composes the looks with light added nowhere, within the mask, and
// everywhere. Three stops are taken away after it, so that nothing clips.
func selectionLooks(release iop.Release, look *xmp.Sidecar, m mask.Mask) (looks [3]*xmp.Sidecar, err error) {
	everywhere, err := exposure(release, "mask 1", 1, -0.5)
	if err != nil {
		return looks, err
	}
	darker, err := exposure(release, "mask 2", -3, 0)
	if err != nil {
		return looks, err
	}
	within, err := limited(everywhere, release, m)
	if err != nil {
		return looks, err
	}
	if look, err = look.With(release, darker, within); err != nil {
		return looks, err
	}
	if looks[1], err = disableAfter(release, look, within.Entry.MultiName, darker.Entry.MultiName); err != nil {
		return looks, err
	}
	if looks[0], err = looks[1].With(release, xmp.Remove{Operation: "exposure", MultiName: within.Entry.MultiName}); err != nil {
		return looks, err
	}
	looks[2], err = looks[0].With(release, everywhere)
	return looks, err
}

// disableAfter disables what comes after the instance called first, and would bend
// the light that it adds, but for the one called last.
func disableAfter(release iop.Release, look *xmp.Sidecar, first, last string) (*xmp.Sidecar, error) {
	entries := look.History() // in pipeline order
	from := 0
	for i, entry := range entries {
		if entry.MultiName == first {
			from = i + 1
		}
	}
	later := slices.DeleteFunc(slices.Clone(entries[from:]), func(entry xmp.Entry) bool {
		return entry.MultiName == first || entry.MultiName == last
	})
	return look.With(release, disable(later)...)
}
