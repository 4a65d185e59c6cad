package segment

import (
	"encoding/binary"
	"errors"
	"math"
)

// treeDepth is how many questions a tree asks.
const treeDepth = 4

const (
	treeSplits = 1<<treeDepth - 1
	treeLeaves = 1 << treeDepth
)

// A Tree asks of features, one after the other, whether they are above a threshold,
// and gives a number by the answers.
type Tree struct {
	// Feature and Above are the questions: those below question i are 2i+1, for no,
	// and 2i+2.
	Feature [treeSplits]uint16
	Above   [treeSplits]float32
	// Leaf are the numbers, by the answers as binary digits.
	Leaf [treeLeaves]float32
}

func (t *Tree) value(features []float32) float32 {
	i := 0
	for range treeDepth {
		if features[t.Feature[i]] > t.Above[i] {
			i = 2*i + 2
		} else {
			i = 2*i + 1
		}
	}
	return t.Leaf[i-treeSplits]
}

// A Forest gives a likelihood: the logistic function of the sum of its trees.
type Forest []Tree

// Likelihood is from 0 to 1.
func (f Forest) Likelihood(features []float32) float64 {
	sum := 0.0
	for i := range f {
		sum += float64(f[i].value(features))
	}
	return 1 / (1 + math.Exp(-sum))
}

// treeBytes is the size of a tree as bytes: thresholds and leaves have 32 bits.
const treeBytes = treeSplits*6 + treeLeaves*4

// appendTo appends a forest as bytes.
func (f Forest) appendTo(b []byte) []byte {
	b = binary.LittleEndian.AppendUint16(b, uint16(len(f)))
	for i := range f {
		t := &f[i]
		for j := range treeSplits {
			b = binary.LittleEndian.AppendUint16(b, t.Feature[j])
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(t.Above[j]))
		}
		for _, leaf := range t.Leaf {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(leaf))
		}
	}
	return b
}

// cutForest reads a forest from the beginning of b, and gives the rest.
func cutForest(b []byte) (Forest, []byte, error) {
	if len(b) < 2 || len(b)-2 < int(binary.LittleEndian.Uint16(b))*treeBytes {
		return nil, nil, errors.New("the forests end early")
	}
	f := make(Forest, binary.LittleEndian.Uint16(b))
	b = b[2:]
	for i := range f {
		t := &f[i]
		for j := range treeSplits {
			t.Feature[j] = binary.LittleEndian.Uint16(b)
			t.Above[j] = math.Float32frombits(binary.LittleEndian.Uint32(b[2:]))
			b = b[6:]
		}
		for j := range t.Leaf {
			t.Leaf[j] = math.Float32frombits(binary.LittleEndian.Uint32(b))
			b = b[4:]
		}
	}
	return f, b, nil
}
