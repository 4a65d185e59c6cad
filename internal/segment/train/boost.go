package main

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/chemigram/chemigram/internal/segment"
)

// bins is how many steps a feature has while trees are grown.
const bins = 64

// A table holds the features of all examples in steps.
type table struct {
	// edges are the thresholds between the steps of each feature.
	edges [][]float32
	// steps are the steps of each feature, example by example.
	steps [][]uint8
}

// newTable divides features into steps that have about as many examples each.
func newTable(rows [][]float32) *table {
	count := len(rows[0])
	t := &table{edges: make([][]float32, count), steps: make([][]uint8, count)}
	for f := range count {
		sample := make([]float32, 0, 20000)
		for i := 0; i < len(rows); i += max(len(rows)/20000, 1) {
			sample = append(sample, rows[i][f])
		}
		slices.Sort(sample)
		for b := 1; b < bins; b++ {
			t.edges[f] = append(t.edges[f], sample[b*len(sample)/bins])
		}
		t.edges[f] = slices.Compact(t.edges[f])
		t.steps[f] = make([]uint8, len(rows))
		for i, row := range rows {
			at, found := slices.BinarySearch(t.edges[f], row[f])
			_ = found // a value on an edge belongs below it
			t.steps[f][i] = uint8(at)
		}
	}
	return t
}

// Options of growing a forest.
type growth struct {
	trees      int
	rate       float64 // of learning
	features   float64 // share of the features that a tree may ask of
	examples   float64 // share of the examples that a tree sees
	stiffness  float64 // weight against large leaves
	leastGain  float64
	leafWeight float64 // least weight of a leaf
}

// grow fits a forest to the examples of a table that have a weight: to labels from 0
// to 1, by gradient boosting of the logistic loss.
func (t *table) grow(labels, weights []float32, o growth, seed uint64) segment.Forest {
	rng := rand.New(rand.NewPCG(seed, 1))
	var used []int32
	total := 0.0
	for i, w := range weights {
		if w > 0 {
			used = append(used, int32(i))
			total += float64(w)
		}
	}
	scale := float32(float64(len(used)) / total)
	sum := make([]float32, len(labels))
	gradient, curvature := make([]float32, len(labels)), make([]float32, len(labels))
	forest := make(segment.Forest, 0, o.trees)
	for range o.trees {
		var seen []int32
		for _, i := range used {
			p := float32(1 / (1 + math.Exp(-float64(sum[i]))))
			w := weights[i] * scale
			gradient[i], curvature[i] = w*(p-labels[i]), w*max(p*(1-p), 1e-4)
			if rng.Float64() < o.examples {
				seen = append(seen, i)
			}
		}
		chosen := rng.Perm(len(t.edges))[:max(int(o.features*float64(len(t.edges))), 1)]
		slices.Sort(chosen)
		tree, splits := t.tree(seen, chosen, gradient, curvature, o)
		for _, i := range used {
			sum[i] += tree.Leaf[t.leaf(splits, &tree, int(i))]
		}
		forest = append(forest, tree)
	}
	return forest
}

// leaf finds the leaf of an example, by the steps at which questions split.
func (t *table) leaf(splits *[1<<depth - 1]uint8, tree *segment.Tree, example int) int {
	i := 0
	for range depth {
		if t.steps[tree.Feature[i]][example] > splits[i] {
			i = 2*i + 2
		} else {
			i = 2*i + 1
		}
	}
	return i - len(tree.Feature)
}

const depth = 4 // as segment.Tree has

type cell struct{ g, h float64 }

// tree grows one tree, level by level.
func (t *table) tree(seen []int32, chosen []int, gradient, curvature []float32, o growth) (tree segment.Tree, splits *[1<<depth - 1]uint8) {
	splits = new([1<<depth - 1]uint8)
	node := make([]uint8, len(seen)) // within the level
	for level := range depth {
		nodes := 1 << level
		first := nodes - 1
		best := make([]float64, nodes)
		for n := range best {
			best[n] = o.leastGain
			tree.Feature[first+n] = 0
			tree.Above[first+n] = math.MaxFloat32 // all go on with no
			splits[first+n] = bins
		}
		cells := make([]cell, nodes*bins)
		for _, f := range chosen {
			clear(cells)
			steps := t.steps[f]
			for j, i := range seen {
				c := &cells[int(node[j])*bins+int(steps[i])]
				c.g += float64(gradient[i])
				c.h += float64(curvature[i])
			}
			for n := range nodes {
				gain, at := bestSplit(cells[n*bins:(n+1)*bins], len(t.edges[f]), o)
				if gain > best[n] {
					best[n] = gain
					tree.Feature[first+n], tree.Above[first+n] = uint16(f), t.edges[f][at]
					splits[first+n] = uint8(at)
				}
			}
		}
		for j, i := range seen {
			n := first + int(node[j])
			node[j] *= 2
			if t.steps[tree.Feature[n]][i] > splits[n] {
				node[j]++
			}
		}
	}
	var leaves [1 << depth]cell
	for j, i := range seen {
		leaves[node[j]].g += float64(gradient[i])
		leaves[node[j]].h += float64(curvature[i])
	}
	for n, c := range leaves {
		tree.Leaf[n] = float32(-o.rate * c.g / (c.h + o.stiffness))
	}
	return tree, splits
}

// bestSplit finds after which step of a feature to split.
func bestSplit(cells []cell, edges int, o growth) (gain float64, at int) {
	var all, left cell
	for _, c := range cells {
		all.g += c.g
		all.h += c.h
	}
	score := func(c cell) float64 { return c.g * c.g / (c.h + o.stiffness) }
	for i := range edges {
		left.g += cells[i].g
		left.h += cells[i].h
		right := cell{all.g - left.g, all.h - left.h}
		if left.h < o.leafWeight || right.h < o.leafWeight {
			continue
		}
		if better := score(left) + score(right) - score(all); better > gain {
			gain, at = better, i
		}
	}
	return gain, at
}
