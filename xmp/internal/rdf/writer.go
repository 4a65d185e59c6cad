package rdf

import (
	"slices"
	"strconv"
)

// Writer puts a document together.
type Writer struct {
	// Buf is what is written so far; callers may append to it.
	Buf      []byte
	prefixes Prefixes
}

// NewWriter makes a writer for about size bytes.
func NewWriter(prefixes Prefixes, size int) Writer {
	return Writer{Buf: make([]byte, 0, size), prefixes: prefixes}
}

// OpenPacket begins an XMP packet with a description of the resource about, whose
// start tag stays open for attributes. used are the namespaces that it uses.
func (w *Writer) OpenPacket(about string, used map[string]bool) {
	w.Raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" +
		"<x:xmpmeta xmlns:x=\"" + SpaceMeta + "\">\n" +
		" <rdf:RDF xmlns:rdf=\"" + SpaceRDF + "\">\n" +
		"  <rdf:Description")
	w.Attr("rdf:about", about)
	w.declare(used)
}

// ClosePacket ends the packet, whose description has no open element.
func (w *Writer) ClosePacket() {
	w.Raw("  </rdf:Description>\n </rdf:RDF>\n</x:xmpmeta>\n")
}

// declare declares namespaces, but for those that the packet around declares.
func (w *Writer) declare(used map[string]bool) {
	declared := make([]string, 0, len(used))
	for space := range used {
		if space != "" && space != SpaceRDF && space != SpaceMeta && space != SpaceXML {
			declared = append(declared, "xmlns:"+w.prefixes.find(space)+"=\""+string(AppendAttr(nil, space))+"\"")
		}
	}
	slices.Sort(declared)
	for _, d := range declared {
		w.Raw("\n    ")
		w.Raw(d)
	}
}

// Raw writes XML as it is.
func (w *Writer) Raw(s string) { w.Buf = append(w.Buf, s...) }

// Text writes character data.
func (w *Writer) Text(s string) { w.Buf = appendText(w.Buf, s) }

// Attr writes an attribute. The name has its prefix.
func (w *Writer) Attr(name, value string) {
	w.OpenAttr(name)
	w.Buf = AppendAttr(w.Buf, value)
	w.CloseAttr()
}

// AttrInt writes an attribute that is a number.
func (w *Writer) AttrInt(name string, n int) {
	w.OpenAttr(name)
	w.Buf = strconv.AppendInt(w.Buf, int64(n), 10)
	w.CloseAttr()
}

// OpenAttr begins an attribute, whose escaped value goes to Buf.
func (w *Writer) OpenAttr(name string) {
	w.Buf = append(w.Buf, ' ')
	w.Buf = append(w.Buf, name...)
	w.Buf = append(w.Buf, '=', '"')
}

// CloseAttr ends an attribute.
func (w *Writer) CloseAttr() { w.Buf = append(w.Buf, '"') }

// Property writes a property that is a text, as an attribute.
func (w *Writer) Property(p *Property) { w.Attr(w.qualify(p.Name), p.Text) }

// Node writes a node as it stands, without adding white space. The order of
// attributes, which has no meaning, is that of their names.
func (w *Writer) Node(n *Node) {
	if n.IsText() {
		w.Text(n.Text)
		return
	}
	tag := w.qualify(n.Name)
	w.Raw("<")
	w.Raw(tag)
	attrs := n.Attrs
	byName := func(a, b Attr) int { return compareNames(a.Name, b.Name) }
	if !slices.IsSortedFunc(attrs, byName) {
		attrs = slices.SortedFunc(slices.Values(attrs), byName)
	}
	for i := range attrs {
		w.Attr(w.qualify(attrs[i].Name), attrs[i].Value)
	}
	if n.First == nil {
		w.Raw("/>")
		return
	}
	w.Raw(">")
	for k := n.First; k != nil; k = k.Next {
		w.Node(k)
	}
	w.Raw("</")
	w.Raw(tag)
	w.Raw(">")
}

// qualify returns a name with its prefix.
func (w *Writer) qualify(n Name) string {
	if n.Space == "" {
		return n.Local
	}
	return w.prefixes.find(n.Space) + ":" + n.Local
}
