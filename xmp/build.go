package xmp

import "strings"

// builder makes the tree. Nodes and attributes are cut from slabs.
type builder struct {
	*document
	scan     scanner
	open     []frame
	bindings []binding
	nodes    []node
	attrs    []attr
	pending  string // text since the last tag,
	pieces   []byte // or when there are several, all of it
	elements int
	allAttrs int
}

type frame struct {
	node     *node
	last     *node
	raw      rawName
	bindings int // how many were in force around the element
}

type binding struct{ prefix, space string }

func (b *builder) build() error {
	for {
		t, err := b.scan.next()
		if err != nil {
			return err
		}
		switch t.kind {
		case tokenOpen, tokenEmpty:
			err = b.start(t)
			if err == nil && t.kind == tokenEmpty {
				b.pop()
			}
		case tokenClose:
			err = b.end(t)
		case tokenText:
			err = b.characters(t)
		case tokenEnd:
			if len(b.open) > 0 {
				return failf(NotXML, "the input ends inside of <%s>", b.open[len(b.open)-1].raw.local)
			}
			if b.root == nil {
				return failf(NotXML, "there is no element in the input")
			}
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (b *builder) start(t token) error {
	b.elements++
	b.allAttrs += len(t.attrs)
	switch {
	case len(b.open) == 0 && b.root != nil:
		return failf(NotXML, "a second element <%s> after the document's own", t.name.local)
	case len(b.open) == MaxDepth:
		return failf(TooLarge, "elements nested more than %d deep", MaxDepth)
	case b.elements > MaxElements:
		return failf(TooLarge, "more than %d elements", MaxElements)
	case b.allAttrs > MaxAllAttributes:
		return failf(TooLarge, "more than %d attributes", MaxAllAttributes)
	}
	if b.root != nil {
		b.flush(false)
	}
	f := frame{raw: t.name, bindings: len(b.bindings)}
	for i := range t.attrs {
		if err := b.bind(&t.attrs[i]); err != nil {
			return err
		}
	}
	n := b.node()
	n.pos = t.pos
	var ok bool
	if n.name, ok = b.resolve(t.name, true); !ok {
		return failf(NotXML, "the prefix %q is not declared", t.name.prefix)
	}
	if err := b.attributes(n, t.attrs); err != nil {
		return err
	}
	if b.root == nil {
		b.root = n
	} else {
		b.append(n)
	}
	f.node = n
	b.open = append(b.open, f)
	return nil
}

// bind takes note of a namespace declaration.
func (b *builder) bind(a *rawAttr) error {
	var prefix string
	switch {
	case a.name.prefix == "xmlns":
		prefix = a.name.local
		if a.value == "" || prefix == "xmlns" || (prefix == "xml") != (a.value == nsXML) {
			return failf(NotXML, "xmlns:%s cannot be declared as %s", prefix, quoted(a.value))
		}
	case a.name.prefix == "" && a.name.local == "xmlns":
	default:
		return nil
	}
	b.bindings = append(b.bindings, binding{prefix, a.value})
	if _, usual := prefixes[a.value]; !usual && a.value != "" {
		b.hints = append(b.hints, hint{a.value, prefix})
	}
	return nil
}

func (b *builder) resolve(n rawName, element bool) (name, bool) {
	if n.prefix == "" && !element {
		return name{local: n.local}, true
	}
	for i := len(b.bindings) - 1; i >= 0; i-- {
		if b.bindings[i].prefix == n.prefix {
			return name{b.bindings[i].space, n.local}, true
		}
	}
	if n.prefix == "xml" {
		return name{nsXML, n.local}, true
	}
	return name{local: n.local}, n.prefix == ""
}

// attributes gives the node its attributes, without namespace declarations.
func (b *builder) attributes(n *node, raw []rawAttr) error {
	if len(raw) > cap(b.attrs)-len(b.attrs) {
		b.attrs = make([]attr, 0, max(256, len(raw)))
	}
	from := len(b.attrs)
	for i := range raw {
		a := &raw[i]
		if a.name.prefix == "xmlns" || a.name.prefix == "" && a.name.local == "xmlns" {
			continue
		}
		resolved, ok := b.resolve(a.name, false)
		if !ok {
			return failf(NotXML, "the prefix %q is not declared", a.name.prefix)
		}
		b.attrs = append(b.attrs, attr{resolved, a.value})
	}
	n.attrs = b.attrs[from:len(b.attrs):len(b.attrs)]
	if twice, ok := duplicate(n.attrs); ok {
		return failf(NotXML, "the attribute %q occurs twice", twice.local)
	}
	return nil
}

func duplicate(attrs []attr) (name, bool) {
	const few = 16
	if len(attrs) > few {
		seen := make(map[name]bool, len(attrs))
		for i := range attrs {
			if seen[attrs[i].name] {
				return attrs[i].name, true
			}
			seen[attrs[i].name] = true
		}
		return name{}, false
	}
	for i := range attrs {
		for j := range i {
			if attrs[i].name == attrs[j].name {
				return attrs[i].name, true
			}
		}
	}
	return name{}, false
}

func (b *builder) end(t token) error {
	if len(b.open) == 0 {
		return failf(NotXML, "</%s> without a start", t.name.local)
	}
	if raw := b.open[len(b.open)-1].raw; raw != t.name {
		return failf(NotXML, "</%s> where </%s> should be", t.name.local, raw.local)
	}
	b.flush(true)
	b.pop()
	return nil
}

func (b *builder) pop() {
	f := b.open[len(b.open)-1]
	b.open = b.open[:len(b.open)-1]
	b.bindings = b.bindings[:f.bindings]
}

// characters takes note of a text. A comment may have cut it in two.
func (b *builder) characters(t token) error {
	if len(b.open) == 0 {
		if blank(t.text) {
			return nil
		}
		return failf(NotXML, "text outside of the document's element")
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

// flush keeps the text before a tag, except white space beside elements: that is
// layout.
func (b *builder) flush(closing bool) {
	text := b.pending
	if len(b.pieces) > 0 {
		text = string(b.pieces)
	}
	b.pending, b.pieces = "", b.pieces[:0]
	if text == "" || blank(text) && (!closing || b.open[len(b.open)-1].last != nil) {
		return
	}
	n := b.node()
	n.text, n.pos = text, b.scan.pos
	b.append(n)
}

func blank(s string) bool { return strings.TrimLeft(s, " \t\r\n") == "" }

func (b *builder) append(n *node) {
	f := &b.open[len(b.open)-1]
	if f.last == nil {
		f.node.first = n
	} else {
		f.last.next = n
	}
	f.last = n
}

func (b *builder) node() *node {
	if len(b.nodes) == cap(b.nodes) {
		b.nodes = make([]node, 0, 64)
	}
	b.nodes = b.nodes[:len(b.nodes)+1]
	return &b.nodes[len(b.nodes)-1]
}
