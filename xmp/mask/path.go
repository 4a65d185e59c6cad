package mask

// Path selects what lies within a closed curve of cubic Bézier segments, and
// falls in a straight line to nothing over the border outside of it. It may
// cross itself: what is enclosed twice is not selected (the even-odd rule). It
// may leave the picture, but some of it has to lie in there.
type Path struct{ Vertices []Vertex }

// Vertex is a corner of a path. With both control points on the corner itself,
// the sides are straight.
type Vertex struct {
	X, Y       float32
	InX, InY   float32 // the control point of the segment that ends here
	OutX, OutY float32 // the control point of the segment that starts here
	// BorderA and BorderB are the width of the fall-off, two equal numbers.
	BorderA, BorderB float32
	// State is one of VertexSmooth and VertexUser.
	State uint32
}

// How control points came about. darktable draws by the points alone.
const (
	VertexSmooth uint32 = 1 // darktable chose them, and chooses again when a vertex is moved
	VertexUser   uint32 = 2 // set by hand
)

func (p Path) formType() (FormType, int) { return TypePath, len(p.Vertices) }

func (p Path) visitFields(v visitor) { p.visit(v) }

func (p *Path) visit(v visitor) {
	for i := range p.Vertices {
		c := &p.Vertices[i]
		for _, f := range []*float32{&c.X, &c.Y, &c.InX, &c.InY, &c.OutX, &c.OutY, &c.BorderA, &c.BorderB} {
			v.f32(f)
		}
		v.u32(&c.State)
	}
}
