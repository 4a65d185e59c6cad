package main

import (
	"log"
	"math/rand/v2"
	"slices"

	"github.com/chemigram/chemigram/internal/segment"
)

const (
	// borderOneIn is how many pixels near borders there are for each that the forest learns
	// from.
	borderOneIn = 24
	// borderPoints are how many points are played with each kind of hints.
	borderPoints = 3
)

var borderGrowth = growth{trees: 120, rate: 0.15, features: 0.4, examples: 0.3, stiffness: 8, leafWeight: 16}

// trainBorder trains the forest of borders by what models select that have not seen the
// photograph, by name and by hints, and gives each of these models one that has not seen it
// either.
func trainBorder(all []*target, unseen []*segment.Model) segment.Forest {
	selections := make([][]selection, len(all))
	parallel(len(all), func(i int) []selection {
		t, rng := all[i], rand.New(rand.NewPCG(uint64(i), 6))
		var out []selection
		for kind := range segment.HintKinds {
			begun, ok := t.selected(unseen[t.fold], t.begun(kind, rng))
			if ok {
				out = append(out, begun)
			}
			begun.play(unseen[t.fold], borderPoints, func(s selection) { out = append(out, s) })
		}
		return out
	}, func(i int, s []selection) { selections[i] = s })
	chosen := slices.Concat(selections...)
	parts := make([]part, len(chosen))
	parallel(len(chosen), func(i int) part { return chosen[i].border(i) }, func(i int, p part) { parts[i] = p })
	log.Printf("borders of %d selections", len(chosen))
	out := make([]segment.Forest, len(unseen)+1)
	parallel(len(out), func(fold int) segment.Forest {
		return join(parts, func(p part) bool { return p.fold != fold }).grow(borderGrowth, uint64(500+fold))
	}, func(fold int, f segment.Forest) { out[fold] = f })
	for fold, m := range unseen {
		m.Border = out[fold]
	}
	return out[len(unseen)]
}

// border is what the forest of borders learns from of a selection.
func (s selection) border(seed int) part {
	b := s.scene.Border(s.mask, s.likely)
	var pixels []int
	for i := seed % borderOneIn; i < len(b.Pixels); i += borderOneIn {
		pixels = append(pixels, b.Pixels[i])
	}
	p := part{fold: s.fold, rows: b.Features(pixels)}
	for _, i := range pixels {
		p.labels = append(p.labels, s.region[i])
		p.weights = append(p.weights, float32(1/(s.area+0.1)))
	}
	return p
}
