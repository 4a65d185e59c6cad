package chemigram

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
	img, err := e.imageToWrite(&p, p.ImageID)
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
	img, err := e.imageToRead(&p, p.ImageID)
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
	// Partial leaves out what this darktable cannot develop. Default: that is refused.
	Partial bool `json:"partial,omitempty"`
	// Label describes the imported edit in your words.
	Label string `json:"label,omitempty"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// ImportSidecar takes over an edit that was made in darktable: the sidecar's
// history stack becomes a snapshot on this branch, and later moves build on it.
// The history's log says that darktable made it. Rating and colour labels come
// along. A sidecar of Lightroom or another program is refused, and so is one
// with modules that the installed darktable cannot develop, unless partial is given.
func (e *Engine) ImportSidecar(ctx context.Context, p ImportSidecarParams) (res EditResult, err error) {
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
	theirs, lost, err := e.readSidecar(ctx, p.Path, img.Raw.Path)
	if err != nil {
		return EditResult{}, err
	}
	change := versioning.Change{Op: "import_sidecar", Entry: "darktable", Label: p.Label}
	prepared, err := e.prepare(ctx, p.ImageID, change, func(now compose.Start, _ *versioning.Change) (*xmp.Sidecar, error) {
		readable, warning, err := stack.Importable(theirs, now.Release, p.Partial, lost)
		if err != nil {
			return nil, err
		}
		res.Warning = warning
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
	prepared.warning = strings.Join(slices.DeleteFunc([]string{res.Warning, prepared.warning}, func(s string) bool { return s == "" }), ". ")
	return e.commit(ctx, prepared)
}

// readSidecar reads a sidecar of darktable from a file that the engine may read. One of darktable
// 1 or 2 is read as the installed darktable writes it for the raw, which may have lost modules.
func (e *Engine) readSidecar(ctx context.Context, path, raw string) (theirs *xmp.Sidecar, lost []string, err error) {
	file, _, err := workspace.OpenUserFile(path, e.opts.RawRoots, "sidecars")
	if err != nil {
		return nil, nil, fault.At("/path", err)
	}
	defer func() { _ = file.Close() }()
	data, err := workspace.ReadRange(file, 0, xmp.MaxSize+1)
	if err != nil {
		return nil, nil, err
	}
	theirs, err = stack.ReadForeign(file.Name(), data)
	if err != nil || !stack.IsOld(theirs) {
		return theirs, nil, err
	}
	darktable, err := e.renderer()
	if err != nil {
		return nil, nil, stack.OldFormat(file.Name(), theirs)
	}
	if data, err = darktable.Rewritten(ctx, raw, data); err != nil {
		return nil, nil, err
	}
	return stack.ReadRewritten(theirs, data)
}
