package cnn

import "math"

// wide is how many channels each map has between backbone and heads, and reaches how many
// distances from 0 on, in places, a head weighs for a side.
const (
	wide    = 128
	reaches = 11
)

// Kinds is how many kinds of things the network tells apart: those of COCO, in its order.
const Kinds = 80

// LeastSure is how likely a [Thing] is of one of its kinds at least.
const LeastSure = 0.05

// A Thing is something that a place of a map is said to be part of: its sides, in fractions
// of the picture's width and height, and how likely it is of each kind.
type Thing struct {
	Left, Top, Right, Bottom float64
	Kinds                    [Kinds]float32
}

// A head says of each place of a map what it is part of.
type head struct{ hidden, out layer }

// things asks the heads. What is wide in a picture is told by coarse maps, and the maps are
// told of each other before: fine ones of coarser ones, and then those of the finer ones.
func (n *network) things(maps []*plane) []Thing {
	levels := make([]*plane, len(maps))
	for i := range n.laterals {
		l := &n.laterals[i]
		levels[i] = newPlane(maps[i].width, maps[i].height, wide)
		l.convolve(maps[i].from(0, l.in), levels[i].from(0, wide), 1)
	}
	for i := len(levels) - 2; i >= 0; i-- {
		levels[i].addLarger(levels[i+1])
	}
	for i := 1; i < len(levels); i++ {
		levels[i].addSmaller(levels[i-1])
	}
	var out []Thing
	for i, level := range levels {
		out = append(out, n.heads[i].ask(level)...)
	}
	return out
}

// addLarger adds a plane of half the width and height, by bilinear interpolation.
func (p *plane) addLarger(half *plane) {
	for y := range p.height {
		v, down := Between(y, p.height, half.height)
		for x := range p.width {
			u, right := Between(x, p.width, half.width)
			a, b := half.values[half.at(u, v):], half.values[half.at(u+1, v):]
			c, d := half.values[half.at(u, v+1):], half.values[half.at(u+1, v+1):]
			for i := range p.channels {
				p.values[p.at(x, y)+i] += (1-down)*((1-right)*a[i]+right*b[i]) + down*((1-right)*c[i]+right*d[i])
			}
		}
	}
}

// addSmaller adds the means of the places of a plane of twice the width and height.
func (p *plane) addSmaller(twice *plane) {
	for y := range p.height {
		for x := range p.width {
			a, b := twice.values[twice.at(2*x, 2*y):], twice.values[twice.at(2*x+1, 2*y):]
			c, d := twice.values[twice.at(2*x, 2*y+1):], twice.values[twice.at(2*x+1, 2*y+1):]
			for i := range p.channels {
				p.values[p.at(x, y)+i] += (a[i] + b[i] + c[i] + d[i]) / 4
			}
		}
	}
}

// ask gives the things that the places of a map are part of.
func (h *head) ask(in *plane) []Thing {
	hidden, said := newPlane(in.width, in.height, wide), newPlane(in.width, in.height, h.out.out)
	h.hidden.convolve(in.from(0, wide), hidden.from(0, wide), 1)
	h.out.convolve(hidden.from(0, wide), said.from(0, h.out.out), 1)
	var out []Thing
	for y := range in.height {
		for x := range in.width {
			v := said.values[said.at(x, y):][:said.channels]
			var t Thing
			sure := float32(0)
			for i := range t.Kinds {
				t.Kinds[i] = float32(1 / (1 + math.Exp(-float64(v[i]))))
				sure = max(sure, t.Kinds[i])
			}
			if sure < LeastSure {
				continue
			}
			side := func(i int) float64 { return reach(v[Kinds+i*reaches:][:reaches]) }
			w, h := float64(in.width), float64(in.height)
			cx, cy := float64(x)+0.5, float64(y)+0.5
			t.Left, t.Top = max((cx-side(0))/w, 0), max((cy-side(1))/h, 0)
			t.Right, t.Bottom = min((cx+side(2))/w, 1), min((cy+side(3))/h, 1)
			out = append(out, t)
		}
	}
	return out
}

// reach is the mean of the distances, each as likely as its number says.
func reach(logits []float32) float64 {
	sum, all := 0.0, 0.0
	for i, logit := range logits {
		w := math.Exp(float64(logit))
		sum += w * float64(i)
		all += w
	}
	return sum / all
}
