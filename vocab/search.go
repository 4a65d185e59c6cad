package vocab

import (
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/suggest"
)

// The weight of a word by where an entry has it. For a name it is multiplied by
// the share of the name's words that the query has: "shadows" means shadows rather
// than zone_4_shadows.
const (
	inDescription = 2
	inParameter   = 4
	inSubject     = 5
	inTag         = 8
	inName        = 20
)

// starterBoost multiplies the scores of the moves of the starter pack: whoever
// says no more than "brighter" means exposure.
const starterBoost = 1.3

// wordIndex holds an entry's words as [searchWords] gives them.
type wordIndex struct {
	weight map[string]float64
	name   []string
	boost  float64
}

func indexWords(e *Entry) *wordIndex {
	name := e.Name
	if e.Layer == L2 {
		name = strings.TrimPrefix(name, "look_")
	}
	x := &wordIndex{weight: map[string]float64{}, name: searchWords(strings.ReplaceAll(name, "_", " ")), boost: 1}
	if e.Pack.Name == starter {
		x.boost = starterBoost
	}
	x.add(e.Description, inDescription)
	for _, p := range e.Parameters {
		x.add(p.Name, inParameter)
	}
	x.add(e.Subject, inSubject)
	for _, t := range e.Tags {
		x.add(t, inTag)
	}
	return x
}

func (x *wordIndex) add(text string, weight float64) {
	for _, w := range searchWords(text) {
		x.weight[w] = max(x.weight[w], weight)
	}
}

// scores gives, for each entry that knows a share of a query, how well it fits its words. A word that few entries have counts for more than one that many have.
func (v *Vocabulary) scores(query []string) map[string]float64 {
	scores := make(map[string]float64, len(v.entries))
	if len(query) == 0 {
		return scores
	}
	coverage := make(map[string]float64, len(v.entries))
	for name, x := range v.index {
		coverage[name] = x.nameCoverage(query)
	}
	fits, best := make(map[string]float64, len(v.entries)), make(map[string]float64, len(v.entries))
	known, all := 0.0, 0.0
	for _, q := range query {
		found := map[string]float64{}
		for name, x := range v.index {
			if s := x.score(q, coverage[name]); s > 0 {
				found[name] = s
			}
		}
		rarity := math.Log(1 + float64(len(v.entries))/float64(max(1, len(found))))
		all += rarity
		if len(found) > 0 {
			known += rarity
		}
		for name, s := range found {
			scores[name] += s * v.index[name].boost * rarity
			fits[name] += rarity
			best[name] = max(best[name], s)
		}
	}
	if known <= leastKnown*all {
		return nil
	}
	maps.DeleteFunc(scores, func(name string, _ float64) bool {
		return fits[name] < leastShare*known || best[name] <= inDescription
	})
	return scores
}

// Of an entry that fits, one word at least is more than a word of the description. Rare
// words of a query count for more than frequent ones, and those that no entry knows
// for most.
const (
	leastKnown = 0.5  // of a query, at most which nothing fits it
	leastShare = 0.25 // of its known words, below which an entry has nothing to do with it
)

// Knows reports whether a word, as [Words] gives it, is one of some entry.
func (v *Vocabulary) Knows(word string) bool {
	for _, x := range v.index {
		if x.score(word, 1) > 0 {
			return true
		}
	}
	return false
}

// Names reports whether a text has all words of the name of an entry, of two or more.
func (v *Vocabulary) Names(text string) bool {
	query := searchWords(text)
	for _, x := range v.index {
		if len(x.name) > 1 && x.nameCoverage(query) == 1 {
			return true
		}
	}
	return false
}

// Like lists the entries of a name; of one that ends with "*" all that begin so.
func (v *Vocabulary) Like(name string) []string {
	prefix, many := strings.CutSuffix(name, "*")
	if !many {
		if v.entries[name] == nil {
			return nil
		}
		return []string{name}
	}
	return slices.Sorted(func(yield func(string) bool) {
		for known := range v.entries {
			if strings.HasPrefix(known, prefix) && !yield(known) {
				return
			}
		}
	})
}

// nameCoverage is the share of the name's words that the query has.
func (x *wordIndex) nameCoverage(query []string) float64 {
	n := 0
	for _, w := range x.name {
		if slices.ContainsFunc(query, func(q string) bool { return similarity(q, w) > 0 }) {
			n++
		}
	}
	return float64(n) / max(1, float64(len(x.name)))
}

// score is how well the entry fits one word of a query that has a share of the
// entry's name.
func (x *wordIndex) score(q string, nameCoverage float64) float64 {
	best := 0.0
	for _, w := range x.name {
		best = max(best, similarity(q, w)*inName*nameCoverage)
	}
	for w, weight := range x.weight {
		best = max(best, similarity(q, w)*weight)
	}
	return best
}

// similarity is 1 for the same word, and less when one begins with the other or
// when it may be a typing error.
func similarity(q, w string) float64 {
	const beginning, typo = 0.6, 0.4
	switch {
	case q == w:
		return 1
	case len(q) >= 4 && strings.HasPrefix(w, q) && len(w)-len(q) <= len(q)/2+1,
		len(w) >= 4 && strings.HasPrefix(q, w) && len(q)-len(w) <= len(w)/2+1:
		return beginning
	case len(q) >= 6 && w != "" && q[0] == w[0] && suggest.Distance(q, w) <= min(len(q)/5, 2):
		return typo
	}
	return 0
}
