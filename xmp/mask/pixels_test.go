package mask_test

import (
	"math"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/mask"
)

// A model is what a mask should be at a place of a picture, by the numbers'
// documented meaning: x and y in lengths of the shorter side, from the top left.
// NaN is for places about which nothing is said.
type model func(x, y float64) float64

// aspect is the width of the tests' pictures, and diagonal their diagonal, in
// lengths of the shorter side.
const aspect = 1.5

var diagonal = math.Hypot(aspect, 1)

func ellipseModel(cx, cy, a, b, turn, outerA, outerB float64) model {
	sin, cos := math.Sincos(turn * math.Pi / 180)
	return func(x, y float64) float64 {
		dx, dy := x-cx*aspect, y-cy
		p, q := cos*dx+sin*dy, cos*dy-sin*dx
		d := math.Hypot(p, q)
		along := func(a, b float64) float64 { return a * b / math.Hypot(b*p/d, a*q/d) } // the radius in this direction
		r, outer := along(a, b), along(outerA, outerB)
		switch {
		case d <= r:
			return 1
		case d >= outer:
			return 0
		}
		f := (outer*outer - d*d) / (outer*outer - r*r)
		return f * f
	}
}

func circleModel(cx, cy, radius, border float64) model {
	return ellipseModel(cx, cy, radius, radius, 0, radius+border, radius+border)
}

func gradientModel(g mask.Gradient) model {
	sin, cos := math.Sincos(float64(g.Rotation) * math.Pi / 180)
	return func(x, y float64) float64 {
		dx, dy := (x-float64(g.X)*aspect)/diagonal, (y-float64(g.Y))/diagonal
		along, above := cos*dx-sin*dy, -cos*dy-sin*dx
		d := (above - float64(g.Curvature)*along*along) / float64(g.Compression)
		if g.Falloff == mask.FalloffSigmoid {
			return (1 + math.Erf(d)) / 2
		}
		return min(max((1+d)/2, 0), 1)
	}
}

// boxModel is a rectangle with straight borders; about the corners outside of
// it, it says nothing.
func boxModel(left, top, right, bottom, border float64) model {
	return func(x, y float64) float64 {
		dx := max(left*aspect-x, x-right*aspect, 0)
		dy := max(top-y, y-bottom, 0)
		if dx > 0 && dy > 0 && min(dx, dy) < border {
			return math.NaN()
		}
		return max(1-max(dx, dy)/border, 0)
	}
}

func join(a, b model, f func(p, q float64) float64) model {
	return func(x, y float64) float64 { return f(a(x, y), b(x, y)) }
}

func not(a model) model { return func(x, y float64) float64 { return 1 - a(x, y) } }

func times(k float64, a model) model { return func(x, y float64) float64 { return k * a(x, y) } }

type drawnCase struct {
	name string
	mask mask.Mask
	want model
}

func drawnCases() []drawnCase {
	left, right := mask.Circle{X: 0.4, Y: 0.5, Radius: 0.2, Border: 0.05}, mask.Circle{X: 0.6, Y: 0.5, Radius: 0.2, Border: 0.05}
	l, r := times(0.8, circleModel(0.4, 0.5, 0.2, 0.05)), times(0.6, circleModel(0.6, 0.5, 0.2, 0.05))
	two := func(op mask.Op, invert bool) mask.Mask {
		return mask.Mask{Shapes: []mask.Member{{Shape: left, Opacity: new(0.8)}, {Shape: right, Op: op, Invert: invert, Opacity: new(0.6)}}}
	}
	outside := times(0.6, not(circleModel(0.6, 0.5, 0.2, 0.05)))
	difference := func(p, q float64) float64 { return p * (1 - q) }
	exclusion := func(p, q float64) float64 { return max(p*(1-q), q*(1-p)) }
	slope := mask.Gradient{X: 0.5, Y: 0.4, Rotation: 30, Compression: 0.2, Falloff: mask.FalloffSigmoid}
	bent := mask.Gradient{X: 0.4, Y: 0.6, Rotation: -15, Compression: 0.1, Curvature: 1, Falloff: mask.FalloffLinear}
	steep := bent
	steep.Steepness = 1
	// A bow tie: two triangles that meet in the middle.
	bow := func(x, y float64) float64 {
		dx, dy := math.Abs(x-aspect/2), math.Abs(y-0.5)
		switch {
		case dx < 0.3*aspect-0.02 && dy < dx/aspect-0.02:
			return 1
		case dx > 0.3*aspect+0.02 || dy > dx/aspect+0.02:
			return 0
		}
		return math.NaN()
	}
	node := func(x, y float32) mask.BrushNode {
		return mask.BrushNode{X: x, Y: y, InX: x, InY: y, OutX: x, OutY: y, BorderA: 0.1, BorderB: 0.1, Density: 0.7, Hardness: 0.5, State: mask.VertexUser}
	}
	stroke := func(x, y float64) float64 {
		d := math.Abs(y - 0.5)
		if x < 0.2*aspect || x > 0.8*aspect {
			d = math.Hypot(d, max(0.2*aspect-x, x-0.8*aspect))
		}
		switch {
		case d < 0.05-0.02:
			return 0.7
		case d > 0.1+0.01:
			return 0
		}
		return math.NaN()
	}
	wedge := func(x, y float32, radius float32) mask.BrushNode {
		n := node(x, y)
		n.BorderA, n.BorderB = radius, radius
		return n
	}
	// A stroke that widens from 0.04 to 0.2.
	taper := func(x, y float64) float64 {
		d, radius := math.Abs(y-0.5), 0.04+0.16*(x/aspect-0.2)/0.6
		switch {
		case x < 0.25*aspect || x > 0.75*aspect:
			return math.NaN()
		case d < radius/2-0.02:
			return 0.7
		case d > radius+0.03:
			return 0
		}
		return math.NaN()
	}
	return []drawnCase{
		{"brush that tapers", shape(mask.Brush{Nodes: []mask.BrushNode{wedge(0.2, 0.5, 0.04), wedge(0.8, 0.5, 0.2)}}), taper},
		{"circle", shape(mask.Circle{X: 0.3, Y: 0.4, Radius: 0.2, Border: 0.1}), circleModel(0.3, 0.4, 0.2, 0.1)},
		{"circle beyond the edge", shape(mask.Circle{X: 0, Y: 1, Radius: 0.4, Border: 0.1}), circleModel(0, 1, 0.4, 0.1)},
		{"ellipse", shape(mask.Ellipse{X: 0.5, Y: 0.5, RadiusA: 0.4, RadiusB: 0.1, Rotation: 30, Border: 0.1}), ellipseModel(0.5, 0.5, 0.4, 0.1, 30, 0.5, 0.2)},
		{"proportional ellipse", shape(mask.Ellipse{X: 0.5, Y: 0.5, RadiusA: 0.3, RadiusB: 0.15, Rotation: -45, Border: 0.5, Proportional: 1}), ellipseModel(0.5, 0.5, 0.3, 0.15, -45, 0.45, 0.225)},
		{"gradient", shape(slope), gradientModel(slope)},
		{"bent gradient", shape(bent), gradientModel(bent)},
		{"steep gradient", shape(steep), gradientModel(bent)},
		{"path", shape(polygon(0.1, 0.3, 0.3, 0.7, 0.3, 0.7, 0.7, 0.3, 0.7)), boxModel(0.3, 0.3, 0.7, 0.7, 0.1)},
		{"path the other way round", shape(polygon(0.1, 0.3, 0.3, 0.3, 0.7, 0.7, 0.7, 0.7, 0.3)), boxModel(0.3, 0.3, 0.7, 0.7, 0.1)},
		{"path beyond the edges", shape(polygon(0.1, -0.5, -0.5, 0.4, -0.5, 0.4, 1.5, -0.5, 1.5)), boxModel(-0.5, -0.5, 0.4, 1.5, 0.1)},
		{"path that crosses itself", shape(polygon(0, 0.2, 0.2, 0.8, 0.8, 0.8, 0.2, 0.2, 0.8)), bow},
		{"brush", shape(mask.Brush{Nodes: []mask.BrushNode{node(0.2, 0.5), node(0.8, 0.5)}}), stroke},
		{"union", two(mask.OpUnion, false), join(l, r, math.Max)},
		{"union by default", two("", false), join(l, r, math.Max)},
		{"union with the outside", two(mask.OpUnion, true), join(l, outside, math.Max)},
		{"intersection", two(mask.OpIntersection, false), join(l, r, math.Min)},
		{"intersection with the outside", two(mask.OpIntersection, true), join(l, outside, math.Min)},
		{"difference", two(mask.OpDifference, false), join(l, r, difference)},
		{"difference with the outside", two(mask.OpDifference, true), join(l, outside, difference)},
		{"exclusion", two(mask.OpExclusion, false), join(l, r, exclusion)},
		{"group", mask.Mask{Shapes: []mask.Member{
			{Shape: left},
			{Op: mask.OpDifference, Opacity: new(0.5), Group: []mask.Member{{Shape: left}, {Op: mask.OpIntersection, Shape: right}}},
		}}, join(times(1/0.8, l), times(0.5, join(times(1/0.8, l), times(1/0.6, r), math.Min)), difference)},
		{"inverted shape", mask.Mask{Shapes: []mask.Member{{Shape: left, Invert: true, Opacity: new(0.8)}}}, times(0.8, not(times(1/0.8, l)))},
		{"inverted mask", mask.Mask{Invert: true, Shapes: []mask.Member{{Shape: left, Opacity: new(0.8)}}}, not(l)},
		{"opacity", mask.Mask{Opacity: new(0.5), Shapes: []mask.Member{{Shape: left, Opacity: new(0.8)}}}, times(0.5, l)},
	}
}

// margin is how far from a mask's edge a place must be to count as outside or
// inside, in lengths of the shorter side: some three pixels.
const margin = 0.016

// surely reports whether a mask has one value all around a place.
func (m model) surely(x, y, value float64) bool {
	for _, d := range [][2]float64{{0, 0}, {margin, 0}, {-margin, 0}, {0, margin}, {0, -margin}} {
		if !(math.Abs(m(x+d[0], y+d[1])-value) < 1e-6) {
			return false
		}
	}
	return true
}

func TestShapesSelectWhatTheirNumbersSay(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		s := newDeveloper(t, dt, scene.Landscape{}, scene.Options{Megapixels: 0.06})
		cases := drawnCases()
		jobs := map[string]*xmp.Sidecar{"": s.baseline, "everywhere": s.with(s.baseline, s.darker("mask"))}
		for _, c := range cases {
			jobs[c.name] = s.with(s.baseline, s.darkerWhere("mask", c.mask))
		}
		pictures := s.develop(jobs)
		plain := pictures[""]
		for _, c := range cases {
			mean, p99 := c.misses(plain, pictures[c.name])
			// darktable lays masks out on a grid and half a pixel aside, which
			// shows at steep edges.
			if mean > 0.01 || p99 > 0.25 {
				t.Errorf("%s: the mask is %.4f off in the mean, 1%% of it by more than %.3f", c.name, mean, p99)
			}
			where := func(value float64) pixel.Mask {
				return func(u, v float64) bool { return c.want.surely(u*aspect, v, value) }
			}
			if d, err := pixel.CompareWhere(plain, pictures[c.name], where(0)); err == nil && d.Mean >= 0.1 {
				t.Errorf("%s: outside ΔE2000 is %.3f in the mean, %.2f at most", c.name, d.Mean, d.Max)
			}
			if d, err := pixel.CompareWhere(pictures["everywhere"], pictures[c.name], where(1)); err == nil && d.Mean >= 0.1 {
				t.Errorf("%s: inside, ΔE2000 to the edit without a mask is %.3f in the mean, %.2f at most", c.name, d.Mean, d.Max)
			}
		}
	})
}

// misses compares the mask that a picture shows with the model: by how much it
// is off in the mean, and in the worst hundredth. Places that clip, or are too
// dark to tell, do not count.
func (c drawnCase) misses(plain, masked *pixel.Image) (mean, p99 float64) {
	m := selected(plain, masked)
	var off []float64
	for i, got := range m.at {
		x, y := (float64(i%m.w)+0.5)/float64(m.h), (float64(i/m.w)+0.5)/float64(m.h)
		light := plain.At(i%m.w, i/m.w)
		if want := c.want(x, y); !math.IsNaN(want) && min(light.R, light.G, light.B) > 0.02 && max(light.R, light.G, light.B) < 0.98 {
			off = append(off, math.Abs(got-want))
			mean += math.Abs(got - want)
		}
	}
	slices.Sort(off)
	return mean / float64(len(off)), off[len(off)*99/100]
}

// tiles are n places in a picture, one disc each, as large as fit.
func tiles(n int) (discs []mask.Circle) {
	columns := int(math.Ceil(math.Sqrt(float64(n) * aspect)))
	rows := (n + columns - 1) / columns
	for i := range n {
		discs = append(discs, mask.Circle{
			X: (float32(i%columns) + 0.5) / float32(columns), Y: (float32(i/columns) + 0.5) / float32(rows),
			Radius: float32(0.35 / float64(max(rows, columns))), Border: 0.01,
		})
	}
	return discs
}

func discModel(c mask.Circle) model {
	return circleModel(float64(c.X), float64(c.Y), float64(c.Radius), float64(c.Border))
}

func TestManyMaskedEditsKeepToTheirPlaces(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		s := newDeveloper(t, dt, scene.Landscape{}, scene.Options{Megapixels: 0.1})
		type picture struct {
			side *xmp.Sidecar
			on   []mask.Circle
			off  []mask.Circle
		}
		pictures := map[string]picture{"none": {side: s.baseline}}
		all := s.with(s.baseline, s.darker("everywhere"))
		for name, n := range map[string]int{"two": 2, "five": 5, "twenty": 20} {
			p := picture{side: s.baseline, on: tiles(n)}
			for i, disc := range p.on {
				p.side = s.with(p.side, s.darkerWhere(string(rune('a'+i)), shape(disc)))
			}
			pictures[name] = p
		}
		five := pictures["five"]
		pictures["four of five"] = picture{
			side: s.with(five.side, xmp.Remove{Operation: "exposure", MultiName: "c"}),
			on:   slices.Concat(five.on[:2], five.on[3:]), off: five.on[2:3],
		}
		jobs := map[string]*xmp.Sidecar{"everywhere": all}
		for name, p := range pictures {
			jobs[name] = p.side
		}
		developed := s.develop(jobs)
		for name, p := range pictures {
			within := func(discs []mask.Circle, value float64) pixel.Mask {
				return func(u, v float64) bool {
					in := func(c mask.Circle) bool { return discModel(c).surely(u*aspect, v, value) }
					if value == 0 {
						return !slices.ContainsFunc(discs, func(c mask.Circle) bool { return !in(c) })
					}
					return slices.ContainsFunc(discs, in)
				}
			}
			check := func(what, like string, where pixel.Mask) {
				t.Helper()
				d, err := pixel.CompareWhere(developed[like], developed[name], where)
				if err != nil || d.Mean >= 0.1 {
					t.Errorf("%s: %s: ΔE2000 is %.3f in the mean, %v", name, what, d.Mean, err)
				}
			}
			check("between the masks", "none", within(p.on, 0))
			for _, c := range p.on {
				check("in a mask", "everywhere", within([]mask.Circle{c}, 1))
			}
			for _, c := range p.off {
				check("where a mask was", "none", within([]mask.Circle{c}, 1))
			}
		}
	})
}
