package mask

// Shape is one of [Circle], [Ellipse], [Gradient], [Path], [Brush] and [Group],
// in darktable's own numbers.
//
// Coordinates are fractions of the width and height of the picture as it came
// in: the raw's whole buffer, before its black borders are cut off and before
// it is turned, straightened, corrected or cropped. X counts from the left, Y
// from the top. Lengths (radii, borders) are fractions of the shorter side of
// that picture. darktable itself carries shapes through the geometry of the
// history, so they stay on their subject.
type Shape interface {
	// form gives the type and the number of points.
	form() (FormType, int)
	// encode appends the points' bytes.
	encode(w *writer)
}

// Circle selects a disc: all of it within Radius, falling to nothing over
// Border.
type Circle struct {
	X, Y           float32
	Radius, Border float32
}

func (Circle) form() (FormType, int) { return TypeCircle, 1 }

func (c Circle) encode(w *writer) { c.visit(w) }

func (c *Circle) visit(v visitor) {
	v.f32(&c.X)
	v.f32(&c.Y)
	v.f32(&c.Radius)
	v.f32(&c.Border)
}

// Ellipse selects an ellipse with the half axes RadiusA and RadiusB.
type Ellipse struct {
	X, Y             float32
	RadiusA, RadiusB float32
	// Rotation of the first half axis, in degrees.
	Rotation float32
	// Border is the width of the fall-off: added to both half axes, or, when
	// Proportional, multiplied with them.
	Border       float32
	Proportional uint32
}

func (Ellipse) form() (FormType, int) { return TypeEllipse, 1 }

func (e Ellipse) encode(w *writer) { e.visit(w) }

func (e *Ellipse) visit(v visitor) {
	v.f32(&e.X)
	v.f32(&e.Y)
	v.f32(&e.RadiusA)
	v.f32(&e.RadiusB)
	v.f32(&e.Rotation)
	v.f32(&e.Border)
	v.u32(&e.Proportional)
}

// Gradient selects one side of a line.
type Gradient struct {
	X, Y        float32 // a point on the line
	Rotation    float32 // degrees
	Compression float32
	Steepness   float32
	Curvature   float32
	Falloff     uint32
}

func (Gradient) form() (FormType, int) { return TypeGradient, 1 }

func (g Gradient) encode(w *writer) { g.visit(w) }

func (g *Gradient) visit(v visitor) {
	v.f32(&g.X)
	v.f32(&g.Y)
	v.f32(&g.Rotation)
	v.f32(&g.Compression)
	v.f32(&g.Steepness)
	v.f32(&g.Curvature)
	v.u32(&g.Falloff)
}
