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
	hints segment.Hints
}

// randomStates are hints as people might give them.
func (t *target) randomStates(rng *rand.Rand, count int) []state {
	out := make([]state, count)
	for i := range out {
		h := &out[i].hints
		out[i].target = t
		width, height := t.scene.Width, t.scene.Height
		switch i % 3 {
		case 1:
			h.Box = boxOf(t.region, width, height, 0.01*rng.Float64())
		case 2:
			h.Outlines = [][][2]float64{outlineOf(t.region, width, height, 8+rng.IntN(10), 0.02, rng)}
		}
		least := 0
		if i%3 == 0 {
			least = 1
		}
		for range least + rng.IntN(4) {
			h.Points = append(h.Points, t.randomPoint(rng, true))
		}
		for range rng.IntN(4) {
			h.Points = append(h.Points, t.randomPoint(rng, false))
		}
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

// played plays the protocol: each point lies in the middle of what a forest got most
// wrong. It gives what mask and region share after each.
func (t *target) played(forest segment.Forest, start segment.Hints, points int) (shared []float64) {
	h := start
	mask := make(segment.Plane, len(t.region))
	if h.Box != nil || h.Outlines != nil {
		mask = t.scene.Point(forest, t.likely, h)
	}
	for range points {
		p, ok := nextPoint(mask, t.region, t.scene.Width, t.scene.Height)
		if !ok {
			break
		}
		h.Points = append(slices.Clone(h.Points), p)
		mask = t.scene.Point(forest, t.likely, h)
		shared = append(shared, common(mask, t.region))
	}
	return shared
}

// pointing trains a forest of hints without the targets of a fold.
func pointing(states []state, without int, seed uint64) segment.Forest {
	var used []state
	for _, s := range states {
		if s.fold != without {
			used = append(used, s)
		}
	}
	type part struct {
		rows            [][]float32
		labels, weights []float32
	}
	parts := make([]part, len(used))
	parallel(len(used), func(i int) part {
		s := used[i]
		rng := rand.New(rand.NewPCG(uint64(i), seed))
		rows := s.scene.HintFeatures(s.hints, s.likely)
		var p part
		for k, row := range rows {
			if rng.IntN(5) > 0 {
				continue
			}
			p.rows = append(p.rows, row)
			p.labels = append(p.labels, float32(s.shares[k]))
			p.weights = append(p.weights, float32(float64(s.scene.Pixels(k))/(s.area+0.1)))
		}
		return p
	}, func(i int, p part) { parts[i] = p })
	var all part
	for _, p := range parts {
		all.rows = append(all.rows, p.rows...)
		all.labels = append(all.labels, p.labels...)
		all.weights = append(all.weights, p.weights...)
	}
	return newTable(all.rows).grow(all.labels, all.weights, hintGrowth, seed)
}

var hintGrowth = growth{trees: 120, rate: 0.15, features: 0.3, examples: 0.3, stiffness: 8, leafWeight: 16}

// trainPointing trains the forest of hints. measure says how others do on photographs
// that they have not seen.
func trainPointing(examples []*example, likely [][][]float64) (forest segment.Forest, measure func(folds, every int)) {
	all := targets(examples, likely)
	var states []state
	for i, t := range all {
		states = append(states, t.randomStates(rand.New(rand.NewPCG(uint64(i), 9)), 6)...)
	}
	log.Printf("%d regions to point at, %d states", len(all), len(states))
	return pointing(states, -1, 77), func(folds, every int) {
		forests := make([]segment.Forest, folds)
		for fold := range folds {
			forests[fold] = pointing(states, fold, uint64(fold))
			log.Printf("pointing, fold %d of %d", fold+1, folds)
		}
		measurePointing(all, forests, every)
	}
}

// measurePointing plays the protocol, with forests that have not seen the photograph.
func measurePointing(all []*target, forests []segment.Forest, every int) {
	for _, category := range []string{"subject", "sky"} {
		var chosen []*target
		for i, t := range all {
			if t.original && t.category == category && i%every == 0 {
				chosen = append(chosen, t)
			}
		}
		var m pointed
		parallel(len(chosen), func(i int) pointed { return chosen[i].measure(forests[chosen[i].fold], uint64(i)) },
			func(_ int, one pointed) { m = m.and(one) })
		fmt.Printf("%-8s %d regions: 85 %% after %.2f points, 95 %% after %.2f (of at most %d); after one %.3f, two %.3f; box and two points %.3f; outline of 12 corners %.3f, before %.3f\n",
			category, len(chosen), average(m.to85), average(m.to95), mostPlayed, average(m.one), average(m.two), average(m.boxed), average(m.outlined), average(m.before))
	}
}

// mostPlayed is how many points are given.
const mostPlayed = 12

// pointed are measurements of pointing.
type pointed struct {
	to85, to95, one, two, boxed, outlined, before []float64
}

func (p pointed) and(q pointed) pointed {
	return pointed{
		append(p.to85, q.to85...), append(p.to95, q.to95...), append(p.one, q.one...), append(p.two, q.two...),
		append(p.boxed, q.boxed...), append(p.outlined, q.outlined...), append(p.before, q.before...),
	}
}

// measure points at a region in all ways.
func (t *target) measure(forest segment.Forest, seed uint64) pointed {
	width, height := t.scene.Width, t.scene.Height
	played := t.played(forest, segment.Hints{}, mostPlayed)
	boxed := t.played(forest, segment.Hints{Box: boxOf(t.region, width, height, 0)}, 2)
	outline := outlineOf(t.region, width, height, 12, 0.02, rand.New(rand.NewPCG(seed, 5)))
	outlined := t.scene.Point(forest, t.likely, segment.Hints{Outlines: [][][2]float64{outline}})
	reach := func(want float64) []float64 {
		for n, v := range played {
			if v >= want {
				return []float64{float64(n + 1)}
			}
		}
		return []float64{mostPlayed}
	}
	return pointed{
		reach(0.85), reach(0.95), played[:1], played[min(1, len(played)-1):][:1], boxed[len(boxed)-1:],
		[]float64{common(outlined, t.region)},
		[]float64{common(t.scene.Fill(outline), t.region)},
	}
}

func average(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(len(values), 1))
}
