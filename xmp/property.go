package xmp

import (
	"strings"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
)

// Property returns a property of the picture that is a text, by its usual name:
// "xmp:Rating", "xmpMM:DerivedFrom", "darktable:colorlabels". It is false when
// there is none, or when it is structured.
func (s *Sidecar) Property(qualified string) (string, bool) {
	n, ok := rdf.ParseName(qualified)
	if !ok {
		return "", false
	}
	return s.props.Text(n)
}

// List returns the members of a property that is a list of texts, such as
// "dc:subject" or "darktable:colorlabels".
func (s *Sidecar) List(qualified string) []string {
	n, ok := rdf.ParseName(qualified)
	if !ok {
		return nil
	}
	return s.props.List(n)
}

// WithProperty returns the sidecar with a property of the picture set to a text.
// The history and what describes it (history_end, iop_order_version and so on)
// are not set this way: that is BadValue, as is a prefix that is not usual.
func (s *Sidecar) WithProperty(qualified, value string) (*Sidecar, error) {
	n, ok := rdf.ParseName(qualified)
	if !ok {
		return nil, errorf(BadValue, "%q is no property with a usual prefix, such as xmp:Rating", qualified)
	}
	if isHistory(n) {
		return nil, errorf(BadValue, "%s belongs to the history; edit that with With", qualified)
	}
	if !rdf.IsText(value) {
		return nil, errorf(BadValue, "%q has characters that XML cannot hold", value)
	}
	next := *s
	next.props = s.props.With(rdf.Property{Name: n, Text: value})
	return &next, nil
}

// WithList returns the sidecar with a property that is a list of texts, such as
// "darktable:colorlabels"; none removes the property. Errors are those of
// WithProperty.
func (s *Sidecar) WithList(qualified string, texts []string) (*Sidecar, error) {
	next, err := s.WithProperty(qualified, strings.Join(texts, "")) // checks both
	if err != nil {
		return nil, err
	}
	n, _ := rdf.ParseName(qualified)
	if len(texts) == 0 {
		next.props = next.props.Without(n)
	} else {
		next.props = next.props.With(rdf.Property{Name: n, Node: rdf.NewSeq(n, texts)})
	}
	return next, nil
}
