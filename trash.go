package chemigram

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
)

// TrashName names a deleted image in the workspace's trash: when it was
// deleted, and the id that it had.
type TrashName string

const (
	// trashStamp is how a name in the trash begins, so that names sort by time.
	trashStamp = "20060102T150405.000000000Z"

	trashNamePattern = `\d{8}T\d{6}\.\d{9}Z-` + imageIDPattern
	trashNoteName    = "deleted.json"
)

// trashNote is deleted.json, which a deleted image's folder has.
type trashNote struct {
	ImageID   ImageID   `json:"image_id"`
	RawPath   string    `json:"raw_path"`
	DeletedAt time.Time `json:"deleted_at"`
	Actor     string    `json:"actor"`
	Reason    string    `json:"reason"`

	name TrashName
}

// discard moves an image's folder to the trash. unlock releases the lock of its
// history, which the caller holds.
func (w *workspace) discard(ctx context.Context, dir string, note trashNote, unlock func()) (TrashName, error) {
	data, err := json.Marshal(note)
	if err != nil {
		return "", err
	}
	if err := os.MkdirAll(w.path("trash"), 0o777); err != nil {
		return "", err
	}
	// A crash before the rename leaves a note that nobody reads.
	if err := atomicfile.Write(filepath.Join(dir, trashNoteName), append(data, '\n'), 0o644); err != nil {
		return "", err
	}
	name := TrashName(note.DeletedAt.Format(trashStamp) + "-" + string(note.ImageID))
	if runtime.GOOS == "windows" {
		unlock() // Windows moves no folder in which a file is open
	}
	if err := w.relocate(ctx, note.ImageID, dir, w.path("trash", string(name))); err != nil {
		return "", err
	}
	return name, errors.Join(atomicfile.SyncDir(w.path("trash")), atomicfile.SyncDir(w.path("images")))
}

// readTrash reads the note of what is in the trash.
func (w *workspace) readTrash(name TrashName) (trashNote, error) {
	data, err := os.ReadFile(w.path("trash", string(name), trashNoteName))
	if err != nil {
		return trashNote{}, err
	}
	note := trashNote{}
	stamp, id, _ := strings.Cut(string(name), "-")
	at, err := time.Parse(trashStamp, stamp)
	if json.Unmarshal(data, &note) != nil || err != nil || string(note.ImageID) != id {
		return trashNote{}, fault.New(fault.State, "%s is damaged: what is in the folder beside it is whole by itself",
			w.path("trash", string(name), trashNoteName))
	}
	note.name, note.DeletedAt = name, at
	return note, nil
}

// trash lists what is in the trash, newest first.
func (w *workspace) trash() ([]trashNote, error) {
	entries, err := os.ReadDir(w.path("trash"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	slices.Reverse(entries)
	var notes []trashNote
	for _, entry := range entries {
		note, err := w.readTrash(TrashName(entry.Name()))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fault.State) {
			continue
		}
		if err != nil {
			return nil, err
		}
		notes = append(notes, note)
	}
	return notes, nil
}

// bringBack moves a deleted image's folder out of the trash.
func (w *workspace) bringBack(ctx context.Context, note trashNote) error {
	dir := w.imageDir(note.ImageID)
	if err := w.relocate(ctx, note.ImageID, w.path("trash", string(note.name)), dir); err != nil {
		return err
	}
	return errors.Join(
		os.Remove(filepath.Join(dir, trashNoteName)),
		atomicfile.SyncDir(w.path("images")), atomicfile.SyncDir(w.path("trash")),
	)
}

// goneName is what a folder of the trash is called while it is deleted, so that
// none is found half there.
func goneName(name string) string { return ".tmp-" + name }

// emptyTrash deletes for good what was deleted before a time.
func (w *workspace) emptyTrash(before time.Time) (removed []TrashName, err error) {
	entries, err := os.ReadDir(w.path("trash"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, entry := range entries {
		if atomicfile.IsTemp(entry.Name()) { // of one who died while at it
			if err := os.RemoveAll(w.path("trash", entry.Name())); err != nil {
				return nil, err
			}
		}
	}
	notes, err := w.trash()
	if err != nil {
		return nil, err
	}
	for _, note := range notes {
		if !note.DeletedAt.Before(before) {
			continue
		}
		gone := w.path("trash", goneName(string(note.name)))
		if err := os.Rename(w.path("trash", string(note.name)), gone); err != nil {
			return removed, err
		}
		if err := os.RemoveAll(gone); err != nil {
			return removed, err
		}
		removed = append(removed, note.name)
	}
	return removed, nil
}
