package chemigram

import (
	"context"
	"os"
)

// ExportBundleParams are the parameters of ExportBundle.
type ExportBundleParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// OutputDir is the folder to write to; it is made when it is missing.
	// Default: the image's own folder in the workspace's exports.
	OutputDir string `json:"output_dir,omitempty"`
}

// ExportBundleResult is the bundle that was written.
type ExportBundleResult struct {
	// OutputPath is the bundle's path.
	OutputPath string `json:"output_path"`
	// Bytes is the size of the file.
	Bytes int64 `json:"bytes"`
	// Snapshots is how many lead to HEAD; the bundle has those of other branches,
	// too.
	Snapshots int `json:"snapshots"`
}

// ExportBundle writes an image's whole history, with its rating and colour labels,
// its notes and its brief, into one file, for a backup or to send it; the raw is not
// in it. Nothing is ever overwritten: a name that is taken gets a number. A history
// that is damaged is not exported: verify names the damage, and repair keeps what is
// whole.
func (e *Engine) ExportBundle(ctx context.Context, p ExportBundleParams) (_ ExportBundleResult, err error) {
	defer e.seal(&err, "export_bundle", p.ImageID)
	img, err := e.imageToWrite(&p, p.ImageID)
	if err != nil {
		return ExportBundleResult{}, err
	}
	log, err := e.Log(ctx, LogParams{ImageID: p.ImageID, Limit: 1})
	if err != nil {
		return ExportBundleResult{}, err
	}
	dir, err := e.exportDir(p.OutputDir, p.ImageID)
	if err != nil {
		return ExportBundleResult{}, err
	}
	path, err := img.ExportBundle(ctx, dir)
	if err != nil {
		return ExportBundleResult{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return ExportBundleResult{}, err
	}
	return ExportBundleResult{OutputPath: path, Bytes: info.Size(), Snapshots: log.Total}, nil
}

// ImportBundleParams are the parameters of ImportBundle.
type ImportBundleParams struct {
	// BundlePath is the file that export_bundle wrote.
	BundlePath string `json:"bundle_path"`
	// ImageID is the name that the image gets. Default: the one in the bundle.
	ImageID ImageID `json:"image_id,omitempty"`
	// RawPath is where the raw is on this machine; its content must be that of the
	// bundle. Default: the path in the bundle, or, of an image that is here already,
	// the one that it has.
	RawPath string `json:"raw_path,omitempty"`
}

// ImportBundleResult says what came in.
type ImportBundleResult struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Created is true when the image was not there before.
	Created bool `json:"created"`
	// Changed is false when everything in the bundle was here already, and the raw is
	// where it was.
	Changed bool `json:"changed"`
	// RawFound is true when the raw is where the image expects it.
	RawFound bool `json:"raw_found"`
	// StateAfter is the edit now.
	StateAfter State `json:"state_after"`
}

// ImportBundle brings in an image's history from a bundle, after all of it was
// verified. An image of the same raw that is an earlier state of the bundle's
// history goes on to it; a later state stays, and so importing twice is
// harmless. Another history or another raw under the id is an error: give an
// image_id. Rating, colour labels, notes and brief come in with a new image only. A
// bundle whose files are compressed, or claim more than they have, is refused.
func (e *Engine) ImportBundle(ctx context.Context, p ImportBundleParams) (_ ImportBundleResult, err error) {
	defer seal(&err, "import_bundle", p.ImageID)
	if err := e.validateWrite(&p); err != nil {
		return ImportBundleResult{}, err
	}
	in, err := e.workspace.ImportBundle(ctx, p.BundlePath, string(p.ImageID), p.RawPath, e.opts.RawRoots)
	if err != nil {
		return ImportBundleResult{}, err
	}
	now, err := e.GetState(ctx, GetStateParams{ImageID: ImageID(in.Image.ImageID)})
	if err != nil {
		return ImportBundleResult{}, err
	}
	_, err = os.Stat(in.Image.Raw.Path)
	return ImportBundleResult{
		ImageID: ImageID(in.Image.ImageID), Created: in.Created, Changed: in.Changed,
		RawFound: err == nil, StateAfter: now,
	}, nil
}
