package stack

import (
	"fmt"
	"iter"
	"slices"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// decoded is one module instance in three versions, with its parameters. Without
// the instance in the base, base is nil and its parameters are darktable's
// defaults.
type decoded struct {
	base, ours, theirs                   *state
	baseParams, oursParams, theirsParams iop.Params
}

// decodeAll decodes the parameters, if all three have one known layout.
func decodeAll(base, ours, theirs *state) (d decoded, ok bool) {
	d.base, d.ours, d.theirs = base, ours, theirs
	ok = ours.entry.Modversion == theirs.entry.Modversion && ours.entry.Fault == nil && theirs.entry.Fault == nil
	decode := func(s *state) (params iop.Params) {
		if ok {
			var err error
			params, err = iop.Decode(s.entry.Operation, s.entry.Modversion, s.entry.Params)
			ok = err == nil
		}
		return params
	}
	d.oursParams, d.theirsParams = decode(ours), decode(theirs)
	if base != nil {
		ok = ok && base.entry.Modversion == ours.entry.Modversion
		d.baseParams = decode(base)
		return d, ok
	}
	var err error
	d.baseParams, err = iop.Defaults(ours.entry.Operation, ours.entry.Modversion)
	return d, ok && err == nil
}

// changeAlone gives an instance with only what changed from base to theirs; the
// other fields have darktable's defaults.
func changeAlone(base, theirs *state) (*state, bool) {
	if base == nil || theirs == nil || refersToForms(theirs.entry.Operation) {
		return nil, false
	}
	d, ok := decodeAll(base, theirs, theirs)
	if !ok {
		return nil, false
	}
	params, err := iop.Defaults(theirs.entry.Operation, theirs.entry.Modversion)
	if err != nil {
		return nil, false
	}
	params, err = params.WithAll(valuesAfter(changesOnto(d.baseParams, d.theirsParams, params)))
	alone := *theirs
	alone.entry.Params = params.Encode()
	made := slices.DeleteFunc(slices.Clone(theirs.entry.Origins), func(o xmp.Origin) bool {
		return slices.Contains(base.entry.Origins, o)
	})
	if len(made) > 0 { // else a move was made again, with other values
		alone.entry.Origins = made
	}
	return &alone, err == nil
}

// mergeFields merges an instance that both sides have and changed.
func (m *merger) mergeFields(id instanceID, d decoded) (*state, error) {
	merged := *d.ours
	for _, origin := range d.theirs.entry.Origins {
		if !slices.Contains(merged.entry.Origins, origin) {
			merged.entry.Origins = append(slices.Clip(merged.entry.Origins), origin)
		}
	}
	var err error
	if merged.entry.Enabled, err = m.mergeEnabled(id, d); err != nil {
		return nil, err
	}
	masked, err := m.mergeMask(id, d)
	if err != nil {
		return nil, err
	}
	merged.entry.Blend, merged.entry.BlendVersion, merged.forms = masked.entry.Blend, masked.entry.BlendVersion, masked.forms
	params, err := m.mergeParams(id, d)
	if err != nil {
		return nil, err
	}
	merged.entry.Params = params.Encode()
	return &merged, nil
}

func (m *merger) mergeEnabled(id instanceID, d decoded) (bool, error) {
	ours, theirs := d.ours.entry.Enabled, d.theirs.entry.Enabled
	if ours == theirs {
		return ours, nil
	}
	if d.base != nil && !m.isUndecided(id, "enabled") { // one of the two has not changed it
		return !d.base.entry.Enabled, nil
	}
	side, _, err := m.decide(Conflict{
		Module: id.operation, Instance: id.instance(), Field: "enabled",
		Ours: fmt.Sprint(ours), Theirs: fmt.Sprint(theirs),
	}, false)
	if side == Theirs {
		return theirs, err
	}
	return ours, err
}

// mergeMask gives the side whose blending and mask are taken.
func (m *merger) mergeMask(id instanceID, d decoded) (*state, error) {
	known := d.base != nil && !m.isUndecided(id, "mask")
	switch {
	case d.ours.equalMask(d.theirs), known && d.theirs.equalMask(d.base):
		return d.ours, nil
	case known && d.ours.equalMask(d.base):
		return d.theirs, nil
	}
	texts := describeMasks(d.ours, d.theirs, d.base)
	side, _, err := m.decide(Conflict{
		Module: id.operation, Instance: id.instance(), Field: "mask", Ours: texts[0], Theirs: texts[1], Base: texts[2],
	}, false)
	if side == Theirs {
		return d.theirs, err
	}
	return d.ours, err
}

// mergeParams merges value by value: see [values].
func (m *merger) mergeParams(id instanceID, d decoded) (iop.Params, error) {
	in := newValues(d.oursParams, d.theirsParams)
	ourValues := in.names(iop.Diff(d.baseParams, d.oursParams))
	theirValues := in.names(iop.Diff(d.baseParams, d.theirsParams))
	for _, c := range m.Undecided {
		if !id.has(c) || c.Field == "enabled" || c.Field == "mask" {
			continue
		}
		name := in.name(c.Field)
		ourValues = append(ourValues, name)
		if !slices.Contains(theirValues, name) {
			theirValues = append(theirValues, name)
		}
	}
	sides := iop.Diff(d.oursParams, d.theirsParams)
	merged := d.oursParams
	for _, name := range theirValues {
		differences := slices.DeleteFunc(slices.Clone(sides), func(leaf iop.Difference) bool { return in.name(leaf.Name) != name })
		if len(differences) == 0 {
			continue
		}
		if fields := fieldNames(differences); len(fields) == 1 {
			name = fields[0]
		}
		side, value := Theirs, ""
		var err error
		if slices.Contains(ourValues, in.name(name)) {
			if side, value, err = m.decideField(id, name, d, differences); err != nil {
				return merged, err
			}
		}
		switch {
		case value != "":
			if merged, err = setField(merged, Setting{Name: name, Value: value}); err != nil {
				return merged, fault.Invalid("/resolve", "resolve: %v", err)
			}
		case side == Theirs:
			if merged, err = merged.WithAll(valuesAfter(differences)); err != nil {
				return merged, err
			}
		}
	}
	return merged, nil
}

// decideField decides the conflict about a field, given how ours and theirs differ
// in it.
func (m *merger) decideField(id instanceID, name string, d decoded, differences []iop.Difference) (Side, string, error) {
	base := func(leaf iop.Difference) iop.Value { v, _ := d.baseParams.Get(leaf.Name); return v }
	c := Conflict{
		Module: id.operation, Instance: id.instance(), Field: name, Base: describeValues(name, differences, base),
		Ours:   describeValues(name, differences, func(leaf iop.Difference) iop.Value { return leaf.Before }),
		Theirs: describeValues(name, differences, func(leaf iop.Difference) iop.Value { return leaf.After }),
	}
	oneValue := len(differences) == 1 && differences[0].Name == name
	return m.decide(c, oneValue)
}

// valuesAfter yields the leaves that differ with their values after.
func valuesAfter(differences []iop.Difference) iter.Seq2[string, iop.Value] {
	return func(yield func(string, iop.Value) bool) {
		for _, d := range differences {
			if !yield(d.Name, d.After) {
				return
			}
		}
	}
}

// describeValues writes one side of a conflict: the value alone, when the field
// has only one.
func describeValues(name string, differences []iop.Difference, value func(iop.Difference) iop.Value) string {
	if len(differences) == 1 && differences[0].Name == name {
		return value(differences[0]).String()
	}
	var words []string
	for _, d := range differences {
		words = append(words, d.Name+" "+value(d).String())
	}
	return joinFirst(words)
}
