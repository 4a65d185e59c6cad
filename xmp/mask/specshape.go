package mask

// The softness of shapes for which none is given.
const (
	softShape    = 0.05
	softGradient = 0.25
)

// shape returns the shape in the numbers of this package, still in the coordinates
// of the developed picture.
func (p SpecShape) shape(developed Size) (Shape, error) {
	soft := valueOr((*float64)(p.Softness), softShape)
	x, y := float32(valueOr(p.X, 0.5)), float32(valueOr(p.Y, 0.5))
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
		return Ellipse{X: x, Y: y, RadiusA: float32(p.Radius), RadiusB: float32(p.RadiusY), Rotation: float32(turned(p.Rotation, 180)), Border: float32(soft)}, nil
	case KindGradient:
		soft = valueOr((*float64)(p.Softness), softGradient) * developed.shorter() / developed.diagonal()
		return Gradient{X: x, Y: y, Rotation: float32(-turned(p.Rotation, 360)), Compression: float32(soft), Falloff: FalloffLinear}, nil
	case KindPath:
		return polygon(p.Points, soft)
	case KindBrush:
		return stroke(p.Points, p.Radius, soft)
	}
	return nil, badShape("kind %q is none of %v", p.Kind, ShapeKinds())
}

// maxPoints bounds the points of a shape.
const maxPoints = 4000

// checkPoints checks that all points are pairs of numbers, or, of a stroke, have a
// radius of their own beside them.
func checkPoints(points [][]float64, stroke bool) error {
	if len(points) > maxPoints {
		return badShape("%d points; a shape has at most %d", len(points), maxPoints)
	}
	for i, p := range points {
		switch {
		case len(p) == 2, len(p) == 3 && stroke:
		case stroke:
			return badShape("point %d has %d numbers; each has two, [x, y], or three, [x, y, radius]", i, len(p))
		default:
			return badShape("point %d has %d numbers; each has two, [x, y]", i, len(p))
		}
	}
	return nil
}

func polygon(points [][]float64, soft float64) (Shape, error) {
	if err := checkPoints(points, false); err != nil {
		return nil, err
	}
	path := Path{make([]Vertex, len(points))}
	for i, p := range points {
		x, y, b := float32(p[0]), float32(p[1]), float32(soft)
		path.Vertices[i] = Vertex{X: x, Y: y, InX: x, InY: y, OutX: x, OutY: y, BorderA: b, BorderB: b, State: VertexUser}
	}
	return path, nil
}

// stroke is a brush of one radius, or of one that goes evenly from each point's own to
// the next one's.
func stroke(points [][]float64, radius, soft float64) (Shape, error) {
	if err := checkPoints(points, true); err != nil {
		return nil, err
	}
	brush := Brush{make([]BrushNode, len(points))}
	for i, p := range points {
		radius := radius
		if len(p) == 3 {
			radius = p[2]
		}
		if !(radius > 0) {
			return nil, badShape("a brush of radius %g has no area", radius)
		}
		x, y, b := float32(p[0]), float32(p[1]), float32(radius+soft)
		brush.Nodes[i] = BrushNode{
			X: x, Y: y, InX: x, InY: y, OutX: x, OutY: y, BorderA: b, BorderB: b,
			Density: 1, Hardness: float32(radius / (radius + soft)), State: VertexUser,
		}
	}
	return brush, nil
}
