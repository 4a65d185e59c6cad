package compose

import "github.com/chemigram/chemigram/xmp/mask"

// SeenSpot is a spot in the developed picture: its middle, its radius, and the
// middle of the place that it copies from.
type SeenSpot struct {
	ID               int
	Kind             mask.SpotKind
	X, Y, Radius     float64
	SourceX, SourceY float64
}

// spot takes the place into the raw's frame.
func (p SpotPlace) spot(frame mask.Frame) (mask.Spot, error) {
	if err := p.CheckSource(p.source[0], p.source[1], frame.Developed); err != nil {
		return mask.Spot{}, err
	}
	soft := mask.Share(p.Feather)
	shape := mask.SpecShape{Kind: mask.KindCircle, X: &p.X, Y: &p.Y, Radius: p.Radius, Softness: &soft}
	anchor := [2]float64{p.X, p.Y}
	if len(p.points) > 0 {
		shape = mask.SpecShape{Kind: mask.KindPath, Points: p.points, Softness: &soft}
		anchor = [2]float64(p.points[0])
	}
	placed, err := mask.Spec{Shapes: []mask.SpecShape{shape}}.Mask(frame)
	if err != nil {
		return mask.Spot{}, err
	}
	s := mask.Spot{Shape: placed.Shapes[0].Shape}
	if e, ok := s.Shape.(mask.Ellipse); ok && e.RadiusB > 0.97*e.RadiusA {
		s.Shape = mask.Circle{X: e.X, Y: e.Y, Radius: (e.RadiusA + e.RadiusB) / 2, Border: e.Border}
	}
	x, y := frame.At(anchor[0]+p.source[0]-p.X, anchor[1]+p.source[1]-p.Y)
	s.SourceX, s.SourceY = float32(x), float32(y)
	return s, nil
}

// seen takes a spot into the developed picture.
func seen(frame mask.Frame, s mask.Spot) SeenSpot {
	x, y, radius := middle(s.Shape, frame.Input)
	anchorX, anchorY, _ := mask.Anchor(s.Shape)
	at := SeenSpot{ID: s.ID, Kind: s.Kind}
	at.X, at.Y = frame.Seen(x, y)
	at.SourceX, at.SourceY = frame.Seen(x+float64(s.SourceX-anchorX), y+float64(s.SourceY-anchorY))
	if scale := frame.Scale(at.X, at.Y); scale > 0 {
		at.Radius = radius / scale
	}
	return at
}

// middle gives the middle and the radius of a spot's shape, in the shape's own
// frame of the given size.
func middle(s mask.Shape, size mask.Size) (x, y, radius float64) {
	switch s := s.(type) {
	case mask.Circle:
		return float64(s.X), float64(s.Y), float64(s.Radius)
	case mask.Ellipse:
		return float64(s.X), float64(s.Y), float64(s.RadiusA)
	case mask.Path:
		points := make([][]float64, len(s.Vertices))
		for i, v := range s.Vertices {
			points[i] = []float64{float64(v.X), float64(v.Y)}
		}
		return enclosing(points, size)
	}
	return 0, 0, 0
}
