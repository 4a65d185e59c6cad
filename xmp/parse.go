package xmp

import (
	"cmp"
	"slices"
)

// Parse reads a sidecar, or the XMP packet of a picture that darktable
// exported. What is read is bounded by [MaxSize] and the constants beside it.
//
// Properties may be attributes or child elements, prefixes whatever they are
// declared to be, and the encoding UTF-8, ASCII or ISO-8859-1. Entries are
// ordered as darktable orders them: by num, and of several with one num the
// later in the document comes first (measured on 4.2.1 and 5.4.1). Sidecars of
// darktable 1 and 2 are read and kept; where these held their history in
// parallel lists, History is empty. What stands outside of rdf:RDF is no XMP
// and is not kept.
//
// A blob that cannot be decoded is kept as it stands; [Entry.Fault] reports it.
// Errors are of kind NotXML, NotSidecar, TooLarge, Forbidden, BadValue or
// Unsupported.
func Parse(data []byte) (*Sidecar, error) {
	d, err := parseTree(data)
	if err != nil {
		return nil, err
	}
	rdf := d.rdf()
	if rdf == nil {
		return nil, d.failf(d.root, NotSidecar, "<%s> holds no rdf:RDF, so this is no XMP", d.root.name.local)
	}
	s := &Sidecar{hints: d.hints}
	var props []property
	for k := rdf.first; k != nil; k = k.next {
		if props, err = d.description(s, k, props); err != nil {
			return nil, err
		}
	}
	if err := d.take(s, props); err != nil {
		return nil, err
	}
	return s, nil
}

// rdf finds the element rdf:RDF: the document's own, or one within x:xmpmeta.
func (d *document) rdf() *node {
	want := name{nsRDF, "RDF"}
	if d.root.name == want {
		return d.root
	}
	for k := d.root.first; k != nil; k = k.next {
		if k.name == want {
			return k
		}
	}
	return nil
}

// description adds what one rdf:Description says. XMP may spread its properties
// over several, which must be about the same picture.
func (d *document) description(s *Sidecar, n *node, props []property) ([]property, error) {
	if n.name != rdfDescription {
		return nil, d.failf(n, Unsupported, "<%s> where an rdf:Description should be", n.name.local)
	}
	about, ok := n.attr(rdfAbout)
	if !ok {
		about, _ = n.attr(name{"", "about"})
	}
	if about != "" && s.about != "" && about != s.about {
		return nil, d.failf(n, Unsupported, "descriptions of two things, %s and %s", quoted(s.about), quoted(about))
	}
	s.about = cmp.Or(s.about, about)
	return d.collect(n, props)
}

// take sorts the properties into the sidecar.
func (d *document) take(s *Sidecar, props []property) error {
	slices.SortFunc(props, compareProperties)
	if err := d.unique(props); err != nil {
		return err
	}
	s.props = make([]property, 0, len(props))
	var blobs inflater
	end, darktable := -1, false
	for i := range props {
		p := &props[i]
		var err error
		darktable = darktable || p.name.space == nsDarktable
		switch p.name {
		case name{nsDarktable, "history_end"}:
			if end, err = d.number(p); err == nil && end < 0 {
				err = d.badValue(p, "zero or more")
			}
		case name{nsDarktable, "history"}:
			s.history = true
			err = d.takeHistory(s, p, &blobs)
		case name{nsDarktable, "masks_history"}:
			err = d.takeForms(s, p, &blobs)
		default:
			s.props = append(s.props, *p)
		}
		if err != nil {
			return err
		}
	}
	if !darktable {
		return d.failf(d.root, NotSidecar, "XMP without a property of darktable's namespace")
	}
	s.end = len(s.entries)
	if end >= 0 {
		s.end = min(end, s.end)
	}
	return nil
}

func (d *document) takeHistory(s *Sidecar, p *property, blobs *inflater) error {
	items, err := d.items(p)
	if err != nil {
		return err
	}
	if len(items) > MaxEntries {
		return d.failf(p.node, TooLarge, "%d history entries; at most %d are read", len(items), MaxEntries)
	}
	s.entries = make([]*entry, len(items))
	slab := make([]entry, len(items))
	for i, li := range items {
		if err := d.entry(&slab[i], li, blobs); err != nil {
			return err
		}
		s.entries[i] = &slab[i]
	}
	for i := 1; i < len(slab); i++ {
		if slab[i-1].num >= slab[i].num {
			slices.Reverse(s.entries)
			slices.SortStableFunc(s.entries, func(a, b *entry) int { return cmp.Compare(a.num, b.num) })
			break
		}
	}
	return nil
}

func (d *document) takeForms(s *Sidecar, p *property, blobs *inflater) error {
	items, err := d.items(p)
	if err != nil {
		return err
	}
	s.forms = make([]*form, len(items))
	for i, li := range items {
		s.forms[i] = new(form)
		if err := d.form(s.forms[i], li, blobs); err != nil {
			return err
		}
	}
	slices.SortStableFunc(s.forms, func(a, b *form) int { return cmp.Compare(a.num, b.num) })
	return nil
}
