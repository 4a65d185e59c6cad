package xmp

import (
	"slices"

	"github.com/chemigram/chemigram/xmp/mask"
)

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

// export gives the form as the package mask knows it. Bytes that could not be
// decoded are missing, which its Shape finds.
func (f *form) export() mask.Form {
	points, _ := f.points.bytes()
	source, _ := f.source.bytes()
	return mask.Form{
		ID: uint32(f.id), Type: mask.FormType(f.kind), Name: f.label, Version: f.version,
		Points: points, Count: f.count, Source: source,
	}
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
// last list that an active entry has. Their bytes are shared, not to be written
// to.
func (s *Sidecar) Forms() []mask.Form {
	num := s.formsInForce()
	var forms []mask.Form
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
