package mask

import (
	"cmp"
	"math"
	"path/filepath"
	"slices"
)

// selection is what the mask selects, said in one way: without what is the default
// anyway or has no meaning, with directions in 0 to 360 degrees, and with its ranges
// in one order.
func (s Spec) selection() Spec {
	out := Spec{Name: s.Name, Match: s.Match, Invert: s.Invert}
	if s.File != "" {
		out.File = filepath.Clean(s.File)
	}
	out.Refine, out.Box, out.Polygon = s.Refine && s.File != "", s.Box, s.Polygon
	for _, p := range s.Points {
		out.Points = append(out.Points, p.said())
	}
	alone := s.Name == "" && s.File == "" && !s.pointed()
	for i, shape := range s.Shapes {
		shape = shape.said()
		if i == 0 && alone {
			shape.Combine = ""
		}
		out.Shapes = append(out.Shapes, shape)
	}
	for _, r := range s.Ranges {
		out.Ranges = append(out.Ranges, r.said())
	}
	slices.SortStableFunc(out.Ranges, func(a, b SpecRange) int { return cmp.Compare(a.Channel, b.Channel) })
	parts := len(out.Ranges)
	if len(out.Shapes) > 0 {
		parts++
	}
	if s.Name == "" && s.Match == All || alone && parts == 1 {
		out.Match = ""
	}
	return out
}

// said is the point said in one way.
func (p SpecPoint) said() SpecPoint {
	p.X, p.Y = zero(p.X), zero(p.Y)
	if p.Kept() {
		p.Keep = nil
	}
	return p
}

// said is the shape said in one way.
func (p SpecShape) said() SpecShape {
	soft := softShape
	p.Rotation = zero(p.Rotation)
	switch p.Kind {
	case KindGradient:
		soft = softGradient
		p.Rotation, p.Radius, p.RadiusY = turned(p.Rotation, 360), 0, 0
	case KindEllipse:
		p.Rotation = turned(p.Rotation, 180)
	case KindCircle:
		p.Rotation = 0
	case KindPath:
		p.Rotation, p.Radius, p.RadiusY = 0, 0, 0
	case KindBrush:
		p.Rotation, p.RadiusY = 0, 0
	}
	p.X, p.Y = unlessDefault(p.X, 0.5), unlessDefault(p.Y, 0.5)
	p.Softness, p.Opacity = unlessDefault(p.Softness, Share(soft)), unlessDefault(p.Opacity, 1)
	if p.Combine == OpUnion {
		p.Combine = ""
	}
	p.Points = slices.Clone(p.Points)
	for i, point := range p.Points {
		p.Points[i] = slices.Clone(point)
		for j := range point {
			p.Points[i][j] = zero(point[j])
		}
	}
	return p
}

// said is the range said in one way.
func (r SpecRange) said() SpecRange {
	top, soft := 1.0, softRange
	if r.Channel == Hue {
		top, soft = 360, softHue
	}
	if r.Channel == Hue { // a circle
		if r.To != nil && *r.To == 0 && r.From != nil && *r.From > 0 {
			r.To = nil
		}
		if r.From != nil && *r.From == top {
			r.From = nil
		}
	}
	r.From, r.To, r.Softness = unlessDefault(r.From, 0), unlessDefault(r.To, top), unlessDefault(r.Softness, soft)
	return r
}

// unlessDefault leaves a value out that is the default.
func unlessDefault[T ~float64](value *T, fallback T) *T {
	switch {
	case value == nil || *value == fallback:
		return nil
	case *value == 0:
		return new(T) // 0, where it was -0
	}
	return value
}

// turned is an angle in 0 to a whole turn.
func turned(angle, whole float64) float64 {
	if angle = math.Mod(angle, whole); angle < 0 {
		angle += whole
	}
	return zero(angle)
}

// zero is 0 for -0, which JSON tells from it.
func zero(x float64) float64 {
	if x == 0 {
		return 0
	}
	return x
}
