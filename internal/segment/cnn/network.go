package cnn

import (
	_ "embed" // weights.bin
	"encoding/binary"
	"errors"
	"math"
	"sync"
)

//go:embed weights.bin
var weightBytes []byte

// builtIn is the network that weights.bin holds.
var builtIn = sync.OnceValues(func() (*network, error) { return read(weightBytes) })

// A network is a stem, which makes a place of four by four pixels; stages, of which each
// but the first makes half as many places in each direction and twice as many channels of
// what the one before made; and heads, which say what the places are part of.
type network struct {
	stem   layer
	stages []stage
	// laterals and heads are for the maps of the last three stages.
	laterals []layer
	heads    []head
}

// A stage begins with a layer, goes on with blocks of two, of which each keeps what the
// first of its layers made beside what the second one did, and ends with a layer. What the
// first and the last layer made is its result.
type stage struct {
	first, last layer
	blocks      [][2]layer
	stride      int
}

// Channels is how many there are in all maps that [See] gives.
const Channels = 128 + 256 + 512

// read reads a network: of each layer the scales and biases of its channels, and its
// weights in steps of the scale.
func read(b []byte) (*network, error) {
	var err error
	kernel := func(side, in, out int, straight bool) layer {
		each := side * side * in
		l := layer{in: in, out: out, side: side, straight: straight, weights: make([]float32, each*out), bias: make([]float32, out)}
		size := out * (4 + 4 + each)
		if len(b) < size {
			err = errors.New("the weights of the network end early")
			return l
		}
		scales, biases, weights := b[:4*out], b[4*out:8*out], b[8*out:size]
		for o := range out {
			l.bias[o] = math.Float32frombits(binary.LittleEndian.Uint32(biases[4*o:]))
			scale := math.Float32frombits(binary.LittleEndian.Uint32(scales[4*o:]))
			for i := o * each; i < (o+1)*each; i++ {
				l.weights[i] = scale * float32(int8(weights[i]))
			}
		}
		b = b[size:]
		return l
	}
	next := func(in, out int) layer { return kernel(3, in, out, false) }
	n := &network{stem: next(3, 32)}
	for i, blocks := range [...]int{1, 2, 2, 3} {
		channels := 32 << i
		s := stage{first: next(channels, channels), stride: min(i+1, 2)}
		for range blocks {
			s.blocks = append(s.blocks, [2]layer{next(channels, channels/2), next(channels/2, channels/2)})
			s.blocks[len(s.blocks)-1][0].tile()
			s.blocks[len(s.blocks)-1][1].tile()
		}
		s.last = next(channels, channels)
		s.last.tile()
		n.stages = append(n.stages, s)
	}
	for i := range 3 {
		n.laterals = append(n.laterals, kernel(1, 128<<i, wide, true))
	}
	for range 3 {
		h := head{next(wide, wide), kernel(1, wide, Kinds+4*reaches, true)}
		h.hidden.tile()
		n.heads = append(n.heads, h)
	}
	if len(b) > 0 && err == nil {
		err = errors.New("the weights of the network do not end")
	}
	return n, err
}

// run gives what the network makes of a picture.
func (n *network) run(picture *plane) Seen {
	half := newPlane(picture.width/2, picture.height/2, n.stem.out)
	n.stem.convolve(picture.from(0, 3), half.from(0, n.stem.out), 2)
	at := pool(half)
	var seen Seen
	var maps []*plane
	for i := range n.stages {
		at = n.stages[i].run(at)
		if i > 0 {
			maps, seen.Maps = append(maps, at), append(seen.Maps, at.inner())
		}
	}
	seen.Things = n.things(maps)
	return seen
}

func (s *stage) run(in *plane) *plane {
	c := s.first.out
	out := newPlane(in.width/s.stride, in.height/s.stride, 2*c)
	at := out.from(c, c)
	s.first.convolve(in.from(0, in.channels), at, s.stride)
	for i := range s.blocks {
		block := newPlane(out.width, out.height, c)
		second := block.from(c/2, c/2)
		s.blocks[i][0].convolve(at, second, 1)
		s.blocks[i][1].convolve(second, block.from(0, c/2), 1)
		at = block.from(0, c)
	}
	s.last.convolve(at, out.from(0, c), 1)
	return out
}
