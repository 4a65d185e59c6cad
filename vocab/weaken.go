package vocab

import (
	"bytes"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// A style is weakened by blending: curves, choices and sizes are no amounts that
// could be halved. How one of its instances is weakened depends on what the
// baseline does with it:
//
//   - not in use there: the instance is mixed in by the opacity of its blending;
//   - switched off by the style: the baseline's instance is mixed out;
//   - in use with other settings: blending would mix with the picture without the
//     module, so its numbers go from the baseline's to the style's, when nothing
//     but numbers differs.
//
// Where none of these is possible the instance is as in the baseline, until full
// strength.

// weaken gives a style's instance at the compiler's strength; false when there is
// nothing between the baseline and the style.
func (c *compiler) weaken(whole xmp.Entry, swaps bool) (xmp.Entry, bool) {
	inBaseline := c.hasBase && c.base.Enabled
	switch {
	case c.strength == 1 || !inBaseline && !whole.Enabled:
		return whole, true
	case inBaseline && whole.Enabled:
		return c.between(whole)
	case swaps && slices.Contains(toneMappers, whole.Operation), !mixes(c.app.Target, whole.Operation):
		return whole, false
	case inBaseline:
		next := c.base
		next.BlendVersion, next.Blend = c.faded(c.base, 1-c.strength)
		return next, next.Blend != nil
	}
	next := whole
	next.BlendVersion, next.Blend = c.faded(whole, c.strength)
	return next, next.Blend != nil
}

// FullStrengthOnly lists the modules of a style that a darktable has nothing to mix
// of between off and on, sorted: crops, rotations and lens corrections, tone mappers
// that take each other's place, and what is blended the other way round. Below full
// strength they stay as in the baseline. An entry that is no style has none.
func (e *Entry) FullStrengthOnly(target iop.Release) []string {
	var modules []string
	swaps := map[bool]bool{} // whether it switches tone mappers on, and off
	for _, s := range e.style {
		if slices.Contains(toneMappers, s.op.Module) {
			swaps[s.entry.Enabled] = true
		}
	}
	for _, s := range e.style {
		swapped := len(swaps) == 2 && slices.Contains(toneMappers, s.op.Module)
		if swapped || !iop.OnEveryRaw(s.op.Module) && !mixes(target, s.op.Module) || isReversed(s.entry) {
			modules = append(modules, s.op.Module)
		}
	}
	slices.Sort(modules)
	return slices.Compact(modules)
}

// toneMappers take each other's place. Half of one after half of the other is not
// between them.
var toneMappers = []string{"agx", "basecurve", "filmic", "filmicrgb", "sigmoid"}

// swapsToneMapper reports whether the style switches a tone mapper off that the
// baseline has in use.
func (e *Entry) swapsToneMapper(baseline *xmp.Sidecar) bool {
	return slices.ContainsFunc(e.style, func(s styleOp) bool {
		base, found := baseline.Find(s.op.Module, s.op.multiName())
		return found && base.Enabled && !s.entry.Enabled && slices.Contains(toneMappers, s.op.Module)
	})
}

// mixes reports whether darktable can mix a module's effect with the picture before
// it. Mixing a picture with a shifted one only doubles it.
func mixes(target iop.Release, module string) bool {
	m, known := target.Module(module)
	return known && m.SupportsBlending() && !iop.ChangesGeometry(module) && !iop.OnEveryRaw(module)
}

// isReversed reports whether less opacity is more of a module's effect.
func isReversed(x xmp.Entry) bool {
	b, err := mask.DecodeBlend(x.BlendVersion, x.Blend)
	return err == nil && b.MaskMode != 0 && b.Mode&mask.ModeReversed != 0
}

// faded gives an entry's blend parameters with a share of their opacity, or none
// where they cannot be made or less opacity is more of the effect. A mask that is there
// stays, unless darktable ignores it for the lack of a colour space.
func (c *compiler) faded(x xmp.Entry, share float64) (version int, data []byte) {
	if isReversed(x) {
		return 0, nil
	}
	b, err := mask.DecodeBlend(x.BlendVersion, x.Blend)
	if err != nil || b.MaskMode == 0 || b.Version >= 10 && b.ColorSpace == mask.ColorSpaceNone {
		if b, err = mask.NewBlend(c.app.Target.BlendVersion(), mask.SpaceOf(x.Operation)); err != nil {
			return 0, nil
		}
		b.MaskMode = mask.Uniform
	}
	b.Opacity *= float32(share)
	if data, err = b.Encode(); err != nil {
		return 0, nil
	}
	return b.Version, data
}

// between gives a style's instance with its numbers between those of the baseline
// and its own; false when something else differs.
func (c *compiler) between(whole xmp.Entry) (xmp.Entry, bool) {
	if !blendsAlike(c.base, whole) {
		return whole, false
	}
	p, err := iop.Decode(whole.Operation, whole.Modversion, whole.Params)
	base, baseErr := iop.Decode(c.base.Operation, c.base.Modversion, c.base.Params)
	if err != nil || baseErr != nil {
		return whole, bytes.Equal(whole.Params, c.base.Params)
	}
	for name, v := range p.All() {
		before, err := base.Get(name)
		if err == nil && before.Equal(v) || isBookkeeping(whole.Operation, name) {
			continue
		}
		if err == nil && isPlaceAlone(whole, name) {
			continue // where and how the style works is the same at any strength
		}
		if err != nil || !isScalable(whole, name) {
			return whole, false
		}
		from, _ := before.Float()
		to, _ := v.Float()
		if !finite(from) || !finite(to) {
			return whole, false
		}
		if p, err = p.With(name, iop.Number(from+c.strength*(to-from))); err != nil {
			return whole, false
		}
	}
	whole.Params = p.Encode()
	return whole, true
}

// blendsAlike reports whether two entries are blended alike.
func blendsAlike(a, b xmp.Entry) bool {
	neutral := func(x xmp.Entry) bool {
		blend, err := mask.DecodeBlend(x.BlendVersion, x.Blend)
		return len(x.Blend) == 0 || err == nil && blend.MaskMode == 0
	}
	return neutral(a) && neutral(b) || a.BlendVersion == b.BlendVersion && bytes.Equal(a.Blend, b.Blend)
}

// isPlaceAlone reports whether a field is a real number that says where or how, and no
// part of a value of several fields.
func isPlaceAlone(x xmp.Entry, name string) bool {
	return isPlace(x.Operation, name) && isScalable(x, name)
}

// isScalable reports whether half of a field's change is half of its effect: it is
// a real number, and no part of a value of several fields,
// such as a curve.
func isScalable(x xmp.Entry, name string) bool {
	info, err := iop.Field(x.Operation, x.Modversion, name)
	if err != nil || info.Kind != "float" {
		return false
	}
	field, _, indexed := strings.Cut(name, "[")
	if indexed && !slices.Contains(matrices, x.Operation) {
		return false
	}
	compound, found := iop.CompoundOf(x.Operation, field)
	return !found || compound.Keyed || x.Operation == "temperature"
}

// matrices are the modules whose arrays are factors, and not points of curves.
var matrices = []string{"channelmixer", "channelmixerrgb", "colorbalance", "negadoctor"}

// isBookkeeping reports whether a field only notes how the others were chosen.
func isBookkeeping(module, name string) bool { return module == "temperature" && name == "preset" }
