package probe

import (
	"context"
	"image"
	"math"
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
// second lies between the others is how much is selected, however dark the place. Names
// have been expanded in the mask.
func (p *Probe) Selection(ctx context.Context, raw Raw, start compose.Start, spec mask.Spec) (render.Selection, error) {
	placed, err := start.Place(ctx, spec)
	if err != nil {
		return render.Selection{}, err
	}
	looks, err := selectionLooks(start.Release, start.Current, placed)
	if err != nil {
		return render.Selection{}, err
	}
	lights, err := p.lights(ctx, raw, start.Release, looks[:]...)
	if err != nil {
		return render.Selection{}, err
	}
	none, some, all := lights[0], lights[1], lights[2]
	if some.size != none.size || all.size != none.size {
		return render.Selection{}, fault.New(fault.Masking, "the mask changes the picture's size, so what it selects cannot be shown")
	}
	s := render.Selection{Width: none.size.X, Height: none.size.Y, At: make([]float64, none.size.X*none.size.Y)}
	for i := range s.At {
		const green = 1
		if step := all.values[green][i] - none.values[green][i]; step > 0 {
			s.At[i] = min(max((some.values[green][i]-none.values[green][i])/step, 0), 1)
		}
	}
	return s, nil
}

// lights develops looks for a darktable into light, but for those that are kept: of
// [selectionLooks] the first and the last are the same for every mask of a look, and that of
// [lightLook] is for every exposure, too.
func (p *Probe) lights(ctx context.Context, raw Raw, release iop.Release, looks ...*xmp.Sidecar) (found []light, err error) {
	source, err := p.source(raw)
	if err != nil {
		return nil, err
	}
	if err := raw.Check(); err != nil {
		return nil, err
	}
	found = make([]light, len(looks))
	keys := make([]string, len(looks))
	var missing []*xmp.Sidecar
	var places []int
	for i, look := range looks {
		keys[i] = pictureKey(look, source)
		var known bool
		if found[i], known = p.lit.get(keys[i]); !known {
			missing, places = append(missing, look), append(places, i)
		}
	}
	if len(missing) > 0 {
		pictures, err := p.develop(ctx, raw, release, smallSize, missing...)
		if err != nil {
			return nil, err
		}
		for i, picture := range pictures {
			found[places[i]] = light{size: picture.Bounds().Size(), values: channels(picture)}
			p.lit.put(keys[places[i]], found[places[i]])
		}
	}
	return found, nil
}

// light is the red, green and blue light of a developed picture.
type light struct {
	size   image.Point
	values [3][]float64
}

// maxLights bounds what is kept; a light is about 1.6 MB.
const maxLights = 16

// lightFloor is added to light that is measured, and lightStep divides it then, so that
// neither what is below black nor what is above white is cut off.
const lightFloor, lightStep = 0.5, 8

// lifted makes the two instances of exposure that add lightFloor and divide by lightStep.
func lifted(release iop.Release) (lift, divide xmp.Put, err error) {
	if lift, err = exposure(release, "mask 1", 1, -lightFloor); err != nil {
		return lift, divide, err
	}
	divide, err = exposure(release, "mask 2", -math.Log2(lightStep), 0)
	return lift, divide, err
}

// selectionLooks composes the looks with light added nowhere, within the mask, and
// everywhere.
func selectionLooks(release iop.Release, look *xmp.Sidecar, m mask.Mask) (looks [3]*xmp.Sidecar, err error) {
	everywhere, divide, err := lifted(release)
	if err != nil {
		return looks, err
	}
	within, err := limited(everywhere, release, m)
	if err != nil {
		return looks, err
	}
	if look, err = look.With(release, divide, within); err != nil {
		return looks, err
	}
	if looks[1], err = disableAfter(release, look, within.Entry.MultiName, divide.Entry.MultiName); err != nil {
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
