package xmp

import "github.com/chemigram/chemigram/xmp/internal/rdf"

// writer lays a sidecar out: one line for each property of the picture, each
// history entry and each form.
type writer struct {
	rdf.Writer
	origins     bool // write them
	bookkeeping bool // write it
	file        bool // write blobs as darktable does
}

// includes reports whether a property is to be written. Bookkeeping is what is noted
// down beside the look: when darktable did something, and what names a file, or one
// writing of it. (Of hashes, see withoutHashes.)
func (w *writer) includes(n rdf.Name) bool {
	switch n.Space {
	case Namespace:
		return w.bookkeeping || !isTimestamp(n)
	case OriginNamespace:
		return w.origins
	case nsXMP, nsMedia:
		return w.bookkeeping || !namesFile(n)
	}
	return true
}

func (s *Sidecar) write(w *writer) []byte {
	w.Writer = rdf.NewWriter(s.prefixes, s.estimateSize())
	w.OpenPacket(s.about, s.usedSpaces(w))
	for i := range s.props {
		if p := &s.props[i]; p.Node == nil && w.includes(p.Name) {
			w.Raw("\n  ")
			w.Property(p)
		}
	}
	if s.hasHistory {
		w.Raw("\n  ")
		w.AttrInt("darktable:history_end", s.end)
	}
	w.Raw(">\n")
	for i := range s.props {
		if p := &s.props[i]; p.Node != nil && w.includes(p.Name) {
			w.Raw("   ")
			w.Node(p.Node)
			w.Raw("\n")
		}
	}
	if len(s.forms) > 0 {
		w.Raw("   <darktable:masks_history>\n    <rdf:Seq>\n")
		for _, f := range s.forms {
			w.Raw("     <rdf:li")
			f.write(w)
			w.closeItem(f.more)
		}
		w.Raw("    </rdf:Seq>\n   </darktable:masks_history>\n")
	}
	if s.hasHistory {
		w.Raw("   <darktable:history>\n    <rdf:Seq>\n")
		for i, e := range s.entries {
			w.Raw("     <rdf:li")
			e.write(w, i)
			w.closeItem(e.more)
		}
		w.Raw("    </rdf:Seq>\n   </darktable:history>\n")
	}
	w.ClosePacket()
	return w.Buf
}

// closeItem ends an rdf:li, whose start tag is open, with the properties that are
// not known.
func (w *writer) closeItem(props rdf.Properties) {
	structured := false
	for i := range props {
		p := &props[i]
		if p.Node != nil {
			structured = structured || w.includes(p.Name)
		} else if w.includes(p.Name) {
			w.Property(p)
		}
	}
	if !structured {
		w.Raw("/>\n")
		return
	}
	w.Raw(">")
	for i := range props {
		if p := &props[i]; p.Node != nil && w.includes(p.Name) {
			w.Node(p.Node)
		}
	}
	w.Raw("</rdf:li>\n")
}

func (w *writer) attrBlob(name string, b *blob) {
	w.OpenAttr(name)
	if w.file {
		w.Buf = b.appendFile(w.Buf)
	} else {
		w.Buf = b.appendHex(w.Buf)
	}
	w.CloseAttr()
}

// usedSpaces collects the namespaces of what is going to be written.
func (s *Sidecar) usedSpaces(w *writer) map[string]bool {
	used := map[string]bool{}
	if s.hasHistory || len(s.forms) > 0 {
		used[Namespace] = true
	}
	last := ""
	add := func(props rdf.Properties) {
		for i := range props {
			p := &props[i]
			if !w.includes(p.Name) {
				continue
			}
			if p.Name.Space != last {
				last = p.Name.Space
				used[last] = true
			}
			if p.Node != nil {
				p.Node.AddSpaces(used)
			}
		}
	}
	add(s.props)
	for _, f := range s.forms {
		add(f.more)
	}
	for _, e := range s.entries {
		add(e.more)
		if w.origins && len(e.origins) > 0 {
			used[OriginNamespace] = true
		}
	}
	return used
}

// estimateSize is about the length of what is written, so that it is allocated
// once.
func (s *Sidecar) estimateSize() int {
	n := 2048
	for i := range s.props {
		n += len(s.props[i].Text) + 64
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
