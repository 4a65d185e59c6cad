package mask

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Word is one thing that a mask or a spot says, in the words and units of a [Spec]:
// "shapes[0].radius", "0.2".
type Word struct{ Name, Value, Unit string }

// Lens is how words are made: where shapes are seen, and how exactly.
type Lens struct {
	// Frame takes shapes to the developed picture. Without one they are told in
	// fractions of the picture as it came in.
	Frame Frame
	// Digits of numbers that count; 0 is 5.
	Digits int
}

// Words tells blending and mask, with the forms that it uses, but for what is the
// default. Shapes that cannot be read are told by their type and size.
func (l Lens) Words(b Blend, forms []Form) []Word {
	w := words{Lens: l, forms: map[uint32]Form{}}
	for _, f := range forms {
		w.forms[f.ID] = f
	}
	if b.MaskMode == 0 {
		return nil
	}
	if kinds := b.MaskMode.kinds(); kinds != "" {
		w.add("kind", kinds, "")
	}
	if b.MaskMode&Drawn != 0 {
		w.group("shapes", b.MaskID, map[uint32]bool{})
	}
	if b.MaskMode&Parametric != 0 {
		w.ranges(b)
	}
	if b.MaskMode&Raster != 0 {
		source, _, _ := strings.Cut(string(b.RasterSource[:]), "\x00")
		w.add("raster", fmt.Sprintf("%s %d", source, b.RasterInstance), "")
		w.flag("raster.invert", b.RasterInvert != 0)
	}
	w.blending(b)
	return w.list
}

// kinds names what limits the module.
func (m Limits) kinds() string {
	var kinds []string
	for _, k := range []struct {
		flag Limits
		name string
	}{{Drawn, "shapes"}, {Parametric, "ranges"}, {Raster, "raster"}} {
		if m&k.flag != 0 {
			kinds = append(kinds, k.name)
		}
	}
	return strings.Join(kinds, " and ")
}

// words collects what is told.
type words struct {
	Lens
	forms map[uint32]Form
	list  []Word
}

func (w *words) add(name, value, unit string) { w.list = append(w.list, Word{name, value, unit}) }

func (w *words) flag(name string, is bool) {
	if is {
		w.add(name, "true", "")
	}
}

// number tells a number, and none that is the default.
func (w *words) number(name string, x, fallback float64, unit string) {
	if text := w.text(x); text != w.text(fallback) {
		w.add(name, text, unit)
	}
}

func (w *words) text(x float64) string {
	digits := w.Digits
	if digits == 0 {
		digits = 5
	}
	unit := math.Pow(10, float64(digits))
	if math.Abs(x) < 10 { // so many decimals of a fraction
		x = math.Round(x*unit) / unit
	}
	return strconv.FormatFloat(zero(x), 'g', digits+2, 64)
}

// blending tells what holds for the whole mask.
func (w *words) blending(b Blend) {
	w.number("opacity", float64(b.Opacity)/100, 1, "")
	if b.Combine&CombineInclusive != 0 && b.MaskMode&Parametric != 0 {
		w.add("match", string(Any), "")
	}
	w.flag("invert", b.Combine&CombineInvert != 0)
	w.flag("shapes.invert", b.Combine&CombineMasksPos != 0)
	if b.Mode != blendNormal {
		w.add("mode", modeName(b.Mode, b.ColorSpace), "")
	}
	w.number("feather", float64(b.FeatherRadius), 0, "px")
	w.number("blur", float64(b.BlurRadius), 0, "px")
	w.number("contrast", float64(b.Contrast), 0, "")
	w.number("brightness", float64(b.Brightness), 0, "")
	w.number("details", float64(b.Details), 0, "")
}

// modeName names a blend mode, or gives its number.
func modeName(number uint32, space ColorSpace) string {
	found := ""
	for name, n := range modes[space] {
		if n == number && (found == "" || name < found) {
			found = name
		}
	}
	if found == "" {
		return strconv.FormatUint(uint64(number), 10)
	}
	return found
}

// group tells the members of a group of forms.
func (w *words) group(name string, id uint32, seen map[uint32]bool) {
	form, ok := w.forms[id]
	if !ok || seen[id] {
		return
	}
	seen[id] = true
	shape, err := form.Shape()
	group, grouped := shape.(Group)
	if err != nil || !grouped {
		w.form(name+"[0]", form)
		return
	}
	for i, m := range group.Members {
		at := fmt.Sprintf("%s[%d]", name, i)
		if member, ok := w.forms[m.ID]; ok && member.Type&TypeGroup != 0 {
			w.group(at+".shapes", m.ID, seen)
		} else if ok {
			w.form(at, member)
		}
		if i > 0 {
			w.add(at+".combine", string(m.State.op()), "")
		}
		w.flag(at+".invert", m.State&memberInverse != 0)
		w.flag(at+".off", m.State&memberUse == 0)
		w.number(at+".opacity", float64(m.Opacity), 1, "")
	}
}

// op is how a member is combined.
func (s MemberState) op() Op {
	switch {
	case s&memberIntersection != 0:
		return OpIntersection
	case s&memberDifference != 0:
		return OpDifference
	case s&memberExclusion != 0:
		return OpExclusion
	}
	return OpUnion
}

// form tells a shape.
func (w *words) form(at string, f Form) {
	shape, err := f.Shape()
	if err != nil {
		w.add(at+".kind", fmt.Sprintf("unknown (type %d, version %d)", f.Type, f.Version), "")
		w.add(at+".points", fmt.Sprintf("%x", f.Points), "")
		return
	}
	w.add(at+".kind", typeName(shape), "")
	developed := w.Frame.Developed
	if w.Frame.At != nil {
		shape = w.Frame.back().Shape(shape)
	}
	w.shape(at, shape, developed)
}

// back is the frame that maps the input to the developed picture.
func (f Frame) back() Frame { return Frame{Input: f.Developed, Developed: f.Input, At: f.Seen} }

// of names the unit of a fraction.
func (w *words) of(side string) string {
	if w.Frame.At == nil {
		return "of the raw's " + side
	}
	return "of the " + side
}

func (w *words) place(at string, x, y float32) {
	w.add(at+".x", w.text(float64(x)), w.of("width"))
	w.add(at+".y", w.text(float64(y)), w.of("height"))
}

func (w *words) length(at, name string, x float64) {
	w.add(at+"."+name, w.text(x), w.of("shorter side"))
}

func (w *words) shape(at string, s Shape, developed Size) {
	switch s := s.(type) {
	case Circle:
		w.place(at, s.X, s.Y)
		w.length(at, "radius", float64(s.Radius))
		w.length(at, "softness", float64(s.Border))
	case Ellipse:
		w.place(at, s.X, s.Y)
		w.length(at, "radius", float64(s.RadiusA))
		w.length(at, "radius_y", float64(s.RadiusB))
		w.number(at+".rotation", turned(float64(s.Rotation), 180), 0, "degrees")
		soft := float64(s.Border)
		if s.Proportional != 0 {
			soft *= float64(s.RadiusA)
		}
		w.length(at, "softness", soft)
	case Gradient:
		w.place(at, s.X, s.Y)
		w.number(at+".rotation", turned(-float64(s.Rotation), 360), 0, "degrees")
		soft := float64(s.Compression)
		if developed.shorter() > 0 {
			w.length(at, "softness", soft*developed.diagonal()/developed.shorter())
		} else {
			w.add(at+".softness", w.text(soft), w.of("diagonal"))
		}
		w.number(at+".curvature", float64(s.Curvature), 0, "")
		w.flag(at+".sigmoid", s.Falloff == FalloffSigmoid)
	case Path:
		points := make([]point, len(s.Vertices))
		for i, v := range s.Vertices {
			points[i] = point{v.X, v.Y}
		}
		w.points(at, points)
		if len(s.Vertices) > 0 {
			w.length(at, "softness", float64(s.Vertices[0].BorderA))
		}
		w.controls(at, s)
	case Brush:
		w.brush(at, s)
	}
}

// controls tells the control points of a curved path.
func (w *words) controls(at string, p Path) {
	var curved []point
	for _, v := range p.Vertices {
		curved = append(curved, point{v.InX, v.InY}, point{v.OutX, v.OutY})
		if v.InX == v.X && v.InY == v.Y && v.OutX == v.X && v.OutY == v.Y {
			curved = curved[:len(curved)-2]
		}
	}
	if len(curved) > 0 {
		w.add(at+".curved", w.list2(curved), w.of("width and height"))
	}
}

func (w *words) brush(at string, b Brush) {
	points := make([]point, len(b.Nodes))
	for i, n := range b.Nodes {
		points[i] = point{n.X, n.Y}
	}
	w.points(at, points)
	if len(b.Nodes) == 0 {
		return
	}
	n := b.Nodes[0]
	border, hard := float64(n.BorderA), float64(n.Hardness)
	w.length(at, "radius", border*hard)
	w.length(at, "softness", border*(1-hard))
	w.number(at+".density", float64(n.Density), 1, "")
}

func (w *words) points(at string, points []point) {
	w.add(at+".points", w.list2(points), w.of("width and height"))
}

// list2 writes points as JSON, a few of many.
func (w *words) list2(points []point) string {
	const most = 24
	var text []string
	for i, p := range points {
		if i == most && w.Digits == 0 {
			text = append(text, fmt.Sprintf("and %d more", len(points)-most))
			break
		}
		text = append(text, "["+w.text(float64(p.x))+", "+w.text(float64(p.y))+"]")
	}
	return "[" + strings.Join(text, ", ") + "]"
}
