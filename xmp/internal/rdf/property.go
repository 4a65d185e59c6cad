package rdf

import (
	"strconv"
	"strings"
)

// Property is one property of a resource: a text, or whatever else RDF can say,
// kept as it stands.
type Property struct {
	Name Name
	Text string
	Node *Node // nil for a text
	Pos  int   // the offset in the document
}

func compareProperties(a, b Property) int { return compareNames(a.Name, b.Name) }

var (
	nameAbout       = Name{SpaceRDF, "about"}
	nameParseType   = Name{SpaceRDF, "parseType"}
	nameDescription = Name{SpaceRDF, "Description"}
	nameLi          = Name{SpaceRDF, "li"}
)

// isSyntax recognises attributes that are about the XML, not about the resource.
func isSyntax(n Name) bool {
	return n == nameAbout || n == nameParseType || n == Name{Local: "about"}
}

// EachProperty calls use with what an rdf:li says about its resource. The
// property is valid only during the call.
func (d *Document) EachProperty(li *Node, use func(*Property) error) error {
	if li.First == nil { // XML itself sees to it that attributes are unique
		var p Property
		for i := range li.Attrs {
			if a := &li.Attrs[i]; !isSyntax(a.Name) {
				p = Property{Name: a.Name, Text: a.Value, Pos: li.Pos}
				if err := use(&p); err != nil {
					return err
				}
			}
		}
		return nil
	}
	props, err := d.Collect(li)
	if err != nil {
		return err
	}
	if err := d.sort(props); err != nil {
		return err
	}
	for i := range props {
		if err := use(&props[i]); err != nil {
			return err
		}
	}
	return nil
}

// Collect returns an element's properties in the order of the document: those given
// by attributes, by child elements, and by an rdf:Description within an rdf:li.
func (d *Document) Collect(n *Node) (Properties, error) { return d.collect(n, nil) }

func (d *Document) collect(n *Node, into Properties) (Properties, error) {
	for i := range n.Attrs {
		if a := &n.Attrs[i]; !isSyntax(a.Name) {
			into = append(into, Property{Name: a.Name, Text: a.Value, Pos: n.Pos})
		}
	}
	for k := n.First; k != nil; k = k.Next {
		switch {
		case k.IsText() && IsBlank(k.Text):
		case k.IsText():
			return nil, d.Errorf(k.Pos, NotRDF, "text %s where a property should be", Quote(k.Text))
		case k.Name == nameDescription && n.Name == nameLi:
			var err error
			if into, err = d.collect(k, into); err != nil {
				return nil, err
			}
		case len(k.Attrs) == 0 && !k.hasElements():
			into = append(into, Property{Name: k.Name, Text: k.Content(), Pos: k.Pos})
		default:
			into = append(into, Property{Name: k.Name, Node: k, Pos: k.Pos})
		}
	}
	return into, nil
}

// sort sorts properties by name, and checks that none is given twice.
func (d *Document) sort(props Properties) error {
	props.Sort()
	for i := 1; i < len(props); i++ {
		if props[i].Name == props[i-1].Name {
			return d.Errorf(props[i].Pos, BadValue, "the property %s is given twice", props[i].Name.Local)
		}
	}
	return nil
}

// Items returns the members of a property that is a container.
func (d *Document) Items(p *Property) ([]*Node, error) {
	if p.Node == nil {
		if IsBlank(p.Text) {
			return nil, nil
		}
		return nil, d.BadValue(p, "an rdf:Seq")
	}
	var items []*Node
	for c := p.Node.First; c != nil; c = c.Next {
		if c.Name.Space != SpaceRDF || c.Name.Local != "Seq" && c.Name.Local != "Bag" && c.Name.Local != "Alt" {
			return nil, d.BadValue(p, "an rdf:Seq")
		}
		for k := c.First; k != nil; k = k.Next {
			switch {
			case k.Name == nameLi:
				items = append(items, k)
			case !k.IsText() || !IsBlank(k.Text):
				return nil, d.Errorf(k.Pos, BadValue, "%s has a member that is no rdf:li", p.Name)
			}
		}
	}
	return items, nil
}

// BadValue makes the error of a property that is not what it should be.
func (d *Document) BadValue(p *Property, want string) *Error {
	if p.Node != nil {
		return d.Errorf(p.Pos, BadValue, "%s is structured, not %s", p.Name, want)
	}
	return d.Errorf(p.Pos, BadValue, "%s is %s, which is not %s", p.Name, Quote(p.Text), want)
}

// Int reads a property that is a 32-bit integer.
func (d *Document) Int(p *Property) (int, error) {
	n, err := strconv.ParseInt(strings.TrimSpace(p.Text), 10, 32)
	if err != nil || p.Node != nil {
		return 0, d.BadValue(p, "a whole number")
	}
	return int(n), nil
}

// PlainText reads a property that is a text.
func (d *Document) PlainText(p *Property) (string, error) {
	if p.Node != nil {
		return "", d.BadValue(p, "a text")
	}
	return p.Text, nil
}
