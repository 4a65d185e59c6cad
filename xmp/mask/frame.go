package mask

import "math"

// Size is a picture's width and height in pixels.
type Size struct{ Width, Height float64 }

func (s Size) shorter() float64  { return min(s.Width, s.Height) }
func (s Size) diagonal() float64 { return math.Hypot(s.Width, s.Height) }

// Frame maps the developed picture back to the picture as it came in, whose
// coordinates shapes have: see [Shape].
type Frame struct {
	// Input is the raw's whole buffer, Developed the picture that is seen.
	Input, Developed Size
	// At gives the place in the input, 0..1 of it, of a place in the developed
	// picture, 0..1 of that. Both count from the top left.
	At func(u, v float64) (x, y float64)
}

// Whole is the frame of a picture whose geometry is not changed.
func Whole(size Size) Frame {
	return Frame{Input: size, Developed: size, At: func(u, v float64) (x, y float64) { return u, v }}
}

// Shape takes a shape whose numbers refer to the developed picture (coordinates
// in 0..1 of it, lengths in its shorter side, directions as it is seen) and
// maps it to the input. Rotations, crops and changes of scale are exact. Where the
// geometry is not linear (lens, perspective), points are exact, and sizes and
// directions are those at the shape's centre.
//
// A circle may become an [Ellipse]. A group is returned as it is.
func (f Frame) Shape(s Shape) Shape {
	switch s := s.(type) {
	case Circle:
		return f.ellipse(Ellipse{X: s.X, Y: s.Y, RadiusA: s.Radius, RadiusB: s.Radius, Border: s.Border})
	case Ellipse:
		return f.ellipse(s)
	case Gradient:
		return f.gradient(s)
	case Path:
		p := Path{make([]Vertex, len(s.Vertices))}
		for i, v := range s.Vertices {
			scale := f.scaleAt(v.X, v.Y)
			f.movePoint(&v.X, &v.Y)
			f.movePoint(&v.InX, &v.InY)
			f.movePoint(&v.OutX, &v.OutY)
			v.BorderA, v.BorderB = v.BorderA*scale, v.BorderB*scale
			p.Vertices[i] = v
		}
		return p
	case Brush:
		b := Brush{make([]BrushNode, len(s.Nodes))}
		for i, n := range s.Nodes {
			scale := f.scaleAt(n.X, n.Y)
			f.movePoint(&n.X, &n.Y)
			f.movePoint(&n.InX, &n.InY)
			f.movePoint(&n.OutX, &n.OutY)
			n.BorderA, n.BorderB = n.BorderA*scale, n.BorderB*scale
			b.Nodes[i] = n
		}
		return b
	}
	return s
}

func (f Frame) movePoint(x, y *float32) {
	u, v := f.At(float64(*x), float64(*y))
	*x, *y = float32(u), float32(v)
}

// matrix is a linear map of directions, in pixels: its columns are the images of a
// step to the right and of a step down.
type matrix struct{ a, b, c, d float64 } // x' = ax + by, y' = cx + dy

func (l matrix) det() float64 { return l.a*l.d - l.b*l.c }

// jacobian is the linear map at a place of the developed picture.
func (f Frame) jacobian(x, y float32) matrix {
	const step = 0.01
	u, v := float64(x), float64(y)
	x1, y1 := f.At(u-step, v)
	x2, y2 := f.At(u+step, v)
	x3, y3 := f.At(u, v-step)
	x4, y4 := f.At(u, v+step)
	right, down := 2*step*f.Developed.Width, 2*step*f.Developed.Height
	return matrix{
		(x2 - x1) * f.Input.Width / right, (x4 - x3) * f.Input.Width / down,
		(y2 - y1) * f.Input.Height / right, (y4 - y3) * f.Input.Height / down,
	}
}

// scaleAt is the factor by which lengths change around a place, in the frames'
// own units.
func (f Frame) scaleAt(x, y float32) float32 {
	return float32(math.Sqrt(math.Abs(f.jacobian(x, y).det())) * f.Developed.shorter() / f.Input.shorter())
}

// FullSize is how large the developed picture is when no pixel is scaled, given
// the size of the raw. It is zero when that cannot be the raw of this frame: a
// file's metadata may have the size of a preview.
func (f Frame) FullSize(raw Size) Size {
	const tolerance, minLength = 0.05, 1000
	long, short := max(raw.Width, raw.Height), raw.shorter()
	input := f.Input.shorter() / max(f.Input.Width, f.Input.Height)
	if long < minLength || math.Abs(short/long-input) > tolerance {
		return Size{}
	}
	scale := math.Sqrt(math.Abs(f.jacobian(0.5, 0.5).det())) * raw.diagonal() / f.Input.diagonal()
	return Size{f.Developed.Width * scale, f.Developed.Height * scale}
}

// ellipse maps an ellipse, to a circle where it is one.
func (f Frame) ellipse(e Ellipse) Shape {
	l := f.jacobian(e.X, e.Y)
	sin, cos := math.Sincos(float64(e.Rotation) * math.Pi / 180)
	unit := f.Developed.shorter() / f.Input.shorter()
	ra, rb := float64(e.RadiusA)*unit, float64(e.RadiusB)*unit
	// The columns are the images of the half axes.
	m := matrix{(l.a*cos + l.b*sin) * ra, (l.b*cos - l.a*sin) * rb, (l.c*cos + l.d*sin) * ra, (l.d*cos - l.c*sin) * rb}
	// Its singular values are the new half axes.
	p, q := m.a*m.a+m.b*m.b, m.c*m.c+m.d*m.d
	mixed := m.a*m.c + m.b*m.d
	mean, diff := (p+q)/2, math.Hypot((p-q)/2, mixed)
	out := Ellipse{
		X: e.X, Y: e.Y, Border: e.Border, Proportional: e.Proportional,
		RadiusA: float32(math.Sqrt(mean + diff)), RadiusB: float32(math.Sqrt(max(mean-diff, 0))),
		Rotation: float32(math.Atan2(2*mixed, p-q) / 2 * 180 / math.Pi),
	}
	if e.Proportional == 0 {
		out.Border *= f.scaleAt(e.X, e.Y)
	}
	f.movePoint(&out.X, &out.Y)
	if e.RadiusA == e.RadiusB && e.Proportional == 0 && out.RadiusA-out.RadiusB < 1e-3*out.RadiusA {
		return Circle{X: out.X, Y: out.Y, Radius: (out.RadiusA + out.RadiusB) / 2, Border: out.Border}
	}
	return out
}

// gradient maps a gradient's line.
func (f Frame) gradient(g Gradient) Shape {
	l := f.jacobian(g.X, g.Y)
	sin, cos := math.Sincos(float64(g.Rotation) * math.Pi / 180)
	// The line runs along (cos, -sin); (-sin, -cos) points to what is selected.
	alongX, alongY := l.a*cos-l.b*sin, l.c*cos-l.d*sin
	along := math.Hypot(alongX, alongY)
	// The new normal is perpendicular to the new line, on the side of the old one's image.
	normalX, normalY := alongY/along, -alongX/along
	sideX, sideY := -l.a*sin-l.b*cos, -l.c*sin-l.d*cos
	across := normalX*sideX + normalY*sideY
	if across < 0 {
		normalX, normalY, across = -normalX, -normalY, -across
	}
	unit := f.Developed.diagonal() / f.Input.diagonal()
	g.Rotation = float32(math.Atan2(-normalX, -normalY) * 180 / math.Pi)
	g.Compression = float32(min(float64(g.Compression)*across*unit, 1))
	g.Curvature = float32(float64(g.Curvature) * across / (along * along) / unit)
	f.movePoint(&g.X, &g.Y)
	return g
}
