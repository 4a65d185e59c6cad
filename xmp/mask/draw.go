package mask

import (
	"math"
	"slices"

	"github.com/chemigram/chemigram/internal/nearest"
)

// IsDrawn reports whether shapes alone say what the mask selects: it has no ranges,
// and is not refined by what the picture shows or by anything else.
func (m Mask) IsDrawn() bool {
	return len(m.Shapes) > 0 && len(m.Ranges) == 0 && m.Refine == (Refine{})
}

// Draw gives how much a mask that [Mask.IsDrawn] selects of each pixel of a picture
// of width by height pixels, 0 to 1, line by line. Its coordinates are fractions of
// that picture. It is what darktable draws but for the last pixel of its edges.
func (m Mask) Draw(width, height int) []float64 {
	c := canvas{width: width, height: height, short: float64(min(width, height))}
	values := c.group(m.Shapes)
	opacity := valueOr(m.Opacity, 1)
	for i, v := range values {
		if m.Invert {
			v = 1 - v
		}
		values[i] = v * opacity
	}
	return values
}

// canvas is what shapes are drawn on.
type canvas struct {
	width, height int
	short         float64 // the shorter side
}

// group draws shapes, each joined to those before it.
func (c canvas) group(members []Member) []float64 {
	out := c.blank()
	for n, member := range members {
		values := c.member(member)
		opacity := valueOr(member.Opacity, 1)
		for i, q := range values {
			if member.Invert {
				q = 1 - q
			}
			q *= opacity
			if n > 0 {
				q = join(member.Op, out[i], q)
			}
			out[i] = q
		}
	}
	return out
}

// join combines what was selected before with what a shape selects.
func join(op Op, p, q float64) float64 {
	switch op {
	case OpIntersection:
		return min(p, q)
	case OpDifference:
		return p * (1 - q)
	case OpExclusion:
		return max(p*(1-q), q*(1-p))
	}
	return max(p, q)
}

func (c canvas) blank() []float64 { return make([]float64, c.width*c.height) }

func (c canvas) member(m Member) []float64 {
	if m.Shape == nil {
		return c.group(m.Group)
	}
	switch s := m.Shape.(type) {
	case Circle:
		return c.ellipse(Ellipse{X: s.X, Y: s.Y, RadiusA: s.Radius, RadiusB: s.Radius, Border: s.Border})
	case Ellipse:
		return c.ellipse(s)
	case Gradient:
		return c.gradient(s)
	case Path:
		return c.path(s)
	case Brush:
		return c.brush(s)
	}
	return c.blank()
}

// each fills a canvas by a function of the pixels' middles.
func (c canvas) each(value func(x, y float64) float64) []float64 {
	out := c.blank()
	for i := range out {
		out[i] = value(float64(i%c.width)+0.5, float64(i/c.width)+0.5)
	}
	return out
}

// place gives where a point lies, in pixels.
func (c canvas) place(x, y float32) (px, py float64) {
	return float64(x) * float64(c.width), float64(y) * float64(c.height)
}

func (c canvas) ellipse(e Ellipse) []float64 {
	cx, cy := c.place(e.X, e.Y)
	a, b := float64(e.RadiusA)*c.short, float64(e.RadiusB)*c.short
	border := float64(e.Border)
	outerA, outerB := a+border*c.short, b+border*c.short
	if e.Proportional != 0 {
		outerA, outerB = a*(1+border), b*(1+border)
	}
	sin, cos := math.Sincos(float64(e.Rotation) * math.Pi / 180)
	return c.each(func(x, y float64) float64 {
		dx, dy := x-cx, y-cy
		p, q := cos*dx+sin*dy, cos*dy-sin*dx
		// How far out the place is, as a multiple of each outline's own distance there.
		in, out := math.Hypot(p/a, q/b), math.Hypot(p/outerA, q/outerB)
		switch {
		case in <= 1:
			return 1
		case out >= 1:
			return 0
		}
		f := (1/(out*out) - 1) / (1/(out*out) - 1/(in*in))
		return f * f
	})
}

func (c canvas) gradient(g Gradient) []float64 {
	cx, cy := c.place(g.X, g.Y)
	diagonal := math.Hypot(float64(c.width), float64(c.height))
	sin, cos := math.Sincos(float64(g.Rotation) * math.Pi / 180)
	return c.each(func(x, y float64) float64 {
		dx, dy := (x-cx)/diagonal, (y-cy)/diagonal
		along, above := cos*dx-sin*dy, -cos*dy-sin*dx
		d := above - float64(g.Curvature)*along*along
		if g.Compression <= 0 {
			return min(max(math.Ceil(d), 0), 1)
		}
		d /= float64(g.Compression)
		if g.Falloff == FalloffSigmoid {
			return (1 + math.Erf(d)) / 2
		}
		return min(max((1+d)/2, 0), 1)
	})
}

// path fills an outline by the rule of even and odd. Its border falls with the
// distance from what is filled.
func (c canvas) path(p Path) []float64 {
	out := c.fill(p.flatten())
	border := float64(p.Vertices[0].BorderA) * c.short
	if border <= 0 {
		return out
	}
	for i, d := range nearest.Distances(func(i int) bool { return out[i] >= 0.5 }, c.width, c.height) {
		// From edge to middle.
		out[i] = max(out[i], 1-max(d-0.5, 0)/border)
	}
	return out
}

// scans is how many lines of each pixel are looked at.
const scans = 4

// fill gives how much of each pixel a closed outline encloses.
func (c canvas) fill(line []point) []float64 {
	out := c.blank()
	crossings := make([][]float64, c.height*scans)
	for i, from := range line {
		x0, y0 := c.place(from.x, from.y)
		next := line[(i+1)%len(line)]
		x1, y1 := c.place(next.x, next.y)
		if y0 > y1 {
			x0, y0, x1, y1 = x1, y1, x0, y0
		}
		first := max(math.Ceil(y0*scans-0.5), 0)
		for y := int(min(first, float64(len(crossings)))); y < len(crossings); y++ {
			at := (float64(y) + 0.5) / scans
			if at >= y1 {
				break
			}
			crossings[y] = append(crossings[y], x0+(at-y0)/(y1-y0)*(x1-x0))
		}
	}
	for y, at := range crossings {
		slices.Sort(at)
		row := out[y/scans*c.width:][:c.width]
		for i := 0; i+1 < len(at); i += 2 {
			from, to := max(at[i], 0), min(at[i+1], float64(c.width))
			for x := int(from); x < c.width && float64(x) < to; x++ {
				row[x] += (min(to, float64(x+1)) - max(from, float64(x))) / scans
			}
		}
	}
	return out
}

// brush draws a stroke: its width, hardness and density go evenly from one point to
// the next.
func (c canvas) brush(b Brush) []float64 {
	out := c.blank()
	for i := range b.Nodes[:len(b.Nodes)-1] {
		from, to := b.Nodes[i], b.Nodes[i+1]
		start, end := point{from.X, from.Y}, point{to.X, to.Y}
		line := append(bezier(nil, start, point{from.OutX, from.OutY}, point{to.InX, to.InY}, end), end)
		length := 1 / float64(len(line)-1)
		for j := range line[:len(line)-1] {
			c.dab(out, line[j], line[j+1], from, to, float64(j)*length, length)
		}
	}
	return out
}

// dab draws a straight piece of a stroke between two nodes, which begins at start of
// the way from one to the other and is length of it long.
func (c canvas) dab(out []float64, a, b point, from, to BrushNode, start, length float64) {
	ax, ay := c.place(a.x, a.y)
	bx, by := c.place(b.x, b.y)
	dx, dy := bx-ax, by-ay
	most := float64(max(from.BorderA, to.BorderA)) * c.short
	x0, x1 := max(int(min(ax, bx)-most), 0), min(int(max(ax, bx)+most)+1, c.width)
	y0, y1 := max(int(min(ay, by)-most), 0), min(int(max(ay, by)+most)+1, c.height)
	for y := y0; y < y1; y++ {
		for x := x0; x < x1; x++ {
			px, py := float64(x)+0.5-ax, float64(y)+0.5-ay
			along := 0.0
			if square := dx*dx + dy*dy; square > 0 {
				along = min(max((px*dx+py*dy)/square, 0), 1)
			}
			d := math.Hypot(px-along*dx, py-along*dy)
			t := start + along*length
			between := func(p, q float32) float64 { return float64(p) + t*float64(q-p) }
			radius, hard := between(from.BorderA, to.BorderA)*c.short, between(from.Hardness, to.Hardness)
			if d >= radius {
				continue
			}
			v := between(from.Density, to.Density)
			if d > hard*radius {
				v *= (radius - d) / (radius - hard*radius)
			}
			i := y*c.width + x
			out[i] = max(out[i], v)
		}
	}
}
