package xmp

import (
	"github.com/chemigram/chemigram/xmp/internal/rdf"
	"github.com/chemigram/chemigram/xmp/mask"
)

// form is a drawn form as the sidecar keeps it: beyond what [mask.Form] has, the
// list that it is in, blobs that may be undecodable, and unknown properties.
type form struct {
	num     int // the history entry from which on its list is in force
	id      int
	kind    int
	label   string
	version int
	points  blob
	count   int
	source  blob
	more    rdf.Properties // that are not known
}

// export returns the form without what only a sidecar has. Bytes that could not be
// decoded are missing, which makes Shape fail.
func (f *form) export() mask.Form {
	points, _ := f.points.bytes()
	source, _ := f.source.bytes()
	return mask.Form{
		ID: uint32(f.id), Type: mask.FormType(f.kind), Name: f.label, Version: f.version,
		Points: points, Count: f.count, Source: source,
	}
}

// readForm reads a form from an rdf:li.
func (r *reader) readForm(f *form, li *rdf.Node) error {
	found := false
	if err := r.EachProperty(li, func(p *rdf.Property) error {
		found = found || p.Name == nameFormID
		return r.readFormProperty(f, p)
	}); err != nil {
		return err
	}
	f.more.Sort()
	if !found {
		return r.Errorf(li.Pos, BadValue, "a drawn form needs mask_id")
	}
	return nil
}

func (r *reader) readFormProperty(f *form, p *rdf.Property) (err error) {
	if p.Name.Space != Namespace {
		f.more = append(f.more, *p)
		return nil
	}
	switch p.Name.Local {
	case "mask_num":
		f.num, err = r.Int(p)
	case "mask_id":
		f.id, err = r.Int(p)
	case "mask_type":
		f.kind, err = r.Int(p)
	case "mask_name":
		f.label, err = r.PlainText(p)
	case "mask_version":
		f.version, err = r.Int(p)
	case "mask_points":
		f.points, err = r.readBlob(p)
	case "mask_nb":
		f.count, err = r.Int(p)
	case "mask_src":
		f.source, err = r.readBlob(p)
	default:
		f.more = append(f.more, *p)
	}
	return err
}

func (f *form) write(w *writer) {
	w.AttrInt("darktable:mask_num", f.num)
	w.AttrInt("darktable:mask_id", f.id)
	w.AttrInt("darktable:mask_type", f.kind)
	w.Attr("darktable:mask_name", f.label)
	w.AttrInt("darktable:mask_version", f.version)
	w.attrBlob("darktable:mask_points", &f.points)
	w.AttrInt("darktable:mask_nb", f.count)
	w.attrBlob("darktable:mask_src", &f.source)
}

// Forms returns the drawn forms in force at the end of the active history: the
// last list that an active entry has. Their bytes are shared, not to be written
// to.
func (s *Sidecar) Forms() []mask.Form {
	var forms []mask.Form
	for _, f := range s.formsInForce() {
		forms = append(forms, f.export())
	}
	return forms
}

func (s *Sidecar) formsInForce() []*form {
	num := -1
	for _, f := range s.forms {
		if f.num < s.end {
			num = max(num, f.num)
		}
	}
	var forms []*form
	for _, f := range s.forms {
		if f.num == num {
			forms = append(forms, f)
		}
	}
	return forms
}
