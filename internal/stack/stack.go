package stack

import (
	"bytes"
	"iter"

	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// Stack is a version of a picture's edit beside the baseline, which is what
// darktable set up for the raw. Its methods give new sidecars.
type Stack struct {
	// Release is the darktable that develops the edit.
	Release iop.Release
	// Current is the version that is looked at or edited.
	Current *xmp.Sidecar
	// Baseline is the picture's own.
	Baseline *xmp.Sidecar
}

// New gives a Stack whose release is what the baseline shows of it: a darktable
// between two known releases, or after the last, is written to in a form that it
// is seen to understand.
func New(release iop.Release, current, baseline *xmp.Sidecar) Stack {
	return Stack{Release: release.Observe(modversions(baseline)), Current: current, Baseline: baseline}
}

// modversions yields the modules of a sidecar with the versions of their
// parameters.
func modversions(sidecar *xmp.Sidecar) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		for _, entry := range sidecar.History() {
			if !yield(entry.Operation, entry.Modversion) {
				return
			}
		}
	}
}

// InstanceName is the name by which [xmp.Sidecar.Find] finds an entry: "" for the
// base instance, whatever darktable calls it.
func InstanceName(entry xmp.Entry) string {
	if entry.MultiPriority == 0 {
		return ""
	}
	return entry.MultiName
}

// instanceID names a module instance.
type instanceID struct{ operation, name string }

func idOf(entry xmp.Entry) instanceID { return instanceID{entry.Operation, InstanceName(entry)} }

// String is "exposure" for a base instance and "exposure:name" for another one.
func (id instanceID) String() string {
	if id.name == "" {
		return id.operation
	}
	return id.operation + ":" + id.name
}

// developAlike reports whether two entries of one module instance develop alike.
func developAlike(a, b xmp.Entry) bool {
	return a.Enabled == b.Enabled && a.Modversion == b.Modversion &&
		bytes.Equal(a.Params, b.Params) && bytes.Equal(a.Blend, b.Blend)
}
