package mask

// Path selects what lies within a closed curve of cubic Bézier segments.
type Path struct{ Vertices []Vertex }

// Vertex is a corner of a path, with its two control points and the width of
// the fall-off on either side.
type Vertex struct {
	X, Y             float32
	InX, InY         float32 // the control point of the segment that ends here
	OutX, OutY       float32 // the control point of the segment that starts here
	BorderA, BorderB float32
	State            uint32
}

func (p Path) form() (FormType, int) { return TypePath, len(p.Vertices) }

func (p Path) encode(w *writer) { p.visit(w) }

func (p *Path) visit(v visitor) {
	for i := range p.Vertices {
		c := &p.Vertices[i]
		for _, f := range []*float32{&c.X, &c.Y, &c.InX, &c.InY, &c.OutX, &c.OutY, &c.BorderA, &c.BorderB} {
			v.f32(f)
		}
		v.u32(&c.State)
	}
}

// Brush selects a stroke along an open curve of cubic Bézier segments.
type Brush struct{ Nodes []BrushNode }

// BrushNode is a point of a stroke.
type BrushNode struct {
	X, Y             float32
	InX, InY         float32
	OutX, OutY       float32
	BorderA, BorderB float32
	Density          float32
	Hardness         float32
	State            uint32
}

func (b Brush) form() (FormType, int) { return TypeBrush, len(b.Nodes) }

func (b Brush) encode(w *writer) { b.visit(w) }

func (b *Brush) visit(v visitor) {
	for i := range b.Nodes {
		c := &b.Nodes[i]
		for _, f := range []*float32{&c.X, &c.Y, &c.InX, &c.InY, &c.OutX, &c.OutY, &c.BorderA, &c.BorderB, &c.Density, &c.Hardness} {
			v.f32(f)
		}
		v.u32(&c.State)
	}
}
