package probe

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/chemigram/chemigram/internal/colour"
	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// ErrMoreThanLight is the error for a mask that cannot be drawn in the picture's light
// alone; [Probe.Selection] measures it.
var ErrMoreThanLight = errors.New("the mask needs more than the picture's light")

// InLight gives what a mask, in the developed picture's own coordinates, selects of the
// current look where exposure works. The light there is developed once for all looks
// whose earlier modules are the same; what the picture's own exposure adds to it is
// worked out here.
func (p *Probe) InLight(ctx context.Context, raw Raw, start compose.Start, m mask.Mask) (render.Selection, error) {
	scale := 0.0
	if m.BlurRadius > 0 || m.FeatherRadius > 0 {
		full, err := fullSize(ctx, start)
		if err != nil {
			return render.Selection{}, err
		}
		if full.Width == 0 {
			return render.Selection{}, ErrMoreThanLight
		}
		scale = 1 / max(full.Width, full.Height)
	}
	l, err := p.lightUnder(ctx, raw, start, m.Details)
	if err != nil {
		return render.Selection{}, err
	}
	at, ok, err := m.DrawIn(l, scale*float64(max(l.Width, l.Height)), start.Release.BlendVersion())
	if err == nil && !ok {
		err = ErrMoreThanLight
	}
	return render.Selection{Width: l.Width, Height: l.Height, At: at}, err
}

// fullSize is how many pixels the current look has before any scaling; 0 where that is
// not known. Without another geometry than the baseline's they are the raw's.
func fullSize(ctx context.Context, start compose.Start) (mask.Size, error) {
	same := func(e xmp.Entry) bool { return !e.Enabled || !iop.ChangesGeometry(e.Operation) }
	frame := func(s *xmp.Sidecar) []xmp.Entry { return slices.DeleteFunc(slices.Clone(s.History()), same) }
	equal := slices.EqualFunc(frame(start.Current), frame(start.Baseline), func(a, b xmp.Entry) bool {
		return a.Operation == b.Operation && a.MultiName == b.MultiName && slices.Equal(a.Params, b.Params)
	})
	if equal {
		return start.Raw, nil
	}
	f, err := start.Frame(ctx, start.Current)
	if err != nil {
		return mask.Size{}, err
	}
	return f.FullSize(start.Raw), nil
}

// lightUnder is the light of the current look where a further exposure works, and what a
// mask with these details, unless they are 0, keeps of it.
func (p *Probe) lightUnder(ctx context.Context, raw Raw, start compose.Start, details float32) (mask.Light, error) {
	look, gain, err := lightLook(start.Stack)
	if err != nil {
		return mask.Light{}, err
	}
	looks := []*xmp.Sidecar{look}
	if details != 0 {
		fine, err := detailsLook(start.Release, look, details)
		if err != nil {
			return mask.Light{}, err
		}
		looks = append(looks, fine)
	}
	lights, err := p.lights(ctx, raw, start.Release, looks...)
	if err != nil {
		return mask.Light{}, err
	}
	lit := lights[0]
	l := mask.Light{Width: lit.size.X, Height: lit.size.Y, XYZ: make([][3]float64, lit.size.X*lit.size.Y)}
	for i := range l.XYZ {
		var rgb [3]float64
		for c, values := range lit.values {
			rgb[c] = gain * (values[i]*lightStep - lightFloor)
		}
		l.XYZ[i] = colour.Rec2020.Apply(rgb)
	}
	if details != 0 {
		l.Kept = make([]float64, len(l.XYZ))
		const green = 1
		for i, v := range lit.values[green] {
			l.Kept[i] = min(max(1-(v-lights[1].values[green][i])*lightStep/lightFloor, 0), 1)
		}
	}
	return l, nil
}

// detailsLook is a look of [lightLook] that is lifted only where a mask with these details
// keeps something. What darktable takes for details does not depend on exposure: it
// measures them in the whole raw, which takes many times as long as the rest.
func detailsLook(release iop.Release, look *xmp.Sidecar, details float32) (*xmp.Sidecar, error) {
	lift, _, err := lifted(release)
	if err != nil {
		return nil, err
	}
	m := mask.Mask{Shapes: []mask.Member{{Shape: mask.Circle{X: 0.5, Y: 0.5, Radius: 2}}}}
	m.Details = details
	if lift, err = limited(lift, release, m); err != nil {
		return nil, err
	}
	return look.With(release, lift)
}

// lightLook composes the look whose picture is the light where a further exposure works,
// lifted and divided. Where the picture's own exposure comes last before that place, it
// is left out of the look; the light is then gain times as much. Its error is
// [ErrMoreThanLight] where that light is not linear: darktable 4 decodes what is not a raw
// after exposure.
func lightLook(s stack.Stack) (look *xmp.Sidecar, gain float64, err error) {
	lift, divide, err := lifted(s.Release)
	if err != nil {
		return nil, 0, err
	}
	if look, err = s.Current.With(s.Release, lift, divide); err != nil {
		return nil, 0, err
	}
	if look, err = disableAfter(s.Release, look, lift.Entry.MultiName, divide.Entry.MultiName); err != nil {
		return nil, 0, err
	}
	if look, err = withoutLateBalance(s.Release, look); err != nil {
		return nil, 0, err
	}
	last := xmp.Entry{}
	_, decoded := s.Baseline.Find("rawprepare", "") // the light of a sensor is linear
	for _, e := range look.History() {              // in pipeline order
		if e.MultiName == lift.Entry.MultiName {
			break
		}
		if e.Enabled {
			last = e
			decoded = decoded || e.Operation == "colorin"
		}
	}
	if !decoded {
		return nil, 0, ErrMoreThanLight
	}
	unexposed, gain, ok := withoutExposure(last)
	if !ok {
		return look, 1, nil
	}
	look, err = look.With(s.Release, stack.Put(unexposed))
	return look, gain, err
}

// withoutLateBalance leaves the light as exposure sees it: darktable 5 balances the colours of
// a raw for the light that it was taken in up to colorin, and for daylight only from there on.
func withoutLateBalance(release iop.Release, look *xmp.Sidecar) (*xmp.Sidecar, error) {
	const daylightLate, asShot = 4, 0 // dt_iop_temperature_preset
	e, ok := look.Find("temperature", "")
	if !ok || e.Fault != nil {
		return look, nil
	}
	params, err := iop.Decode(e.Operation, e.Modversion, e.Params)
	if err != nil {
		return nil, err
	}
	preset, err := params.Get("preset")
	if err != nil {
		return look, nil //nolint:nilerr // older layouts have none
	}
	if n, ok := preset.Float(); !ok || n != daylightLate {
		return look, nil
	}
	if params, err = params.With("preset", iop.Number(asShot)); err != nil {
		return nil, err
	}
	e.Params = params.Encode()
	return look.With(release, stack.Put(e))
}

// withoutExposure is the base instance of exposure without its EV, and what they multiply
// the light by. ok is false where that is not all that the EV do.
func withoutExposure(e xmp.Entry) (_ xmp.Entry, gain float64, ok bool) {
	if e.Operation != "exposure" || e.MultiPriority != 0 || e.Fault != nil {
		return e, 0, false
	}
	if blend, err := mask.DecodeBlend(e.BlendVersion, e.Blend); err != nil || blend.MaskMode != 0 {
		return e, 0, false
	}
	params, err := iop.Decode(e.Operation, e.Modversion, e.Params)
	if err != nil {
		return e, 0, false
	}
	number := func(field string) float64 {
		v, err := params.Get(field)
		if err != nil {
			return 0 // in older layouts there is none
		}
		f, _ := v.Float()
		return f
	}
	ev, black := number("exposure"), number("black")
	// With a correction by the file's own bias the black level has another share.
	const little = 0.002
	if mode, err := params.Get("mode"); err != nil || mode.String() != "EXPOSURE_MODE_MANUAL" || math.Abs(black) > little {
		return e, 0, false
	}
	if params, err = params.With("exposure", iop.Number(0)); err != nil {
		return e, 0, false
	}
	e.Params = params.Encode()
	return e, (1 - black) / (math.Exp2(-ev) - black), true
}
