package chemigram

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
)

// ExportSidecarParams are the parameters of ExportSidecar.
type ExportSidecarParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// RefOrHash is the version to write. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
	// BesideRaw writes to where darktable looks for it: beside the raw, with
	// its name and ".xmp" added. Default: the image's folder in the workspace's
	// exports.
	BesideRaw bool `json:"beside_raw,omitempty"`
	// Overwrite replaces a sidecar that is there; it is kept with ".bak" added.
	// Default: that is refused beside the raw, and numbered elsewhere.
	Overwrite bool `json:"overwrite,omitempty"`
}

// ExportSidecarResult is the sidecar that was written.
type ExportSidecarResult struct {
	// OutputPath is the sidecar's path.
	OutputPath string `json:"output_path"`
	// BackupPath is where the sidecar that was there is kept; empty when there
	// was none.
	BackupPath string `json:"backup_path"`
	// StateHash is the hash of the look that it holds.
	StateHash string `json:"state_hash"`
}

// ExportSidecar writes a version as a sidecar (.xmp) that darktable opens with
// the edit intact: all modules, instances, masks, their order, and the rating
// and colour labels. Beside the raw it is written only when asked, and never
// over another one unless told so. darktable reads it when it imports the raw;
// for a raw that it knows already, load it there as a sidecar file.
func (e *Engine) ExportSidecar(ctx context.Context, p ExportSidecarParams) (_ ExportSidecarResult, err error) {
	defer seal(&err, "export_sidecar", p.ImageID)
	if err := e.validateWrite(&p); err != nil {
		return ExportSidecarResult{}, err
	}
	img, err := e.image(p.ImageID)
	if err != nil {
		return ExportSidecarResult{}, err
	}
	shown, sidecar, err := img.Marked(ctx, string(p.RefOrHash))
	if err != nil {
		return ExportSidecarResult{}, err
	}
	path, err := e.sidecarPath(img, shown, p)
	if err != nil {
		return ExportSidecarResult{}, err
	}
	res := ExportSidecarResult{OutputPath: path, StateHash: shown.Record.State.String()}
	if p.Overwrite {
		if res.BackupPath, err = workspace.BackUp(path); err != nil {
			return ExportSidecarResult{}, err
		}
	}
	return res, workspace.Write(path, sidecar.Bytes(), 0o644)
}

// sidecarPath is where a sidecar goes: a place that may be written to.
func (e *Engine) sidecarPath(img *workspace.Image, shown workspace.Version, p ExportSidecarParams) (string, error) {
	if !p.BesideRaw {
		dir, err := e.exportDir("", ImageID(img.ImageID))
		if err != nil {
			return "", err
		}
		stem := filepath.Join(dir, fmt.Sprintf("%s_%s", img.ImageID, shown.Record.State.String()[:8]))
		if p.Overwrite {
			return stem + ".xmp", nil
		}
		return workspace.FreePath(stem, ".xmp")
	}
	if err := img.CheckRaw(); err != nil {
		return "", err
	}
	path := img.Raw.Path + ".xmp"
	if err := workspace.Allowed(path, e.opts.ExportRoots, "exports"); err != nil {
		return "", err
	}
	if _, err := os.Lstat(path); err == nil && !p.Overwrite {
		return "", fault.New(fault.State, "%s is there already: give overwrite to replace it (it will be kept as .bak)", path)
	}
	return path, nil
}
