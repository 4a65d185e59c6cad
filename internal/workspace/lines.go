package workspace

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
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
	return atomicfile.SyncDir(w.root) // the first line made the file
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
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, mostLine)
	for lines.Scan() {
		if line := bytes.TrimSpace(lines.Bytes()); len(line) > 0 && !json.Valid(line) {
			torn++
		}
	}
	return torn, lines.Err()
}
