package mask

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// Spot is a place that the retouch module covers with another place of the
// picture.
type Spot struct {
	// ID is 1 or more, and unique among the spots.
	ID int
	// Kind is SpotHeal or SpotClone.
	Kind SpotKind
	// Shape of the place: a [Circle], an [Ellipse] or a [Path]. Beyond its edge,
	// over its border, the effect fades out.
	Shape Shape
	// SourceX and SourceY are where the shape's anchor lies when the shape is
	// moved over the place to copy from: see [Anchor].
	SourceX, SourceY float32
}

// SpotKind is what happens to a spot.
type SpotKind string

// The kinds of spots.
const (
	// SpotHeal takes the texture of the source and the light and colour of
	// what surrounds the spot.
	SpotHeal SpotKind = "heal"
	// SpotClone copies the source as it is.
	SpotClone SpotKind = "clone"
)

// SpotKinds lists the kinds of spots.
func SpotKinds() []SpotKind { return []SpotKind{SpotHeal, SpotClone} }

// maxSpots is how many spots one instance of the retouch module can have.
const maxSpots = 300

// Algorithms are the names that the retouch module has for kinds of spots, in
// its field "algorithm".
var Algorithms = map[SpotKind]string{SpotClone: "DT_IOP_RETOUCH_CLONE", SpotHeal: "DT_IOP_RETOUCH_HEAL"}

// Anchor is the point of a shape that a spot's source is measured from: the
// centre, or a path's first corner.
func Anchor(s Shape) (x, y float32, ok bool) {
	switch s := s.(type) {
	case Circle:
		return s.X, s.Y, true
	case Ellipse:
		return s.X, s.Y, true
	case Path:
		if len(s.Vertices) > 0 {
			return s.Vertices[0].X, s.Vertices[0].Y, true
		}
	}
	return 0, 0, false
}

// CompileSpots makes the blend parameters and the forms of an instance of the
// retouch module. The first form is the group, the others are the spots in
// order; the module's parameters have to name each spot's form, by its ID, with
// its algorithm.
//
// It fails with an *[Error] of kind Empty, BadShape, BadValue or UnknownVersion.
func CompileSpots(version int, spots []Spot) (Compiled, error) {
	switch {
	case len(spots) == 0:
		return Compiled{}, errorf(Empty, "spots", "there are none; remove the module instead")
	case len(spots) > maxSpots:
		return Compiled{}, errorf(BadValue, "spots", "%d spots; darktable has at most %d in an instance", len(spots), maxSpots)
	}
	b, err := NewBlend(version, ColorSpaceRGBScene)
	if err != nil {
		return Compiled{}, err
	}
	b.MaskMode, b.MaskID = Uniform, 1
	g := Group{Members: make([]GroupMember, len(spots))}
	forms := make([]Form, 1, len(spots)+1)
	for i, s := range spots {
		id := uint32(i + 2)
		form, err := s.form(id)
		if err != nil {
			return Compiled{}, err
		}
		forms = append(forms, form)
		g.Members[i] = GroupMember{ID: id, Parent: 1, State: memberShow | memberUse, Opacity: 1}
		if i > 0 {
			g.Members[i].State |= memberUnion
		}
	}
	forms[0] = NewForm(1, "spots", g)
	forms[0].Type |= TypeClone
	return Compiled{b, forms}, nil
}

func (s Spot) form(id uint32) (Form, error) {
	if _, ok := Algorithms[s.Kind]; !ok {
		return Form{}, errorf(BadValue, "kind", "%q is none of %v", s.Kind, SpotKinds())
	}
	if _, _, ok := Anchor(s.Shape); !ok {
		return Form{}, badShape("a spot is a circle, an ellipse or a path")
	}
	if err := checkShape(s.Shape); err != nil {
		return Form{}, err
	}
	if !inRange(s.SourceX, -1, 2) || !inRange(s.SourceY, -1, 2) {
		return Form{}, badShape("the source %v, %v lies far outside of the picture, 0 to 1", s.SourceX, s.SourceY)
	}
	f := NewForm(id, string(s.Kind)+" "+strconv.Itoa(s.ID), s.Shape)
	f.Type |= TypeClone
	var w writer
	w.f32(&s.SourceX)
	w.f32(&s.SourceY)
	f.Source = w.out
	return f, nil
}

// ReadSpots reads the spots out of forms that CompileSpots made, in any order
// and under any numbers. Other forms are ignored.
func ReadSpots(forms []Form) []Spot {
	var spots []Spot
	for _, f := range forms {
		kind, number, _ := strings.Cut(f.Name, " ")
		id, err := strconv.Atoi(number)
		if f.Type&TypeClone == 0 || Algorithms[SpotKind(kind)] == "" || err != nil || len(f.Source) != 8 {
			continue
		}
		shape, err := f.Shape()
		if err != nil {
			continue
		}
		s := Spot{ID: id, Kind: SpotKind(kind), Shape: shape}
		r := reader{bytes.Clone(f.Source)}
		r.f32(&s.SourceX)
		r.f32(&s.SourceY)
		spots = append(spots, s)
	}
	return spots
}

// Same reports whether two spots do the same, to a ten-thousandth of the picture.
func (s Spot) Same(t Spot) bool {
	const tolerance = 1e-4
	a, b := numberList{}, numberList{}
	s.Shape.visitFields(&a)
	t.Shape.visitFields(&b)
	a.list, b.list = append(a.list, s.SourceX, s.SourceY), append(b.list, t.SourceX, t.SourceY)
	if s.Kind != t.Kind || len(a.list) != len(b.list) {
		return false
	}
	for i := range a.list {
		if math.Abs(float64(a.list[i]-b.list[i])) > tolerance {
			return false
		}
	}
	return true
}

// numberList is a visitor that collects the numbers of a shape.
type numberList struct{ list []float32 }

func (n *numberList) f32(p *float32) { n.list = append(n.list, *p) }
func (*numberList) u32(*uint32)      {}
func (*numberList) i32(*int32)       {}
func (*numberList) bytes([]byte)     {}
