package vocab

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/xmp/iop"
)

func itoa(i int) string { return strconv.Itoa(i) }

// Requires limits an entry to darktables that can develop it. The zero value
// is no limit.
type Requires struct {
	Darktable VersionRange `json:"darktable,omitzero"`
	// Modules are modules that must be there beside those that the entry
	// changes.
	Modules []string `json:"modules,omitempty"`
}

// VersionRange is a range of darktable versions, such as ">=5.0" or
// ">=4.2.1 <5.4". The zero value holds every version.
type VersionRange struct{ bounds []bound }

type bound struct {
	op      string
	version [3]int
	text    string
}

// Holds tells whether a version such as "5.4.1" is in the range.
func (r VersionRange) Holds(version string) bool {
	v, err := parseVersion(version)
	if err != nil {
		return len(r.bounds) == 0
	}
	for _, b := range r.bounds {
		c := slices.Compare(v[:], b.version[:])
		if b.op == ">=" && c < 0 || b.op == ">" && c <= 0 || b.op == "<" && c >= 0 || b.op == "<=" && c > 0 {
			return false
		}
	}
	return true
}

// String is the range as it stands in a pack.
func (r VersionRange) String() string {
	parts := make([]string, len(r.bounds))
	for i, b := range r.bounds {
		parts[i] = b.op + b.text
	}
	return strings.Join(parts, " ")
}

// MarshalJSON writes the range as it stands in a pack.
func (r VersionRange) MarshalJSON() ([]byte, error) { return json.Marshal(r.String()) }

// IsZero tells whether every version is in the range.
func (r VersionRange) IsZero() bool { return len(r.bounds) == 0 }

func parseRange(s string) (VersionRange, error) {
	var r VersionRange
	for part := range strings.FieldsSeq(s) {
		digits := strings.TrimLeft(part, "<>=")
		op := part[:len(part)-len(digits)]
		v, err := parseVersion(digits)
		if err != nil || !slices.Contains([]string{">=", ">", "<", "<="}, op) {
			return VersionRange{}, fmt.Errorf("%q is no version range; want bounds such as \">=5.0\" or \">=4.2.1 <5.4\"", s)
		}
		r.bounds = append(r.bounds, bound{op, v, digits})
	}
	return r, nil
}

// parseVersion reads up to three numbers; a suffix after + or - is left out.
func parseVersion(s string) (v [3]int, err error) {
	s, _, _ = strings.Cut(s, "+")
	s, _, _ = strings.Cut(s, "-")
	parts := strings.Split(s, ".")
	if len(parts) > 3 {
		return v, fmt.Errorf("%q is no version", s)
	}
	for i, p := range parts {
		n, err := strconv.ParseUint(p, 10, 16)
		if err != nil {
			return v, fmt.Errorf("%q is no version", s)
		}
		v[i] = int(n)
	}
	return v, nil
}

// Available tells whether the entry works on a darktable, and why not.
func (e *Entry) Available(target iop.Release) (ok bool, reason string) {
	if r := e.Requires.Darktable; !r.Holds(target.Version()) {
		return false, fmt.Sprintf("requires darktable %s; installed is %s", r, target.Version())
	}
	for _, m := range slices.Concat(e.Requires.Modules, e.needs()) {
		if _, ok := target.Modversion(m); !ok {
			return false, fmt.Sprintf("darktable %s has no module %q", target.Version(), m)
		}
	}
	for _, o := range e.Ops {
		mv, _ := target.Modversion(o.Module)
		for _, c := range o.changes() {
			if _, err := iop.Field(o.Module, mv, c.field); err != nil {
				return false, fmt.Sprintf("darktable %s has no field %s in module %s", target.Version(), c.field, o.Module)
			}
		}
	}
	if e.ground != nil {
		if ok, reason := e.ground.Available(target); !ok {
			return false, fmt.Sprintf("it builds on %s, which %s", e.ground.Name, reason)
		}
	}
	for _, s := range e.style {
		if mv, _ := target.Modversion(s.entry.Operation); s.entry.Modversion > mv {
			return false, fmt.Sprintf("captured with a newer darktable: module %s has version %d, darktable %s knows %d",
				s.entry.Operation, s.entry.Modversion, target.Version(), mv)
		}
	}
	return true, ""
}

// needs lists the modules that a darktable has to have for the entry. One that
// is switched off may as well be missing.
func (e *Entry) needs() []string {
	off := func(m string) bool {
		return slices.ContainsFunc(e.Ops, func(o Op) bool { return o.Module == m && o.switchesOff() })
	}
	return slices.DeleteFunc(e.Touches(), off)
}
