package mask

// Brush selects a stroke along an open curve of cubic Bézier segments.
type Brush struct{ Nodes []BrushNode }

// BrushNode is a point of a stroke.
type BrushNode struct {
	X, Y       float32
	InX, InY   float32 // the control point of the segment that ends here
	OutX, OutY float32 // the control point of the segment that starts here
	// BorderA and BorderB are half the stroke's width, two equal numbers.
	BorderA, BorderB float32
	// Density is what the stroke's middle selects, 0 to 1.
	Density float32
	// Hardness is the part of the width that selects as much as the middle;
	// beyond, it falls to nothing. 0 to 1.
	Hardness float32
	// State is one of VertexSmooth and VertexUser.
	State uint32
}

func (b Brush) formType() (FormType, int) { return TypeBrush, len(b.Nodes) }

func (b Brush) visitFields(v visitor) { b.visit(v) }

func (b *Brush) visit(v visitor) {
	for i := range b.Nodes {
		c := &b.Nodes[i]
		for _, f := range []*float32{&c.X, &c.Y, &c.InX, &c.InY, &c.OutX, &c.OutY, &c.BorderA, &c.BorderB, &c.Density, &c.Hardness} {
			v.f32(f)
		}
		v.u32(&c.State)
	}
}
