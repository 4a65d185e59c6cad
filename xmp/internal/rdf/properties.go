package rdf

import "slices"

// Properties are the properties of one resource. All methods but Sort expect
// them sorted by name; none changes them.
type Properties []Property

// Sort sorts the properties by name.
func (ps Properties) Sort() { slices.SortFunc(ps, compareProperties) }

func (ps Properties) find(name Name) (int, bool) {
	return slices.BinarySearchFunc(ps, name, func(p Property, name Name) int { return compareNames(p.Name, name) })
}

// Text returns a property that is a text.
func (ps Properties) Text(name Name) (string, bool) {
	i, ok := ps.find(name)
	if !ok || ps[i].Node != nil {
		return "", false
	}
	return ps[i].Text, true
}

// List returns the texts of a property that is a container.
func (ps Properties) List(name Name) []string {
	i, ok := ps.find(name)
	if !ok || ps[i].Node == nil {
		return nil
	}
	var all []string
	for c := ps[i].Node.First; c != nil; c = c.Next {
		for li := c.First; li != nil; li = li.Next {
			if li.Name == nameLi {
				all = append(all, li.Content())
			}
		}
	}
	return all
}

// With returns the properties with one set.
func (ps Properties) With(p Property) Properties {
	i, ok := ps.find(p.Name)
	if ok {
		ps = slices.Clone(ps)
		ps[i] = p
		return ps
	}
	return slices.Insert(slices.Clip(ps), i, p)
}

// Without returns the properties without one.
func (ps Properties) Without(name Name) Properties {
	i, ok := ps.find(name)
	if !ok {
		return ps
	}
	return slices.Concat(ps[:i], ps[i+1:])
}
