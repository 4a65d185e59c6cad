package stack

import (
	"bytes"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Carry gives another picture the look of source: what source changed of its
// baseline is put on target's baseline, in place of what target changed. Exposure
// and white balance change by as much as they did in source, all else becomes what
// it is there. Modules whose settings belong to one picture stay as they are on
// both, and so do masked instances unless masks is set; skipped names those that
// source has, even when it fails.
func Carry(source, target Stack, masks bool) (look *xmp.Sidecar, skipped []string, err error) {
	skipped = []string{}
	names := nameInstances(source.Current, source.Baseline, target.Current, target.Baseline)
	if look, err = target.Current.With(target.Release, target.reset(names, masks)...); err != nil {
		return nil, skipped, err
	}
	current, originals, bases := names.instances(source.Current), names.instances(source.Baseline), names.instances(target.Baseline)
	var edits []xmp.Edit
	for _, entry := range current.all {
		id := names.of(entry)
		original, inBaseline := originals.find(id)
		if inBaseline && developAlike(entry, original) {
			continue
		}
		if staysBehind(entry, masks) {
			skipped = append(skipped, id.String())
			continue
		}
		if base, found := bases.find(id); found && inBaseline {
			if entry, err = rebase(entry, original, base); err != nil {
				return nil, skipped, err
			}
		}
		edits = append(edits, id.put(entry, current.state(id).forms))
	}
	if look, err = look.With(target.Release, edits...); err != nil {
		return nil, skipped, err
	}
	order, err := names.carriedOrder(source, target)
	if err != nil {
		return nil, skipped, err
	}
	look, err = names.arranged(target.Release, look, order)
	return look, skipped, err
}

// staysBehind reports whether an entry is neither carried nor replaced.
func staysBehind(entry xmp.Entry, masks bool) bool {
	return iop.BelongsToPicture(entry.Operation) || !masks && masked(entry)
}

// masked reports whether an entry changes a part of the picture only.
func masked(entry xmp.Entry) bool {
	blend, err := mask.DecodeBlend(entry.BlendVersion, entry.Blend)
	return err == nil && blend.MaskMode > mask.Uniform
}

// reset gives the edits that return the current version to the baseline, but for
// what stays behind.
func (s Stack) reset(names naming, masks bool) []xmp.Edit {
	originals := names.instances(s.Baseline)
	var edits []xmp.Edit
	for _, entry := range names.instances(s.Current).all {
		if staysBehind(entry, masks) {
			continue
		}
		id := names.of(entry)
		original, inBaseline := originals.find(id)
		switch {
		case !inBaseline:
			edits = append(edits, id.remove())
		case !developAlike(entry, original):
			edits = append(edits, id.put(original, nil))
		}
	}
	return edits
}

// rebase puts what entry changed of its own baseline on another one: field by
// field where the layouts are known, and else whole.
func rebase(entry, original, base xmp.Entry) (xmp.Entry, error) {
	before, beforeErr := iop.Decode(original.Operation, original.Modversion, original.Params)
	after, afterErr := iop.Decode(entry.Operation, entry.Modversion, entry.Params)
	params, baseErr := iop.Decode(base.Operation, base.Modversion, base.Params)
	if beforeErr != nil || afterErr != nil || baseErr != nil {
		return entry, nil
	}
	for _, d := range changesOnto(before, after, params) {
		value, err := params.Get(d.Name)
		if err != nil {
			return entry, fault.New(fault.Synthesizer, "%s of modversion %d has no field %s, which the source changed", base.Operation, base.Modversion, d.Name)
		}
		if params, err = params.With(d.Name, rebaseValue(entry.Operation, d, value)); err != nil {
			return entry, err
		}
	}
	next := base
	next.Params, next.Origins = params.Encode(), entry.Origins
	if entry.Enabled != original.Enabled {
		next.Enabled = entry.Enabled
	}
	if !bytes.Equal(entry.Blend, original.Blend) {
		next.Blend, next.BlendVersion = entry.Blend, entry.BlendVersion
	}
	return next, nil
}

// rebaseValue gives the value of a changed field on another baseline, which has
// value: the multipliers of the white balance change by their ratio, exposure and
// black level by the difference, and all else takes the new value.
func rebaseValue(operation string, d iop.Difference, value iop.Value) iop.Value {
	before, okBefore := d.Before.Float()
	after, okAfter := d.After.Float()
	own, okOwn := value.Float()
	switch {
	case operation == "temperature" && d.Before.Equal(d.After):
		return value
	case !okBefore || !okAfter || !okOwn:
	case operation == "temperature" && d.Name != "preset" && before > 0 && after > 0 && own > 0:
		return iop.Number(own * after / before)
	case operation == "exposure" && (d.Name == "exposure" || d.Name == "black"):
		return iop.Number(own + after - before)
	}
	return d.After
}
