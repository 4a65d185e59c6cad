package workspace

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
)

const (
	// trashStamp is how a name in the trash begins, so that names sort by time.
	trashStamp = "20060102T150405.000000000Z"

	// TrashNamePattern is the regular expression that a name in the trash matches
	// whole: when the image was deleted, and the id that it had.
	TrashNamePattern = `\d{8}T\d{6}\.\d{9}Z-` + IDPattern

	deletedName = "deleted.json"
)

// Deleted is an image in the trash, and what its folder's deleted.json says.
type Deleted struct {
	ImageID   string    `json:"image_id"`
	RawPath   string    `json:"raw_path"`
	DeletedAt time.Time `json:"deleted_at"`
	Actor     string    `json:"actor"`
	Reason    string    `json:"reason"`

	Name string `json:"-"`
}

// Discard moves an image to the trash, in one step. An image whose files cannot be
// read any more, or that has no history, can be deleted, too, and so can what is left of
// one; one that is not there is a not_found fault.
func (w *Workspace) Discard(ctx context.Context, id, reason string) (Deleted, error) {
	d := Deleted{ImageID: id, DeletedAt: time.Now().UTC(), Actor: w.Actor(ctx), Reason: reason}
	if err := RefuseLink(w.Path("images"), id); err != nil {
		return d, err
	}
	img, err := w.Image(id)
	if errors.Is(err, fault.NotFound) && !w.IsHalf(id) {
		return d, err
	}
	unlock, lockless := func() {}, false
	if err == nil {
		d.RawPath = img.Raw.Path
		var release func()
		if _, release, err = img.History.Lock(ctx, "delete_image"); err == nil {
			unlock = release
		} else if lockless = errors.Is(err, versioning.NotInitialised); !lockless {
			return d, err
		}
	}
	defer unlock()
	there := func() error {
		if lockless {
			// It was on its way to the trash, and is back: it has a lock again.
			if _, err := os.Lstat(filepath.Join(w.ImageDir(id), "history", "journal")); err == nil {
				return errMeanwhile
			}
		}
		_, err := os.Lstat(w.ImageDir(id))
		return err
	}
	if err := w.moveToTrash(ctx, &d, unlock, there); errors.Is(err, errMeanwhile) {
		return w.Discard(ctx, id, reason)
	} else if errors.Is(err, fs.ErrNotExist) {
		return d, fault.Unknown("image", id, nil) // deleted meanwhile
	} else if err != nil {
		return d, err
	}
	return d, nil
}

// moveToTrash moves an image's folder, unless ready fails. unlock releases the lock of
// its history, which the caller holds.
func (w *Workspace) moveToTrash(ctx context.Context, d *Deleted, unlock func(), ready func() error) error {
	dir := w.ImageDir(d.ImageID)
	data, err := json.Marshal(d)
	if err != nil {
		return err
	}
	if _, err := w.MakeFolder("trash"); err != nil {
		return err
	}
	// A crash before the rename leaves a note that nobody reads.
	if err := atomicfile.Write(filepath.Join(dir, deletedName), append(data, '\n'), 0o644); err != nil {
		return err
	}
	d.Name = d.DeletedAt.Format(trashStamp) + "-" + d.ImageID
	if runtime.GOOS == "windows" {
		unlock() // Windows moves no folder in which a file is open
	}
	if err := w.relocate(ctx, d.ImageID, dir, w.Path("trash", d.Name), ready); err != nil {
		return err
	}
	return errors.Join(atomicfile.SyncDir(w.Path("trash")), atomicfile.SyncDir(w.Path("images")))
}

// readTrash reads the note of what is in the trash.
func (w *Workspace) readTrash(name string) (Deleted, error) {
	if err := RefuseLink(w.Path("trash"), name); err != nil {
		return Deleted{}, err
	}
	data, err := readOwn(w.Path("trash", name), deletedName)
	if err != nil {
		return Deleted{}, asNotExist(err)
	}
	d := Deleted{}
	stamp, id, _ := strings.Cut(name, "-")
	at, err := time.Parse(trashStamp, stamp)
	if json.Unmarshal(data, &d) != nil || err != nil || d.ImageID != id {
		return Deleted{}, fault.New(fault.State, "%s is damaged: what is in the folder beside it is whole by itself",
			w.Path("trash", name, deletedName))
	}
	d.Name, d.DeletedAt = name, at
	return d, nil
}

// Trash lists what is in the trash, newest first.
func (w *Workspace) Trash() ([]Deleted, error) {
	all, _, err := w.ReadTrash()
	return all, err
}

// ReadTrash lists what is in the trash, newest first, and says what of it cannot be
// read. What is no deleted image is left out.
func (w *Workspace) ReadTrash() (all []Deleted, problems []string, err error) {
	entries, err := os.ReadDir(w.Path("trash"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	slices.Reverse(entries)
	for _, entry := range entries {
		d, err := w.readTrash(entry.Name())
		if err == nil {
			all = append(all, d)
		} else if !errors.Is(err, fs.ErrNotExist) {
			problems = append(problems, err.Error())
		}
	}
	return all, problems, nil
}

// Restore brings a deleted image back, as it was. It is a state fault when another
// image has taken its id meanwhile.
func (w *Workspace) Restore(ctx context.Context, name string) (Deleted, error) {
	d, err := w.readTrash(name)
	if errors.Is(err, fs.ErrNotExist) {
		return d, fault.Unknown("trash", name, w.sameIDInTrash(name))
	}
	if err != nil {
		return d, err
	}
	if w.IsHalf(d.ImageID) {
		if err := w.setAside(ctx, d.ImageID); err != nil {
			return d, err
		}
	}
	clash, err := w.DiffersInCase(d.ImageID)
	if err != nil {
		return d, err
	}
	taken := fault.New(fault.State, "the id %s is taken by another image meanwhile: delete that one first", d.ImageID)
	if clash {
		return d, taken
	}
	dir := w.ImageDir(d.ImageID)
	switch err := w.relocate(ctx, d.ImageID, w.Path("trash", d.Name), dir, w.isFree(d.ImageID)); {
	case errors.Is(err, fs.ErrExist):
		return d, taken
	case errors.Is(err, fs.ErrNotExist): // restored, or pruned, meanwhile
		return d, fault.Unknown("trash", name, w.sameIDInTrash(name))
	case err != nil:
		return d, err
	}
	w.dropNote(ctx, d.ImageID)
	return d, errors.Join(atomicfile.SyncDir(w.Path("images")), atomicfile.SyncDir(w.Path("trash")))
}

// dropNote removes the note of a deletion from an image that is back. Under the lock, so
// that it is not the note of somebody who deletes the image again. A note that stays is
// read by nobody.
func (w *Workspace) dropNote(ctx context.Context, id string) {
	img, err := w.Image(id)
	if err != nil {
		return
	}
	if _, unlock, err := img.History.Lock(ctx, "restore_image"); err == nil {
		_ = os.Remove(filepath.Join(img.Dir, deletedName))
		unlock()
	}
}

// sameIDInTrash lists what the trash has of the image that a name is about.
func (w *Workspace) sameIDInTrash(name string) (names []string) {
	all, _ := w.Trash()
	for _, d := range all {
		if strings.HasSuffix(name, "-"+d.ImageID) {
			names = append(names, d.Name)
		}
	}
	return names
}

// goneName is what a folder of the trash is called while it is deleted, so that
// none is found half there.
func goneName(name string) string { return ".tmp-" + name }

// EmptyTrash deletes for good what was deleted before a time. It goes on after what
// cannot be deleted, and joins the errors.
func (w *Workspace) EmptyTrash(before time.Time) (removed []string, err error) {
	entries, err := os.ReadDir(w.Path("trash"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	var errs []error
	for _, entry := range entries {
		if atomicfile.IsTemp(entry.Name()) { // of one who died while at it
			errs = append(errs, os.RemoveAll(w.Path("trash", entry.Name())))
		}
	}
	all, err := w.Trash()
	if err != nil {
		return nil, err
	}
	for _, d := range all {
		if !d.DeletedAt.Before(before) {
			continue
		}
		gone := w.Path("trash", goneName(d.Name))
		err := os.Rename(w.Path("trash", d.Name), gone)
		if errors.Is(err, fs.ErrNotExist) {
			continue // restored or deleted meanwhile
		}
		if err == nil {
			err = os.RemoveAll(gone)
		}
		if err == nil {
			removed = append(removed, d.Name)
		}
		errs = append(errs, err)
	}
	if len(removed) > 0 {
		errs = append(errs, atomicfile.SyncDir(w.Path("trash")))
	}
	return removed, errors.Join(errs...)
}
