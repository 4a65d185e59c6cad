package workspace

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

// ExportBundle writes an image's history, with its notes and its brief, into a new
// file of a folder, and gives its path. Nothing is overwritten.
func (i *Image) ExportBundle(ctx context.Context, dir string) (path string, err error) {
	head, err := i.History.Head(ctx)
	if err != nil {
		return "", err
	}
	temp, err := os.CreateTemp(dir, ".tmp-*")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.Remove(temp.Name()) }()
	err = i.writeBundle(ctx, temp)
	if err = errors.Join(err, temp.Chmod(0o644), temp.Sync(), temp.Close()); err != nil {
		return "", err
	}
	stem := filepath.Join(dir, fmt.Sprintf("%s_%s", i.ImageID, head.Record.State.String()[:8]))
	return PublishNew(temp.Name(), stem, bundleEnding)
}

func (i *Image) writeBundle(ctx context.Context, w io.Writer) error {
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
