package chemigram

import (
	"bytes"
	"math"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// model is the look that other images are to have.
type model struct {
	session
	exif      EXIFSummary
	masks     bool // masked moves go along
	sameLight bool // all pictures were taken in the same light
}

// carried is what became of a model's look on its way.
type carried struct {
	ev         float64
	leftBehind []string
}

// ownModules are those whose settings belong to one picture: how it was read,
// framed and distorted, and what was painted on it.
var ownModules = []string{
	"rawprepare", "demosaic", "hotpixels", "rawdenoise", "colorin", "gamma",
	"crop", "clipping", "flip", "ashift", "rotatepixels", "scalepixels", "enlargecanvas", "borders",
	"lens", "cacorrect", "liquify", "retouch", "spots", "overlay", "watermark", "rasterfile",
}

// onto composes the model's look on another image.
func (m model) onto(target session, exif EXIFSummary) (*xmp.Sidecar, carried, error) {
	var c carried
	c.leftBehind = []string{}
	next, err := target.head.Sidecar.With(target.release, m.clearing(target)...)
	if err != nil {
		return nil, c, err
	}
	var edits []xmp.Edit
	for _, entry := range m.head.Sidecar.History() {
		name := instanceName(entry)
		original, inBaseline := m.baseline.Sidecar.Find(entry.Operation, name)
		if inBaseline && sameContent(entry, original) {
			continue
		}
		if slices.Contains(ownModules, entry.Operation) || !m.masks && masked(entry) {
			c.leftBehind = append(c.leftBehind, strings.TrimSuffix(entry.Operation+":"+name, ":"))
			continue
		}
		forms := m.head.Sidecar.FormsOf(entry.Operation, name)
		if onto, there := target.baseline.Sidecar.Find(entry.Operation, name); there && inBaseline {
			if entry, err = rebase(entry, original, onto); err != nil {
				return nil, c, err
			}
		}
		edits = append(edits, xmp.Put{Entry: entry, Forms: forms})
	}
	if next, err = next.With(target.release, edits...); err != nil {
		return nil, c, err
	}
	if m.sameLight {
		next, c.ev, err = m.evenOut(next, target, exif)
	}
	return next, c, err
}

// clearing takes back what was edited on a target, but for what is its own.
func (m model) clearing(target session) []xmp.Edit {
	var edits []xmp.Edit
	for _, entry := range target.head.Sidecar.History() {
		if slices.Contains(ownModules, entry.Operation) || !m.masks && masked(entry) {
			continue
		}
		name := instanceName(entry)
		original, inBaseline := target.baseline.Sidecar.Find(entry.Operation, name)
		switch {
		case !inBaseline:
			edits = append(edits, xmp.Remove{Operation: entry.Operation, MultiName: name})
		case !sameContent(entry, original):
			edits = append(edits, xmp.Put{Entry: original})
		}
	}
	return edits
}

// masked tells whether an entry changes a part of the picture only.
func masked(entry xmp.Entry) bool {
	blend, err := mask.DecodeBlend(entry.BlendVersion, entry.Blend)
	return err == nil && blend.MaskMode > mask.Uniform
}

// rebase puts what an entry changed of its baseline on another baseline: field
// by field where the layouts are known, and else whole.
func rebase(entry, from, onto xmp.Entry) (xmp.Entry, error) {
	was, errWas := iop.Decode(from.Operation, from.Modversion, from.Params)
	is, errIs := iop.Decode(entry.Operation, entry.Modversion, entry.Params)
	params, errOnto := iop.Decode(onto.Operation, onto.Modversion, onto.Params)
	if errWas != nil || errIs != nil || errOnto != nil {
		return entry, nil
	}
	for _, d := range iop.Diff(was, is) {
		own, err := params.Get(d.Name)
		if err != nil {
			return entry, fault.New(fault.Synthesizer, "%s of modversion %d has no field %s, which the source changed", onto.Operation, onto.Modversion, d.Name)
		}
		if params, err = params.With(d.Name, relative(entry.Operation, d.Name, d.Before, d.After, own)); err != nil {
			return entry, err
		}
	}
	next := onto
	next.Params, next.Origins = params.Encode(), entry.Origins
	if entry.Enabled != from.Enabled {
		next.Enabled = entry.Enabled
	}
	if !bytes.Equal(entry.Blend, from.Blend) {
		next.Blend, next.BlendVersion = entry.Blend, entry.BlendVersion
	}
	return next, nil
}

// relative carries a field's change over to another picture's own value: the
// white balance's multipliers by their ratio, the exposure by the difference,
// all else as it is.
func relative(operation, field string, before, after, own iop.Value) iop.Value {
	b, okB := before.Float()
	a, okA := after.Float()
	o, okO := own.Float()
	if !okB || !okA || !okO {
		return after
	}
	switch {
	case operation == "temperature" && b > 0 && a > 0 && o > 0:
		return iop.Number(o * a / b)
	case operation == "exposure" && (field == "exposure" || field == "black"):
		return iop.Number(o + a - b)
	}
	return after
}

// evenOut gives the target the source's light: exposure by what the cameras
// recorded of it, and white balance when the camera is the same.
func (m model) evenOut(next *xmp.Sidecar, target session, exif EXIFSummary) (*xmp.Sidecar, float64, error) {
	ev, err := evBetween(exif, m.exif)
	if err != nil {
		return nil, 0, err
	}
	edits, err := exposed(next, target, ev)
	if err != nil {
		return nil, 0, err
	}
	if exif.Make == m.exif.Make && exif.Model == m.exif.Model {
		balanced, err := m.balance(next)
		if err != nil {
			return nil, 0, err
		}
		edits = append(edits, balanced...)
	}
	next, err = next.With(target.release, edits...)
	return next, ev, err
}

// evBetween is by how many stops picture b was exposed more than picture a.
func evBetween(a, b EXIFSummary) (float64, error) {
	exposure := func(s EXIFSummary) (float64, bool) {
		light := s.ExposureSeconds * float64(s.ISO)
		if a.Aperture > 0 && b.Aperture > 0 {
			light /= s.Aperture * s.Aperture
		}
		return light, light > 0
	}
	of, okA := exposure(a)
	to, okB := exposure(b)
	if !okA || !okB {
		return 0, fault.New(fault.InvalidInput, "the files do not tell exposure time and ISO: same_light cannot be used; match_exposure measures instead")
	}
	return math.Log2(to / of), nil
}

// exposed changes the exposure of a look by some stops.
func exposed(look *xmp.Sidecar, target session, ev float64) ([]xmp.Edit, error) {
	if ev == 0 {
		return nil, nil
	}
	entry, err := moduleEntry(session{release: target.release, head: workspace.Version{Sidecar: look}}, "exposure", "")
	if err != nil {
		return nil, err
	}
	params, err := iop.Decode(entry.Operation, entry.Modversion, entry.Params)
	if err != nil {
		return nil, err
	}
	was, err := params.Get("exposure")
	if err != nil {
		return nil, err
	}
	stops, _ := was.Float()
	if !entry.Enabled {
		stops = 0
	}
	if params, err = params.With("exposure", iop.Number(stops+ev)); err != nil {
		return nil, err
	}
	entry.Params, entry.Enabled = params.Encode(), true
	return []xmp.Edit{xmp.Put{Entry: entry}}, nil
}

// balance gives a look the source's own white balance: the multipliers, and the
// light that the colour calibration corrects.
func (m model) balance(next *xmp.Sidecar) ([]xmp.Edit, error) {
	var edits []xmp.Edit
	for _, module := range []struct {
		operation string
		fields    []string
	}{
		{"temperature", []string{"red", "green", "blue"}},
		{"channelmixerrgb", []string{"illuminant", "x", "y", "temperature"}},
	} {
		from, ok := m.head.Sidecar.Find(module.operation, "")
		onto, there := next.Find(module.operation, "")
		if !ok || !there || from.Modversion != onto.Modversion {
			continue
		}
		is, err := iop.Decode(from.Operation, from.Modversion, from.Params)
		if err != nil {
			return nil, err
		}
		params, err := iop.Decode(onto.Operation, onto.Modversion, onto.Params)
		if err != nil {
			return nil, err
		}
		for _, field := range module.fields {
			value, err := is.Get(field)
			if err != nil {
				return nil, err
			}
			if params, err = params.With(field, value); err != nil {
				return nil, err
			}
		}
		onto.Params = params.Encode()
		edits = append(edits, xmp.Put{Entry: onto, Forms: next.FormsOf(onto.Operation, "")})
	}
	return edits, nil
}
