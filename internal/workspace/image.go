package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

const imageName = "image.json"

// Identity tells an image from a later one that has its id.
type Identity struct {
	Raw     string          `json:"raw_sha256"`
	History versioning.Hash `json:"history"` // the first snapshot, which no other history has
}

// Identity tells which image this is.
func (i *Image) Identity(ctx context.Context) (Identity, error) {
	first, err := i.History.Resolve(ctx, BaselineTag)
	return Identity{Raw: i.Raw.SHA256, History: first.ID}, err
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

// Has reports whether there is an image that a text names.
func (w *Workspace) Has(text string) bool {
	if !ValidID(text) {
		return false
	}
	_, err := os.Stat(filepath.Join(w.ImageDir(text), imageName))
	return err == nil
}

// openImage opens an image that is not open yet. It is fs.ErrNotExist when there
// is none of the id.
func (w *Workspace) openImage(id string) (*Image, error) {
	dir := w.ImageDir(id)
	info, err := os.Stat(filepath.Join(dir, imageName))
	if err != nil {
		return nil, asNotExist(err)
	}
	file, err := w.ImageFile(id)
	if err != nil {
		return nil, err
	}
	if !w.opts.ReadOnly {
		sweep(dir)
	}
	img := &Image{Dir: dir, File: file, workspace: w}
	opts := w.historyOptions(id)
	if settle := opts.Locked; settle != nil {
		opts.Locked = func(ctx context.Context) (func(context.Context) error, error) {
			if err := img.stillThere(info); err != nil {
				return nil, err
			}
			return settle(ctx)
		}
	}
	img.History, err = versioning.Open(filepath.Join(dir, "history"), opts)
	return img, err
}

// stillThere makes sure that an image, whose lock was taken just now, was not deleted
// since it was opened. info describes its image.json then.
func (i *Image) stillThere(info fs.FileInfo) error {
	now, err := os.Stat(filepath.Join(i.Dir, imageName))
	if err == nil && isUntouched(info, now) {
		return nil
	}
	file, err := i.workspace.ImageFile(i.ImageID)
	if errors.Is(err, fs.ErrNotExist) {
		return i.workspace.Missing(i.ImageID, nil)
	}
	if err == nil && (file.Raw.SHA256 != i.Raw.SHA256 || !file.IngestedAt.Equal(i.IngestedAt)) {
		return fault.New(fault.State, "%s was deleted meanwhile, and another image has its id: call again", i.ImageID)
	}
	return err
}

// ImageFile reads what an image was registered with, without opening its history.
// It is fs.ErrNotExist when there is none of the id.
func (w *Workspace) ImageFile(id string) (File, error) {
	if err := RefuseLink(w.Path("images"), id); err != nil {
		return File{}, err
	}
	path := filepath.Join(w.ImageDir(id), imageName)
	data, err := readOwn(w.ImageDir(id), imageName)
	if err != nil {
		return File{}, asNotExist(err)
	}
	var file File
	if err := unmarshalMended(data, &file); err != nil {
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
	return atomicfile.Write(filepath.Join(dir, imageName), data, 0o644)
}

// Missing is the not_found fault of an image that is not there, or was not when an error
// about it arose, for it may have come back; otherwise it is nil.
func (w *Workspace) Missing(id string, err error) error {
	_, readErr := w.ImageFile(id)
	if !errors.Is(readErr, fs.ErrNotExist) && !w.wasAway(id, err) {
		return nil
	}
	ids, _ := w.IDs()
	return fault.Missing("image", id, ids)
}

// wasAway reports whether an error misses what an image has. It looks within the folder
// that it opens, wherever that is moved to meanwhile.
func (w *Workspace) wasAway(id string, err error) bool {
	missed := filepath.Join("history", "journal")
	if !errors.Is(err, versioning.NotInitialised) {
		path, ok := errors.AsType[*fs.PathError](err)
		if !ok || !errors.Is(path, fs.ErrNotExist) {
			return false
		}
		if missed, ok = strings.CutPrefix(path.Path, w.ImageDir(id)+string(filepath.Separator)); !ok {
			return false
		}
	}
	folder, err := os.OpenRoot(w.ImageDir(id))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	defer func() { _ = folder.Close() }()
	_, err = folder.Lstat(missed)
	return err == nil
}
