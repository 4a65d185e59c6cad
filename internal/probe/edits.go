package probe

import (
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// isKept reports whether a module stays in a look that is measured: without the
// others a raw is developed all the same, and its pixels lie where they did.
func isKept(operation string) bool {
	return iop.OnEveryRaw(operation) || iop.ChangesGeometry(operation)
}

// disable disables the modules that are not kept.
func disable(entries []xmp.Entry) []xmp.Edit {
	var edits []xmp.Edit
	for _, entry := range entries {
		if entry.Enabled && entry.Fault == nil && !isKept(entry.Operation) {
			entry.Enabled = false
			edits = append(edits, stack.Put(entry))
		}
	}
	return edits
}

// exposure makes an instance of exposure that turns light into (light - black)
// times what gives white 2^ev.
func exposure(release iop.Release, name string, ev, black float64) (xmp.Put, error) {
	return instance(release, "exposure", name, map[string]iop.Value{
		"exposure": iop.Number(ev), "black": iop.Number(black), "compensate_exposure_bias": iop.Bool(false),
	})
}

// instance makes an instance of a module for looks that are only measured.
func instance(release iop.Release, module, name string, fields map[string]iop.Value) (xmp.Put, error) {
	params, err := release.Defaults(module)
	if err != nil {
		return xmp.Put{}, err
	}
	for field, value := range fields {
		if params, err = params.With(field, value); err != nil {
			return xmp.Put{}, err
		}
	}
	return xmp.Put{Entry: xmp.Entry{
		Operation: module, MultiName: "chemigram probe " + name, Enabled: true,
		Modversion: params.Modversion(), Params: params.Encode(), Origins: []xmp.Origin{{Entry: "probe"}},
	}}, nil
}

// limited gives an edit a mask.
func limited(put xmp.Put, release iop.Release, m mask.Mask) (xmp.Put, error) {
	made, err := m.Compile(release.BlendVersion(), mask.ColorSpaceRGBScene)
	if err != nil {
		return put, err
	}
	put.Entry.BlendVersion, put.Forms = made.Blend.Version, made.Forms
	put.Entry.Blend, err = made.Blend.Encode()
	return put, err
}
