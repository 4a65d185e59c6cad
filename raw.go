package chemigram

import (
	"errors"
	"io/fs"
	"os"
)

// checkRaw makes sure that the raw is the file that was ingested: the history
// belongs to its content. The content is read again only when the file's size
// or time has changed.
func (i *image) checkRaw() error {
	info, err := os.Stat(i.Raw.Path)
	if errors.Is(err, fs.ErrNotExist) {
		return fail(ErrState, "the raw of %s is no longer at %s: put it back, or ingest it at its new place as image_id %q",
			i.ImageID, i.Raw.Path, i.ImageID)
	}
	if err != nil {
		return err
	}
	if info.Size() == i.Raw.Size && info.ModTime().Equal(i.Raw.ModifiedAt) {
		return nil
	}
	digest, err := digestFile(i.Raw.Path)
	if err != nil {
		return err
	}
	if digest != i.Raw.SHA256 {
		return fail(ErrState, "the content of %s has changed since %s was ingested: ingest it under another image_id",
			i.Raw.Path, i.ImageID)
	}
	return nil
}
