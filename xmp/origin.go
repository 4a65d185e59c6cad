package xmp

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/xmp/internal/rdf"
)

// Origin names a vocabulary entry that had a part in making a history entry.
type Origin struct {
	Entry   string `json:"entry"`
	Pack    string `json:"pack"`
	Version string `json:"version"`
	Layer   string `json:"layer"`
}

// InstanceOrigins are the origins of one module instance.
type InstanceOrigins struct {
	Operation     string   `json:"operation"`
	MultiPriority int      `json:"instance"`
	Origins       []Origin `json:"origins"`
}

// Origins lists what made the active entries, by instance; WithOrigins puts
// such a list back after a round trip through Canonical. Instances without
// origins are not listed.
func (s *Sidecar) Origins() []InstanceOrigins {
	var all []InstanceOrigins
	for _, e := range s.entries[:s.end] {
		if len(e.origins) > 0 {
			all = append(all, InstanceOrigins{e.operation, e.priority, slices.Clone(e.origins)})
		}
	}
	return all
}

// WithOrigins returns the sidecar with the origins of its active entries
// replaced: an instance that the list does not name has none.
func (s *Sidecar) WithOrigins(o []InstanceOrigins) *Sidecar {
	next := *s
	next.entries = slices.Clone(s.entries)
	for i, e := range next.entries[:s.end] {
		var origins []Origin
		for _, named := range o {
			if named.Operation == e.operation && named.MultiPriority == e.priority {
				origins = named.Origins
			}
		}
		if !slices.Equal(origins, e.origins) {
			changed := *e
			changed.origins = slices.Clone(origins)
			next.entries[i] = &changed
		}
	}
	return &next
}

// formatOrigins returns the text of chemigram:origins. An origin is
// "pack/entry@version#layer"; several are separated by spaces, and characters of
// the syntax are percent-encoded.
func formatOrigins(origins []Origin) string {
	var b strings.Builder
	for i, o := range origins {
		if i > 0 {
			b.WriteByte(' ')
		}
		fmt.Fprintf(&b, "%s/%s@%s#%s", escapeOrigin(o.Pack), escapeOrigin(o.Entry), escapeOrigin(o.Version), escapeOrigin(o.Layer))
	}
	return b.String()
}

func escapeOrigin(s string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || strings.IndexByte("/@#%", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

func (r *reader) readOrigins(p *rdf.Property) ([]Origin, error) {
	var origins []Origin
	for field := range strings.FieldsSeq(p.Text) {
		pack, rest, ok1 := strings.Cut(field, "/")
		entry, rest, ok2 := strings.Cut(rest, "@")
		version, layer, ok3 := strings.Cut(rest, "#")
		o := Origin{Entry: entry, Pack: pack, Version: version, Layer: layer}
		ok := ok1 && ok2 && ok3 && p.Node == nil
		for _, part := range []*string{&o.Entry, &o.Pack, &o.Version, &o.Layer} {
			text, err := url.PathUnescape(*part)
			*part = text
			ok = ok && err == nil
		}
		if !ok {
			return nil, r.Errorf(p.Pos, BadValue, "chemigram:origins is %s, which is not pack/entry@version#layer", rdf.Quote(p.Text))
		}
		origins = append(origins, o)
	}
	return origins, nil
}
