package mask

import (
	"fmt"
)

// Mask maps the mask to the coordinates of shapes and to darktable's numbers. f is
// only used for shapes; a Spec with a Name has to be expanded before.
//
// It fails with an *[Error] of kind BadShape, BadValue, Empty or UnknownChannel.
// Shapes are checked in the developed picture: they have to have some part
// there.
func (s Spec) Mask(f Frame) (Mask, error) {
	switch {
	case s.Name != "" && !s.Finds():
		return Mask{}, errorf(BadValue, "name", "the mask %q has to be looked up first", s.Name)
	case s.Finds():
		return Mask{}, errorf(BadValue, "mask", "its region has to be found first")
	case s.File != "":
		return Mask{}, errorf(BadValue, "file", "%q has to be read first", s.File)
	case len(s.Shapes)+len(s.Ranges) == 0:
		return Mask{}, errorf(Empty, "mask", "it selects everything; give a name, shapes or ranges, or leave the mask out")
	case len(s.Shapes) > 0 && f.At == nil:
		return Mask{}, errorf(BadShape, "shapes", "the developed picture's frame is not known, so a shape has no place")
	}
	m := Mask{Combine: s.Match, Invert: s.Invert, Opacity: (*float64)(s.Opacity), Refine: Refine{
		FeatherRadius: float32(s.Feather), BlurRadius: float32(s.Blur), Contrast: float32(s.Contrast), Details: float32(s.Details),
	}}
	for i, part := range s.Shapes {
		shape, err := part.shape(f.Developed)
		if err == nil {
			err = checkShape(shape)
		}
		if err != nil {
			return Mask{}, atIndex("shapes", i, err)
		}
		m.Shapes = append(m.Shapes, Member{Shape: f.Shape(shape), Op: part.Combine, Invert: part.Invert, Opacity: (*float64)(part.Opacity)})
	}
	for i, part := range s.Ranges {
		r, err := part.selection()
		if err != nil {
			return Mask{}, atIndex("ranges", i, err)
		}
		m.Ranges = append(m.Ranges, r)
	}
	return m, nil
}

// atIndex says in which part of the mask an error is.
func atIndex(list string, i int, err error) error {
	if e, ok := err.(*Error); ok { //nolint:errorlint // this package's own, just made
		located := *e
		located.Field = fmt.Sprintf("%s[%d]", list, i)
		return &located
	}
	return err
}

// valueOr returns an optional number, or a default.
func valueOr(value *float64, fallback float64) float64 {
	if value == nil {
		return fallback
	}
	return *value
}
