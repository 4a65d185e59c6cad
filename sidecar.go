package chemigram

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/compose"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
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
	defer e.seal(&err, "export_sidecar", p.ImageID)
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
	path, err := e.sidecarPath(ctx, img, shown, p)
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
func (e *Engine) sidecarPath(ctx context.Context, img *workspace.Image, shown workspace.Version, p ExportSidecarParams) (string, error) {
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
	if err := img.CheckRaw(ctx); err != nil {
		return "", err
	}
	path := img.Raw.Path + ".xmp"
	if err := workspace.Allowed(path, e.opts.ExportRoots, "exports"); err != nil {
		return "", err
	}
	if err := e.workspace.CheckOutput(path); err != nil {
		return "", err
	}
	if _, err := os.Lstat(path); err == nil && !p.Overwrite {
		return "", fault.New(fault.State, "%s is there already: give overwrite to replace it (it will be kept as .bak)", path)
	}
	return path, nil
}

// ReadSidecarParams are the parameters of ReadSidecar.
type ReadSidecarParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// RefOrHash is the version to read. Default: HEAD.
	RefOrHash RefOrHash `json:"ref_or_hash,omitempty"`
}

// ReadSidecarResult is a version as darktable keeps one.
type ReadSidecarResult struct {
	// XMP is the sidecar's text.
	XMP string `json:"xmp"`
	// StateHash is the hash of the look that it holds.
	StateHash string `json:"state_hash"`
}

// ReadSidecar gives a version as the text of a sidecar (.xmp): what
// ExportSidecar would write, without writing anything.
func (e *Engine) ReadSidecar(ctx context.Context, p ReadSidecarParams) (_ ReadSidecarResult, err error) {
	defer e.seal(&err, "read_sidecar", p.ImageID)
	if err := validate(&p); err != nil {
		return ReadSidecarResult{}, err
	}
	img, err := e.image(p.ImageID)
	if err != nil {
		return ReadSidecarResult{}, err
	}
	shown, sidecar, err := img.Marked(ctx, string(p.RefOrHash))
	if err != nil {
		return ReadSidecarResult{}, err
	}
	return ReadSidecarResult{XMP: string(sidecar.Bytes()), StateHash: shown.Record.State.String()}, nil
}

// ImportSidecarParams are the parameters of ImportSidecar.
type ImportSidecarParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Path of the sidecar. Default: the one beside the raw.
	Path string `json:"path,omitempty"`
	// Label describes the imported edit in your words.
	Label string `json:"label,omitempty"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// ImportSidecar takes over an edit that was made in darktable: the sidecar's
// history stack becomes a snapshot on this branch, and later moves build on it.
// The history's log says that darktable made it. Rating and colour labels come
// along. A sidecar of Lightroom or another program is refused, and so is one
// of a newer darktable than the installed one.
func (e *Engine) ImportSidecar(ctx context.Context, p ImportSidecarParams) (_ EditResult, err error) {
	defer e.seal(&err, "import_sidecar", p.ImageID)
	if err := e.validateWrite(&p); err != nil {
		return EditResult{}, err
	}
	ctx, cancel := e.renderContext(ctx, p.TimeoutSeconds)
	defer cancel()
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
	prepared, err := e.prepare(ctx, p.ImageID, change, func(now compose.Start, _ *versioning.Change) (*xmp.Sidecar, error) {
		readable, err := stack.Readable(theirs, now.Release)
		if err != nil {
			return nil, err
		}
		return now.Baseline.WithHistory(readable).Compact(now.Release)
	})
	if err != nil {
		return EditResult{}, err
	}
	defer prepared.release()
	if m := workspace.MarksOf(theirs); m.Rating != 0 || len(m.ColorLabels) > 0 {
		is, _, err := img.Marks()
		if err != nil {
			return EditResult{}, err
		}
		if !m.Equal(is) {
			prepared.Marks = &m
		}
	}
	return e.commit(ctx, prepared)
}

// readSidecar reads a sidecar of darktable from a file that the engine may read.
func (e *Engine) readSidecar(path string) (*xmp.Sidecar, error) {
	file, _, err := workspace.OpenUserFile(path, e.opts.RawRoots, "sidecars")
	if err != nil {
		return nil, fault.At("/path", err)
	}
	defer func() { _ = file.Close() }()
	path = file.Name()
	data, err := workspace.ReadRange(file, 0, xmp.MaxSize+1)
	if err != nil {
		return nil, err
	}
	sidecar, err := xmp.Parse(data)
	if err == nil {
		err = checkFormat(path, sidecar)
		if err != nil || sidecar.HistoryEnd() > 0 {
			return sidecar, err
		}
	}
	switch {
	case bytes.Contains(data, []byte(cameraRaw)):
		return nil, fault.Invalid("/path", "%s is a sidecar of Lightroom or Camera Raw: darktable takes over crop, exposure, tone curve and a few more of its settings "+
			"when it imports the raw with this file beside it; export a sidecar from there", path)
	case err != nil && !bytes.Contains(data, []byte(xmp.Namespace)): // another file, whose content is not told
		return nil, fault.Invalid("/path", "%s is not a sidecar of darktable", path)
	case err != nil:
		return nil, fault.Invalid("/path", "%s is not a sidecar of darktable: %v", path, err)
	}
	return nil, fault.Invalid("/path", "%s has no history stack: darktable has not edited this picture", path)
}

// checkFormat refuses a sidecar in a format that is not known, or that has no
// pipeline order.
func checkFormat(path string, sidecar *xmp.Sidecar) error {
	switch format, said := sidecar.FormatVersion(); {
	case said && format > xmp.NewestFormat:
		return fault.New(fault.NotImplemented, "%s is in format %d (xmp_version) of a newer darktable; formats up to %d are known: write it with darktable 5.4 or older",
			path, format, xmp.NewestFormat).With("capability", fmt.Sprintf("xmp_version %d", format)).With("requires", "a newer chemigram")
	case said && format < 3:
		return fault.Invalid("/path", "%s is in format %d (xmp_version) of darktable 1 or 2: open the picture in darktable 3.0 or newer, which writes it anew", path, format)
	}
	return nil
}

// cameraRaw is the namespace of Lightroom's and Camera Raw's settings.
const cameraRaw = "http://ns.adobe.com/camera-raw-settings/1.0/"
