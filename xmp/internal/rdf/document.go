package rdf

import (
	"errors"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
)

// Document is a parsed input.
type Document struct {
	Root *Node
	// Prefixes are those that the input has for namespaces without a usual one.
	Prefixes Prefixes

	src   string
	lines int // before src
}

// Parse reads a document with namespaces. Errors are of type *[Error].
func Parse(data []byte) (*Document, error) {
	text, lines, err := decodeText(data)
	if err != nil {
		return nil, err
	}
	d := &Document{src: text, lines: lines}
	b := builder{document: d, scan: scanner{src: text}}
	if err := b.build(); err != nil {
		if e, ok := errors.AsType[*Error](err); ok && e.Line == 0 {
			e.Line = d.Line(b.scan.pos)
		}
		return nil, err
	}
	d.Prefixes = b.declared.settled()
	return d, nil
}

// Line returns the line, from 1, of an offset in the document.
func (d *Document) Line(pos int) int {
	return d.lines + 1 + strings.Count(d.src[:min(pos, len(d.src))], "\n")
}

// Errorf makes an error about what begins at pos.
func (d *Document) Errorf(pos int, kind fault.Kind, format string, args ...any) *Error {
	e := errorf(kind, format, args...)
	e.Line = d.Line(pos)
	return e
}

// Statements returns what the document says about its one resource, sorted, and the
// resource's URI. XMP may spread it over several rdf:Description, which must all
// be about the same.
func (d *Document) Statements() (about string, props Properties, err error) {
	rdf := d.rdf()
	if rdf == nil {
		return "", nil, d.Errorf(d.Root.Pos, NotRDF, "<%s> holds no rdf:RDF, so this is no XMP", d.Root.Name.Local)
	}
	for k := rdf.First; k != nil; k = k.Next {
		if k.Name != nameDescription {
			return "", nil, d.Errorf(k.Pos, Unsupported, "<%s> where an rdf:Description should be", k.Name.Local)
		}
		uri, ok := k.Attr(nameAbout)
		if !ok {
			uri, _ = k.Attr(Name{Local: "about"})
		}
		if uri != "" && about != "" && uri != about {
			return "", nil, d.Errorf(k.Pos, Unsupported, "descriptions of two things, %s and %s", Quote(about), Quote(uri))
		}
		if about == "" {
			about = uri
		}
		if props, err = d.collect(k, props); err != nil {
			return "", nil, err
		}
	}
	return about, props, d.sort(props)
}

// rdf finds the element rdf:RDF: the root, or a child of it (x:xmpmeta).
func (d *Document) rdf() *Node {
	want := Name{SpaceRDF, "RDF"}
	if d.Root.Name == want {
		return d.Root
	}
	for k := d.Root.First; k != nil; k = k.Next {
		if k.Name == want {
			return k
		}
	}
	return nil
}
