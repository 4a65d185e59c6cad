package versioning

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"hash"
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

// OpenBundle opens what Export wrote where it is, to be read. It reads all of it, and
// fails with Corrupt when it is damaged or cut short. What is in it Verify verifies.
func OpenBundle(r io.ReaderAt, size int64) (*History, error) {
	const op = "OpenBundle"
	files := storage.Sections{journal.Name: io.NewSectionReader(r, 0, size)}
	// First that there is nothing between the transactions and behind them: to find
	// the next one after damage takes long where everything is made to look like one.
	_, transactions, err := wholeFrames(files, journal.Name)
	if err != nil {
		return nil, withOp(op, err)
	}
	if transactions > journal.MaxTransactions {
		return nil, fail(op, Corrupt, "bundle", "it has %d transactions; at most %d are read", transactions, journal.MaxTransactions)
	}
	j, _, err := journal.Scan(files)
	if err != nil {
		return nil, withOp(op, err)
	}
	defer j.Close()
	if index := j.NewIndex(); index != nil {
		files[journal.IndexName] = io.NewSectionReader(bytes.NewReader(index), 0, int64(len(index)))
	}
	h, err := open(files, &Options{ReadOnly: true})
	return h, withOp(op, err)
}

// Import takes a history that Export wrote, after all of it was verified. When
// there is none here yet it becomes the history. When this history is an
// earlier version of it, this one goes on to the imported; when it is a later
// version or the same, nothing changes: importing twice is harmless. With any
// other history here it fails with Conflict; import it into a folder of its
// own. A reader that is an io.ReaderAt and has a Size, such as a bytes.Reader or an
// io.SectionReader, is read from its beginning, piece by piece; of any other, Import
// holds all in memory.
func (h *History) Import(ctx context.Context, r io.Reader) (changed bool, err error) {
	const op = "Import"
	bundle, err := sectionOf(r)
	if err != nil {
		return false, &Error{Op: op, Kind: IO, Err: err}
	}
	sum, err := checkBundle(ctx, bundle)
	if err != nil {
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
	h.dropBaseline()
	// What is written is what was verified, even if the file is written to meanwhile.
	if err := h.replaceFile(journal.Name, &summedReader{r: start(bundle), sum: sha256.New(), want: sum}); err != nil {
		return false, withOp(op, err)
	}
	return true, withOp(op, h.completeIndex())
}

// sectionOf gives what a reader has as something that is read at offsets.
func sectionOf(r io.Reader) (*io.SectionReader, error) {
	if at, ok := r.(interface {
		io.ReaderAt
		Size() int64
	}); ok {
		return io.NewSectionReader(at, 0, at.Size()), nil
	}
	data, err := io.ReadAll(r)
	return io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data))), err
}

// start gives a reader from the beginning.
func start(r *io.SectionReader) *io.SectionReader { return io.NewSectionReader(r, 0, r.Size()) }

// summedReader fails at its end when it gave other bytes than those that were
// summed before.
type summedReader struct {
	r    io.Reader
	sum  hash.Hash
	want Hash
}

func (s *summedReader) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.sum.Write(p[:n])
	if errors.Is(err, io.EOF) && Hash(s.sum.Sum(nil)) != s.want {
		err = fail("", Corrupt, "bundle", "it was written to while it was read")
	}
	return n, err
}

// isNewer reports whether a bundle has transactions beyond those of the history
// here, if there is one. When it is of another history it fails with Conflict.
func (h *History) isNewer(bundle *io.SectionReader) (bool, error) {
	v, err := h.view(true)
	if errors.Is(err, NotInitialised) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	defer v.Close() // Windows does not replace a file that is open
	ours := v.Content()
	same, err := sameBytes(ours, start(bundle), min(ours.Size(), bundle.Size()))
	if err != nil {
		return false, journal.FileError(journal.Name, err)
	}
	if !same {
		return false, fail("", Conflict, v.ID(), "another history is here; import into a folder of its own")
	}
	return ours.Size() < bundle.Size(), nil
}

// sameBytes reports whether the next n bytes of two readers are the same.
func sameBytes(a, b io.Reader, n int64) (bool, error) {
	const piece = 64 << 10
	fromA, fromB := make([]byte, piece), make([]byte, piece)
	for ; n > 0; n -= piece {
		next := min(n, piece)
		if _, err := io.ReadFull(a, fromA[:next]); err != nil {
			return false, err
		}
		if _, err := io.ReadFull(b, fromB[:next]); err != nil {
			return false, err
		}
		if !bytes.Equal(fromA[:next], fromB[:next]) {
			return false, nil
		}
	}
	return true, nil
}

// checkBundle verifies a journal that came from outside, and returns its SHA-256.
func checkBundle(ctx context.Context, bundle *io.SectionReader) (Hash, error) {
	sum := sha256.New()
	if _, err := io.Copy(sum, start(bundle)); err != nil {
		return Hash{}, &Error{Kind: IO, Err: err}
	}
	h, err := OpenBundle(bundle, bundle.Size())
	if err != nil {
		return Hash{}, err
	}
	found, err := h.Verify(ctx, nil)
	if err == nil && len(found) > 0 {
		err = fail("", Corrupt, "bundle", "%s", found[0])
	}
	return Hash(sum.Sum(nil)), err
}
