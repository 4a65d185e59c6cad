package workspace

import (
	"context"
	"errors"
	"io/fs"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
)

// Imported is what came in with a bundle.
type Imported struct {
	Image   *Image
	Created bool // the image was not there before
	Changed bool // something in the bundle was not here already, or the raw is elsewhere now
}

// ImportBundle brings in what a bundle holds, after all of it was verified, as the
// image id, or, when that is empty, under the id that it has in the bundle. rawPath
// is where the raw is on this machine, or empty; files and raws lie below the
// allowed roots. An image that is deleted, restored or made meanwhile is taken as it is
// then.
func (w *Workspace) ImportBundle(ctx context.Context, path, id, rawPath string, roots []string) (in Imported, err error) {
	b, done, err := openBundle(ctx, path, roots)
	if err != nil {
		return in, err
	}
	defer done()
	if id != "" {
		b.file.ImageID = id
	}
	if err := b.findRaw(ctx, w, rawPath, roots); err != nil {
		return in, err
	}
	const tries = 10 // each time, somebody else has just been at the image
	for range tries {
		if in, err = w.importBundle(ctx, b, rawPath != ""); !errors.Is(err, errMeanwhile) {
			return in, err
		}
	}
	return in, fault.New(fault.State, "the image %s comes and goes while the bundle is brought in: try again", b.file.ImageID)
}

// errMeanwhile says that the image came or went since it was looked for.
var errMeanwhile = errors.New("the image came or went meanwhile")

// importBundle brings in a bundle as a new image, or onto the one that there is.
func (w *Workspace) importBundle(ctx context.Context, b bundle, newRaw bool) (in Imported, err error) {
	choice, err := w.ChooseID(b.file.ImageID, b.file.Raw)
	if err != nil {
		return in, err
	}
	if choice.Known != nil {
		return choice.Known.importOnto(ctx, b, newRaw)
	}
	err = w.add(ctx, choice.ID, func(dir string) error { return b.unpack(ctx, dir, w.historyOptions("")) })
	if errors.Is(err, errTaken) {
		return in, errMeanwhile // ChooseID says whether it is taken by the same raw
	}
	if err != nil {
		return in, err
	}
	in.Created, in.Changed = true, true
	if in.Image, err = w.Image(choice.ID); errors.Is(err, fault.NotFound) {
		return in, fault.Unknown("image", choice.ID, nil) // deleted meanwhile
	}
	return in, err
}

// importOnto goes on with an image to what a bundle has. The image's lock is held
// throughout, and the history is not made anew where somebody has deleted it.
func (i *Image) importOnto(ctx context.Context, b bundle, newRaw bool) (in Imported, err error) {
	ctx, unlock, err := i.History.Lock(ctx, "import_bundle")
	if errors.Is(err, versioning.NotInitialised) {
		if _, readErr := i.workspace.ImageFile(i.ImageID); errors.Is(readErr, fs.ErrNotExist) {
			return in, errMeanwhile
		}
		return in, fault.New(fault.State, "the image %s has no history any more: delete it, and import the bundle again", i.ImageID)
	}
	if err != nil {
		return in, err
	}
	defer unlock()
	file, err := i.workspace.ImageFile(i.ImageID)
	if errors.Is(err, fs.ErrNotExist) || err == nil && file.Raw.SHA256 != b.file.Raw.SHA256 {
		return in, errMeanwhile
	}
	if err != nil {
		return in, err
	}
	if in.Changed, err = i.History.Import(ctx, b.journal); err != nil {
		return in, err
	}
	if newRaw && !file.Raw.equal(b.file.Raw) {
		file.Raw, in.Changed = b.file.Raw, true
		if err := file.Write(i.Dir); err != nil {
			return in, err
		}
	}
	in.Image, err = i.workspace.Image(i.ImageID)
	return in, err
}

// findRaw says where the raw of a bundle is on this machine.
func (b *bundle) findRaw(ctx context.Context, w *Workspace, path string, roots []string) error {
	if path == "" {
		// A bundle comes from outside: it cannot lead to what may not be read.
		return Allowed(b.file.Raw.Path, roots, "a raw")
	}
	found, err := w.ReadRaw(ctx, path, roots)
	if err != nil {
		return err
	}
	if found.SHA256 != b.file.Raw.SHA256 {
		return fault.New(fault.State, "%s is not the raw of this history: its content has another digest", found.Path)
	}
	b.file.Raw = found
	return nil
}
