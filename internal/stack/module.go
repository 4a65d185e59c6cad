package stack

import (
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp/iop"
)

// refersToForms reports whether a module's parameters name drawn forms: then a
// single field means nothing without the forms and the other fields.
func refersToForms(operation string) bool { return operation == "retouch" || operation == "spots" }

// FindModule finds a module in a darktable release. It fails with the kinds
// [fault.NotImplemented], when only another release has it, and [fault.NotFound].
func FindModule(release iop.Release, name string) (iop.Module, error) {
	if m, ok := release.Module(name); ok {
		return m, nil
	}
	for _, other := range iop.Releases() {
		if _, ok := other.Module(name); ok {
			return iop.Module{}, fault.New(fault.NotImplemented, "darktable %s has no module %s; darktable %s has it", release.Version(), name, other.Version()).
				With("capability", name).With("requires", "darktable "+other.Version())
		}
	}
	var names []string
	for _, m := range release.Modules() {
		names = append(names, m.Operation)
	}
	return iop.Module{}, fault.Missing("module", name, names)
}
