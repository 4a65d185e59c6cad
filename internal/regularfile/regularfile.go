// Package regularfile opens files, and nothing that only looks like one: to open a
// named pipe waits for somebody at its other end, and to open a device may do anything.
package regularfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// Error says that what is at a path is not a file.
type Error struct {
	Path string
	// Is is what it is instead, such as "named pipe".
	Is string
}

// Error says what is there instead of a file.
func (e *Error) Error() string { return e.Path + " is not a regular file but a " + e.Is }

// Check gives an *[Error] unless a mode is that of a file.
func Check(path string, mode fs.FileMode) error {
	if mode.IsRegular() {
		return nil
	}
	return &Error{Path: path, Is: Describe(mode)}
}

// Describe is the word for what is no file.
func Describe(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeNamedPipe != 0:
		return "named pipe"
	case mode&fs.ModeSocket != 0:
		return "socket"
	case mode&fs.ModeSymlink != 0:
		return "link"
	}
	return "device"
}

// Open opens a file for reading, through links, and says what it is. What is not a file
// is an *[Error], at once.
func Open(path string) (*os.File, fs.FileInfo, error) {
	return OpenFile(path, os.O_RDONLY, 0)
}

// OpenFile is [Open] with the flags and permissions of [os.OpenFile].
func OpenFile(path string, flag int, perm fs.FileMode) (*os.File, fs.FileInfo, error) {
	return open(path, os.Stat, func() (*os.File, error) { return os.OpenFile(path, flag|nonblocking, perm) })
}

// OpenIn is [Open] for a file below a folder, out of which no link leads.
func OpenIn(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	return OpenFileIn(root, name, os.O_RDONLY, 0)
}

// OpenFileIn is [OpenIn] with the flags and permissions of [os.OpenFile].
func OpenFileIn(root *os.Root, name string, flag int, perm fs.FileMode) (*os.File, fs.FileInfo, error) {
	return open(name, root.Stat, func() (*os.File, error) { return root.OpenFile(name, flag|nonblocking, perm) })
}

// open looks before it opens, as to open a device may do something, and again
// afterwards, as something else may lie there by then.
func open(path string, stat func(string) (fs.FileInfo, error), do func() (*os.File, error)) (*os.File, fs.FileInfo, error) {
	if info, err := stat(path); err == nil {
		if err := Check(path, info.Mode()); err != nil {
			return nil, nil, err
		}
	}
	f, err := do()
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil {
		err = Check(path, info.Mode())
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// Read reads a file of at most so many bytes.
func Read(path string, most int64) ([]byte, error) {
	f, info, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if info.Size() > most {
		return nil, fmt.Errorf("%s has %d bytes, more than the %d that are read", path, info.Size(), most)
	}
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("%s grows while it is read, to more than the %d bytes that are read", path, most)
	}
	return data, err
}

// ErrGrows says that a file became longer while it was read.
var ErrGrows = errors.New("it is being written to: wait until it is complete")

// Copy copies the size bytes that an open file had, until ctx ends. It fails with
// [ErrGrows] when there are more of them by then, and with [io.ErrUnexpectedEOF] when
// there are fewer.
func Copy(ctx context.Context, w io.Writer, f io.Reader, size int64) error {
	r := Reader(ctx, f)
	n, err := io.CopyN(w, r, size)
	if errors.Is(err, io.EOF) && n < size {
		return io.ErrUnexpectedEOF
	}
	if err != nil {
		return err
	}
	if more, err := r.Read(make([]byte, 1)); more > 0 {
		return ErrGrows
	} else if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

// ReaderAt reads until ctx ends, whose error it gives then.
func ReaderAt(ctx context.Context, r io.ReaderAt) io.ReaderAt { return contextReaderAt{ctx, r} }

type contextReaderAt struct {
	ctx context.Context //nolint:containedctx // it lives as long as one call
	r   io.ReaderAt
}

func (c contextReaderAt) ReadAt(p []byte, off int64) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.ReadAt(p, off)
}

// Reader reads until ctx ends, whose error it gives then.
func Reader(ctx context.Context, r io.Reader) io.Reader { return contextReader{ctx, r} }

type contextReader struct {
	ctx context.Context //nolint:containedctx // it lives as long as one call
	r   io.Reader
}

func (c contextReader) Read(p []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(p)
}
