package main

import (
	"fmt"
	"log"
	"math/rand/v2"
	"slices"

	"github.com/chemigram/chemigram/internal/segment"
)

// A target is a drawn region in an example.
type target struct {
	*example
	category string
	likely   [][]float64
	region   segment.Plane
	shares   []float64
	area     float64
}

// targets lists the regions of examples that are worth pointing at.
func targets(examples []*example, likely [][][]float64) []*target {
	var out []*target
	for i, e := range examples {
		for _, category := range segment.Categories() {
			plane := e.planes[string(category)]
			if plane == nil {
				continue
			}
			t := &target{example: e, category: string(category), likely: likely[i], region: plane, shares: e.scene.Shares(plane)}
			for _, v := range plane {
				t.area += float64(v) / float64(len(plane))
			}
			if t.area > 0.004 && t.area < 0.97 {
				out = append(out, t)
			}
		}
	}
	return out
}

// A state is what a forest of hints learns from: some hints to a region.
type state struct {
	*target
	request segment.Request
}

// begun is a request of a kind before points are given.
func (t *target) begun(kind int, rng *rand.Rand) segment.Request {
	var r segment.Request
	width, height := t.scene.Width, t.scene.Height
	switch kind {
	case 1:
		r.Box = boxOf(t.region, width, height, 0.01*rng.Float64())
	case 2:
		r.Outlines = [][][2]float64{outlineOf(t.region, width, height, 8+rng.IntN(10), 0.02, rng)}
	case 3:
		r.Category = segment.Category(t.category)
	}
	return r
}

// randomStates are hints as people might give them.
func (t *target) randomStates(rng *rand.Rand) []state {
	out := make([]state, randomOfKind*segment.HintKinds)
	for i := range out {
		r := t.begun(i%segment.HintKinds, rng)
		least := 0
		if i%segment.HintKinds == 0 {
			least = 1
		}
		for range least + rng.IntN(4) {
			r.Points = append(r.Points, t.randomPoint(rng, true))
		}
		for range rng.IntN(4) {
			r.Points = append(r.Points, t.randomPoint(rng, false))
		}
		out[i] = state{t, r}
	}
	return out
}

// playedOfKind are how many points are played with each kind of hints, to learn from what
// comes up: points lie where forests are wrong, and not anywhere.
var playedOfKind = [segment.HintKinds]int{6, 3, 3, 5}

// playedStates are the hints that come up when the protocol is played.
func (t *target) playedStates(m *segment.Model, rng *rand.Rand) []state {
	var out []state
	for kind, points := range playedOfKind {
		begun, _ := t.selected(m, t.begun(kind, rng))
		begun.play(m, points, func(s selection) { out = append(out, state{t, s.request}) })
	}
	return out
}

// randomPoint is the innermost of some pixels in the region, or out of it: away from
// its border.
func (t *target) randomPoint(rng *rand.Rand, keep bool) segment.Point {
	width, height := t.scene.Width, t.scene.Height
	best, at := -1.0, 0
	for tries := 0; tries < 4 || best < 0 && tries < 5000; tries++ {
		i := rng.IntN(len(t.region))
		if (t.region[i] > 0.5) != keep {
			continue
		}
		depth := 0.0
		for r := 2; r < 20; r += 3 {
			same := true
			for _, d := range [4][2]int{{r, 0}, {-r, 0}, {0, r}, {0, -r}} {
				x, y := i%width+d[0], i/width+d[1]
				if x >= 0 && y >= 0 && x < width && y < height && (t.region[y*width+x] > 0.5) != keep {
					same = false
				}
			}
			if !same {
				break
			}
			depth = float64(r)
		}
		if depth > best {
			best, at = depth, i
		}
	}
	return segment.Point{X: (float64(at%width) + 0.5) / float64(width), Y: (float64(at/width) + 0.5) / float64(height), Keep: keep}
}

// A selection is what a request selects, and how likely each superpixel belongs to it.
type selection struct {
	*target
	request segment.Request
	mask    segment.Plane
	likely  []float64
}

// selected asks a model; ok is false, and the mask empty, where it finds nothing.
func (t *target) selected(m *segment.Model, r segment.Request) (s selection, ok bool) {
	s = selection{target: t, request: r}
	if !r.None() {
		s.mask, s.likely = t.scene.Point(m, t.likely, r)
		return s, true
	}
	if at := slices.Index(segment.Categories(), r.Category); at >= 0 {
		if found, err := t.scene.Named(m, r.Category, t.likely[at]); err == nil {
			s.mask, s.likely = found.Mask, t.likely[at]
			return s, true
		}
	}
	s.mask = make(segment.Plane, len(t.region))
	return s, false
}

// play plays the protocol from a selection on: each point lies in the middle of what a model
// got most wrong. after is called with what is selected after each point.
func (s selection) play(m *segment.Model, points int, after func(selection)) {
	for range points {
		p, ok := nextPoint(s.mask, s.region, s.scene.Width, s.scene.Height)
		if !ok {
			break
		}
		r := s.request
		r.Points = append(slices.Clone(r.Points), p)
		s, _ = s.selected(m, r)
		after(s)
	}
}

// played is what mask and region share after each point.
func (t *target) played(m *segment.Model, r segment.Request, points int) (shared []float64) {
	begun, _ := t.selected(m, r)
	begun.play(m, points, func(s selection) { shared = append(shared, common(s.mask, t.region)) })
	return shared
}

// A part is what forests learn from of a state.
type part struct {
	kind, fold      int
	rows            [][]float32
	labels, weights []float32
}

// join joins the parts that are chosen.
func join(parts []part, chosen func(part) bool) part {
	var all part
	for _, p := range parts {
		if chosen(p) {
			all.rows = append(all.rows, p.rows...)
			all.labels = append(all.labels, p.labels...)
			all.weights = append(all.weights, p.weights...)
		}
	}
	return all
}

// grow grows a forest by a part.
func (p part) grow(how growth, seed uint64) segment.Forest {
	return newTable(p.rows).grow(p.labels, p.weights, how, seed)
}

// partsOf looks at states.
func partsOf(states []state, seed uint64) []part {
	out := make([]part, len(states))
	parallel(len(states), func(i int) part {
		s := states[i]
		rng := rand.New(rand.NewPCG(uint64(i), seed))
		p := part{kind: s.request.Kind(), fold: s.fold}
		for k, row := range s.scene.HintFeatures(s.request, s.likely) {
			if rng.IntN(hintOneIn) > 0 {
				continue
			}
			p.rows = append(p.rows, slices.Clone(row))
			p.labels = append(p.labels, float32(s.shares[k]))
			p.weights = append(p.weights, float32(float64(s.scene.Pixels(k))/(s.area+0.1)))
		}
		return p
	}, func(i int, p part) { out[i] = p })
	return out
}

// pointing trains a forest for each kind of hints without the targets of a fold.
func pointing(parts []part, without int, seed uint64) []segment.Forest {
	out := make([]segment.Forest, segment.HintKinds)
	parallel(len(out), func(kind int) segment.Forest {
		return join(parts, func(p part) bool { return p.kind == kind && p.fold != without }).grow(hintGrowth, seed)
	}, func(kind int, f segment.Forest) { out[kind] = f })
	return out
}

// pointingOfFolds trains forests without the targets of each fold.
func pointingOfFolds(parts []part, folds int, seed uint64) []*segment.Model {
	out := newModels(folds)
	for fold := range folds {
		out[fold].Hints = pointing(parts, fold, seed+uint64(fold))
		log.Printf("pointing, fold %d of %d", fold+1, folds)
	}
	return out
}

const (
	// randomOfKind is how many random hints of each kind there are to learn from for each
	// region.
	randomOfKind = 4
	// playedRounds is how often those are added that come up.
	playedRounds = 2
	// hintOneIn is how many superpixels there are for each that forests of hints learn from.
	hintOneIn = 6
)

var hintGrowth = growth{trees: 120, rate: 0.15, features: 0.3, examples: 0.3, stiffness: 8, leafWeight: 16}

// trainPointing trains the forests of hints: by random hints first, and then by those, too,
// that come up when the protocol is played with forests that have not seen the photograph
// (Ross and others, "A Reduction of Imitation Learning and Structured Prediction to No-Regret
// Online Learning", 2011).
// unseen are models whose forests have not seen the photographs of a fold.
func trainPointing(all []*target, folds int) (hints []segment.Forest, unseen []*segment.Model) {
	var states []state
	for i, t := range all {
		states = append(states, t.randomStates(rand.New(rand.NewPCG(uint64(i), 9)))...)
	}
	log.Printf("%d regions to point at, %d states", len(all), len(states))
	parts := partsOf(states, 1)
	for round := range uint64(playedRounds) {
		trained := pointingOfFolds(parts, folds, 10*round)
		came := make([][]state, len(all))
		parallel(len(all), func(i int) []state {
			return all[i].playedStates(trained[all[i].fold], rand.New(rand.NewPCG(uint64(i), 10+round)))
		}, func(i int, s []state) { came[i] = s })
		played := slices.Concat(came...)
		log.Printf("%d states that came up", len(played))
		parts = append(parts, partsOf(played, 2+round)...)
	}
	return pointing(parts, -1, 77), pointingOfFolds(parts, folds, 50)
}

// measurePointing plays the protocol, with models that have not seen the photograph.
func measurePointing(all []*target, unseen []*segment.Model, every int) {
	for _, category := range []string{"subject", "sky", "plants", "water", "skin"} {
		var chosen []*target
		for i, t := range all {
			if t.category == category && i%every == 0 {
				chosen = append(chosen, t)
			}
		}
		if len(chosen) == 0 {
			continue
		}
		var m pointed
		parallel(len(chosen), func(i int) pointed { return chosen[i].measure(unseen[chosen[i].fold], uint64(i)) },
			func(_ int, one pointed) { m = m.and(one) })
		fmt.Printf("%-8s %d regions: 85 %% after %.2f points, 95 %% after %.2f (of at most %d); after one %.3f, two %.3f; box and two points %.3f; outline of 12 corners %.3f, before %.3f; by name %.3f, and one point %.3f, two %.3f\n",
			category, len(chosen), average(m.to85), average(m.to95), mostPlayed, average(m.one), average(m.two), average(m.boxed), average(m.outlined), average(m.before), average(m.named), average(m.namedOne), average(m.namedTwo))
	}
}

// mostPlayed is how many points are given.
const mostPlayed = 12

// pointed are measurements of pointing.
type pointed struct {
	to85, to95, one, two, boxed, outlined, before, named, namedOne, namedTwo []float64
}

func (p pointed) and(q pointed) pointed {
	return pointed{
		append(p.to85, q.to85...), append(p.to95, q.to95...), append(p.one, q.one...), append(p.two, q.two...),
		append(p.boxed, q.boxed...), append(p.outlined, q.outlined...), append(p.before, q.before...),
		append(p.named, q.named...), append(p.namedOne, q.namedOne...), append(p.namedTwo, q.namedTwo...),
	}
}

// measure points at a region in all ways.
func (t *target) measure(m *segment.Model, seed uint64) pointed {
	width, height := t.scene.Width, t.scene.Height
	points := t.played(m, segment.Request{}, mostPlayed)
	boxed := t.played(m, segment.Request{Hints: segment.Hints{Box: boxOf(t.region, width, height, 0)}}, 2)
	outline := outlineOf(t.region, width, height, 12, 0.02, rand.New(rand.NewPCG(seed, 5)))
	outlined, _ := t.selected(m, segment.Request{Hints: segment.Hints{Outlines: [][][2]float64{outline}}})
	name := 0.0
	if found, ok := t.selected(m, segment.Request{Category: segment.Category(t.category)}); ok {
		name = common(found.mask, t.region)
	}
	named := t.played(m, segment.Request{Category: segment.Category(t.category)}, 2)
	reach := func(want float64) []float64 {
		for n, v := range points {
			if v >= want {
				return []float64{float64(n + 1)}
			}
		}
		return []float64{mostPlayed}
	}
	after := func(shared []float64, points int) []float64 {
		if len(shared) == 0 {
			return []float64{1} // nothing was wrong
		}
		return shared[min(points, len(shared))-1:][:1]
	}
	return pointed{
		reach(0.85), reach(0.95), after(points, 1), after(points, 2), after(boxed, 2),
		[]float64{common(outlined.mask, t.region)},
		[]float64{common(t.scene.Fill(outline), t.region)},
		[]float64{name},
		after(named, 1), after(named, 2),
	}
}

func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(len(values), 1))
}
