package xmp

import "slices"

// Form is a drawn shape, or a group of shapes, in the list of a history entry.
type Form struct {
	// ID is unique in the sidecar.
	ID int
	// Type is a set of bits: circle 1, path 2, group 4, clone 8, gradient 16,
	// ellipse 32, brush 64, non-clone 128.
	Type    int
	Name    string
	Version int
	// Points are the form's bytes; shared, not to be written to.
	Points []byte
	// Count is the number of points, or of a group's members.
	Count int
	// Source is where a cloned form copies from; shared, not to be written to.
	Source []byte
	// Fault is an *[Error] of kind BadBlob when Points or Source could not be
	// decoded.
	Fault error
}

// form is a form as the sidecar keeps it.
type form struct {
	num     int // the history entry from which on its list is in force
	id      int
	kind    int
	label   string
	version int
	points  blob
	count   int
	source  blob
	more    []property
}

func (f *form) export() Form {
	out := Form{ID: f.id, Type: f.kind, Name: f.label, Version: f.version, Count: f.count}
	out.Points, out.Fault = f.points.bytes()
	var err error
	if out.Source, err = f.source.bytes(); err != nil && out.Fault == nil {
		out.Fault = err
	}
	return out
}

// form reads a form from an rdf:li.
func (d *document) form(f *form, li *node, blobs *inflater) error {
	found := false
	if err := d.eachProperty(li, func(p *property) error {
		found = found || p.name == name{nsDarktable, "mask_id"}
		return d.formProperty(f, p, blobs)
	}); err != nil {
		return err
	}
	slices.SortFunc(f.more, compareProperties)
	if !found {
		return d.failf(li, BadValue, "a drawn form needs mask_id")
	}
	return nil
}

func (d *document) formProperty(f *form, p *property, blobs *inflater) (err error) {
	if p.name.space != nsDarktable {
		f.more = append(f.more, *p)
		return nil
	}
	switch p.name.local {
	case "mask_num":
		f.num, err = d.number(p)
	case "mask_id":
		f.id, err = d.number(p)
	case "mask_type":
		f.kind, err = d.number(p)
	case "mask_name":
		f.label, err = d.textOf(p)
	case "mask_version":
		f.version, err = d.number(p)
	case "mask_points":
		f.points, err = d.blob(p, blobs)
	case "mask_nb":
		f.count, err = d.number(p)
	case "mask_src":
		f.source, err = d.blob(p, blobs)
	default:
		f.more = append(f.more, *p)
	}
	return err
}

func (f *form) append(w *writer) {
	w.attrInt("darktable:mask_num", f.num)
	w.attrInt("darktable:mask_id", f.id)
	w.attrInt("darktable:mask_type", f.kind)
	w.attr("darktable:mask_name", f.label)
	w.attrInt("darktable:mask_version", f.version)
	w.attrBlob("darktable:mask_points", &f.points)
	w.attrInt("darktable:mask_nb", f.count)
	w.attrBlob("darktable:mask_src", &f.source)
}

// Forms gives the drawn forms in force at the end of the active history: the
// last list that an active entry has.
func (s *Sidecar) Forms() []Form {
	num := s.formsInForce()
	var forms []Form
	for _, f := range s.forms {
		if f.num == num {
			forms = append(forms, f.export())
		}
	}
	return forms
}

// formsInForce gives the num of the list in force, or -1.
func (s *Sidecar) formsInForce() int {
	num := -1
	for _, f := range s.forms {
		if f.num < s.end {
			num = max(num, f.num)
		}
	}
	return num
}
