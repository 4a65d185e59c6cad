package vocab

import (
	"strings"
	"unicode"
)

// idle are words that say nothing about which move is meant.
var idle = map[string]bool{
	"a": true, "an": true, "and": true, "as": true, "be": true, "bit": true, "for": true, "give": true,
	"i": true, "in": true, "is": true, "it": true, "less": true, "little": true, "make": true, "more": true,
	"my": true, "not": true, "of": true, "on": true, "or": true, "photo": true, "picture": true, "some": true,
	"that": true, "the": true, "this": true, "to": true, "too": true, "very": true, "want": true, "with": true,
}

// british spells words as the packs do.
var british = strings.NewReplacer("color", "colour", "gray", "grey", "center", "centre")

// stems cuts a text into words without their commonest endings.
func stems(s string) []string {
	var words []string
	for w := range strings.FieldsFuncSeq(british.Replace(strings.ToLower(s)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if !idle[w] {
			words = append(words, stem(w))
		}
	}
	return words
}

// endings of words, the longer ones first.
var endings = []string{"ening", "iness", "ness", "ened", "ing", "est", "ier", "ies", "en", "er", "ed", "es", "th", "e", "s", "y"}

// stem cuts an ending and leaves three letters; four before en, for green is no
// form of grey.
func stem(w string) string {
	for _, ending := range endings {
		left := 3
		if ending == "en" {
			left = 4
		}
		if short, ok := strings.CutSuffix(w, ending); ok && len(short) >= left {
			return short
		}
	}
	return w
}
