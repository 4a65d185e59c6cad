package main

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/chemigram/chemigram/mcp/internal/snake"
)

// words turns doc comments into words for an agent.
type words struct {
	// names gives what an agent calls a thing that the comment calls by its Go
	// name. Only names that are no English word are here.
	names map[string]string
}

func newWords(src source) words {
	w := words{names: map[string]string{}}
	for verb := range src.verbs {
		w.name(verb, snake.Case(verb))
	}
	for _, f := range src.fields {
		w.name(f.name, f.json)
	}
	return w
}

func (w words) name(goName, said string) {
	if strings.ContainsFunc(goName[1:], unicode.IsUpper) && strings.ContainsFunc(goName, unicode.IsLower) {
		w.names[goName] = said
	}
}

var (
	docLink   = regexp.MustCompile(`\[\*?(?:Engine\.)?([A-Z]\w*)\]`)
	goName    = regexp.MustCompile(`\b[A-Z]\w*\b`)
	lineBreak = regexp.MustCompile(`([^\n])\n([^\n])`)
)

// verb says what a verb does: without its name, which the tool has already.
func (w words) verb(name, doc string) string {
	return w.say(capitalise(strings.TrimPrefix(doc, name+" ")))
}

// field says what a field means. "Size is the longest edge" becomes "The longest
// edge"; "Width of the picture" stays.
func (w words) field(f field) string {
	rest, named := strings.CutPrefix(f.doc, f.name+" ")
	if !named {
		return w.say(f.doc)
	}
	first, after, _ := strings.Cut(rest, " ")
	switch {
	case first == "is" || first == "are":
		rest = after
	case strings.HasSuffix(first, "s") && first != "as": // a verb: "names the image"
	default:
		rest = sentenceName(f.name) + " " + rest
	}
	return w.say(capitalise(rest))
}

func (w words) say(doc string) string {
	doc = strings.TrimSpace(lineBreak.ReplaceAllString(doc, "$1 $2"))
	doc = docLink.ReplaceAllStringFunc(doc, func(link string) string {
		name := docLink.FindStringSubmatch(link)[1]
		return snake.Case(name)
	})
	return goName.ReplaceAllStringFunc(doc, func(name string) string {
		if said, ok := w.names[name]; ok {
			return said
		}
		return name
	})
}

// sentenceName makes words of a Go name: BitDepth, "bit depth". ISO stays.
func sentenceName(name string) string {
	if !strings.ContainsFunc(name, unicode.IsLower) {
		return name
	}
	return strings.ReplaceAll(snake.Case(name), "_", " ")
}

func capitalise(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}
