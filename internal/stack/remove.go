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
	var edits []xmp.Edit
	for _, entry := range s.Current.History() {
		id := idOf(entry)
		if id.operation != module || single && id.name != instance {
			continue
		}
		original, inBaseline := s.Baseline.Find(id.operation, id.name)
		switch {
		case !inBaseline:
			edits = append(edits, xmp.Remove{Operation: id.operation, MultiName: id.name})
		case iop.OnEveryRaw(module) && developAlike(entry, original):
			return nil, fault.New(fault.InvalidInput, "%s cannot be removed: darktable does not develop a raw without it, and no edit has changed it", module)
		default:
			edits = append(edits, xmp.Put{Entry: original})
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
	var names []string
	for _, entry := range s.Current.History() {
		if entry.Operation == module {
			names = append(names, idOf(entry).String())
		} else {
			names = append(names, entry.Operation)
		}
	}
	return fault.Missing("module", name, names)
}
