package chemigram

import (
	"bytes"
	"context"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// ImportSidecarParams are the parameters of ImportSidecar.
type ImportSidecarParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Path of the sidecar. Default: the one beside the raw.
	Path string `json:"path,omitempty"`
	// Label describes the imported edit in your words.
	Label string `json:"label,omitempty"`
}

// ImportSidecar takes over an edit that was made in darktable: the sidecar's
// history stack becomes a snapshot on this branch, and later moves build on it.
// The history's log says that darktable made it. Rating and colour labels come
// along. A sidecar of Lightroom or another program is refused, and so is one
// of a newer darktable than the installed one.
func (e *Engine) ImportSidecar(ctx context.Context, p ImportSidecarParams) (_ EditResult, err error) {
	defer seal(&err, "import_sidecar", p.ImageID)
	if err := e.validateWrite(&p); err != nil {
		return EditResult{}, err
	}
	img, err := e.image(p.ImageID)
	if err != nil {
		return EditResult{}, err
	}
	if p.Path == "" {
		p.Path = img.Raw.Path + ".xmp"
	}
	theirs, err := e.readSidecar(p.Path)
	if err != nil {
		return EditResult{}, err
	}
	change := versioning.Change{Op: "import_sidecar", Entry: "darktable", Label: p.Label}
	res, err := e.edit(ctx, p.ImageID, change, func(now compose.Start, _ *versioning.Change) (*xmp.Sidecar, error) {
		if err := stack.CheckSupported(theirs, now.Release); err != nil {
			return nil, err
		}
		return now.Baseline.WithHistory(theirs).Compact(now.Release)
	})
	if err != nil {
		return EditResult{}, err
	}
	if m := workspace.MarksOf(theirs); m.Rating != 0 || len(m.ColorLabels) > 0 {
		if _, err := img.SetMarks(ctx, func(is *workspace.Marks) { *is = m }); err != nil {
			return EditResult{}, err
		}
	}
	return res, nil
}

// readSidecar reads a sidecar of darktable from a file that the engine may read.
func (e *Engine) readSidecar(path string) (*xmp.Sidecar, error) {
	file, _, err := workspace.OpenUserFile(path, e.opts.RawRoots, "sidecars")
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	path = file.Name()
	data, err := workspace.ReadRange(file, 0, xmp.MaxSize+1)
	if err != nil {
		return nil, err
	}
	sidecar, err := xmp.Parse(data)
	switch {
	case err == nil && sidecar.HistoryEnd() > 0:
		return sidecar, nil
	case bytes.Contains(data, []byte(cameraRaw)):
		return nil, fault.New(fault.InvalidInput, "%s is a sidecar of Lightroom or Camera Raw: darktable takes over crop, exposure, tone curve and a few more of its settings "+
			"when it imports the raw with this file beside it; export a sidecar from there", path)
	case err != nil:
		return nil, fault.New(fault.InvalidInput, "%s is not a sidecar of darktable: %v", path, err)
	}
	return nil, fault.New(fault.InvalidInput, "%s has no history stack: darktable has not edited this picture", path)
}

// cameraRaw is the namespace of Lightroom's and Camera Raw's settings.
const cameraRaw = "http://ns.adobe.com/camera-raw-settings/1.0/"
