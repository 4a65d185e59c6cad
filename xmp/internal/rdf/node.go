package rdf

import "strings"

// Node is an element of a document, or a text between elements.
type Node struct {
	Name  Name // its Local is empty for a text
	Attrs []Attr
	Text  string
	First *Node // child
	Next  *Node // sibling
	Pos   int   // the offset in the document
}

// Attr is an attribute of an element.
type Attr struct {
	Name  Name
	Value string
}

// IsText reports whether the node is a text, not an element.
func (n *Node) IsText() bool { return n.Name.Local == "" }

// Attr returns the value of an attribute.
func (n *Node) Attr(name Name) (string, bool) {
	for i := range n.Attrs {
		if n.Attrs[i].Name == name {
			return n.Attrs[i].Value, true
		}
	}
	return "", false
}

// Content is the element's text; its child elements do not count.
func (n *Node) Content() string {
	if n.First != nil && n.First.Next == nil {
		return n.First.Text
	}
	var b strings.Builder
	for k := n.First; k != nil; k = k.Next {
		b.WriteString(k.Text)
	}
	return b.String()
}

// hasElements reports whether the node has child elements.
func (n *Node) hasElements() bool {
	for k := n.First; k != nil; k = k.Next {
		if !k.IsText() {
			return true
		}
	}
	return false
}

// AddSpaces adds the namespaces that the node and all below it use.
func (n *Node) AddSpaces(used map[string]bool) {
	used[n.Name.Space] = true
	for i := range n.Attrs {
		used[n.Attrs[i].Name.Space] = true
	}
	for k := n.First; k != nil; k = k.Next {
		k.AddSpaces(used)
	}
}

// NewSeq makes the element name that holds an rdf:Seq of texts.
func NewSeq(name Name, texts []string) *Node { return newList(name, "Seq", texts) }

// NewBag makes the element name that holds an rdf:Bag of texts.
func NewBag(name Name, texts []string) *Node { return newList(name, "Bag", texts) }

func newList(name Name, kind string, texts []string) *Node {
	list := &Node{Name: Name{SpaceRDF, kind}}
	last := &list.First
	for _, text := range texts {
		*last = &Node{Name: nameLi, First: &Node{Text: text}}
		last = &(*last).Next
	}
	return &Node{Name: name, First: list}
}
