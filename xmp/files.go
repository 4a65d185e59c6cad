package xmp

import (
	"errors"
	"slices"

	"github.com/chemigram/chemigram/xmp/iop"
)

// CheckFiles makes sure that no enabled entry of the history names a file by its path:
// a watermark, an overlay, a raster mask or a lookup table that darktable would read
// wherever the path leads. Otherwise it fails with an *Error of kind NamesPath.
func (s *Sidecar) CheckFiles() error {
	for _, e := range s.entries[:s.end] {
		if !e.enabled || !slices.Contains(iop.FileModules(), e.operation) {
			continue
		}
		entry := e.export()
		if err := entry.checkFiles(); err != nil {
			return err
		}
	}
	return nil
}

// checkFiles is CheckFiles for an entry. One that could not be decoded is left out, as
// darktable does.
func (e *Entry) checkFiles() error {
	if !e.Enabled || e.Fault != nil {
		return nil
	}
	err := iop.CheckFiles(e.Operation, e.Modversion, e.Params)
	if refused, ok := errors.AsType[*iop.Error](err); ok {
		return &Error{Kind: NamesPath, Operation: e.Operation, Instance: e.MultiName, Message: refused.Message}
	}
	return err
}
