package segment

import (
	"errors"
	"slices"
)

// A Category is a meaning that a region may have.
type Category string

// The categories that can be asked for, and Person, which helps to tell them apart.
const (
	Sky     Category = "sky"
	Plants  Category = "plants"
	Water   Category = "water"
	Skin    Category = "skin"
	Subject Category = "subject"
	Person  Category = "person"
)

// Categories lists what the forests tell apart, in their order.
func Categories() []Category { return []Category{Sky, Plants, Water, Skin, Person, Subject} }

// A Model has heads, two forests for each of [Categories], one for each kind of hints, and
// one for what lies near the border of what these select.
type Model struct {
	Heads                []*Head
	First, Second, Hints []Forest
	// Border has no trees while the others are trained: borders stay as they are.
	Border Forest
}

// Likelihoods are, for each of [Categories], the likelihood that each superpixel
// belongs to it.
func (m *Model) Likelihoods(s *Scene) [][]float64 {
	said := s.Ask(m.Heads)
	first := Together(Evaluate(m.First, s.Features()), said)
	return Together(Evaluate(m.Second, s.WithContext(first)), said)
}

// Evaluate asks each forest of each superpixel.
func Evaluate(forests []Forest, features [][]float32) [][]float64 {
	out := make([][]float64, len(forests))
	for c, forest := range forests {
		out[c] = make([]float64, len(features))
		for k, row := range features {
			out[c][k] = forest.Likelihood(row)
		}
	}
	return out
}

// HeadCount is how many heads a model has.
const HeadCount = 3

// Bytes are the model as a file holds it.
func (m *Model) Bytes() []byte {
	var b []byte
	for _, h := range m.Heads {
		b = h.appendTo(b)
	}
	for _, f := range slices.Concat(m.First, m.Second, m.Hints, []Forest{m.Border}) {
		b = f.appendTo(b)
	}
	return b
}

// readModel reads what Bytes made.
func readModel(b []byte) (*Model, error) {
	m := &Model{}
	for range HeadCount {
		h, rest, err := cutHead(b)
		if err != nil {
			return nil, err
		}
		m.Heads, b = append(m.Heads, h), rest
	}
	for _, part := range []struct {
		forests *[]Forest
		count   int
	}{{&m.First, len(Categories())}, {&m.Second, len(Categories())}, {&m.Hints, HintKinds}} {
		for range part.count {
			f, rest, err := cutForest(b)
			if err != nil {
				return nil, err
			}
			*part.forests, b = append(*part.forests, f), rest
		}
	}
	var err error
	if m.Border, b, err = cutForest(b); err != nil {
		return nil, err
	}
	if len(b) > 0 {
		return nil, errors.New("the model does not end")
	}
	return m, nil
}
