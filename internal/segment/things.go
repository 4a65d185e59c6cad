package segment

import (
	"cmp"
	"math"
	"slices"

	"github.com/chemigram/chemigram/internal/segment/cnn"
)

// A thing is something that the network found in a picture.
type thing struct {
	Box
	// sure is how likely it is there, and groups how likely it is of each group of kinds.
	sure   float64
	groups [groups]float64
}

// The groups of kinds that are alike.
const (
	persons = iota
	animals
	vehicles
	pottedPlants
	others
	groups
)

// group is the group of a kind.
func group(kind int) int {
	const person, bicycle, boat, bird, giraffe, pottedPlant = 0, 1, 8, 14, 23, 58 // as COCO counts
	switch {
	case kind == person:
		return persons
	case kind >= bicycle && kind <= boat:
		return vehicles
	case kind >= bird && kind <= giraffe:
		return animals
	case kind == pottedPlant:
		return pottedPlants
	}
	return others
}

const (
	// mostThings is how many things a picture has at most: the surest.
	mostThings = 60
	// same is how much of two boxes, as intersection over union, is common to those of
	// one thing.
	same = 0.6
)

// apart leaves of things that are the same the surest one.
func apart(found []cnn.Thing) []thing {
	all := make([]thing, len(found))
	for i, f := range found {
		all[i].Box = Box{f.Left, f.Top, f.Right, f.Bottom}
		for kind, likely := range f.Kinds {
			g := group(kind)
			all[i].groups[g] = max(all[i].groups[g], float64(likely))
		}
		all[i].sure = slices.Max(all[i].groups[:])
	}
	slices.SortStableFunc(all, func(a, b thing) int { return cmp.Compare(b.sure, a.sure) })
	var out []thing
	for _, t := range all {
		if len(out) < mostThings && !slices.ContainsFunc(out, func(o thing) bool { return o.common(t.Box) > same }) {
			out = append(out, t)
		}
	}
	return out
}

// common is what two boxes have in common, as intersection over union.
func (b Box) common(c Box) float64 {
	both := Box{max(b.Left, c.Left), max(b.Top, c.Top), min(b.Right, c.Right), min(b.Bottom, c.Bottom)}.area()
	return both / max(b.area()+c.area()-both, 1e-9)
}

func (b Box) area() float64 { return max(b.Right-b.Left, 0) * max(b.Bottom-b.Top, 0) }

// farOut is as far from the middle of a box as [Box.from] tells.
const farOut = 10

// from is how far a place is from the middle of a box: as a part of the way to its sides,
// and of the way to the ellipse within.
func (b Box) from(x, y float64) (sides, ellipse float64) {
	const least = 1e-6
	u := math.Abs(2*(x-b.Left)/max(b.Right-b.Left, least) - 1)
	v := math.Abs(2*(y-b.Top)/max(b.Bottom-b.Top, least) - 1)
	return min(max(u, v), farOut), min(math.Hypot(u, v), farOut)
}

// place is the centre of a superpixel, in fractions of the picture.
func (s *Scene) place(k int) (x, y float64) {
	return (s.x[k] + 0.5) / float64(s.Width), (s.y[k] + 0.5) / float64(s.Height)
}

// partOf says of what things a superpixel may be part.
func (s *Scene) partOf(k int) []float64 {
	x, y := s.place(k)
	out := make([]float64, groups, groups+5)
	sure, sides, ellipse, area, sum := 0.0, float64(farOut), float64(farOut), 1.0, 0.0
	for _, t := range s.things {
		far, round := t.from(x, y)
		if far > 1 {
			continue
		}
		for g, likely := range t.groups {
			out[g] = max(out[g], likely)
		}
		sum += t.sure
		if t.sure > sure {
			sure, sides, ellipse, area = t.sure, far, round, t.area()
		}
	}
	return append(out, sure, sides, ellipse, area, sum)
}

// addMeant adds how a superpixel lies to the things that hints may mean.
func (f *hintFeatures) addMeant(h Hints) {
	around := h.around()
	meant := make([]float64, len(f.things))
	sum, most := 0.0, -1
	for i, t := range f.things {
		meant[i] = t.meant(h, around)
		sum += meant[i]
		if most < 0 || meant[i] > meant[most] {
			most = i
		}
	}
	for k := range f.rows {
		x, y := f.place(k)
		best, all := 0.0, 0.0
		for i, t := range f.things {
			if sides, _ := t.from(x, y); sides <= 1 {
				best, all = max(best, meant[i]), all+meant[i]
			}
		}
		sides, ellipse, common := float64(farOut), float64(farOut), 0.0
		if most < 0 {
			f.add(k, 0, 0, 0, 0)
		} else {
			t := f.things[most]
			f.add(k, best/meant[most], meant[most], all/sum, t.sure)
			if sides, ellipse = t.from(x, y); around != nil {
				common = t.common(*around)
			}
		}
		f.add(k, sides, ellipse)
		if around != nil {
			sides, ellipse = around.from(x, y)
			f.add(k, common, sides, ellipse)
		}
		f.add(k, f.partOf(k)...)
	}
}

// meant is how much a thing is what hints mean, in comparison with others: points that are
// kept lie within its box, those that are not hardly do, and the box is what lies around.
func (t *thing) meant(h Hints, around *Box) float64 {
	const missed, taken = 0.1, 0.5
	out := t.sure
	for _, p := range h.Points {
		sides, _ := t.from(p.X, p.Y)
		switch {
		case p.Keep && sides > 1:
			out *= missed
		case !p.Keep && sides < 1:
			out *= taken
		}
	}
	if around != nil {
		out *= max(square(t.common(*around)), 1e-9)
	}
	return out
}

// around is the box around what hints enclose, nil where they are points.
func (h Hints) around() *Box {
	if len(h.Outlines) == 0 {
		return h.Box
	}
	b := Box{Left: math.Inf(1), Top: math.Inf(1), Right: math.Inf(-1), Bottom: math.Inf(-1)}
	for _, corners := range h.Outlines {
		for _, c := range corners {
			b = Box{min(b.Left, c[0]), min(b.Top, c[1]), max(b.Right, c[0]), max(b.Bottom, c[1])}
		}
	}
	return &b
}
