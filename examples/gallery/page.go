package main

import (
	"embed"
	"html/template"
	"io"
	"strings"

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

// Words is the text that the search matches.
func (c card) Words() string {
	return strings.ToLower(strings.Join(append([]string{strings.ReplaceAll(c.Name, "_", " "), c.Layer, c.Subject, c.Pack, c.Description}, c.Tags...), " "))
}

// Layers are the layers to filter by.
func (gallery) Layers() []string { return []string{"L1", "L2", "L3", "mask"} }

//go:embed page.html
var pageFile embed.FS

var page = template.Must(template.ParseFS(pageFile, "page.html"))

func (g gallery) write(w io.Writer) error { return page.Execute(w, g) }
