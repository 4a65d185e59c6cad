package segment

import (
	"container/heap"
	"math"
	"slices"
)

// merge joins superpixels into larger regions by their colour differences, after
// Felzenszwalb and Huttenlocher, "Efficient Graph-Based Image Segmentation" (2004).
// A greater scale makes larger regions. It returns the region of each superpixel,
// and how many there are.
func (s *superpixels) merge(scale float64) (of []int, count int) {
	type edge struct {
		a, b   int
		weight float64
	}
	var edges []edge
	for k, list := range s.next {
		for _, n := range list {
			if int(n.of) > k {
				weight := (distance(s.mean[k], s.mean[n.of]) + n.step) / 2
				edges = append(edges, edge{k, int(n.of), weight})
			}
		}
	}
	slices.SortStableFunc(edges, func(a, b edge) int {
		switch {
		case a.weight < b.weight:
			return -1
		case a.weight > b.weight:
			return 1
		}
		return 0
	})
	parent, inner, size := make([]int, len(s.size)), make([]float64, len(s.size)), make([]float64, len(s.size))
	for k := range parent {
		parent[k], size[k] = k, 1
	}
	root := func(k int) int {
		for parent[k] != k {
			parent[k] = parent[parent[k]]
			k = parent[k]
		}
		return k
	}
	for _, e := range edges {
		a, b := root(e.a), root(e.b)
		if a == b || e.weight > min(inner[a]+scale/size[a], inner[b]+scale/size[b]) {
			continue
		}
		parent[b] = a
		size[a] += size[b]
		inner[a] = e.weight
	}
	of = make([]int, len(parent))
	number := map[int]int{}
	for k := range parent {
		r := root(k)
		if _, known := number[r]; !known {
			number[r] = len(number)
		}
		of[k] = number[r]
	}
	return of, len(number)
}

// geodesic is the least sum of colour differences on the way from the superpixels
// where from is true; differences up to least cost a tenth of it. Where there is no
// way, it is infinite.
func (s *superpixels) geodesic(from func(k int) bool, least float64) []float64 {
	return s.ways(from, func(far, step float64) float64 { return far + max(step-least, 0) + least/10 })
}

// widest is the largest colour difference on the way from the superpixels where from
// is true, on the way where it is the smallest.
func (s *superpixels) widest(from func(k int) bool) []float64 {
	return s.ways(from, func(far, step float64) float64 { return max(far, step) })
}

// ways finds the shortest ways, where on says how far one is after a step.
func (s *superpixels) ways(from func(k int) bool, on func(far, step float64) float64) []float64 {
	far := make([]float64, len(s.size))
	queue := &places{}
	for k := range far {
		far[k] = math.Inf(1)
		if from(k) {
			far[k] = 0
			queue.list = append(queue.list, place{k, 0})
		}
	}
	heap.Init(queue)
	for queue.Len() > 0 {
		at := heap.Pop(queue).(place)
		if at.far > far[at.k] {
			continue
		}
		for _, n := range s.next[at.k] {
			if d := on(at.far, (distance(s.mean[at.k], s.mean[n.of])+n.step)/2); d < far[n.of] {
				far[n.of] = d
				heap.Push(queue, place{int(n.of), d})
			}
		}
	}
	return far
}

// A place is a superpixel in a queue.
type place struct {
	k   int
	far float64
}

// places is a queue in which the nearest comes first.
type places struct{ list []place }

func (q *places) Len() int           { return len(q.list) }
func (q *places) Less(i, j int) bool { return q.list[i].far < q.list[j].far }
func (q *places) Swap(i, j int)      { q.list[i], q.list[j] = q.list[j], q.list[i] }
func (q *places) Push(x any)         { q.list = append(q.list, x.(place)) }
func (q *places) Pop() any {
	last := q.list[len(q.list)-1]
	q.list = q.list[:len(q.list)-1]
	return last
}
