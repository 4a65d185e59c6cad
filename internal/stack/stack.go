package stack

import (
	"bytes"
	"iter"

	"github.com/chemigram/chemigram/internal/version"
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
	return Stack{Release: release.Observe(modversions(baseline)).ObserveBlend(blendVersion(baseline)), Current: current, Baseline: baseline}
}

// NewFor gives a Stack for the darktable that is installed, whose version is given, and
// a baseline that one of another version may have made. A baseline of a newer
// darktable shows nothing of the installed one.
func NewFor(release iop.Release, installed, madeBy string, current, baseline *xmp.Sidecar) Stack {
	own, _ := version.Parse(installed)
	if made, ok := version.Parse(madeBy); ok && made.Compare(own) > 0 {
		return Stack{Release: release, Current: current, Baseline: baseline}
	}
	return New(release, current, baseline)
}

// blendVersion is the newest version of the blend parameters in a sidecar.
func blendVersion(sidecar *xmp.Sidecar) int {
	newest := 0
	for _, entry := range sidecar.History() {
		newest = max(newest, entry.BlendVersion)
	}
	return newest
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

// Put sets an instance of a sidecar to an entry that was made of its own.
func Put(entry xmp.Entry) xmp.Put {
	if entry.MultiPriority == 0 {
		entry.MultiName = "" // a base instance may be called after a preset
	}
	return xmp.Put{Entry: entry, Numbered: entry.MultiPriority != 0}
}

// naming names the instances of the current version and of the baseline.
func (s Stack) naming() naming { return nameInstances(s.Current, s.Baseline) }

// developAlike reports whether two entries of one module instance develop alike.
func developAlike(a, b xmp.Entry) bool {
	return a.Enabled == b.Enabled && a.Modversion == b.Modversion &&
		bytes.Equal(a.Params, b.Params) && bytes.Equal(a.Blend, b.Blend)
}
