package mask

// Shape is one of [Circle], [Ellipse], [Gradient], [Path], [Brush] and [Group],
// in darktable's own numbers.
//
// Coordinates are fractions of the width and height of the picture as it came
// in: the raw's whole buffer, before its black borders are cut off and before
// it is turned, straightened, corrected or cropped. X counts from the left, Y
// from the top. Lengths (radii, borders) are fractions of the shorter side of
// that picture. darktable itself maps shapes through the geometry of the
// history, so they stay on their subject.
type Shape interface {
	// formType gives the type and the number of points.
	formType() (FormType, int)
	// visitFields calls the visitor with copies of the points' numbers.
	visitFields(v visitor)
}

// Circle selects a disc: all of it within Radius, falling to nothing over
// Border. With d the distance from the centre, r the radius and R = r + Border,
// the mask between r and R is ((R² - d²) / (R² - r²))².
type Circle struct {
	X, Y           float32
	Radius, Border float32
}

func (Circle) formType() (FormType, int) { return TypeCircle, 1 }

func (c Circle) visitFields(v visitor) { c.visit(v) }

func (c *Circle) visit(v visitor) {
	v.f32(&c.X)
	v.f32(&c.Y)
	v.f32(&c.Radius)
	v.f32(&c.Border)
}

// Ellipse selects an ellipse with the half axes RadiusA and RadiusB. The border
// falls as that of a [Circle], along each line from the centre.
type Ellipse struct {
	X, Y             float32
	RadiusA, RadiusB float32
	// Rotation turns RadiusA away from the horizontal, in degrees, clockwise.
	Rotation float32
	// Border is added to both half axes, or, when Proportional is 1, multiplied
	// with them: 0.5 is half as much again.
	Border       float32
	Proportional uint32
}

func (Ellipse) formType() (FormType, int) { return TypeEllipse, 1 }

func (e Ellipse) visitFields(v visitor) { e.visit(v) }

func (e *Ellipse) visit(v visitor) {
	v.f32(&e.X)
	v.f32(&e.Y)
	v.f32(&e.RadiusA)
	v.f32(&e.RadiusB)
	v.f32(&e.Rotation)
	v.f32(&e.Border)
	v.u32(&e.Proportional)
}

// Gradient selects one side of a line, softly: half on the line itself.
type Gradient struct {
	X, Y float32 // a point on the line, the anchor
	// Rotation in degrees: at 0 the line is level and what is above it is
	// selected; positive turns it counterclockwise.
	Rotation float32
	// Compression, 0 to 1, is how wide the transition is: at this fraction of
	// the picture's diagonal away from the line a linear one has reached 1 or 0.
	Compression float32
	// Steepness has no effect (measured on 4.2.1).
	Steepness float32
	// Curvature bends the line, -2 to 2: at a distance x along it, in diagonals,
	// it has moved by Curvature·x² diagonals towards what is selected.
	Curvature float32
	// Falloff is one of FalloffLinear and FalloffSigmoid.
	Falloff uint32
}

// The transitions of a [Gradient]; d is the distance from the line in diagonals,
// c the compression.
const (
	FalloffLinear  uint32 = 1 // 1/2 + d/2c, within 0 to 1
	FalloffSigmoid uint32 = 2 // (1 + erf(d/c)) / 2
)

func (Gradient) formType() (FormType, int) { return TypeGradient, 1 }

func (g Gradient) visitFields(v visitor) { g.visit(v) }

func (g *Gradient) visit(v visitor) {
	v.f32(&g.X)
	v.f32(&g.Y)
	v.f32(&g.Rotation)
	v.f32(&g.Compression)
	v.f32(&g.Steepness)
	v.f32(&g.Curvature)
	v.u32(&g.Falloff)
}
