package workspace

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"time"

	"github.com/chemigram/chemigram/internal/atomicfile"
)

// IsHalf reports whether a folder among the images is what is left of an image: it has
// a history, or nothing but an image's files, and no image.json that says which image
// it is. Nothing leaves such a folder; programs before this one could.
func (w *Workspace) IsHalf(id string) bool {
	if !ValidID(id) {
		return false
	}
	info, err := os.Lstat(w.ImageDir(id))
	if err != nil || !info.IsDir() {
		return false
	}
	entries, err := os.ReadDir(w.ImageDir(id))
	if err != nil {
		return false
	}
	ours, history := true, false
	for _, entry := range entries {
		switch name := entry.Name(); {
		case name == imageName:
			return false
		case name == "history":
			history = true
		case name != deletedName && !slices.Contains(belongings, name) && !atomicfile.IsTemp(name):
			ours = false
		}
	}
	return ours || history
}

// errWhole says that a folder is an image.
var errWhole = errors.New("it is an image")

// setAside moves what is left of an image to the trash, so that its id is free. It
// does nothing when it is gone, or has become an image, meanwhile.
func (w *Workspace) setAside(ctx context.Context, id string) error {
	d := Deleted{
		ImageID: id, DeletedAt: time.Now().UTC(), Actor: w.Actor(ctx),
		Reason: "it was a part of an image, without image.json",
	}
	err := w.moveToTrash(ctx, &d, func() {}, func() error {
		if !w.IsHalf(id) {
			return errWhole
		}
		return nil
	})
	if errors.Is(err, errWhole) || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// half describes what is left of an image, in a folder of that name among the images.
func (w *Workspace) half(id string) (Finding, bool) {
	return Finding{
		Fault: "unknown_file", File: "images/" + id, Detail: "it is no image: it has no image.json; it is what is left of one",
		Advice: "put image.json back from a backup; or call delete_image, or repair with this image_id: it goes to the trash, from where restore_image brings it back",
	}, w.IsHalf(id)
}

// CheckHalf finds what is left of an image. With repair it is moved to the trash.
func (w *Workspace) CheckHalf(ctx context.Context, id string, repair bool) (Finding, bool) {
	f, ok := w.half(id)
	f.Repaired = ok && repair && w.setAside(ctx, id) == nil
	return f, ok
}
