package xmp

import (
	"slices"
	"strconv"
	"strings"
)

// property is one property of a resource: a text, or whatever else RDF can say,
// kept as it stands.
type property struct {
	name name
	text string
	node *node // nil for a text
	pos  int
}

func compareProperties(a, b property) int { return compareNames(a.name, b.name) }

var (
	rdfAbout       = name{nsRDF, "about"}
	rdfParseType   = name{nsRDF, "parseType"}
	rdfDescription = name{nsRDF, "Description"}
	rdfLi          = name{nsRDF, "li"}
)

// eachProperty hands out what an rdf:li says about its resource. Each property
// is only lent.
func (d *document) eachProperty(li *node, use func(*property) error) error {
	if li.first == nil { // XML itself sees to it that attributes are unique
		var p property
		for i := range li.attrs {
			if a := &li.attrs[i]; !syntax(a.name) {
				p = property{name: a.name, text: a.value, pos: li.pos}
				if err := use(&p); err != nil {
					return err
				}
			}
		}
		return nil
	}
	props, err := d.collect(li, nil)
	if err != nil {
		return err
	}
	slices.SortFunc(props, compareProperties)
	if err := d.unique(props); err != nil {
		return err
	}
	for i := range props {
		if err := use(&props[i]); err != nil {
			return err
		}
	}
	return nil
}

// syntax tells attributes that are about the XML, not about the picture.
func syntax(n name) bool {
	return n == rdfAbout || n == rdfParseType || n == name{"", "about"}
}

// unique checks that no property is given twice; props are sorted.
func (d *document) unique(props []property) error {
	for i := 1; i < len(props); i++ {
		if props[i].name == props[i-1].name {
			e := failf(BadValue, "the property %s is given twice", props[i].name.local)
			e.Line = d.line(props[i].pos)
			return e
		}
	}
	return nil
}

// collect adds an element's properties: those given by attributes, by child
// elements, and by an rdf:Description within an rdf:li.
func (d *document) collect(n *node, into []property) ([]property, error) {
	for i := range n.attrs {
		a := &n.attrs[i]
		if syntax(a.name) {
			continue
		}
		into = append(into, property{name: a.name, text: a.value, pos: n.pos})
	}
	for k := n.first; k != nil; k = k.next {
		switch {
		case k.name.local == "" && blank(k.text):
		case k.name.local == "":
			return nil, d.failf(k, NotSidecar, "text %s where a property should be", quoted(k.text))
		case k.name == rdfDescription && n.name == rdfLi:
			var err error
			if into, err = d.collect(k, into); err != nil {
				return nil, err
			}
		case len(k.attrs) == 0 && !k.elements():
			into = append(into, property{name: k.name, text: k.content(), pos: k.pos})
		default:
			into = append(into, property{name: k.name, node: k, pos: k.pos})
		}
	}
	return into, nil
}

// items gives the members of a property that is a container.
func (d *document) items(p *property) ([]*node, error) {
	if p.node == nil {
		if blank(p.text) {
			return nil, nil
		}
		return nil, d.badValue(p, "an rdf:Seq")
	}
	var items []*node
	for c := p.node.first; c != nil; c = c.next {
		if c.name.space != nsRDF || c.name.local != "Seq" && c.name.local != "Bag" && c.name.local != "Alt" {
			return nil, d.badValue(p, "an rdf:Seq")
		}
		for k := c.first; k != nil; k = k.next {
			switch {
			case k.name == rdfLi:
				items = append(items, k)
			case k.name.local != "" || !blank(k.text):
				return nil, d.failf(k, BadValue, "darktable:%s has a member that is no rdf:li", p.name.local)
			}
		}
	}
	return items, nil
}

func (d *document) badValue(p *property, want string) *Error {
	e := failf(BadValue, "darktable:%s is %s, which is not %s", p.name.local, quoted(p.text), want)
	if p.node != nil {
		e.Message = "darktable:" + p.name.local + " is structured, not " + want
	}
	e.Line = d.line(p.pos)
	return e
}

// number reads a property that is a 32-bit integer.
func (d *document) number(p *property) (int, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(p.text), 10, 32)
	if err != nil || p.node != nil {
		return 0, d.badValue(p, "a whole number")
	}
	return int(n), nil
}

// textOf reads a property that is a text.
func (d *document) textOf(p *property) (string, error) {
	if p.node != nil {
		return "", d.badValue(p, "a text")
	}
	return p.text, nil
}
