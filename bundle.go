package chemigram

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/chemigram/chemigram/internal/atomicfile"
)

// A bundle is a zip file, its members stored, with
//
//	image.json   as in the workspace
//	journal      the history: see versioning/FORMAT.md
//	brief.md     when there is one
//	notes.md     likewise
const (
	bundleEnding  = ".chemigram"
	bundleImage   = "image.json"
	bundleJournal = "journal"

	mostBundleText    = 4 << 20 // bytes of image.json, brief.md or notes.md
	mostBundleJournal = 2 << 30
)

var bundleTexts = []string{"brief.md", "notes.md"}

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
	// OutputPath is its path.
	OutputPath string `json:"output_path"`
	// Bytes is the size of the file.
	Bytes int64 `json:"bytes"`
	// Snapshots that lead to HEAD; those of other branches are in it, too.
	Snapshots int `json:"snapshots"`
}

// ExportBundle writes an image's whole history, with its notes and its brief,
// into one file, for a backup or to send it; the raw is not in it. Nothing is
// ever overwritten: a name that is taken gets a number.
func (e *Engine) ExportBundle(ctx context.Context, p ExportBundleParams) (_ ExportBundleResult, err error) {
	defer seal(&err, "export_bundle", p.ImageID)
	if err := errors.Join(validate(&p), e.writable()); err != nil {
		return ExportBundleResult{}, err
	}
	img, err := e.image(p.ImageID)
	if err != nil {
		return ExportBundleResult{}, err
	}
	head, err := img.History.Head(ctx)
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
	temp, err := os.CreateTemp(dir, ".tmp-*")
	if err != nil {
		return ExportBundleResult{}, err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	err = img.writeBundle(ctx, temp)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Sync(), temp.Close()); err != nil {
		return ExportBundleResult{}, err
	}
	stem := filepath.Join(dir, fmt.Sprintf("%s_%s", p.ImageID, head.Record.State.String()[:8]))
	res := ExportBundleResult{Snapshots: log.Total}
	if res.OutputPath, err = linkNew(temp.Name(), stem, bundleEnding); err != nil {
		return ExportBundleResult{}, err
	}
	info, err := os.Stat(res.OutputPath)
	if err != nil {
		return ExportBundleResult{}, err
	}
	res.Bytes = info.Size()
	return res, atomicfile.SyncDir(dir)
}

// linkNew gives a file the first name that is free: STEM.EXT, STEM_2.EXT, …
func linkNew(temp, stem, ext string) (string, error) {
	for n := 1; ; n++ {
		path := stem + ext
		if n > 1 {
			path = fmt.Sprintf("%s_%d%s", stem, n, ext)
		}
		err := os.Link(temp, path)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			return path, nil
		}
		// A file system without links: take the name first, then the place.
		f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err == nil {
			err = errors.Join(f.Close(), os.Rename(temp, path))
		}
		return path, err
	}
}

func (i *image) writeBundle(ctx context.Context, w io.Writer) error {
	out := zip.NewWriter(w)
	add := func(name string, fill func(io.Writer) error) error {
		member, err := out.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: bundleTime})
		if err != nil {
			return err
		}
		return fill(member)
	}
	for _, name := range append([]string{bundleImage}, bundleTexts...) {
		data, err := os.ReadFile(filepath.Join(i.Dir, name))
		if errors.Is(err, fs.ErrNotExist) && name != bundleImage {
			continue
		}
		if err != nil {
			return err
		}
		if err := add(name, func(w io.Writer) error { _, err := w.Write(data); return err }); err != nil {
			return err
		}
	}
	if err := add(bundleJournal, func(w io.Writer) error { _, err := i.History.Export(ctx, w); return err }); err != nil {
		return err
	}
	return out.Close()
}

// bundleTime stands for every member's, so that the same history makes the same
// bundle.
var bundleTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
