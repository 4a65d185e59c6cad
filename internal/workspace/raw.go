package workspace

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/regularfile"
)

// MostRaw is how many bytes a raw may have: several times as many as those of the
// largest cameras have.
const MostRaw = 2 << 30

// ReadRaw checks that the path is a readable file below the allowed roots, and
// takes its digest. As long as the file stays as it is, it need not be read whole again.
func (w *Workspace) ReadRaw(ctx context.Context, path string, roots []string) (Raw, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return Raw{}, err
	}
	if err := Allowed(path, roots, "a raw"); err != nil {
		return Raw{}, err
	}
	if !utf8.ValidString(path) {
		return Raw{}, fault.Invalid("/raw_path", "the path %q is not UTF-8, and could not be found again: rename it", path)
	}
	read, settled, err := readWhole(ctx, path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return Raw{}, fault.Unknown("file", path, nil)
	case err != nil:
		return Raw{}, fault.At("/raw_path", asInput(readFault(path, err)))
	case read.Stamp.Size == 0:
		return Raw{}, fault.Invalid("/raw_path", "%s is empty", path)
	}
	if settled {
		w.rememberRaw(read)
	}
	return Raw{Path: path, SHA256: read.SHA256, Size: read.Stamp.Size, ModifiedAt: time.Unix(0, read.Stamp.Modified).UTC()}, nil
}

// DigestFile is the SHA-256 of the content of a file that may be a raw, in hex.
func DigestFile(ctx context.Context, path string) (string, error) {
	read, _, err := readWhole(ctx, path)
	return read.SHA256, asState(readFault(path, err))
}

// checkSize refuses a file that is larger than one of its kind may be.
func checkSize(path string, size, most int64, what string) error {
	if size > most {
		return fault.New(fault.InvalidInput, "%s has %d bytes; %s may have up to %d", path, size, what, most)
	}
	return nil
}

// readFault says of which file it is that it was written to while it was read.
func readFault(path string, err error) error {
	if errors.Is(err, regularfile.ErrGrows) {
		return fault.New(fault.State, "%s cannot be read yet: %v", path, err)
	}
	return err
}

// asInput makes what is no file a fault of what was asked for.
func asInput(err error) error {
	if refused, ok := errors.AsType[*regularfile.Error](err); ok {
		return fault.New(fault.InvalidInput, "%v", refused)
	}
	return err
}

// asState makes what is no file a fault of what lies where a raw was.
func asState(err error) error {
	if refused, ok := errors.AsType[*regularfile.Error](err); ok {
		return fault.New(fault.State, "%v: put the raw back", refused)
	}
	return err
}
