package stack

import (
	"fmt"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Readable gives a sidecar as a darktable reads it, or refuses one that it cannot
// develop. Beside what [CheckSupported] refuses, darktable drops masks of newer
// blend parameters, and applies a masked edit everywhere: they are written in its
// own version where that can say the same.
func Readable(sidecar *xmp.Sidecar, release iop.Release) (*xmp.Sidecar, error) {
	if err := CheckSupported(sidecar, release); err != nil {
		return nil, err
	}
	readable, err := sidecar.WithBlendVersion(release.ReadsBlend())
	if err != nil {
		return nil, unsupportedBlend(release, err)
	}
	return readable, nil
}

func unsupportedBlend(release iop.Release, err error) error {
	return unsupported("blend parameters", "a newer darktable", "darktable %s knows blend parameters up to version %d: %v; this edit needs a newer darktable, or to be changed there",
		release.Version(), release.ReadsBlend(), err)
}

// CheckSupported refuses a history that a darktable cannot develop: darktable
// drops modules that it does not know, and parameters and drawn forms newer than
// its own, without a word. It also refuses one that names files by their paths.
func CheckSupported(sidecar *xmp.Sidecar, release iop.Release) error {
	if err := sidecar.CheckFiles(); err != nil {
		return err
	}
	for _, entry := range sidecar.History() {
		if err := checkEntry(sidecar, entry, release); err != nil {
			return err
		}
	}
	return nil
}

// checkEntry is CheckSupported for an entry, but for the files that it names.
func checkEntry(sidecar *xmp.Sidecar, entry xmp.Entry, release iop.Release) error {
	if entry.Fault != nil {
		return fault.New(fault.Synthesizer, "the settings of %s are damaged: %v", entry.Operation, entry.Fault)
	}
	if !entry.Enabled {
		return nil
	}
	known, ok := release.Reads(entry.Operation)
	switch {
	case !ok:
		return unsupported(entry.Operation, "another darktable", "darktable %s has no module %s, which this edit uses", release.Version(), entry.Operation)
	case entry.Modversion > known:
		return unsupported(entry.Operation, "a newer darktable", "%s has modversion %d, darktable %s knows %d: this edit needs a newer darktable",
			entry.Operation, entry.Modversion, release.Version(), known)
	}
	for _, form := range sidecar.FormsOfNumber(entry.Operation, entry.MultiPriority) {
		if form.Version > mask.FormVersion {
			return unsupported(entry.Operation, "a newer darktable", "the mask of %s has a form of mask_version %d, and up to %d are known: this edit needs a newer darktable",
				entry.Operation, form.Version, mask.FormVersion)
		}
	}
	return nil
}

// smallestCrop is how much of the width and of the height a crop keeps at least, as in
// darktable's window.
const smallestCrop = 0.1

// tooSmallCrop says what is wrong with a crop that keeps less, or nothing: on some of
// them darktable 5.4 never ends.
func tooSmallCrop(entry xmp.Entry) string {
	if entry.Operation != "crop" || !entry.Enabled {
		return ""
	}
	params, err := iop.Decode(entry.Operation, entry.Modversion, entry.Params)
	if err != nil {
		return ""
	}
	field := func(name string) float64 {
		v, _ := params.Get(name)
		f, _ := v.Float()
		return f
	}
	width, height := field("cw")-field("cx"), field("ch")-field("cy")
	const rounding = 1e-6
	if width > smallestCrop-rounding && height > smallestCrop-rounding {
		return ""
	}
	return fmt.Sprintf("the crop keeps %.3g of the width, from cx to cw, and %.3g of the height, from cy to ch: keep at least %v of each",
		max(0, width), max(0, height), smallestCrop)
}

// CheckNext refuses a look that names files by their paths, or whose crop keeps next to
// nothing, unless the current one does so already: then it can still be edited until it
// does not.
func (s Stack) CheckNext(next *xmp.Sidecar) error {
	if err := next.CheckFiles(); err != nil && s.Current.CheckFiles() == nil {
		return err
	}
	if problem := cropProblem(next); problem != "" && cropProblem(s.Current) == "" {
		return fault.New(fault.Synthesizer, "%s", problem)
	}
	return nil
}

// cropProblem is what [tooSmallCrop] says of a look.
func cropProblem(look *xmp.Sidecar) string {
	entry, _ := look.Find("crop", "")
	return tooSmallCrop(entry)
}

// unsupported is the error about what the installed darktable cannot develop.
func unsupported(capability, requires, format string, args ...any) error {
	return fault.New(fault.NotImplemented, "%s", fmt.Sprintf(format, args...)).With("capability", capability).With("requires", requires)
}
