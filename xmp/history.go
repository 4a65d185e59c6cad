package xmp

import (
	"slices"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
)

// WithHistory returns the sidecar with the history stack of another one, and all
// that belongs to a history: its drawn forms, the pipeline order and the
// version of the format. What s says of the picture itself stays.
func (s *Sidecar) WithHistory(of *Sidecar) *Sidecar {
	next := *s
	next.entries, next.end, next.hasHistory, next.forms = of.entries, of.end, of.hasHistory, of.forms
	next.props = slices.DeleteFunc(slices.Clone(s.props), func(p rdf.Property) bool { return isHistory(p.Name) })
	for _, p := range of.props {
		if isHistory(p.Name) {
			next.props = append(next.props, p)
		}
	}
	next.props.Sort()
	next.prefixes = s.prefixes.Merge(of.prefixes)
	return &next
}
