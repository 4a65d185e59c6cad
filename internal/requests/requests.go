package requests

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Kind is what an answer points to.
type Kind string

// The kinds.
const (
	Tool        Kind = "tool"
	Mask        Kind = "mask"
	Move        Kind = "move"
	NotPossible Kind = "not_possible"
)

// Answer is what there is for a request.
type Answer struct {
	Kind Kind
	// Name of the tool, the mask or the move; of what is not possible a few words.
	Name string
	// Says how to use it; of what is not possible, what comes nearest.
	Says string
	// Moves to show, the best first.
	Moves []string
	// Whole is true when every word of the request is asked for.
	Whole bool
}

// Find answers a request. It reports false when nothing is known of the request, so that
// its words have to be looked up among the moves.
func Find(v *vocab.Vocabulary, request string) (Answer, bool) {
	asked := words(request)
	var best match
	var answer Answer
	for _, e := range table() {
		if m := e.match(v, asked); m.better(best) {
			if a, ok := e.answer(v); ok {
				best, answer = m, a
				answer.Whole = m.rest == 0
			}
		}
	}
	if answer.Kind == Mask && v.Names(request) {
		return Answer{}, false
	}
	return answer, best.slots > 0
}

// entry is an answer with the phrases that ask for it.
type entry struct {
	kind    Kind
	name    string
	says    string
	moves   []string // a name that ends with * is every move that begins so
	phrases []phrase
}

// A phrase is asked when each of its slots finds a word of its own.
type phrase []slot

// A slot lists words, one of which has to be there.
type slot struct {
	words   []string
	strange bool // it is any word that no move knows
}

// match says how well a phrase fits a request.
type match struct {
	slots   int  // that found a word
	strange bool // one of them is a word that no move knows
	rest    int  // words that no slot found
}

// better reports whether a match says more of a request than another one.
func (m match) better(than match) bool {
	return cmp.Or(
		cmp.Compare(m.slots, than.slots),
		compareBools(than.strange, m.strange),
		cmp.Compare(than.rest, m.rest),
	) > 0
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// match gives the best fit of the entry's phrases.
func (e entry) match(v *vocab.Vocabulary, asked []string) (best match) {
	for _, p := range e.phrases {
		if m, ok := p.match(v, asked); ok && m.better(best) {
			best = m
		}
	}
	return best
}

func (p phrase) match(v *vocab.Vocabulary, asked []string) (m match, ok bool) {
	taken := make([]bool, len(asked))
	for _, s := range p {
		i := -1
		for j, w := range asked {
			if !taken[j] && s.has(v, w) {
				i = j
				break
			}
		}
		if i < 0 {
			return match{}, false
		}
		taken[i] = true
		m.slots++
		m.strange = m.strange || s.strange
	}
	for j, w := range asked {
		if !taken[j] && !slices.Contains(weak(), w) {
			m.rest++
		}
	}
	return m, true
}

func (s slot) has(v *vocab.Vocabulary, word string) bool {
	if s.strange {
		return !slices.Contains(weak(), word) && !v.Knows(word)
	}
	return slices.Contains(s.words, word)
}

// answer gives the entry's answer with those of its moves and masks that there are; false
// when it names one that there is not.
func (e entry) answer(v *vocab.Vocabulary) (Answer, bool) {
	a := Answer{Kind: e.kind, Name: e.name, Says: e.says}
	for _, name := range e.moves {
		a.Moves = append(a.Moves, v.Like(name)...)
	}
	switch {
	case e.kind == Move && len(a.Moves) == 0:
		return Answer{}, false
	case e.kind == Move:
		a.Name = a.Moves[0]
	case e.kind == Mask:
		return a, hasMask(v, e.name)
	}
	return a, true
}

// hasMask reports whether a mask has a name: one of a pack's, or one that is found.
func hasMask(v *vocab.Vocabulary, name string) bool {
	return v.HasMask(name) || name == mask.Background || slices.Contains(mask.Meanings(), mask.Meaning(name))
}

// Tools lists the tools that answers name.
func Tools() []string {
	var names []string
	for _, e := range table() {
		if e.kind == Tool {
			names = append(names, e.name)
		}
	}
	return names
}

// table is the entries of all tables, read once.
var table = sync.OnceValue(func() []entry {
	var all []entry
	for _, rows := range [][]row{tools, notPossible, moves, masks} {
		for _, r := range rows {
			all = append(all, r.entry())
		}
	}
	return all
})

// row is an entry as the tables write it.
type row struct {
	kind    Kind
	name    string
	says    string
	moves   string // names, with blanks between
	phrases string // a phrase on each line, or with semicolons between
}

// entry reads a row. In a phrase words are separated by blanks and those that mean the
// same by "/"; "$name" stands for the words of a set, and "*" for a word that no move
// knows.
func (r row) entry() entry {
	e := entry{kind: r.kind, name: r.name, says: r.says, moves: strings.Fields(r.moves)}
	if r.kind == Tool {
		e.phrases = append(e.phrases, readPhrase(strings.ReplaceAll(r.name, "_", " ")))
	}
	for text := range strings.FieldsFuncSeq(r.phrases, func(c rune) bool { return c == '\n' || c == ';' }) {
		if p := readPhrase(text); len(p) > 0 {
			e.phrases = append(e.phrases, p)
		}
	}
	return e
}

func readPhrase(text string) phrase {
	var p phrase
	for word := range strings.FieldsSeq(text) {
		s := slot{strange: word == "*"}
		for one := range strings.SplitSeq(word, "/") {
			if set, ok := strings.CutPrefix(one, "$"); ok {
				one = sets[set]
			}
			s.words = append(s.words, words(one)...)
		}
		if s.strange || len(s.words) > 0 {
			p = append(p, s)
		}
	}
	return p
}

// words splits a text into words in the form in which they are compared, and leaves out
// those that never matter.
func words(text string) []string { return vocab.Words(text, articles()) }

var articles = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq("a an the my our her his their your its this that these those of and or for " +
		"please can could would should you i we s t m re ve d ll be is are am was were there here me us he she they it") {
		set[w] = true
	}
	return set
})

// weak are words that say little by themselves.
var weak = sync.OnceValue(func() []string {
	return words("very too more less bit little some much so just really quite slightly way lot now again " +
		"make give get want need let do try like look looks with on in at to from by into onto out up down off over as")
})
