package mask

import "math"

// Size is a picture's width and height in pixels.
type Size struct{ Width, Height float64 }

func (s Size) short() float64    { return min(s.Width, s.Height) }
func (s Size) diagonal() float64 { return math.Hypot(s.Width, s.Height) }

// Frame leads from the developed picture back to the picture as it came in,
// which is the frame of shapes: see [Shape].
type Frame struct {
	// Input is the raw's whole buffer, Developed the picture that is seen.
	Input, Developed Size
	// At gives the place in the input, 0..1 of it, of a place in the developed
	// picture, 0..1 of that. Both count from the top left.
	At func(u, v float64) (x, y float64)
}

// Shape takes a shape whose numbers refer to the developed picture (coordinates
// in 0..1 of it, lengths in its shorter side, directions as it is seen) and
// gives it in the frame of shapes. Turns, crops and changes of scale are exact.
// Where the geometry bends (lens, perspective), points go to their exact place,
// and sizes and directions are those at the shape's centre.
//
// A circle may become an [Ellipse]. Groups have no place, and come back as they
// are.
func (f Frame) Shape(s Shape) Shape {
	switch s := s.(type) {
	case Circle:
		return f.round(Ellipse{X: s.X, Y: s.Y, RadiusA: s.Radius, RadiusB: s.Radius, Border: s.Border})
	case Ellipse:
		return f.round(s)
	case Gradient:
		return f.gradient(s)
	case Path:
		p := Path{make([]Vertex, len(s.Vertices))}
		for i, v := range s.Vertices {
			scale := f.scale(v.X, v.Y)
			f.move(&v.X, &v.Y)
			f.move(&v.InX, &v.InY)
			f.move(&v.OutX, &v.OutY)
			v.BorderA, v.BorderB = v.BorderA*scale, v.BorderB*scale
			p.Vertices[i] = v
		}
		return p
	case Brush:
		b := Brush{make([]BrushNode, len(s.Nodes))}
		for i, n := range s.Nodes {
			scale := f.scale(n.X, n.Y)
			f.move(&n.X, &n.Y)
			f.move(&n.InX, &n.InY)
			f.move(&n.OutX, &n.OutY)
			n.BorderA, n.BorderB = n.BorderA*scale, n.BorderB*scale
			b.Nodes[i] = n
		}
		return b
	}
	return s
}

func (f Frame) move(x, y *float32) {
	u, v := f.At(float64(*x), float64(*y))
	*x, *y = float32(u), float32(v)
}

// linear is a map of directions, in pixels: the columns are where a step to the
// right and a step down lead.
type linear struct{ a, b, c, d float64 } // x' = ax + by, y' = cx + dy

func (l linear) det() float64 { return l.a*l.d - l.b*l.c }

// near is the map at a place of the developed picture.
func (f Frame) near(x, y float32) linear {
	const step = 0.01
	u, v := float64(x), float64(y)
	x1, y1 := f.At(u-step, v)
	x2, y2 := f.At(u+step, v)
	x3, y3 := f.At(u, v-step)
	x4, y4 := f.At(u, v+step)
	right, down := 2*step*f.Developed.Width, 2*step*f.Developed.Height
	return linear{
		(x2 - x1) * f.Input.Width / right, (x4 - x3) * f.Input.Width / down,
		(y2 - y1) * f.Input.Height / right, (y4 - y3) * f.Input.Height / down,
	}
}

// scale is the factor by which lengths change about a place, in the frames'
// own units.
func (f Frame) scale(x, y float32) float32 {
	return float32(math.Sqrt(math.Abs(f.near(x, y).det())) * f.Developed.short() / f.Input.short())
}

// FullSize is how large the developed picture is when no pixel is scaled, given
// the size of the raw. It is nothing when that cannot be the raw of this frame:
// a file's metadata may tell the size of a preview.
func (f Frame) FullSize(raw Size) Size {
	const alike, least = 0.05, 1000
	long, short := max(raw.Width, raw.Height), raw.short()
	input := f.Input.short() / max(f.Input.Width, f.Input.Height)
	if long < least || math.Abs(short/long-input) > alike {
		return Size{}
	}
	scale := math.Sqrt(math.Abs(f.near(0.5, 0.5).det())) * raw.diagonal() / f.Input.diagonal()
	return Size{f.Developed.Width * scale, f.Developed.Height * scale}
}

// round gives the ellipse into which an ellipse goes; a circle where it is one.
func (f Frame) round(e Ellipse) Shape {
	l := f.near(e.X, e.Y)
	sin, cos := math.Sincos(float64(e.Rotation) * math.Pi / 180)
	unit := f.Developed.short() / f.Input.short()
	ra, rb := float64(e.RadiusA)*unit, float64(e.RadiusB)*unit
	// The columns are the images of the half axes.
	m := linear{(l.a*cos + l.b*sin) * ra, (l.b*cos - l.a*sin) * rb, (l.c*cos + l.d*sin) * ra, (l.d*cos - l.c*sin) * rb}
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
		out.Border *= f.scale(e.X, e.Y)
	}
	f.move(&out.X, &out.Y)
	if e.RadiusA == e.RadiusB && e.Proportional == 0 && out.RadiusA-out.RadiusB < 1e-3*out.RadiusA {
		return Circle{X: out.X, Y: out.Y, Radius: (out.RadiusA + out.RadiusB) / 2, Border: out.Border}
	}
	return out
}

// gradient turns a gradient's line with the picture.
func (f Frame) gradient(g Gradient) Shape {
	l := f.near(g.X, g.Y)
	sin, cos := math.Sincos(float64(g.Rotation) * math.Pi / 180)
	// The line runs along (cos, -sin); (-sin, -cos) points to what is selected.
	alongX, alongY := l.a*cos-l.b*sin, l.c*cos-l.d*sin
	along := math.Hypot(alongX, alongY)
	// The new normal stands on the new line, on the side of the old one's image.
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
	f.move(&g.X, &g.Y)
	return g
}
