package mask

import (
	"math"
)

// checkShape finds what would make darktable select nothing or, worse,
// everything: it may take the whole picture for a path of which no part is in
// the picture, and for a path or a stroke that is less than half a pixel long
// (measured on 4.2.1 and 5.4.1).
func checkShape(s Shape) error {
	finite := finiteCheck{ok: true}
	s.visitFields(&finite)
	if !finite.ok {
		return badShape("a number is infinite or NaN")
	}
	switch s := s.(type) {
	case Circle:
		return checkRound(s.X, s.Y, s.Radius, s.Radius, s.Border, s.Radius+s.Border)
	case Ellipse:
		outer := max(s.RadiusA, s.RadiusB) + s.Border
		if s.Proportional != 0 {
			outer = max(s.RadiusA, s.RadiusB) * (1 + s.Border)
		}
		return checkRound(s.X, s.Y, s.RadiusA, s.RadiusB, s.Border, outer)
	case Gradient:
		return s.check()
	case Path:
		return s.check()
	case Brush:
		return s.check()
	case Group:
		return badShape("a group is given as a Member's Group, not as its Shape")
	}
	return nil
}

func badShape(format string, args ...any) error { return errorf(BadShape, "shape", format, args...) }

// finiteCheck is a visitor that looks for infinities and NaN.
type finiteCheck struct{ ok bool }

func (f *finiteCheck) f32(p *float32) {
	f.ok = f.ok && !math.IsNaN(float64(*p)) && !math.IsInf(float64(*p), 0)
}
func (*finiteCheck) u32(*uint32)  {}
func (*finiteCheck) i32(*int32)   {}
func (*finiteCheck) bytes([]byte) {}

// checkRound checks a circle or an ellipse that reaches to outer.
func checkRound(x, y, a, b, border, outer float32) error {
	switch {
	case a <= 0 || b <= 0:
		return badShape("a radius of %v has no area", min(a, b))
	case border < 0:
		return badShape("the border %v is negative", border)
	case distanceOutside(x, y) > outer:
		return badShape("centre %v, %v and radius %v: it lies outside of the picture, 0 to 1", x, y, outer)
	}
	return nil
}

// distanceOutside returns how far a place lies outside of the picture along the
// worse axis. As lengths are fractions of the shorter side, a shape that reaches
// less far surely lies outside.
func distanceOutside(x, y float32) float32 { return max(-x, x-1, -y, y-1, 0) }

func (g Gradient) check() error {
	switch {
	case g.Compression < 0 || g.Compression > 1:
		return badShape("the compression %v is outside 0 to 1", g.Compression)
	case g.Curvature < -2 || g.Curvature > 2:
		return badShape("the curvature %v is outside -2 to 2", g.Curvature)
	case distanceOutside(g.X, g.Y) > 0:
		return badShape("the anchor %v, %v lies outside of the picture, 0 to 1", g.X, g.Y)
	}
	return nil
}

// minExtent is the least extent of paths and strokes: more than a pixel in the
// smallest preview.
const minExtent = 0.005

// extent is the larger side of the box around points.
func extent(line []point) float32 {
	low, high := line[0], line[0]
	for _, p := range line {
		low = point{min(low.x, p.x), min(low.y, p.y)}
		high = point{max(high.x, p.x), max(high.y, p.y)}
	}
	return max(high.x-low.x, high.y-low.y)
}

func (p Path) check() error {
	if len(p.Vertices) < 3 {
		return badShape("a path of %d vertices has no area; it needs 3", len(p.Vertices))
	}
	line := p.flatten()
	switch {
	case collinear(line):
		return badShape("the path's %d vertices lie on one line, without area", len(p.Vertices))
	case extent(line) < minExtent:
		return badShape("the path is smaller than %v of the picture", minExtent)
	case !visible(line):
		return badShape("no part of the path lies in the picture, 0 to 1")
	}
	return nil
}

func (b Brush) check() error {
	if len(b.Nodes) < 2 {
		return badShape("a stroke of %d nodes; it needs 2", len(b.Nodes))
	}
	for _, n := range b.Nodes {
		switch {
		case n.BorderA <= 0 || n.BorderB <= 0:
			return badShape("a stroke of width %v has no area", min(n.BorderA, n.BorderB))
		case n.Density < 0 || n.Density > 1 || n.Hardness < 0 || n.Hardness > 1:
			return badShape("density %v and hardness %v must be 0 to 1", n.Density, n.Hardness)
		}
	}
	line := b.flatten()
	if extent(line) < minExtent {
		return badShape("the stroke is shorter than %v of the picture", minExtent)
	}
	for _, p := range line {
		if distanceOutside(p.x, p.y) == 0 {
			return nil
		}
	}
	return badShape("no part of the stroke lies in the picture, 0 to 1")
}
