package stack

import (
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// CheckSupported refuses a history that a darktable cannot develop: darktable
// drops modules that it does not know, and parameters newer than its own, without
// a word.
func CheckSupported(sidecar *xmp.Sidecar, release iop.Release) error {
	for _, entry := range sidecar.History() {
		if entry.Fault != nil {
			return fault.New(fault.Synthesizer, "the settings of %s are damaged: %v", entry.Operation, entry.Fault)
		}
		known, ok := release.Modversion(entry.Operation)
		if !entry.Enabled {
			continue
		}
		if !ok {
			return fault.New(fault.NotImplemented, "darktable %s has no module %s, which this edit uses", release.Version(), entry.Operation).
				With("capability", entry.Operation).With("requires", "another darktable")
		}
		if entry.Modversion > known {
			return fault.New(fault.NotImplemented, "%s has modversion %d, darktable %s knows %d: this edit needs a newer darktable",
				entry.Operation, entry.Modversion, release.Version(), known).
				With("capability", entry.Operation).With("requires", "a newer darktable")
		}
	}
	return nil
}
