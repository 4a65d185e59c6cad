package versioning

import (
	"bytes"
	"context"
	"io"
)

// Export writes the whole history as one file, for a backup or to send it: the
// journal as it is now. It takes no lock. See Import.
func (h *History) Export(ctx context.Context, w io.Writer) (int64, error) {
	const op = "Export"
	v, err := h.reader(ctx)
	if err != nil {
		return 0, named(op, err)
	}
	defer v.close()
	n, err := io.Copy(w, io.NewSectionReader(v.journal, 0, v.end))
	if err != nil {
		return n, &Error{Op: op, Kind: IO, Name: journalName, Err: err}
	}
	return n, nil
}

// Import takes a history that Export wrote, after all of it was verified. When
// there is none here yet it becomes the history. When this history is an
// earlier stand of it, this one goes on to the imported; when it is a later
// stand or the same, nothing changes: importing twice is harmless. With any
// other history here it fails with Conflict; import it into a folder of its
// own. It holds the imported file in memory.
func (h *History) Import(ctx context.Context, r io.Reader) (changed bool, err error) {
	const op = "Import"
	data, err := io.ReadAll(r)
	if err != nil {
		return false, &Error{Op: op, Kind: IO, Err: err}
	}
	if err := checkBundle(ctx, data); err != nil {
		return false, named(op, err)
	}
	ctx, release, err := h.lock(ctx, op, true)
	if err != nil {
		return false, named(op, err)
	}
	defer release()
	v, err := h.view(true)
	if KindOf(err) != NotInitialised {
		if err != nil {
			return false, named(op, err)
		}
		defer v.close()
		ours, err := readRange(v.journal, 0, v.end)
		if err != nil {
			return false, named(op, fileError(journalName, err))
		}
		if bytes.HasPrefix(ours, data) {
			return false, nil
		}
		if !bytes.HasPrefix(data, ours) {
			return false, fail(op, Conflict, v.header.ID, "another history is here; import into a folder of its own")
		}
		v.close() // Windows does not replace a file that is open
	}
	if err := ctx.Err(); err != nil {
		return false, err
	}
	if err := h.writeWhole(journalName, data); err != nil {
		return false, named(op, err)
	}
	return true, named(op, h.reindex())
}

// checkBundle verifies a journal that came from outside.
func checkBundle(ctx context.Context, data []byte) error {
	m := newMemory()
	m.files[journalName] = &memoryFile{data: bytes.Clone(data)}
	h, err := open(m, nil)
	if err != nil {
		return err
	}
	if len(m.files[journalName].data) != len(data) {
		return fail("", Corrupt, "bundle", "it is cut short")
	}
	found, err := h.Verify(ctx, nil)
	if err == nil && len(found) > 0 {
		err = fail("", Corrupt, "bundle", "%s", found[0])
	}
	return err
}
