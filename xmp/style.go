package xmp

import (
	"cmp"
	"slices"

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
// elements are passed over. Errors are of kind NotXML, NotSidecar, TooLarge,
// Forbidden, BadValue or BadBlob.
func ParseStyle(data []byte) (*Style, error) {
	d, err := parseTree(data)
	if err != nil {
		return nil, err
	}
	if d.root.name.local != "darktable_style" {
		return nil, d.failf(d.root, NotSidecar, "<%s> where <darktable_style> should be", d.root.name.local)
	}
	s := &Style{}
	type numbered struct {
		num int
		Entry
	}
	var entries []numbered
	var blobs inflater
	for k := d.root.first; k != nil; k = k.next {
		switch k.name.local {
		case "info":
			if err := d.styleInfo(s, k); err != nil {
				return nil, err
			}
		case "style":
			for p := k.first; p != nil; p = p.next {
				if p.name.local != "plugin" {
					continue
				}
				if len(entries) == MaxEntries {
					return nil, d.failf(p, TooLarge, "more than %d entries", MaxEntries)
				}
				num, e, err := d.plugin(p, &blobs)
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

// styleFields gives the texts of child elements by name.
func (d *document) styleFields(n *node) (map[string]property, error) {
	props, err := d.collect(n, nil)
	if err != nil {
		return nil, err
	}
	fields := make(map[string]property, len(props))
	for _, p := range props {
		if _, twice := fields[p.name.local]; twice {
			return nil, d.failf(n, BadValue, "<%s> is there twice", p.name.local)
		}
		fields[p.name.local] = p
	}
	return fields, nil
}

func (d *document) styleInfo(s *Style, n *node) error {
	fields, err := d.styleFields(n)
	if err != nil {
		return err
	}
	s.Name, s.Description = fields["name"].text, fields["description"].text
	if list := fields["iop_list"]; list.text != "" {
		if s.Order, err = iop.ParseOrder(list.text); err != nil {
			return &Error{Kind: BadValue, Line: d.line(list.pos), Message: "iop_list", Err: err}
		}
	}
	return nil
}

func (d *document) plugin(n *node, blobs *inflater) (num int, e Entry, err error) {
	fields, err := d.styleFields(n)
	if err != nil {
		return 0, e, err
	}
	for _, needed := range []string{"operation", "module", "op_params"} {
		if _, ok := fields[needed]; !ok {
			return 0, e, d.failf(n, BadValue, "a <plugin> needs <%s>", needed)
		}
	}
	number := func(field string) (value int) {
		if p, ok := fields[field]; ok && err == nil {
			value, err = d.number(&p)
		}
		return value
	}
	bytes := func(field string) (data []byte) {
		p, ok := fields[field]
		if !ok || err != nil {
			return nil
		}
		var b blob
		if b, err = d.blob(&p, blobs); err != nil {
			return nil
		}
		data, fault := b.bytes()
		if fault != nil {
			err = &Error{Kind: BadBlob, Line: d.line(p.pos), Operation: fields["operation"].text, Message: field, Err: fault}
		}
		return data
	}
	num = number("num")
	e = Entry{
		Operation:     fields["operation"].text,
		Enabled:       number("enabled") != 0,
		Modversion:    number("module"),
		Params:        bytes("op_params"),
		MultiName:     fields["multi_name"].text,
		MultiPriority: number("multi_priority"),
		BlendVersion:  number("blendop_version"),
		Blend:         bytes("blendop_params"),
	}
	if err == nil && e.Operation == "" {
		err = d.failf(n, BadValue, "a <plugin> without an operation")
	}
	return num, e, err
}

// Bytes gives the style as a .dtstyle file.
func (s *Style) Bytes() []byte {
	var w writer
	field := func(tag, text string) {
		w.raw("<" + tag + ">")
		w.buf = appendText(w.buf, text)
		w.raw("</" + tag + ">")
	}
	blobField := func(tag string, data []byte) {
		b := hexBlob(data)
		field(tag, string(b.appendFile(nil)))
	}
	w.raw("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<darktable_style version=\"1.0\"><info>")
	field("name", s.Name)
	field("description", s.Description)
	if s.Order.Len() > 0 {
		field("iop_list", s.Order.String())
	}
	w.raw("</info><style>")
	number := func(tag string, n int) { field(tag, string(itoa(nil, n))) }
	for i, e := range s.Entries {
		w.raw("\n<plugin>")
		number("num", i)
		number("module", e.Modversion)
		field("operation", e.Operation)
		blobField("op_params", e.Params)
		number("enabled", flagInt(e.Enabled))
		blobField("blendop_params", e.Blend)
		number("blendop_version", e.BlendVersion)
		number("multi_priority", e.MultiPriority)
		field("multi_name", e.MultiName)
		w.raw("</plugin>")
	}
	w.raw("\n</style></darktable_style>\n")
	return w.buf
}
