package xmp

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Style is a darktable style (.dtstyle): history entries that can be put on any
// picture.
type Style struct {
	// Name may have a path in it, with "|" between its parts.
	Name        string
	Description string
	// Entries are in the order of their num. They have no origins and no fault.
	Entries []Entry
	// Order is the pipeline order that the style was made in; empty when the
	// file has no iop_list, as is usual with one instance per module.
	Order iop.Order
}

// ParseStyle reads a .dtstyle file, under the same limits as [Parse]. Unknown
// elements are ignored. Errors are of kind NotXML, NotSidecar, TooLarge,
// Forbidden, BadValue or BadBlob.
func ParseStyle(data []byte) (*Style, error) {
	s, err := parseStyle(data)
	if err != nil {
		return nil, ofDocument(err)
	}
	return s, nil
}

func parseStyle(data []byte) (*Style, error) {
	doc, err := rdf.Parse(data)
	if err != nil {
		return nil, err
	}
	r := reader{Document: doc}
	if name := r.Root.Name.Local; name != "darktable_style" {
		return nil, r.Errorf(r.Root.Pos, NotSidecar, "<%s> where <darktable_style> should be", name)
	}
	s := &Style{}
	type numbered struct {
		num int
		Entry
	}
	var entries []numbered
	for k := r.Root.First; k != nil; k = k.Next {
		switch k.Name.Local {
		case "info":
			if err := r.readStyleInfo(s, k); err != nil {
				return nil, err
			}
		case "style":
			for p := k.First; p != nil; p = p.Next {
				if p.Name.Local != "plugin" {
					continue
				}
				if len(entries) == MaxEntries {
					return nil, r.Errorf(p.Pos, TooLarge, "more than %d entries", MaxEntries)
				}
				num, e, err := r.readPlugin(p)
				if err != nil {
					return nil, err
				}
				entries = append(entries, numbered{num, e})
			}
		}
	}
	slices.SortStableFunc(entries, func(a, b numbered) int { return cmp.Compare(a.num, b.num) })
	for _, e := range entries {
		s.Entries = append(s.Entries, e.Entry)
	}
	return s, nil
}

// readFields returns an element's child elements by name.
func (r *reader) readFields(n *rdf.Node) (map[string]rdf.Property, error) {
	props, err := r.Collect(n)
	if err != nil {
		return nil, err
	}
	fields := make(map[string]rdf.Property, len(props))
	for _, p := range props {
		if _, twice := fields[p.Name.Local]; twice {
			return nil, r.Errorf(n.Pos, BadValue, "<%s> is there twice", p.Name.Local)
		}
		fields[p.Name.Local] = p
	}
	return fields, nil
}

func (r *reader) readStyleInfo(s *Style, n *rdf.Node) error {
	fields, err := r.readFields(n)
	if err != nil {
		return err
	}
	s.Name, s.Description = fields["name"].Text, fields["description"].Text
	if list := fields["iop_list"]; list.Text != "" {
		if s.Order, err = iop.ParseOrder(list.Text); err != nil {
			return &Error{Kind: BadValue, Line: r.Line(list.Pos), Message: "iop_list", Err: err}
		}
	}
	return nil
}

func (r *reader) readPlugin(n *rdf.Node) (num int, e Entry, err error) {
	fields, err := r.readFields(n)
	if err != nil {
		return 0, e, err
	}
	for _, needed := range []string{"operation", "module", "op_params"} {
		if _, ok := fields[needed]; !ok {
			return 0, e, r.Errorf(n.Pos, BadValue, "a <plugin> needs <%s>", needed)
		}
	}
	number := func(field string) (value int) {
		if p, ok := fields[field]; ok && err == nil {
			value, err = r.Int(&p)
		}
		return value
	}
	bytes := func(field string) (data []byte) {
		p, ok := fields[field]
		if !ok || err != nil {
			return nil
		}
		var b blob
		if b, err = r.readBlob(&p); err != nil {
			return nil
		}
		data, fault := b.bytes()
		if fault != nil {
			err = &Error{Kind: BadBlob, Line: r.Line(p.Pos), Operation: fields["operation"].Text, Message: field, Err: fault}
		}
		return data
	}
	num = number("num")
	e = Entry{
		Operation:     fields["operation"].Text,
		Enabled:       number("enabled") != 0,
		Modversion:    number("module"),
		Params:        bytes("op_params"),
		MultiName:     fields["multi_name"].Text,
		MultiPriority: number("multi_priority"),
		BlendVersion:  number("blendop_version"),
		Blend:         bytes("blendop_params"),
	}
	if err == nil && e.Operation == "" {
		err = r.Errorf(n.Pos, BadValue, "a <plugin> without an operation")
	}
	return num, e, err
}

// Bytes returns the style as a .dtstyle file.
func (s *Style) Bytes() []byte {
	var w rdf.Writer
	field := func(tag, text string) {
		w.Raw("<" + tag + ">")
		w.Text(text)
		w.Raw("</" + tag + ">")
	}
	blobField := func(tag string, data []byte) {
		b := hexBlob(data)
		field(tag, string(b.appendFile(nil)))
	}
	w.Raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<darktable_style version=\"1.0\"><info>")
	field("name", s.Name)
	field("description", s.Description)
	if s.Order.Len() > 0 {
		field("iop_list", s.Order.String())
	}
	w.Raw("</info><style>")
	number := func(tag string, n int) { field(tag, strconv.Itoa(n)) }
	for i, e := range s.Entries {
		w.Raw("\n<plugin>")
		number("num", i)
		number("module", e.Modversion)
		field("operation", e.Operation)
		blobField("op_params", e.Params)
		number("enabled", flagInt(e.Enabled))
		blobField("blendop_params", e.Blend)
		number("blendop_version", e.BlendVersion)
		number("multi_priority", e.MultiPriority)
		field("multi_name", e.MultiName)
		w.Raw("</plugin>")
	}
	w.Raw("\n</style></darktable_style>\n")
	return w.Buf
}
