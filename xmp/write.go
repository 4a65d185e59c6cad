package xmp

import "slices"

// writer lays a sidecar out: one line for each property of the picture, each
// history entry and each form.
type writer struct {
	buf         []byte
	hints       []hint
	origins     bool // write them
	bookkeeping bool // write it
	file        bool // write blobs as darktable does
}

// bookkeeping is what darktable notes down beside the look, in its namespace:
// when it did something, and hashes by which it sees whether something changed.
var bookkeeping = map[string]bool{
	"import_timestamp": true, "change_timestamp": true,
	"export_timestamp": true, "print_timestamp": true,
	"history_basic_hash": true, "history_auto_hash": true, "history_current_hash": true,
}

// wants tells whether a property is to be written.
func (w *writer) wants(n name) bool {
	switch n.space {
	case nsDarktable:
		return w.bookkeeping || !bookkeeping[n.local]
	case OriginNamespace:
		return w.origins
	}
	return true
}

func (s *Sidecar) write(w *writer) []byte {
	w.hints = s.hints
	w.buf = make([]byte, 0, s.size())
	w.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
		"<x:xmpmeta xmlns:x=\"" + nsMeta + "\">\n" +
		" <rdf:RDF xmlns:rdf=\"" + nsRDF + "\">\n" +
		"  <rdf:Description")
	w.attr("rdf:about", s.about)
	w.namespaces(s.spaces(w))
	for i := range s.props {
		if p := &s.props[i]; p.node == nil && w.wants(p.name) {
			w.raw("\n  ")
			w.attr(w.qualified(p.name), p.text)
		}
	}
	if s.history {
		w.raw("\n  ")
		w.attrInt("darktable:history_end", s.end)
	}
	w.raw(">\n")
	for i := range s.props {
		if p := &s.props[i]; p.node != nil && w.wants(p.name) {
			w.raw("   ")
			w.element(p.node)
			w.raw("\n")
		}
	}
	if len(s.forms) > 0 {
		w.raw("   <darktable:masks_history>\n    <rdf:Seq>\n")
		for _, f := range s.forms {
			w.raw("     <rdf:li")
			f.append(w)
			w.more(f.more)
		}
		w.raw("    </rdf:Seq>\n   </darktable:masks_history>\n")
	}
	if s.history {
		w.raw("   <darktable:history>\n    <rdf:Seq>\n")
		for i, e := range s.entries {
			w.raw("     <rdf:li")
			e.append(w, i)
			w.more(e.more)
		}
		w.raw("    </rdf:Seq>\n   </darktable:history>\n")
	}
	w.raw("  </rdf:Description>\n </rdf:RDF>\n</x:xmpmeta>\n")
	return w.buf
}

// size estimates the length of what is written, so that it is allocated once.
func (s *Sidecar) size() int {
	n := 2048
	for i := range s.props {
		n += len(s.props[i].text) + 64
	}
	for _, e := range s.entries {
		n += 320 + e.params.size() + e.blend.size() + 64*(len(e.more)+len(e.origins))
	}
	for _, f := range s.forms {
		n += 256 + f.points.size() + f.source.size()
	}
	return n
}

func (b *blob) size() int { return max(len(b.text), 2*len(b.data)) }

// more ends the start tag of an rdf:li, with the properties that are not known.
func (w *writer) more(props []property) {
	structured := false
	for i := range props {
		p := &props[i]
		if p.node != nil {
			structured = structured || w.wants(p.name)
		} else if w.wants(p.name) {
			w.attr(w.qualified(p.name), p.text)
		}
	}
	if !structured {
		w.raw("/>\n")
		return
	}
	w.raw(">")
	for i := range props {
		if p := &props[i]; p.node != nil && w.wants(p.name) {
			w.element(p.node)
		}
	}
	w.raw("</rdf:li>\n")
}

// element writes something unknown as it stands, without adding white space.
func (w *writer) element(n *node) {
	if n.name.local == "" {
		w.buf = appendText(w.buf, n.text)
		return
	}
	tag := w.qualified(n.name)
	w.raw("<")
	w.raw(tag)
	attrs := n.attrs
	byName := func(a, b attr) int { return compareNames(a.name, b.name) }
	if !slices.IsSortedFunc(attrs, byName) {
		attrs = slices.SortedFunc(slices.Values(attrs), byName)
	}
	for i := range attrs {
		w.attr(w.qualified(attrs[i].name), attrs[i].value)
	}
	if n.first == nil {
		w.raw("/>")
		return
	}
	w.raw(">")
	for k := n.first; k != nil; k = k.next {
		w.element(k)
	}
	w.raw("</")
	w.raw(tag)
	w.raw(">")
}

func (w *writer) raw(s string) { w.buf = append(w.buf, s...) }

func (w *writer) attr(name, value string) {
	w.open(name)
	w.buf = appendAttr(w.buf, value)
	w.buf = append(w.buf, '"')
}

func (w *writer) attrInt(name string, n int) {
	w.open(name)
	w.buf = itoa(w.buf, n)
	w.buf = append(w.buf, '"')
}

func (w *writer) attrBlob(name string, b *blob) {
	w.open(name)
	if w.file {
		w.buf = b.appendFile(w.buf)
	} else {
		w.buf = b.appendHex(w.buf)
	}
	w.buf = append(w.buf, '"')
}

func (w *writer) open(name string) {
	w.buf = append(w.buf, ' ')
	w.buf = append(w.buf, name...)
	w.buf = append(w.buf, '=', '"')
}
