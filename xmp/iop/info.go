package iop

import "slices"

// FieldInfo describes one leaf of a layout.
type FieldInfo struct {
	Name        string
	Description string // darktable's own words, in English; may be empty
	Unit        string // "" when it has none or it is not known
	Kind        string // float, int, uint, ushort, int8, bool, enum, text, opaque
	Bounded     bool   // darktable declares the range
	Min, Max    float64
	Default     Value
	Enum        []EnumValue
	Size        int // in bytes; a text holds one less

	// Neutral is the value at which the field changes nothing, given that the
	// module's other fields are neutral too; no value when there is none or it is
	// not known. It is often, but not always, the default.
	Neutral Value
	// Gate says when the field matters: "shadows_C" while that field is not
	// neutral, "mode:EXPOSURE_MODE_DEFLICKER" while that field has that value;
	// "" always.
	Gate string
	Note string // what else a user of the field has to know
}

// EnumValue is one named constant of an enum field.
type EnumValue struct {
	Name        string
	Value       int
	Description string
}

// Field describes one leaf of a module's layout at a modversion. Min and Max
// are darktable's hard limits, or what the type can hold when it declares none.
func Field(operation string, modversion int, name string) (FieldInfo, error) {
	l, err := find(operation, modversion, nil)
	if err != nil {
		return FieldInfo{}, err
	}
	return l.info(name)
}

// Fields describes all leaves of a module's layout, in layout order.
func Fields(operation string, modversion int) ([]FieldInfo, error) {
	l, err := find(operation, modversion, nil)
	if err != nil {
		return nil, err
	}
	return l.infos(), nil
}

// Field describes one leaf of the parameters.
func (p Params) Field(name string) (FieldInfo, error) {
	if p.layout == nil {
		_, _, _, err := p.lookup(name)
		return FieldInfo{}, err
	}
	return p.layout.info(name)
}

func (l *layout) info(name string) (FieldInfo, error) {
	p := Params{layout: l}
	f, at, n, err := p.lookup(name)
	if err != nil {
		return FieldInfo{}, err
	}
	if n != 1 {
		return FieldInfo{}, p.isArray(name, f, n)
	}
	return l.describe(f, name, l.defaults()[at:]), nil
}

func (l *layout) infos() []FieldInfo {
	var all []FieldInfo
	for f := range leaves(l.fields) {
		all = append(all, l.describe(f.field, string(f.path), l.defaults()[f.at:]))
	}
	return all
}

// describe describes a leaf, whose default's bytes start def.
func (l *layout) describe(f *field, name string, def []byte) FieldInfo {
	low, high := f.limits()
	known := meaningOf(l.operation, name)
	info := FieldInfo{
		Name: name, Description: f.description, Unit: known.unit, Kind: f.kind.String(),
		Bounded: f.bounded, Min: low, Max: high,
		Default: f.read(def), Enum: slices.Clone(f.enum), Size: f.size,
		Gate: known.gate, Note: known.note,
	}
	if known.neutral != nil {
		b := make([]byte, f.size)
		f.writeNumber(b, *known.neutral)
		info.Neutral = f.read(b)
	}
	return info
}
