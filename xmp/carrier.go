package xmp

import (
	"slices"
	"strings"
)

// WithHistory gives the sidecar with the history stack of another one, and all
// that belongs to a history: its drawn forms, the pipeline order and the
// version of the format. What s says of the picture itself stays.
func (s *Sidecar) WithHistory(of *Sidecar) *Sidecar {
	next := *s
	next.entries, next.end, next.history, next.forms = of.entries, of.end, of.history, of.forms
	ofHistory := func(p property) bool { return p.name.space == nsDarktable && reserved(p.name.local) }
	next.props = slices.DeleteFunc(slices.Clone(s.props), ofHistory)
	for _, p := range of.props {
		if ofHistory(p) {
			next.props = append(next.props, p)
		}
	}
	slices.SortFunc(next.props, compareProperties)
	next.hints = settle(slices.Concat(s.hints, of.hints))
	return &next
}

// WithList gives the sidecar with a property that is a list of texts, such as
// "darktable:colorlabels"; none removes the property. Errors are those of
// WithProperty.
func (s *Sidecar) WithList(qualified string, texts []string) (*Sidecar, error) {
	next, err := s.WithProperty(qualified, strings.Join(texts, ""))
	if err != nil {
		return nil, err
	}
	n, _ := parseName(qualified)
	if len(texts) == 0 {
		next.props = without(next.props, n)
		return next, nil
	}
	seq := &node{name: name{nsRDF, "Seq"}}
	last := &seq.first
	for _, text := range texts {
		*last = &node{name: rdfLi, first: &node{text: text}}
		last = &(*last).next
	}
	i, _ := slices.BinarySearchFunc(next.props, property{name: n}, compareProperties)
	next.props[i] = property{name: n, node: &node{name: n, first: seq}}
	return next, nil
}
