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

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
)

// A bundle is a zip file, its members stored, with
//
//	image.json   as in the workspace
//	journal      the history: see versioning/FORMAT.md
//	marks.json   when there is one
//	brief.md     likewise
//	notes.md     likewise
const (
	bundleEnding  = ".chemigram"
	bundleJournal = "journal"
)

// belongings are the files that belong to an image beside its history and image.json:
// a bundle has those that are there.
var belongings = []string{marksName, "brief.md", "notes.md"}

// ExportBundle writes an image's history, with its marks, notes and brief, into a new
// file of a folder, and gives its path. Nothing is overwritten. A history that is
// damaged is a versioning fault, and no file is written.
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
	if err == nil {
		err = i.checkWritten(ctx, temp)
	}
	if err = errors.Join(err, temp.Chmod(0o644), atomicfile.Sync(temp), temp.Close()); err != nil {
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
	for _, name := range append([]string{imageName}, belongings...) {
		f, err := openOwn(i.Dir, name)
		if errors.Is(err, fs.ErrNotExist) && name != imageName {
			continue
		}
		if err != nil {
			return err
		}
		err = add(name, func(w io.Writer) error { _, err := io.Copy(w, f); return err })
		if err = errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	if err := add(bundleJournal, func(w io.Writer) error { _, err := i.History.Export(ctx, w); return err }); err != nil {
		return err
	}
	return out.Close()
}

// checkWritten reads a bundle that was written as one who imports it does.
func (i *Image) checkWritten(ctx context.Context, f *os.File) error {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	b, err := readBundle(f, size)
	if err == nil {
		err = b.verify(ctx)
	}
	if err == nil || ctx.Err() != nil || errors.Is(err, xmp.NamesPath) {
		return errors.Join(err, ctx.Err())
	}
	out := fault.New(fault.Versioning, "%s cannot be exported, and no bundle was written, as nobody could import it: %v; "+
		"call verify to see what is damaged, and repair to keep what is whole", i.ImageID, err)
	out.Permanent = true
	return out
}

// bundleTime stands for every member's, so that the same history makes the same
// bundle.
var bundleTime = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
