package versioning

import (
	"bytes"
	"context"
	"errors"
	"io"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// Export writes the whole history as one file, for a backup or to send it: the
// journal as it is now. It takes no lock. See Import.
func (h *History) Export(ctx context.Context, w io.Writer) (int64, error) {
	const op = "Export"
	v, err := h.reader(ctx)
	if err != nil {
		return 0, withOp(op, err)
	}
	defer v.Close()
	n, err := io.Copy(w, v.Content())
	if err != nil {
		return n, &Error{Op: op, Kind: IO, Name: journal.Name, Err: err}
	}
	return n, nil
}

// Import takes a history that Export wrote, after all of it was verified. When
// there is none here yet it becomes the history. When this history is an
// earlier version of it, this one goes on to the imported; when it is a later
// version or the same, nothing changes: importing twice is harmless. With any
// other history here it fails with Conflict; import it into a folder of its
// own. It holds the imported file in memory.
func (h *History) Import(ctx context.Context, r io.Reader) (changed bool, err error) {
	const op = "Import"
	bundle, err := io.ReadAll(r)
	if err != nil {
		return false, &Error{Op: op, Kind: IO, Err: err}
	}
	if err := checkBundle(ctx, bundle); err != nil {
		return false, withOp(op, err)
	}
	release, err := h.turn(ctx, op, true)
	if err != nil {
		return false, withOp(op, err)
	}
	defer release()
	newer, err := h.isNewer(bundle)
	if err != nil || !newer {
		return false, withOp(op, err)
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if err := h.replaceFile(journal.Name, bundle); err != nil {
		return false, withOp(op, err)
	}
	return true, withOp(op, h.completeIndex())
}

// isNewer reports whether a bundle has transactions beyond those of the history
// here, if there is one. When it is of another history it fails with Conflict.
func (h *History) isNewer(bundle []byte) (bool, error) {
	v, err := h.view(true)
	if errors.Is(err, NotInitialised) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer v.Close() // Windows does not replace a file that is open
	content := v.Content()
	ours := make([]byte, content.Size())
	if _, err := io.ReadFull(content, ours); err != nil {
		return false, journal.FileError(journal.Name, err)
	}
	if bytes.HasPrefix(ours, bundle) {
		return false, nil
	}
	if !bytes.HasPrefix(bundle, ours) {
		return false, fail("", Conflict, v.ID(), "another history is here; import into a folder of its own")
	}
	return true, nil
}

// checkBundle verifies a journal that came from outside.
func checkBundle(ctx context.Context, bundle []byte) error {
	m := storage.NewMemory()
	m.Put(journal.Name, bundle)
	h, err := open(m, nil)
	if err != nil {
		return err
	}
	if content, err := storage.ReadFile(m, journal.Name); err != nil || len(content) != len(bundle) {
		return fail("", Corrupt, "bundle", "it is cut short") // open cut off a torn tail
	}
	found, err := h.Verify(ctx, nil)
	if err == nil && len(found) > 0 {
		err = fail("", Corrupt, "bundle", "%s", found[0])
	}
	return err
}
