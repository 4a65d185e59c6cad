package xmp

import (
	"errors"
	"strings"
)

// node is an element of the document, or with an empty local name a text.
type node struct {
	name        name
	attrs       []attr
	text        string
	first, next *node
	pos         int
}

type attr struct {
	name  name
	value string
}

// elements tells whether the node has child elements.
func (n *node) elements() bool {
	for k := n.first; k != nil; k = k.next {
		if k.name.local != "" {
			return true
		}
	}
	return false
}

// content is the node's text; its child elements do not count.
func (n *node) content() string {
	if n.first != nil && n.first.next == nil {
		return n.first.text
	}
	var b strings.Builder
	for k := n.first; k != nil; k = k.next {
		b.WriteString(k.text)
	}
	return b.String()
}

func (n *node) attr(want name) (string, bool) {
	for i := range n.attrs {
		if n.attrs[i].name == want {
			return n.attrs[i].value, true
		}
	}
	return "", false
}

// document is a parsed input.
type document struct {
	root  *node
	hints []hint
	src   string
	lines int // before src
}

// line gives the line of a place in the document.
func (d *document) line(pos int) int {
	return d.lines + 1 + strings.Count(d.src[:min(pos, len(d.src))], "\n")
}

func (d *document) failf(n *node, kind Kind, format string, args ...any) *Error {
	e := failf(kind, format, args...)
	e.Line = d.line(n.pos)
	return e
}

// parseTree reads a document with namespaces.
func parseTree(data []byte) (*document, error) {
	text, lines, err := decodeText(data)
	if err != nil {
		return nil, err
	}
	d := &document{src: text, lines: lines}
	b := builder{document: d, scan: scanner{src: text}}
	if err := b.build(); err != nil {
		if e, ok := errors.AsType[*Error](err); ok && e.Line == 0 {
			e.Line = d.line(b.scan.pos)
		}
		return nil, err
	}
	d.hints = settle(d.hints)
	return d, nil
}
