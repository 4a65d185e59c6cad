package vocab

import (
	"regexp"
	"strings"
	"unicode"
)

// stopWords say nothing about which move is meant.
var stopWords = wordSet(`a about again all am an and any are as at be been bit by can could do does down effect few for
	from get give got had has have he her him his how i if image in into is it its just kind let like little look looks
	looking lot make makes making me more much my need no not now of off on or our out over photo photograph photos
	picture pictures please quite really s she should slightly so some something t than that the their them there these
	they thing things this those to too try up us very want was way we were what when where which while who why will
	with would you your less add adjust apply change fix improve increase decrease lower raise reduce reduction remove set turn use
	strong stronger weak weaker half twice by`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// british spells words as the packs do.
var british = strings.NewReplacer("color", "colour", "gray", "grey", "center", "centre")

// searchWords splits a text into words in the form in which they are compared:
// in lower case, without their commonest endings, and without stop words.
func searchWords(s string) []string { return Words(s, stopWords) }

// looksWords are what starting looks are called.
var looksWords = wordSet("look looks style styles preset presets filter filters")

// asksForLooks reports whether a query asks for starting looks and says nothing of which.
func asksForLooks(query string) bool {
	asks := false
	for w := range strings.FieldsSeq(strings.ToLower(query)) {
		asks = asks || looksWords[w]
		if !looksWords[w] && !stopWords[w] {
			return false
		}
	}
	return asks
}

// ratio matches the "x" between two numbers, as in 4x5.
var ratio = regexp.MustCompile(`(\d)x(\d)`)

// Words splits a text into words in the form in which a search compares them, but for
// those to leave out.
func Words(s string, leaveOut map[string]bool) []string {
	var words []string
	s = ratio.ReplaceAllString(british.Replace(strings.ToLower(s)), "$1 $2")
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !leaveOut[w] {
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
