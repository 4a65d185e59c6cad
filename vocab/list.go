package vocab

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/chemigram/chemigram/internal/suggest"
)

// Filter chooses entries. The zero value chooses all.
type Filter struct {
	Layer Layer
	Tags  []string // the entry has all of these; letter case does not matter
	Query string   // words in name, description and tags, best first
}

// List gives the entries that a filter chooses: by name, or best match first.
// A query's words are found in other forms too ("warmer" finds warmth); an
// entry matches when at least one of them is found.
func (v *Vocabulary) List(f Filter) []*Entry {
	query := stems(f.Query)
	type hit struct {
		e     *Entry
		score int
	}
	var hits []hit
	for name, e := range v.entries {
		if f.Layer != "" && e.Layer != f.Layer || !hasTags(e, f.Tags) {
			continue
		}
		score := v.words[name].score(query)
		if len(query) > 0 && score == 0 {
			continue
		}
		hits = append(hits, hit{e, score})
	}
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.e.Name, b.e.Name))
	})
	entries := make([]*Entry, len(hits))
	for i, h := range hits {
		entries[i] = h.e
	}
	return entries
}

func hasTags(e *Entry, tags []string) bool {
	for _, t := range tags {
		if !slices.ContainsFunc(e.Tags, func(have string) bool { return strings.EqualFold(have, t) }) {
			return false
		}
	}
	return true
}

// wordIndex holds an entry's words as stems, each with what it weighs.
type wordIndex struct{ weight map[string]int }

func indexWords(e *Entry) *wordIndex {
	x := &wordIndex{map[string]int{}}
	x.add(stems(e.Description), 2)
	for _, p := range e.Parameters {
		x.add(stems(p.Name), 4)
	}
	x.add(stems(e.Subject), 5)
	for _, t := range e.Tags {
		x.add(stems(t), 8)
	}
	x.add(stems(strings.ReplaceAll(e.Name, "_", " ")), 20)
	return x
}

func (x *wordIndex) add(words []string, weight int) {
	for _, w := range words {
		x.weight[w] = max(x.weight[w], weight)
	}
}

// score adds what each word of the query finds: the whole weight for the same
// stem, less for a beginning.
func (x *wordIndex) score(query []string) int {
	total := 0
	for _, q := range query {
		best := 0
		for w, weight := range x.weight {
			switch {
			case w == q:
				best = max(best, 3*weight)
			case len(q) >= 3 && strings.HasPrefix(w, q), len(w) >= 4 && strings.HasPrefix(q, w):
				best = max(best, 2*weight)
			case len(q) >= 5 && suggest.Distance(q, w) == 1:
				best = max(best, weight)
			}
		}
		total += best
	}
	return total
}

// idle are words that say nothing about which move is meant.
var idle = map[string]bool{
	"a": true, "an": true, "and": true, "as": true, "be": true, "bit": true, "for": true, "give": true,
	"i": true, "in": true, "is": true, "it": true, "less": true, "little": true, "make": true, "more": true,
	"my": true, "not": true, "of": true, "on": true, "or": true, "photo": true, "picture": true, "some": true,
	"that": true, "the": true, "this": true, "to": true, "too": true, "very": true, "want": true, "with": true,
}

// stems cuts a text into words without their commonest endings.
func stems(s string) []string {
	var words []string
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if !idle[w] {
			words = append(words, stem(w))
		}
	}
	return words
}

func stem(w string) string {
	for _, ending := range []string{"ening", "iness", "ness", "ened", "ing", "est", "ier", "ies", "en", "er", "ed", "es", "th", "s", "y"} {
		if short, ok := strings.CutSuffix(w, ending); ok && len(short) >= 3 {
			return short
		}
	}
	return w
}
