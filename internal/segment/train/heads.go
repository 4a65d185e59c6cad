package main

import (
	"math"
	"math/rand/v2"

	"github.com/chemigram/chemigram/internal/segment"
)

// How heads are trained: by Adam with decaying weights (Loshchilov and Hutter, "Decoupled
// Weight Decay Regularization", 2019), at a rate that falls along half a cosine.
const (
	headRounds  = 10
	headBatch   = 256
	headRate    = 1e-3
	headDecay   = 1e-2
	headOneIn   = 2   // superpixels, of which one is learned from
	headDropped = 0.5 // of what the network makes, each time
)

// A lesson is a superpixel that a head learns from.
type lesson struct {
	learned         []float32
	labels, weights []float32 // by category
}

// lessons are superpixels of examples that are not of a fold. In each category they weigh
// 1 in the mean.
func lessons(examples []*example, without int, rng *rand.Rand) []lesson {
	var out []lesson
	count, sum := make([]float32, len(segment.Categories())), make([]float32, len(segment.Categories()))
	for _, e := range examples {
		if e.fold == without {
			continue
		}
		var weights [][]float32
		for c := range count {
			weights = append(weights, e.weights(c))
		}
		for k, learned := range e.scene.Learned() {
			if rng.IntN(headOneIn) > 0 {
				continue
			}
			l := lesson{learned: learned}
			for c := range count {
				w := weights[c][k]
				l.labels, l.weights = append(l.labels, float32(max(e.shares[c][k], 0))), append(l.weights, w)
				if w > 0 {
					count[c]++
					sum[c] += w
				}
			}
			out = append(out, l)
		}
	}
	for _, l := range out {
		for c := range l.weights {
			l.weights[c] *= count[c] / sum[c]
		}
	}
	return out
}

// heads trains heads without the examples of a fold.
func heads(examples []*example, without int) []*segment.Head {
	out := make([]*segment.Head, segment.HeadCount)
	parallel(len(out), func(i int) *segment.Head {
		rng := rand.New(rand.NewPCG(uint64(i), uint64(without+1)))
		return trainHead(lessons(examples, without, rng), rng)
	}, func(i int, h *segment.Head) { out[i] = h })
	return out
}

// weight are numbers that are learned, the slope of the loss along each, and what Adam
// remembers of the slopes.
type weight struct{ value, slope, mean, square []float32 }

func newWeight(value []float32) weight {
	n := len(value)
	return weight{value, make([]float32, n), make([]float32, n), make([]float32, n)}
}

// step moves numbers down the slope. The last is a bias, which does not decay.
func (w weight) step(at int, rate float64) {
	first, second := 1-math.Pow(0.9, float64(at)), 1-math.Pow(0.999, float64(at))
	for i, slope := range w.slope {
		w.mean[i] = 0.9*w.mean[i] + 0.1*slope
		w.square[i] = 0.999*w.square[i] + 0.001*slope*slope
		decay := headDecay * w.value[i]
		if i == len(w.slope)-1 {
			decay = 0
		}
		w.value[i] -= float32(rate) * (float32(float64(w.mean[i])/first/(math.Sqrt(float64(w.square[i])/second)+1e-8)) + decay)
		w.slope[i] = 0
	}
}

// trainHead fits a head to lessons, by the logistic loss.
func trainHead(all []lesson, rng *rand.Rand) *segment.Head {
	head := segment.NewHead()
	mean, scale := spread(all)
	var hidden, out []weight
	fill := func(rows [][]float32, size float64, to *[]weight) {
		for _, row := range rows {
			for i := range row[:len(row)-1] {
				row[i] = float32(rng.NormFloat64() * math.Sqrt(size/float64(len(row)-1)))
			}
			*to = append(*to, newWeight(row))
		}
	}
	fill(head.Hidden, 2, &hidden)
	fill(head.Out, 1, &out)
	in, between, back := make([]float32, len(mean)), make([]float32, len(hidden)), make([]float32, len(hidden))
	steps := headRounds * (len(all) / headBatch)
	for at := range steps {
		if at%(len(all)/headBatch) == 0 {
			rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		}
		for _, l := range all[at%(len(all)/headBatch)*headBatch:][:headBatch] {
			for i, v := range l.learned {
				in[i] = (v - mean[i]) * scale[i] / (1 - headDropped)
				if rng.Float64() < headDropped {
					in[i] = 0
				}
			}
			for j, w := range hidden {
				between[j], back[j] = max(dot(w.value, in), 0), 0
			}
			for c, w := range out {
				if l.weights[c] == 0 {
					continue
				}
				p := 1 / (1 + math.Exp(-float64(dot(w.value, between))))
				d := float32(p-float64(l.labels[c])) * l.weights[c] / headBatch
				w.learn(d, between)
				for j := range back {
					back[j] += d * w.value[j]
				}
			}
			for j, w := range hidden {
				if between[j] > 0 && back[j] != 0 {
					w.learn(back[j], in)
				}
			}
		}
		rate := headRate / 2 * (1 + math.Cos(math.Pi*float64(at)/float64(steps)))
		for _, w := range append(hidden, out...) {
			w.step(at+1, rate)
		}
	}
	// The head takes what the network makes as it is.
	for _, row := range head.Hidden {
		last := len(row) - 1
		for i := range row[:last] {
			row[i] *= scale[i]
			row[last] -= row[i] * mean[i]
		}
	}
	return head
}

// learn adds to the slopes, by that of what the numbers make of in.
func (w weight) learn(slope float32, in []float32) {
	to := w.slope[:len(in)]
	for i, v := range in {
		to[i] += slope * v
	}
	w.slope[len(in)] += slope
}

// dot is the sum of the products of weights and what is in, and the bias behind the weights.
func dot(w, in []float32) float32 {
	var even, odd float32
	i := 0
	for ; i+2 <= len(in); i += 2 {
		even += w[i] * in[i]
		odd += w[i+1] * in[i+1]
	}
	for ; i < len(in); i++ {
		even += w[i] * in[i]
	}
	return even + odd + w[len(in)]
}

// spread gives the mean of each number that lessons have, and one over its deviation.
func spread(all []lesson) (mean, scale []float32) {
	for i := range all[0].learned {
		sum, square := 0.0, 0.0
		for _, l := range all {
			v := float64(l.learned[i])
			sum += v
			square += v * v
		}
		sum /= float64(len(all))
		mean = append(mean, float32(sum))
		scale = append(scale, float32(1/math.Sqrt(max(square/float64(len(all))-sum*sum, 1e-8))))
	}
	return mean, scale
}
