package segment

import "math"

// cut chooses the superpixels of a region from the likelihood of each: the choice
// that costs least, where a superpixel against its likelihood costs by its size, and
// a border costs by its length, less where colours differ across it. smooth weighs
// the border.
func (s *Scene) cut(likely []float64, smooth float64) []bool {
	g := newFlow(len(likely))
	typical := s.typicalStep()
	for k, p := range likely {
		p = min(max(p, 0.001), 0.999)
		g.terminal(k, math.Log(p/(1-p))*float64(s.size[k])/superpixelArea)
		for _, n := range s.next[k] {
			if int(n.of) > k {
				step := (n.step + distance(s.mean[k], s.mean[n.of])/2) / typical
				g.tie(k, int(n.of), smooth*n.shared/math.Sqrt(superpixelArea)*math.Exp(-step*step/2))
			}
		}
	}
	return g.source()
}

// typicalStep is the root of the mean square of the steps between superpixels.
func (s *Scene) typicalStep() float64 {
	sum, weight := 0.0, 0.0
	for k, list := range s.next {
		for _, n := range list {
			sum += n.shared * square(n.step+distance(s.mean[k], s.mean[n.of])/2)
			weight += n.shared
		}
	}
	return math.Sqrt(sum/max(weight, 1)) + 1
}

// A flow is a network between a source and a sink, for a minimum cut by Dinic's
// algorithm.
type flow struct {
	edges []flowEdge // an edge and its reverse lie side by side
	from  [][]int32  // the edges of each node
	level []int32
	next  []int
}

type flowEdge struct {
	to   int32
	room float64
}

func newFlow(nodes int) *flow { return &flow{from: make([][]int32, nodes+2)} }

func (f *flow) join(a, b int, there, back float64) {
	f.from[a] = append(f.from[a], int32(len(f.edges)))
	f.from[b] = append(f.from[b], int32(len(f.edges)+1))
	f.edges = append(f.edges, flowEdge{int32(b), there}, flowEdge{int32(a), back})
}

// tie makes it cost weight to separate two nodes.
func (f *flow) tie(a, b int, weight float64) { f.join(a, b, weight, weight) }

// terminal makes it cost weight to leave a node to the sink, or, when negative, to
// the source.
func (f *flow) terminal(node int, weight float64) {
	source, sink := len(f.from)-2, len(f.from)-1
	if weight > 0 {
		f.join(source, node, weight, 0)
	} else if weight < 0 {
		f.join(node, sink, -weight, 0)
	}
}

const least = 1e-9 // room that counts

// source finds the nodes on the source's side of a minimum cut.
func (f *flow) source() []bool {
	source, sink := len(f.from)-2, len(f.from)-1
	for f.reach(source); f.level[sink] >= 0; f.reach(source) {
		f.next = make([]int, len(f.from))
		for sent := 1.0; sent > 0; {
			sent = f.push(source, sink, math.Inf(1))
		}
	}
	out := make([]bool, len(f.from)-2)
	for i := range out {
		out[i] = f.level[i] >= 0
	}
	return out
}

// reach finds how many edges each node is from the source; -1 where there is no way.
func (f *flow) reach(source int) {
	f.level = make([]int32, len(f.from))
	for i := range f.level {
		f.level[i] = -1
	}
	f.level[source] = 0
	queue := []int32{int32(source)}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		for _, e := range f.from[at] {
			if edge := f.edges[e]; edge.room > least && f.level[edge.to] < 0 {
				f.level[edge.to] = f.level[at] + 1
				queue = append(queue, edge.to)
			}
		}
	}
}

// push sends what it can to the sink on one way.
func (f *flow) push(node, sink int, most float64) float64 {
	if node == sink {
		return most
	}
	for ; f.next[node] < len(f.from[node]); f.next[node]++ {
		e := f.from[node][f.next[node]]
		edge := f.edges[e]
		if edge.room <= least || f.level[edge.to] != f.level[node]+1 {
			continue
		}
		if sent := f.push(int(edge.to), sink, min(most, edge.room)); sent > 0 {
			f.edges[e].room -= sent
			f.edges[e^1].room += sent
			return sent
		}
	}
	return 0
}
