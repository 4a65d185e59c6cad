package vocab

import (
	"strings"
	"unicode"
)

// stopWords say nothing about which move is meant.
var stopWords = map[string]bool{
	"a": true, "an": true, "and": true, "as": true, "be": true, "bit": true, "for": true, "give": true,
	"i": true, "in": true, "is": true, "it": true, "less": true, "little": true, "make": true, "more": true,
	"my": true, "not": true, "of": true, "on": true, "or": true, "photo": true, "picture": true, "some": true,
	"that": true, "the": true, "this": true, "to": true, "too": true, "very": true, "want": true, "with": true,
}

// british spells words as the packs do.
var british = strings.NewReplacer("color", "colour", "gray", "grey", "center", "centre")

// searchWords splits a text into words in the form in which they are compared:
// in lower case, without their commonest endings, and without stop words.
func searchWords(s string) []string {
	var words []string
	for w := range strings.FieldsFuncSeq(british.Replace(strings.ToLower(s)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		if !stopWords[w] {
			words = append(words, trimEnding(w))
		}
	}
	return words
}

// endings of words, the longer ones first.
var endings = []string{"ening", "iness", "ness", "ened", "ing", "est", "ier", "ies", "en", "er", "ed", "es", "th", "e", "s", "y"}

// trimEnding removes an ending and leaves at least three letters; four before
// "en", so that green is not taken for a form of grey.
func trimEnding(w string) string {
	for _, ending := range endings {
		least := 3
		if ending == "en" {
			least = 4
		}
		if short, ok := strings.CutSuffix(w, ending); ok && len(short) >= least {
			return short
		}
	}
	return w
}
