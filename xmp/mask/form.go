package mask

// FormVersion is the mask_version of the forms that this package reads and
// writes, as darktable 4.2 to 5.4 do.
const FormVersion = 6

// FormType says what a form is: a sum of flags. One of them is the shape; forms of
// the retouch module have another, for whether the place is copied from
// elsewhere.
type FormType uint32

// The flags of FormType.
const (
	TypeCircle   FormType = 1
	TypePath     FormType = 2
	TypeGroup    FormType = 4
	TypeClone    FormType = 8
	TypeGradient FormType = 16
	TypeEllipse  FormType = 32
	TypeBrush    FormType = 64
	TypeNonClone FormType = 128
)

// Form is a drawn shape, or a group of shapes, as a sidecar lists it.
type Form struct {
	// ID is positive and unique in the sidecar; blend parameters and groups name
	// forms by it.
	ID   uint32
	Type FormType
	// Name is what darktable shows in its list of shapes; it need not be unique.
	Name    string
	Version int // mask_version
	// Points are the shape's numbers; see [Form.Shape].
	Points []byte
	// Count is the number of points, or of a group's members.
	Count int
	// Source is where a cloned form copies from: x and y.
	Source []byte
}

// NewForm makes the form of a shape.
func NewForm(id uint32, name string, s Shape) Form {
	kind, count := s.formType()
	w := &writer{}
	s.visitFields(w)
	return Form{
		ID: id, Type: kind, Name: name, Version: FormVersion,
		Points: w.out, Count: count, Source: make([]byte, 8),
	}
}

// layout is how a type's points are laid out.
type layout struct {
	size int  // bytes of a point
	one  bool // there is always one point
	read func(r *reader, count int) Shape
}

var layouts = map[FormType]layout{
	TypeCircle:   {16, true, func(r *reader, _ int) Shape { var c Circle; c.visit(r); return c }},
	TypeEllipse:  {28, true, func(r *reader, _ int) Shape { var e Ellipse; e.visit(r); return e }},
	TypeGradient: {28, true, func(r *reader, _ int) Shape { var g Gradient; g.visit(r); return g }},
	TypePath:     {36, false, func(r *reader, n int) Shape { p := Path{make([]Vertex, n)}; p.visit(r); return p }},
	TypeBrush:    {44, false, func(r *reader, n int) Shape { b := Brush{make([]BrushNode, n)}; b.visit(r); return b }},
	TypeGroup:    {16, false, func(r *reader, n int) Shape { g := Group{make([]GroupMember, n)}; g.visit(r); return g }},
}

// Shape reads the form's numbers; encoding them again is byte-exact. It fails
// with an *[Error] of kind UnknownVersion or UnknownForm when the layout is not
// known, and SizeMismatch when the bytes do not fit it; the form then has to be
// carried as it is.
func (f Form) Shape() (Shape, error) {
	if f.Version != FormVersion {
		return nil, errorf(UnknownVersion, "mask_version", "the layout of %d is not known, only that of %d", f.Version, FormVersion)
	}
	l, ok := layouts[f.Type&^(TypeClone|TypeNonClone)]
	if !ok {
		return nil, errorf(UnknownForm, "mask_type", "%d is no circle, ellipse, gradient, path, brush or group", f.Type)
	}
	if f.Count < 0 || l.one && f.Count != 1 || len(f.Points)%l.size != 0 || len(f.Points)/l.size != f.Count {
		return nil, errorf(SizeMismatch, "mask_points", "%d bytes for %d points of type %d, which have %d each", len(f.Points), f.Count, f.Type, l.size)
	}
	return l.read(&reader{f.Points}, f.Count), nil
}
