package segment

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/chemigram/chemigram/internal/parallel"
	"github.com/chemigram/chemigram/internal/segment/cnn"
)

// headWidth is how many numbers a head makes of what the network sees, before it says
// what that is.
const headWidth = 32

// A Head says by what the network makes of a place how likely it belongs to each of
// [Categories]: two layers, of which the first leaves nothing that is negative.
type Head struct {
	Hidden, Out [][]float32 // the weights of each number, and its bias behind them
}

// NewHead has room for the weights of a head.
func NewHead() *Head {
	h := &Head{}
	for range headWidth {
		h.Hidden = append(h.Hidden, make([]float32, cnn.Channels+1))
	}
	for range Categories() {
		h.Out = append(h.Out, make([]float32, headWidth+1))
	}
	return h
}

// logits are the logarithms of the odds that a place belongs to each of [Categories].
func (h *Head) logits(learned []float32) []float64 {
	hidden := make([]float32, headWidth)
	for i, w := range h.Hidden {
		hidden[i] = max(dot(w[:len(learned)], learned)+w[len(learned)], 0)
	}
	out := make([]float64, len(h.Out))
	for c, w := range h.Out {
		out[c] = float64(dot(w[:headWidth], hidden) + w[headWidth])
	}
	return out
}

// Ask gives for each of [Categories] how likely heads together say that each superpixel
// belongs to it.
func (s *Scene) Ask(heads []*Head) [][]float64 {
	out := make([][]float64, len(Categories()))
	for c := range out {
		out[c] = make([]float64, len(s.learned))
	}
	parallel.Do(len(s.learned), func(k int) {
		for _, h := range heads {
			for c, v := range h.logits(s.learned[k]) {
				out[c][k] += v / float64(len(heads))
			}
		}
		for c := range out {
			out[c][k] = logistic(out[c][k])
		}
	})
	return out
}

// Learned is what the network makes of each superpixel.
func (s *Scene) Learned() [][]float32 { return s.learned }

// Together are likelihoods between those of a and b.
func Together(a, b [][]float64) [][]float64 {
	out := make([][]float64, len(a))
	for c := range a {
		for k, p := range a[c] {
			out[c] = append(out[c], together(p, b[c][k]))
		}
	}
	return out
}

// appendTo appends a head as bytes.
func (h *Head) appendTo(b []byte) []byte {
	for _, rows := range [][][]float32{h.Hidden, h.Out} {
		for _, row := range rows {
			for _, v := range row {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
			}
		}
	}
	return b
}

// cutHead reads a head from the beginning of b, and gives the rest.
func cutHead(b []byte) (*Head, []byte, error) {
	h := NewHead()
	for _, rows := range [][][]float32{h.Hidden, h.Out} {
		for _, row := range rows {
			if len(b) < 4*len(row) {
				return nil, nil, errors.New("a head ends early")
			}
			for i := range row {
				row[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
			}
			b = b[4*len(row):]
		}
	}
	return h, b, nil
}
