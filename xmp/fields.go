package xmp

import (
	"slices"
	"strings"
)

// Property gives a property of the picture that is a text, by its usual name:
// "xmp:Rating", "xmpMM:DerivedFrom", "darktable:colorlabels". It is false when
// there is none, or when it is structured.
func (s *Sidecar) Property(qualified string) (string, bool) {
	n, ok := parseName(qualified)
	if !ok {
		return "", false
	}
	return s.property(n)
}

// List gives the members of a property that is a list of texts, such as
// "dc:subject" or "darktable:colorlabels".
func (s *Sidecar) List(qualified string) []string {
	n, ok := parseName(qualified)
	if !ok {
		return nil
	}
	i, ok := slices.BinarySearchFunc(s.props, property{name: n}, compareProperties)
	if !ok || s.props[i].node == nil {
		return nil
	}
	var all []string
	for c := s.props[i].node.first; c != nil; c = c.next {
		for li := c.first; li != nil; li = li.next {
			if li.name == rdfLi {
				all = append(all, li.content())
			}
		}
	}
	return all
}

// WithProperty gives the sidecar with a property of the picture set to a text.
// The history and what describes it (history_end, iop_order_version and so on)
// are not set this way: that is BadValue, as is a prefix that is not usual.
func (s *Sidecar) WithProperty(qualified, value string) (*Sidecar, error) {
	n, ok := parseName(qualified)
	if !ok {
		return nil, failf(BadValue, "%q is no property with a usual prefix, such as xmp:Rating", qualified)
	}
	if n.space == nsDarktable && reserved(n.local) {
		return nil, failf(BadValue, "%s belongs to the history; edit that with With", qualified)
	}
	if badChar(value) >= 0 {
		return nil, failf(BadValue, "%q has characters that XML cannot hold", value)
	}
	next := *s
	next.props = withText(s.props, n, value)
	return &next, nil
}

func reserved(local string) bool {
	return strings.HasPrefix(local, "history") || strings.HasPrefix(local, "masks_history") ||
		strings.HasPrefix(local, "iop_order") || local == "xmp_version"
}

func (s *Sidecar) property(n name) (string, bool) {
	i, ok := slices.BinarySearchFunc(s.props, property{name: n}, compareProperties)
	if !ok || s.props[i].node != nil {
		return "", false
	}
	return s.props[i].text, true
}

// withText gives sorted properties with one set.
func withText(props []property, n name, text string) []property {
	i, ok := slices.BinarySearchFunc(props, property{name: n}, compareProperties)
	if ok {
		props = slices.Clone(props)
		props[i] = property{name: n, text: text}
		return props
	}
	return slices.Insert(slices.Clip(props), i, property{name: n, text: text})
}

func without(props []property, n name) []property {
	i, ok := slices.BinarySearchFunc(props, property{name: n}, compareProperties)
	if !ok {
		return props
	}
	return slices.Concat(props[:i], props[i+1:])
}

var spacesByPrefix = func() map[string]string {
	spaces := make(map[string]string, len(prefixes))
	for space, prefix := range prefixes {
		spaces[prefix] = space
	}
	return spaces
}()

func parseName(qualified string) (name, bool) {
	s := scanner{src: qualified}
	raw, err := s.name()
	space, ok := spacesByPrefix[raw.prefix]
	if err != nil || !ok || s.pos != len(qualified) || space == nsRDF || space == nsXML {
		return name{}, false
	}
	return name{space, raw.local}, true
}
