package rdf

import "strings"

// builder makes the tree. Nodes and attributes are cut from slabs.
type builder struct {
	document *Document
	scan     scanner
	open     []openElement
	bindings []namespace // in force
	declared Prefixes
	nodes    []Node
	attrs    []Attr
	pending  string // text since the last tag,
	pieces   []byte // or when there are several, all of it
	elements int
	allAttrs int
}

type openElement struct {
	node     *Node
	last     *Node
	raw      rawName
	bindings int // how many were in force around the element
}

func (b *builder) build() error {
	for {
		t, err := b.scan.next()
		if err != nil {
			return err
		}
		switch t.kind {
		case tokenOpen, tokenEmpty:
			err = b.startElement(t)
			if err == nil && t.kind == tokenEmpty {
				b.closeElement()
			}
		case tokenClose:
			err = b.endElement(t)
		case tokenText:
			err = b.addText(t)
		case tokenEnd:
			if len(b.open) > 0 {
				return errorf(NotXML, "the input ends inside of <%s>", b.open[len(b.open)-1].raw.local)
			}
			if b.document.Root == nil {
				return errorf(NotXML, "there is no element in the input")
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (b *builder) startElement(t token) error {
	b.elements++
	b.allAttrs += len(t.attrs)
	switch {
	case len(b.open) == 0 && b.document.Root != nil:
		return errorf(NotXML, "a second element <%s> after the document's own", t.name.local)
	case len(b.open) == MaxDepth:
		return errorf(TooLarge, "elements nested more than %d deep", MaxDepth)
	case b.elements > MaxElements:
		return errorf(TooLarge, "more than %d elements", MaxElements)
	case b.allAttrs > MaxAllAttributes:
		return errorf(TooLarge, "more than %d attributes", MaxAllAttributes)
	}
	if b.document.Root != nil {
		b.endText(false)
	}
	f := openElement{raw: t.name, bindings: len(b.bindings)}
	for i := range t.attrs {
		if err := b.bind(&t.attrs[i]); err != nil {
			return err
		}
	}
	n := b.newNode()
	n.Pos = t.pos
	var ok bool
	if n.Name, ok = b.resolve(t.name, true); !ok {
		return errorf(NotXML, "the prefix %q is not declared", t.name.prefix)
	}
	if err := b.attributes(n, t.attrs); err != nil {
		return err
	}
	if b.document.Root == nil {
		b.document.Root = n
	} else {
		b.append(n)
	}
	f.node = n
	b.open = append(b.open, f)
	return nil
}

// bind puts a namespace declaration in force; other attributes it leaves alone.
func (b *builder) bind(a *rawAttr) error {
	var prefix string
	switch {
	case a.name.prefix == "xmlns":
		prefix = a.name.local
		if a.value == "" || prefix == "xmlns" || (prefix == "xml") != (a.value == SpaceXML) {
			return errorf(NotXML, "xmlns:%s cannot be declared as %s", prefix, Quote(a.value))
		}
	case a.name.prefix == "" && a.name.local == "xmlns":
	default:
		return nil
	}
	b.bindings = append(b.bindings, namespace{a.value, prefix})
	if _, usual := usualPrefixes[a.value]; !usual && a.value != "" {
		b.declared = append(b.declared, namespace{a.value, prefix})
	}
	return nil
}

// resolve returns a name its namespace; false when its prefix is not declared.
func (b *builder) resolve(n rawName, element bool) (Name, bool) {
	if n.prefix == "" && !element {
		return Name{Local: n.local}, true
	}
	for i := len(b.bindings) - 1; i >= 0; i-- {
		if b.bindings[i].prefix == n.prefix {
			return Name{b.bindings[i].space, n.local}, true
		}
	}
	if n.prefix == "xml" {
		return Name{SpaceXML, n.local}, true
	}
	return Name{Local: n.local}, n.prefix == ""
}

// attributes returns the node its attributes, without namespace declarations.
func (b *builder) attributes(n *Node, raw []rawAttr) error {
	if len(raw) > cap(b.attrs)-len(b.attrs) {
		b.attrs = make([]Attr, 0, max(256, len(raw)))
	}
	from := len(b.attrs)
	for i := range raw {
		a := &raw[i]
		if a.name.prefix == "xmlns" || a.name.prefix == "" && a.name.local == "xmlns" {
			continue
		}
		resolved, ok := b.resolve(a.name, false)
		if !ok {
			return errorf(NotXML, "the prefix %q is not declared", a.name.prefix)
		}
		b.attrs = append(b.attrs, Attr{resolved, a.value})
	}
	n.Attrs = b.attrs[from:len(b.attrs):len(b.attrs)]
	if twice, ok := duplicate(n.Attrs); ok {
		return errorf(NotXML, "the attribute %q occurs twice", twice.Local)
	}
	return nil
}

// duplicate finds a name that two attributes have.
func duplicate(attrs []Attr) (Name, bool) {
	const few = 16
	if len(attrs) > few {
		found := make(map[Name]bool, len(attrs))
		for i := range attrs {
			if found[attrs[i].Name] {
				return attrs[i].Name, true
			}
			found[attrs[i].Name] = true
		}
		return Name{}, false
	}
	for i := range attrs {
		for j := range i {
			if attrs[i].Name == attrs[j].Name {
				return attrs[i].Name, true
			}
		}
	}
	return Name{}, false
}

func (b *builder) endElement(t token) error {
	if len(b.open) == 0 {
		return errorf(NotXML, "</%s> without a start", t.name.local)
	}
	if raw := b.open[len(b.open)-1].raw; raw != t.name {
		return errorf(NotXML, "</%s> where </%s> should be", t.name.local, raw.local)
	}
	b.endText(true)
	b.closeElement()
	return nil
}

func (b *builder) closeElement() {
	f := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	b.bindings = b.bindings[:f.bindings]
}

// addText keeps a text until the next tag. A comment may have cut it in two.
func (b *builder) addText(t token) error {
	if len(b.open) == 0 {
		if IsBlank(t.text) {
			return nil
		}
		return errorf(NotXML, "text outside of the document's element")
	}
	if b.pending == "" {
		b.pending = t.text
		return nil
	}
	if len(b.pieces) == 0 {
		b.pieces = append(b.pieces, b.pending...)
	}
	b.pieces = append(b.pieces, t.text...)
	return nil
}

// endText makes a node of the text before a tag, except of white space beside
// elements: that is layout.
func (b *builder) endText(closing bool) {
	text := b.pending
	if len(b.pieces) > 0 {
		text = string(b.pieces)
	}
	b.pending, b.pieces = "", b.pieces[:0]
	if text == "" || IsBlank(text) && (!closing || b.open[len(b.open)-1].last != nil) {
		return
	}
	n := b.newNode()
	n.Text, n.Pos = text, b.scan.pos
	b.append(n)
}

// IsBlank reports whether a text is white space only.
func IsBlank(s string) bool { return strings.TrimLeft(s, " \t\r\n") == "" }

func (b *builder) append(n *Node) {
	f := &b.open[len(b.open)-1]
	if f.last == nil {
		f.node.First = n
	} else {
		f.last.Next = n
	}
	f.last = n
}

func (b *builder) newNode() *Node {
	if len(b.nodes) == cap(b.nodes) {
		b.nodes = make([]Node, 0, 64)
	}
	b.nodes = b.nodes[:len(b.nodes)+1]
	return &b.nodes[len(b.nodes)-1]
}
