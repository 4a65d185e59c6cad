package vocab

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/version"
)

// Requires limits an entry to darktables that can develop it. The zero value
// is no limit.
type Requires struct {
	Darktable VersionRange `json:"darktable,omitzero"`
	// Modules are modules that must be there beside those that the entry
	// changes.
	Modules []string `json:"modules,omitempty"`
}

// VersionRange is a range of darktable versions, such as ">=5.0" or
// ">=4.2.1 <5.4". The zero value includes every version.
type VersionRange struct{ bounds []bound }

type bound struct {
	op      string
	version version.Version
	text    string // the version as it was written
}

// Holds reports whether a version such as "5.4.1" is in the range.
func (r VersionRange) Holds(darktable string) bool {
	if r.IsZero() {
		return true
	}
	v, ok := version.Parse(darktable)
	if !ok {
		return false
	}
	for _, b := range r.bounds {
		c := v.Compare(b.version)
		if b.op == ">=" && c < 0 || b.op == ">" && c <= 0 || b.op == "<" && c >= 0 || b.op == "<=" && c > 0 {
			return false
		}
	}
	return true
}

// String is the range as a pack has it.
func (r VersionRange) String() string {
	parts := make([]string, len(r.bounds))
	for i, b := range r.bounds {
		parts[i] = b.op + b.text
	}
	return strings.Join(parts, " ")
}

// MarshalJSON writes the range as a pack has it.
func (r VersionRange) MarshalJSON() ([]byte, error) { return json.Marshal(r.String()) }

// IsZero reports whether every version is in the range.
func (r VersionRange) IsZero() bool { return len(r.bounds) == 0 }

func parseRange(s string) (VersionRange, error) {
	var r VersionRange
	for part := range strings.FieldsSeq(s) {
		digits := strings.TrimLeft(part, "<>=")
		op := part[:len(part)-len(digits)]
		v, ok := version.Parse(digits)
		if !ok || !slices.Contains([]string{">=", ">", "<", "<="}, op) {
			return VersionRange{}, fmt.Errorf("%q is not a version range; want bounds such as \">=5.0\" or \">=4.2.1 <5.4\"", s)
		}
		r.bounds = append(r.bounds, bound{op, v, digits})
	}
	return r, nil
}
