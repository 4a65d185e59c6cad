package vocab

import (
	"math"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/suggest"
)

// What a word weighs by where it stands. A name weighs as much as the query
// covers of it: "shadows" means shadows rather than zone_4_shadows.
const (
	inDescription = 2
	inParameter   = 4
	inSubject     = 5
	inTag         = 8
	inName        = 20
)

// plain is what the moves of the starter pack count for, against 1: whoever says
// no more than "brighter" means exposure.
const plain = 1.3

// wordIndex holds an entry's words as stems.
type wordIndex struct {
	weight map[string]float64
	name   []string
	factor float64
}

func indexWords(e *Entry) *wordIndex {
	name := e.Name
	if e.Layer == L2 {
		name = strings.TrimPrefix(name, "look_")
	}
	x := &wordIndex{weight: map[string]float64{}, name: stems(strings.ReplaceAll(name, "_", " ")), factor: 1}
	if e.Pack.Name == starter {
		x.factor = plain
	}
	x.add(stems(e.Description), inDescription)
	for _, p := range e.Parameters {
		x.add(stems(p.Name), inParameter)
	}
	x.add(stems(e.Subject), inSubject)
	for _, t := range e.Tags {
		x.add(stems(t), inTag)
	}
	return x
}

func (x *wordIndex) add(words []string, weight float64) {
	for _, w := range words {
		x.weight[w] = max(x.weight[w], weight)
	}
}

// scores tells how well each entry fits the stems of a query. What few entries
// have counts for more than what many have.
func (v *Vocabulary) scores(query []string) map[string]float64 {
	scores := make(map[string]float64, len(v.entries))
	if len(query) == 0 {
		return scores
	}
	covered := make(map[string]float64, len(v.entries))
	for name, x := range v.words {
		covered[name] = x.covered(query)
	}
	for _, q := range query {
		found := map[string]float64{}
		for name, x := range v.words {
			if s := x.find(q, covered[name]); s > 0 {
				found[name] = s * x.factor
			}
		}
		rarity := math.Log(1 + float64(len(v.entries))/float64(len(found)))
		for name, s := range found {
			scores[name] += s * rarity
		}
	}
	return scores
}

// covered is the share of the name's words that the query has.
func (x *wordIndex) covered(query []string) float64 {
	n := 0
	for _, w := range x.name {
		if slices.ContainsFunc(query, func(q string) bool { return alike(q, w) > 0 }) {
			n++
		}
	}
	return float64(n) / max(1, float64(len(x.name)))
}

// find tells how much a word of a query says for the entry, of whose name a
// share is covered.
func (x *wordIndex) find(q string, covered float64) float64 {
	best := 0.0
	for _, w := range x.name {
		best = max(best, alike(q, w)*inName*covered)
	}
	for w, weight := range x.weight {
		best = max(best, alike(q, w)*weight)
	}
	return best
}

// alike is 1 for the same stem, and less when one begins with the other or when
// it may be a slip of the keyboard.
func alike(q, w string) float64 {
	const beginning, slip = 0.6, 0.4
	switch {
	case q == w:
		return 1
	case len(q) >= 4 && strings.HasPrefix(w, q), len(w) >= 4 && strings.HasPrefix(q, w):
		return beginning
	case len(q) >= 5 && suggest.Distance(q, w) <= len(q)/5 && suggest.Distance(q, w) <= 2:
		return slip
	}
	return 0
}
