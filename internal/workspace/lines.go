package workspace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/regularfile"
)

// The workspace's files of lines, each of which is a JSON value.
const (
	GapLog   = "gaps.jsonl"
	AuditLog = "audit.jsonl"

	mostLine = 16 << 20 // bytes
)

// AppendLine adds a line to one of the files of lines, with one write and durably;
// a line that a dead program left half written is closed, so that it spoils no
// other. The caller holds the file's lock.
func (w *Workspace) AppendLine(name string, line []byte) (err error) {
	root, err := os.OpenRoot(w.root)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := RefuseLink(w.root, name); err != nil {
		return err
	}
	f, _, err := regularfile.OpenFileIn(root, name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	whole := append(slices.Clone(line), '\n')
	last := make([]byte, 1)
	if size > 0 {
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			whole = append([]byte{'\n'}, whole...)
		}
	}
	if _, err := f.Write(whole); err != nil {
		return errors.Join(err, f.Truncate(size))
	}
	if err := atomicfile.Sync(f); err != nil || size > 0 {
		return err
	}
	return atomicfile.SyncDir(filepath.Dir(w.Path(name))) // the first line made the file
}

// tornLines counts the lines of a file that are no JSON.
func (w *Workspace) tornLines(name string) (torn int, err error) {
	f, _, err := OpenFile(w.root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer f.Close()
	for line, err := range Lines(f, mostLine) {
		switch line = bytes.TrimSpace(line); {
		case errors.Is(err, ErrLongLine), err == nil && len(line) > 0 && !json.Valid(line):
			torn++
		case err != nil:
			return torn, err
		}
	}
	return torn, nil
}

// ErrLongLine says that a line is longer than those that are read.
var ErrLongLine = errors.New("a line is longer than those that are read")

// Lines reads a file of lines one by one, each without its end. Of a line of more than
// most bytes it gives ErrLongLine, and goes on with the next; any other error is the last
// that it gives. A line may be used until the next one is asked for.
func Lines(r io.Reader, most int) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		in := bufio.NewReader(r)
		var line []byte
		long := false
		for {
			piece, err := in.ReadSlice('\n')
			if long = long || len(line)+len(bytes.TrimSuffix(piece, []byte("\n"))) > most; !long {
				line = append(line, piece...)
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if err != nil && !errors.Is(err, io.EOF) {
				yield(nil, err)
				return
			}
			if long && !yield(nil, ErrLongLine) ||
				!long && len(line) > 0 && !yield(bytes.TrimSuffix(line, []byte("\n")), nil) || err != nil {
				return
			}
			line, long = line[:0], false
		}
	}
}
