package xmp

import "github.com/chemigram/chemigram/xmp/iop"

// Compact gives the sidecar with one active entry per module instance, in
// pipeline order: the form that every edit leaves behind.
func (s *Sidecar) Compact(target iop.Release) (*Sidecar, error) { panic("stub") }

// Edit is one change of the history stack: Put or Remove.
type Edit interface{ edit() }

// Put sets one module instance whole. The instance is found by operation and
// MultiName ("" is the base instance); MultiPriority is chosen by the sidecar.
// A new named instance gets its place in the pipeline right after the
// module's last instance, and the pipeline order is written out.
type Put struct{ Entry Entry }

// Remove takes the active entries of one module instance out of the stack.
type Remove struct{ Operation, MultiName string }

func (Put) edit()    {}
func (Remove) edit() {}

// With applies edits and gives the new, compact sidecar. target is the
// darktable that will develop it.
func (s *Sidecar) With(target iop.Release, edits ...Edit) (*Sidecar, error) { panic("stub") }
