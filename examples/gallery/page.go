package main

import (
	"cmp"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"image/jpeg"
	"io"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/studio"
	"github.com/chemigram/chemigram/vocab"
)

// gallery is the content of the page.
type gallery struct {
	Darktable string
	Raw       string
	Before    template.URL
	Entries   []card
	Masks     []card
}

// card is one move, or one named mask, on the page.
type card struct {
	Name, Layer, Subject, Description, Pack string
	Tags                                    []string
	Before                                  template.URL // what a move that builds on another starts from
	After                                   template.URL // the move at its default, or the mask's area
	BuildsOn                                string       // the move that both pictures have
	Mask                                    string       // the mask of a move that has one of its own
	Where                                   template.URL // what that mask selects
	Numbers                                 []number
	Facts                                   []fact
	Claims                                  []string
	Intends                                 []vocab.Harm
	Sweeps                                  []sweep
	Unavailable                             string
	Frame                                   template.HTMLAttr // the size of the pictures
}

// sweep shows one parameter from its minimum to its maximum.
type sweep struct {
	Parameter, Unit string
	Steps           []step
}

type step struct {
	Value   string
	Picture template.URL
}

// number is one measure before and after.
type number struct{ Name, Before, After string }

// fact is one measure of a mask.
type fact struct{ Name, Value string }

// A section is the cards of one subject.
type section struct {
	Subject string
	Cards   []card
}

// subjects are in the order of a photographer's work; others come after them.
var subjects = []string{"tone", "colour", "presence", "local", "look", "frame", "optics", "technical", "tool", "mask"}

// missing is the last section: moves that this darktable cannot develop.
const missing = "not on this darktable"

// Sections are the cards by subject, within each by name.
func (g gallery) Sections() []section {
	bySubject := map[string][]card{}
	frame := g.frame()
	for _, c := range slices.Concat(g.Entries, g.Masks) {
		c.Frame = frame
		subject := c.Subject
		if c.Unavailable != "" {
			subject = missing
		}
		bySubject[subject] = append(bySubject[subject], c)
	}
	place := func(subject string) int {
		at := slices.Index(subjects, subject)
		switch {
		case subject == missing:
			return len(subjects) + 1
		case at < 0:
			return len(subjects)
		}
		return at
	}
	var sections []section
	for subject, cards := range bySubject {
		slices.SortFunc(cards, func(a, b card) int { return cmp.Compare(a.Name, b.Name) })
		sections = append(sections, section{subject, cards})
	}
	slices.SortFunc(sections, func(a, b section) int {
		return cmp.Or(cmp.Compare(place(a.Subject), place(b.Subject)), cmp.Compare(a.Subject, b.Subject))
	})
	return sections
}

// Words is the text that the search matches.
func (c card) Words() string {
	return strings.ToLower(strings.Join(append([]string{strings.ReplaceAll(c.Name, "_", " "), c.Layer, c.Subject, c.Pack, c.Description}, c.Tags...), " "))
}

// frame is the size of the picture before, in which all pictures are shown.
func (g gallery) frame() template.HTMLAttr {
	_, data, _ := strings.Cut(string(g.Before), ",")
	config, err := jpeg.DecodeConfig(base64.NewDecoder(base64.StdEncoding, strings.NewReader(data)))
	if err != nil {
		return ""
	}
	return template.HTMLAttr(fmt.Sprintf(`width="%d" height="%d"`, config.Width, config.Height)) //nolint:gosec // two numbers
}

// Style is the style of the studio's page: its colours, controls and divider.
func (gallery) Style() template.CSS { return template.CSS(studio.Pairs().Style) } //nolint:gosec // a file of the studio's

// Script is the studio's divider.
func (gallery) Script() template.JS { return template.JS(studio.Pairs().Script) } //nolint:gosec // as is this one

// Licences are those of what the script is made of.
func (gallery) Licences() template.HTML {
	return template.HTML("<!--\n" + studio.Pairs().Licences + "-->")
} //nolint:gosec // and this

// Layers are the layers to filter by.
func (gallery) Layers() []string { return []string{"L1", "L2", "L3", "mask"} }

//go:embed page.html
var pageFile embed.FS

var page = template.Must(template.ParseFS(pageFile, "page.html"))

func (g gallery) write(w io.Writer) error { return page.Execute(w, g) }
