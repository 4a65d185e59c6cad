package workspace

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/exif"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
)

// Image is one image of a workspace: what it was registered with, and its
// history. It is shared between calls, and does not change.
type Image struct {
	Dir string
	File
	History *versioning.History

	workspace *Workspace
}

// File is image.json.
type File struct {
	ImageID    string       `json:"image_id"`
	Raw        Raw          `json:"raw"`
	EXIF       exif.Summary `json:"exif"`
	Darktable  string       `json:"darktable"` // that made the baseline
	IngestedAt time.Time    `json:"ingested_at"`
}

// Raw is the user's file, as it was at ingest.
type Raw struct {
	Path       string    `json:"path"`
	SHA256     string    `json:"sha256"`
	Size       int64     `json:"size"`
	ModifiedAt time.Time `json:"modified_at"`
}

// Image opens an image. It is a not_found fault when there is none of the id.
func (w *Workspace) Image(id string) (*Image, error) {
	img, err := w.open(id)
	if errors.Is(err, fs.ErrNotExist) {
		ids, _ := w.IDs()
		return nil, fault.Missing("image", id, ids)
	}
	return img, err
}

// openImage opens an image that is not open yet. It is fs.ErrNotExist when there
// is none of the id.
func (w *Workspace) openImage(id string) (*Image, error) {
	file, err := w.ImageFile(id)
	if err != nil {
		return nil, err
	}
	dir := w.ImageDir(id)
	if !w.opts.ReadOnly {
		sweep(dir)
	}
	img := &Image{Dir: dir, File: file, workspace: w}
	img.History, err = versioning.Open(filepath.Join(dir, "history"), w.historyOptions(id))
	return img, err
}

// ImageFile reads what an image was registered with, without opening its history.
// It is fs.ErrNotExist when there is none of the id.
func (w *Workspace) ImageFile(id string) (File, error) {
	if err := RefuseLink(w.Path("images"), id); err != nil {
		return File{}, err
	}
	path := filepath.Join(w.ImageDir(id), bundleImage)
	data, err := readOwn(w.ImageDir(id), bundleImage)
	if err != nil {
		return File{}, err
	}
	var file File
	if err := unmarshalChecked(data, &file); err != nil {
		return File{}, fault.New(fault.State, "%s is damaged: %v", path, err)
	}
	if file.ImageID != id {
		// On a file system that folds case, "a" opens the folder of "A".
		return File{}, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return file, nil
}

// SetRaw says where the raw of the image is now. It is a state fault when another raw
// is meant than that of the image.
func (i *Image) SetRaw(ctx context.Context, raw Raw) error {
	_, unlock, err := i.History.Lock(ctx, "ingest")
	if err != nil {
		return err
	}
	defer unlock()
	file, err := i.workspace.ImageFile(i.ImageID)
	if errors.Is(err, fs.ErrNotExist) {
		return fault.Unknown("image", i.ImageID, nil) // deleted meanwhile
	}
	if err != nil || file.Raw.equal(raw) {
		return err
	}
	if file.Raw.SHA256 != raw.SHA256 {
		return i.workspace.taken(i.ImageID)
	}
	file.Raw = raw
	return file.Write(i.Dir)
}

// equal reports whether two are the same file, as it was.
func (r Raw) equal(other Raw) bool {
	at := r.ModifiedAt
	r.ModifiedAt = other.ModifiedAt
	return r == other && at.Equal(other.ModifiedAt)
}

// Write writes image.json into an image's folder.
func (f File) Write(dir string) error {
	data, err := marshalChecked(struct {
		File
		checksum
	}{f, checksum{noChecksum}})
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, "image.json"), data, 0o644)
}

// Missing is the not_found fault of an image that is not there, and nil for one that is.
func (w *Workspace) Missing(id string) error {
	if _, err := w.ImageFile(id); !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	ids, _ := w.IDs()
	return fault.Missing("image", id, ids)
}
