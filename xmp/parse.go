package xmp

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
)

// Parse reads a sidecar, or the XMP packet of a picture that darktable
// exported. What is read is bounded by [MaxSize] and the constants beside it.
//
// Properties may be attributes or child elements, prefixes whatever they are
// declared to be, and the encoding UTF-8, ASCII or ISO-8859-1. Entries are
// ordered as darktable orders them: by num, and of several with one num the
// later in the document comes first; up to xmp_version 2, whose entries have no
// num, by their place in the document (measured on 4.2.1 and 5.4.1). Sidecars of
// darktable 1 and 2 are read and kept; where these held their history in
// parallel lists, History is empty. What is outside of rdf:RDF is no XMP
// and is not kept.
//
// A blob that cannot be decoded is kept as it stands; [Entry.Fault] reports it.
// Errors are of kind NotXML, NotSidecar, TooLarge, Forbidden, BadValue or
// Unsupported.
func Parse(data []byte) (*Sidecar, error) {
	s, err := parse(data)
	if err != nil {
		return nil, ofDocument(err)
	}
	return s, nil
}

func parse(data []byte) (*Sidecar, error) {
	doc, err := rdf.Parse(data)
	if err != nil {
		return nil, err
	}
	about, props, err := doc.Statements()
	if err != nil {
		return nil, err
	}
	r := reader{Document: doc}
	s := &Sidecar{about: about, prefixes: doc.Prefixes}
	if err := r.readSidecar(s, props); err != nil {
		return nil, err
	}
	return s, nil
}

// reader reads what darktable says in a document.
type reader struct {
	*rdf.Document
	blobs blobDecoder
}

// readSidecar sorts the properties into the sidecar.
func (r *reader) readSidecar(s *Sidecar, props rdf.Properties) error {
	s.props = make(rdf.Properties, 0, len(props))
	end, darktable := -1, false
	var endProperty rdf.Property
	for i := range props {
		p := &props[i]
		var err error
		darktable = darktable || p.Name.Space == Namespace
		switch p.Name {
		case nameHistoryEnd:
			endProperty = *p
			if end, err = r.Int(p); err == nil && end < 0 {
				err = r.BadValue(p, "zero or more")
			}
		case nameHistory:
			s.hasHistory = true
			s.entries, err = r.readHistory(p)
		case nameForms:
			s.forms, err = r.readForms(p)
		default:
			s.props = append(s.props, *p)
		}
		if err != nil {
			return err
		}
	}
	if !darktable {
		return &Error{Kind: NotSidecar, Line: r.Line(r.Root.Pos), Message: "XMP without a property of darktable's namespace"}
	}
	if !s.ordersByPlace() {
		sortEntries(s.entries)
	}
	s.end = len(s.entries)
	if end >= 0 {
		s.end = min(end, s.end)
	}
	if end >= 0 && !s.hasHistory { // it counts the entries of darktable 1's parallel lists
		s.props = s.props.With(endProperty)
	}
	return nil
}

// ordersByPlace reports whether the entries of the history are in the order of the
// document, whatever their num: up to format 2, and in one that says no format and
// no num.
func (s *Sidecar) ordersByPlace() bool {
	version, said := s.FormatVersion()
	return said && version <= 2 || !said && !slices.ContainsFunc(s.entries, func(e *entry) bool { return e.num != 0 })
}

// sortEntries orders entries as darktable 3 and newer do: by num, and of several
// with one num the later in the document first.
func sortEntries(entries []*entry) {
	for i := 1; i < len(entries); i++ {
		if entries[i-1].num >= entries[i].num {
			slices.Reverse(entries)
			slices.SortStableFunc(entries, func(a, b *entry) int { return cmp.Compare(a.num, b.num) })
			return
		}
	}
}

func (r *reader) readHistory(p *rdf.Property) ([]*entry, error) {
	items, err := r.Items(p)
	if err != nil {
		return nil, err
	}
	if len(items) > MaxEntries {
		return nil, &Error{Kind: TooLarge, Line: r.Line(p.Pos), Message: fmt.Sprintf("%d history entries; at most %d are read", len(items), MaxEntries)}
	}
	slab := make([]entry, len(items)) // one allocation for all
	entries := make([]*entry, len(items))
	for i, li := range items {
		if err := r.readEntry(&slab[i], li); err != nil {
			return nil, err
		}
		entries[i] = &slab[i]
	}
	return entries, nil
}

func (r *reader) readForms(p *rdf.Property) ([]*form, error) {
	items, err := r.Items(p)
	if err != nil {
		return nil, err
	}
	forms := make([]*form, len(items))
	for i, li := range items {
		forms[i] = new(form)
		if err := r.readForm(forms[i], li); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(forms, func(a, b *form) int { return cmp.Compare(a.num, b.num) })
	return forms, nil
}
