package stack

import (
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Remove gives the current version without what edits did with a module, named
// like "exposure", or with one instance of it, named like "exposure:name":
// instances that the baseline has return to its settings, the others are removed.
func (s Stack) Remove(name string) (*xmp.Sidecar, error) {
	module, instance, single := strings.Cut(name, ":")
	names := s.naming()
	originals := names.instances(s.Baseline)
	var edits []xmp.Edit
	for _, entry := range names.instances(s.Current).all {
		id := names.of(entry)
		if id.operation != module || single && id.instance() != instance {
			continue
		}
		original, inBaseline := originals.find(id)
		switch {
		case !inBaseline:
			edits = append(edits, id.remove())
		case iop.OnEveryRaw(module) && developAlike(entry, original):
			return nil, fault.Invalid("/module_name", "%s cannot be removed: darktable does not develop a raw without it, and no edit has changed it", module)
		default:
			edits = append(edits, id.put(original, nil))
		}
	}
	if len(edits) == 0 {
		return nil, s.missing(module, name)
	}
	return s.Current.With(s.Release, edits...)
}

// missing is the error for a module, or an instance of it, that the current
// version does not have. It suggests instances of that module, and modules.
func (s Stack) missing(module, name string) error {
	names := s.naming()
	var known []string
	for _, entry := range s.Current.History() {
		if entry.Operation == module {
			known = append(known, names.of(entry).String())
		} else {
			known = append(known, entry.Operation)
		}
	}
	return fault.Missing("module", name, known)
}
