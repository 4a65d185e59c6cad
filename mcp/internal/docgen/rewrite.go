package main

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/chemigram/chemigram/mcp/internal/snake"
)

// rewriter rewrites doc comments for agents.
type rewriter struct {
	// names are the names in tools, by Go name. Go names that could be English words,
	// such as Size, are left out.
	names map[string]string
}

func newRewriter(src source) rewriter {
	r := rewriter{names: map[string]string{}}
	for verb := range src.verbs {
		r.addName(verb, snake.Case(verb))
	}
	for _, f := range src.fields {
		r.addName(f.name, f.json)
	}
	return r
}

func (r rewriter) addName(goName, toolName string) {
	if strings.ContainsFunc(goName[1:], unicode.IsUpper) && strings.ContainsFunc(goName, unicode.IsLower) {
		r.names[goName] = toolName
	}
}

var (
	docLink   = regexp.MustCompile(`\[\*?(?:Engine\.)?([A-Z]\w*)\]`)
	goName    = regexp.MustCompile(`\b[A-Z]\w*\b`)
	lineBreak = regexp.MustCompile(`([^\n])\n([^\n])`)
)

// verb rewrites the comment of a verb, without its name at the beginning.
func (r rewriter) verb(name, doc string) string {
	return r.rewrite(capitalise(strings.TrimPrefix(doc, name+" ")))
}

// field rewrites the comment of a field. "Size is the longest edge" becomes "The
// longest edge"; "Width of the picture" stays.
func (r rewriter) field(f field) string {
	rest, named := strings.CutPrefix(f.doc, f.name+" ")
	if !named {
		return r.rewrite(f.doc)
	}
	first, after, _ := strings.Cut(rest, " ")
	switch {
	case first == "is" || first == "are":
		rest = after
	case strings.HasSuffix(first, "s") && first != "as": // a verb: "names the image"
	default:
		rest = sentenceName(f.name) + " " + rest
	}
	return r.rewrite(capitalise(rest))
}

// rewrite joins the lines of each paragraph and replaces Go names.
func (r rewriter) rewrite(doc string) string {
	doc = strings.TrimSpace(lineBreak.ReplaceAllString(doc, "$1 $2"))
	doc = docLink.ReplaceAllStringFunc(doc, func(link string) string {
		name := docLink.FindStringSubmatch(link)[1]
		return snake.Case(name)
	})
	return goName.ReplaceAllStringFunc(doc, func(name string) string {
		if toolName, ok := r.names[name]; ok {
			return toolName
		}
		return name
	})
}

// sentenceName spells a Go name as words: BitDepth as "bit depth". ISO stays.
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
