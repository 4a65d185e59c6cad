package mask

import (
	"fmt"
	"math"
)

// Mask takes the mask into the frame of shapes and into darktable's numbers. f
// is only asked for shapes; a Spec with a Name has to be expanded before.
//
// It fails with an *[Error] of kind BadShape, BadValue, Empty or UnknownChannel.
// Shapes are checked in the developed picture: they have to have some part
// there.
func (s Spec) Mask(f Frame) (Mask, error) {
	switch {
	case s.Name != "":
		return Mask{}, &Error{Kind: BadValue, Field: "name", Detail: fmt.Sprintf("the mask %q has to be looked up first", s.Name)}
	case s.File != "":
		return Mask{}, &Error{Kind: BadValue, Field: "file", Detail: fmt.Sprintf("%q has to be read first", s.File)}
	case len(s.Shapes)+len(s.Ranges) == 0:
		return Mask{}, &Error{Kind: Empty, Field: "mask", Detail: "it selects everything; give a name, shapes or ranges, or leave the mask out"}
	case len(s.Shapes) > 0 && f.At == nil:
		return Mask{}, &Error{Kind: BadShape, Field: "shapes", Detail: "the developed picture's frame is not known, so a shape has no place"}
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
			return Mask{}, inPart("shapes", i, err)
		}
		m.Shapes = append(m.Shapes, Member{Shape: f.Shape(shape), Op: part.Combine, Invert: part.Invert, Opacity: (*float64)(part.Opacity)})
	}
	for i, part := range s.Ranges {
		r, err := part.selection()
		if err != nil {
			return Mask{}, inPart("ranges", i, err)
		}
		m.Ranges = append(m.Ranges, r)
	}
	return m, nil
}

// inPart says in which part of the mask an error is.
func inPart(list string, i int, err error) error {
	if e, ok := err.(*Error); ok { //nolint:errorlint // this package's own, just made
		told := *e
		told.Field = fmt.Sprintf("%s[%d]", list, i)
		return &told
	}
	return err
}

// The softness of shapes and ranges for which none is given.
const (
	softShape    = 0.05
	softGradient = 0.25
	softRange    = 0.1
	softHue      = 15.0
)

// shape gives the shape in the numbers of this package, still in the frame of
// the developed picture.
func (p SpecShape) shape(developed Size) (Shape, error) {
	soft := orElse((*float64)(p.Softness), softShape)
	x, y := float32(orElse(p.X, 0.5)), float32(orElse(p.Y, 0.5))
	switch p.Kind {
	case KindPath, KindBrush:
		if p.X != nil || p.Y != nil {
			return nil, badShape("a %s is drawn by its points; it has no x and y", p.Kind)
		}
	case KindCircle, KindEllipse, KindGradient:
		if len(p.Points) > 0 {
			return nil, badShape("a %s has x and y, and no points", p.Kind)
		}
	}
	switch p.Kind {
	case KindCircle:
		if p.RadiusY != 0 {
			return nil, badShape("a circle has one radius; an ellipse has radius_y")
		}
		return Circle{X: x, Y: y, Radius: float32(p.Radius), Border: float32(soft)}, nil
	case KindEllipse:
		return Ellipse{X: x, Y: y, RadiusA: float32(p.Radius), RadiusB: float32(p.RadiusY), Rotation: float32(p.Rotation), Border: float32(soft)}, nil
	case KindGradient:
		soft = orElse((*float64)(p.Softness), softGradient) * developed.short() / developed.diagonal()
		return Gradient{X: x, Y: y, Rotation: float32(-p.Rotation), Compression: float32(soft), Falloff: FalloffLinear}, nil
	case KindPath:
		return polygon(p.Points, soft)
	case KindBrush:
		return stroke(p.Points, p.Radius, soft)
	}
	return nil, badShape("kind %q is none of %v", p.Kind, ShapeKinds())
}

// mostPoints is how many points a shape may have.
const mostPoints = 4000

func pairs(points [][]float64) error {
	if len(points) > mostPoints {
		return badShape("%d points; a shape has at most %d", len(points), mostPoints)
	}
	for i, p := range points {
		if len(p) != 2 {
			return badShape("point %d has %d numbers; each has two, [x, y]", i, len(p))
		}
	}
	return nil
}

func polygon(points [][]float64, soft float64) (Shape, error) {
	if err := pairs(points); err != nil {
		return nil, err
	}
	path := Path{make([]Vertex, len(points))}
	for i, p := range points {
		x, y, b := float32(p[0]), float32(p[1]), float32(soft)
		path.Vertices[i] = Vertex{X: x, Y: y, InX: x, InY: y, OutX: x, OutY: y, BorderA: b, BorderB: b, State: VertexUser}
	}
	return path, nil
}

func stroke(points [][]float64, radius, soft float64) (Shape, error) {
	if err := pairs(points); err != nil {
		return nil, err
	}
	if radius <= 0 {
		return nil, badShape("a brush of radius %g has no area", radius)
	}
	brush := Brush{make([]BrushNode, len(points))}
	for i, p := range points {
		x, y, b := float32(p[0]), float32(p[1]), float32(radius+soft)
		brush.Nodes[i] = BrushNode{
			X: x, Y: y, InX: x, InY: y, OutX: x, OutY: y, BorderA: b, BorderB: b,
			Density: 1, Hardness: float32(radius / (radius + soft)), State: VertexUser,
		}
	}
	return brush, nil
}

// selection gives the range in darktable's numbers: hue in turns, lightness as
// the light that it stands for.
func (r SpecRange) selection() (Select, error) {
	from, to, soft, err := r.ends()
	out := Select{Channel: r.Channel, Invert: r.Invert}
	if err != nil {
		return out, err
	}
	if r.Channel == Hue {
		out.Range = hueRange(from, to, soft)
		return out, nil
	}
	ends := [4]float64{max(from-soft, 0), from, to, min(to+soft, 1)}
	if r.Channel == Lightness {
		out.Channel = Gray
		for i := range ends {
			ends[i] = luminance(ends[i])
		}
	}
	out.Range = Range{float32(ends[0]), float32(ends[1]), float32(ends[2]), float32(ends[3])}
	return out, nil
}

// ends gives the range with its defaults. A hue's that goes around ends beyond
// 360.
func (r SpecRange) ends() (from, to, soft float64, err error) {
	top, soft := 1.0, softRange
	if r.Channel == Hue {
		top, soft = 360, softHue
	}
	from, to, soft = orElse(r.From, 0), orElse(r.To, top), orElse(r.Softness, soft)
	bad := func(format string, args ...any) (float64, float64, float64, error) {
		return 0, 0, 0, &Error{Kind: BadValue, Detail: fmt.Sprintf("range of %s: ", r.Channel) + fmt.Sprintf(format, args...)}
	}
	switch {
	case math.IsNaN(soft+from+to) || math.IsInf(soft+from+to, 0):
		return bad("a number is infinite, or none")
	case soft < 0:
		return bad("the softness %g is negative", soft)
	case r.From == nil && r.To == nil:
		return bad("it has neither from nor to, and selects everything")
	case min(from, to) < 0 || max(from, to) > top:
		return bad("from %g to %g leaves 0 to %g", from, to, top)
	case from > to && r.Channel != Hue:
		return bad("from %g is above to %g", from, to)
	case from > to:
		to += top
	}
	return from, to, soft, nil
}

// hueRange is a range in turns, no wider than the circle.
func hueRange(from, to, soft float64) Range {
	if room := (360 - (to - from)) / 2; soft >= room {
		soft = max(room-1e-3, 0)
	}
	low := math.Max(from-soft, -360)
	return Range{float32(low / 360), float32(from / 360), float32(to / 360), float32(math.Min(to+soft, 720) / 360)}
}

// luminance is the linear light of a lightness: CIELAB's L*, in 0 to 1.
func luminance(lightness float64) float64 {
	if lightness <= 0.08 {
		return lightness * 100 * 27 / 24389
	}
	return math.Pow((lightness+0.16)/1.16, 3)
}

func orElse(value *float64, fallback float64) float64 {
	if value == nil {
		return fallback
	}
	return *value
}

// Whole is the frame of a picture that no geometry changes: it is developed as
// it came in.
func Whole(size Size) Frame {
	return Frame{Input: size, Developed: size, At: func(u, v float64) (x, y float64) { return u, v }}
}
