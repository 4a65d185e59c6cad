package segment

import (
	"math"
	"slices"
)

// A Point is a place in the picture, in fractions of width and height from the top
// left, that belongs to the region or does not.
type Point struct {
	X, Y float64
	Keep bool
}

// A Box is a rectangle around the region: its left, top, right and bottom sides in
// fractions of width and height.
type Box struct{ Left, Top, Right, Bottom float64 }

// Hints say where a region is. There is at least one of them.
type Hints struct {
	Points []Point
	// Box lies around the region.
	Box *Box
	// Outlines are rough polygons, corners in fractions of width and height, of
	// which what an even number encloses is out.
	Outlines [][][2]float64
}

// None reports whether there are no hints.
func (h Hints) None() bool { return len(h.Points) == 0 && h.Box == nil && len(h.Outlines) == 0 }

// HintKinds is how many kinds of requests with hints there are, each with a forest of its
// own: points alone, a box, outlines, and points beside a category.
const HintKinds = 4

const (
	pointsAlone = iota
	boxed
	outlined
	named
)

// Kind is from 0 to [HintKinds] - 1.
func (r Request) Kind() int {
	switch {
	case len(r.Outlines) > 0:
		return outlined
	case r.Box != nil:
		return boxed
	case r.Category != "":
		return named
	}
	return pointsAlone
}

// unknown stands for a distance to nothing.
const unknown = 1000

// hinted are hints in terms of superpixels.
type hinted struct {
	keep, drop []int
	// inside is the share of each superpixel within the box, the outline or what was found
	// of the category, nil without any, and area their share of the picture.
	inside []float64
	area   float64
}

// find finds the superpixels of hints.
func (s *Scene) find(r Request, likely [][]float64) hinted {
	out := s.pointedAt(r.Hints)
	var within Plane
	switch r.Kind() {
	case outlined:
		within = s.Fill(r.Outlines...)
	case boxed:
		b := r.Box
		within = s.Fill([][2]float64{{b.Left, b.Top}, {b.Right, b.Top}, {b.Right, b.Bottom}, {b.Left, b.Bottom}})
	case named:
		within, _, _ = s.region(r.Category, likely[slices.Index(Categories(), r.Category)])
	default:
		return out
	}
	out.inside = s.gather(within)
	for _, v := range within {
		out.area += float64(v) / float64(len(within))
	}
	return out
}

// pointedAt finds the superpixels of points.
func (s *Scene) pointedAt(h Hints) hinted {
	var out hinted
	for _, p := range h.Points {
		x, y := min(max(int(p.X*float64(s.Width)), 0), s.Width-1), min(max(int(p.Y*float64(s.Height)), 0), s.Height-1)
		k := int(s.of[y*s.Width+x])
		if p.Keep {
			out.keep = append(out.keep, k)
		} else {
			out.drop = append(out.drop, k)
		}
	}
	// A superpixel that has both is nobody's.
	out.keep, out.drop = without(out.keep, out.drop), without(out.drop, out.keep)
	return out
}

// without leaves out of a what is in b.
func without(a, b []int) []int {
	var out []int
	for _, k := range a {
		if !slices.Contains(b, k) {
			out = append(out, k)
		}
	}
	return out
}

// Fill draws polygons, by the rule of even and odd.
func (p *Picture) Fill(polygons ...[][2]float64) Plane {
	out := make(Plane, p.Width*p.Height)
	for y := range p.Height {
		at := (float64(y) + 0.5) / float64(p.Height)
		var crossings []float64
		for _, corners := range polygons {
			for i, a := range corners {
				b := corners[(i+1)%len(corners)]
				if (a[1] > at) != (b[1] > at) {
					crossings = append(crossings, (a[0]+(at-a[1])/(b[1]-a[1])*(b[0]-a[0]))*float64(p.Width))
				}
			}
		}
		slices.Sort(crossings)
		for i := 0; i+1 < len(crossings); i += 2 {
			for x := max(int(math.Ceil(crossings[i]-0.5)), 0); x < p.Width && float64(x)+0.5 < crossings[i+1]; x++ {
				out[y*p.Width+x] = 1
			}
		}
	}
	return out
}

// HintFeatures is what the forest of hints of this kind sees of each superpixel; likely is
// what the forests of categories say.
func (s *Scene) HintFeatures(r Request, likely [][]float64) [][]float32 {
	f := hintFeatures{Scene: s, hinted: s.find(r, likely), likely: likely, rows: make([][]float32, len(s.size))}
	for k := range f.rows {
		f.rows[k] = make([]float32, 0, 120)
	}
	f.addTo(f.keep)
	f.addTo(f.drop)
	f.addWithin()
	f.addMeant(r.Hints)
	if r.Kind() == named {
		for k, p := range likely[slices.Index(Categories(), r.Category)] {
			f.add(k, p)
		}
	}
	f.addSelf()
	return f.rows
}

type hintFeatures struct {
	*Scene
	hinted
	likely [][]float64
	rows   [][]float32
}

func (f *hintFeatures) add(k int, values ...float64) {
	for _, v := range values {
		f.rows[k] = append(f.rows[k], float32(min(v, unknown)))
	}
}

// addTo adds how a superpixel relates to points of one kind.
func (f *hintFeatures) addTo(points []int) {
	at := func(k int) bool { return slices.Contains(points, k) }
	ways := [][]float64{f.geodesic(at, 3), f.geodesic(at, 0.5), f.widest(at)}
	kins := make([][]float32, len(points))
	for i, p := range points {
		kins[i] = f.kinTo(p)
	}
	for k := range f.rows {
		f.add(k, float64(len(points)))
		for _, way := range ways {
			f.add(k, way[k])
		}
		near, colour, texture, nearest := math.Inf(1), math.Inf(1), math.Inf(1), -1
		alike, kin, shared := 0.0, -1.0, [2]float64{}
		for i, p := range points {
			if d := math.Hypot(f.x[k]-f.x[p], f.y[k]-f.y[p]) / f.short; d < near {
				near, nearest = d, p
			}
			colour = min(colour, distance(f.mean[k], f.mean[p]))
			texture = min(texture, math.Abs(float64(f.features[k][textureFeature]-f.features[p][textureFeature])))
			kin = max(kin, float64(kins[i][k]))
			for i, area := range f.areas {
				if area.of[k] == area.of[p] {
					shared[i]++
				}
			}
			alike = max(alike, falloff(square(distance(f.mean[k], f.mean[p]))/100+square(near)*3))
		}
		f.add(k, near, colour, texture, alike, kin, shared[0], shared[1])
		for _, likely := range f.likely {
			if nearest < 0 {
				f.add(k, unknown, unknown)
			} else {
				f.add(k, likely[nearest], likely[k]-likely[nearest])
			}
		}
	}
}

// textureFeature is the place of the finest texture among the features.
const textureFeature = 10

// addWithin adds how a superpixel relates to a box, an outline or what was found, where
// there is one.
func (f *hintFeatures) addWithin() {
	if f.inside == nil {
		return
	}
	in, out := f.likeInside()
	kinIn, kinOut := f.kinInside()
	outside := func(k int) bool { return f.inside[k] < 0.05 }
	channel := newSums(f.spread(f.inside), f.Width, f.Height)
	size := math.Sqrt(f.area * float64(f.Width*f.Height))
	way, widest := f.geodesic(outside, 3), f.widest(outside)
	for k := range f.rows {
		x, y := f.x[k], f.y[k]
		around := func(part float64) float64 {
			r := part * size
			return f.box(channel, x-r, y-r, x+r, y+r)
		}
		f.add(k, f.inside[k], around(0.1), around(0.3), way[k], widest[k], in[k]*100/max(in[k]+out[k], 1e-9), in[k], out[k], f.area,
			kinIn[k]*100/max(kinIn[k]+kinOut[k], 1e-9), kinIn[k], kinOut[k])
	}
}

// likeInside is how much of the colour of each superpixel lies within, and how much
// nearby without.
func (f *hintFeatures) likeInside() (in, out []float64) {
	return f.inAndOut(func(k, j int) float64 {
		dx, dy := (f.x[k]-f.x[j])/f.short, (f.y[k]-f.y[j])/f.short
		return falloff(square(float64(f.unlike[k][j]))/50 + (dx*dx+dy*dy)*6)
	})
}

// kinInside is how much of what is like each superpixel to the network lies within the box
// or outline, and how much without.
func (f *hintFeatures) kinInside() (in, out []float64) {
	kin := f.kin()
	return f.inAndOut(func(k, j int) float64 { return square(square(float64(max(kin[k][j], 0)))) })
}

// inAndOut is how much of what is like each superpixel lies within the box or outline, and
// how much without.
func (f *hintFeatures) inAndOut(like func(k, j int) float64) (in, out []float64) {
	in, out = make([]float64, len(f.rows)), make([]float64, len(f.rows))
	for k := range f.rows {
		for j, size := range f.size {
			w := float64(size) * like(k, j)
			in[k] += w * f.inside[j]
			out[k] += w * (1 - f.inside[j])
		}
		in[k] /= superpixelArea
		out[k] /= superpixelArea
	}
	return in, out
}

// addSelf adds what a superpixel is by itself.
func (f *hintFeatures) addSelf() {
	for k := range f.rows {
		f.add(k, f.x[k]/float64(f.Width), f.y[k]/float64(f.Height))
		for _, likely := range f.likely {
			f.add(k, likely[k])
		}
		f.rows[k] = append(f.rows[k], f.features[k][2:18]...)
		f.rows[k] = append(f.rows[k], f.features[k][salienceFeature:salienceFeature+9]...)
	}
}

// salienceFeature is the place of the first number of addSalience.
const salienceFeature = 71
