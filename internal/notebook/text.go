package notebook

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
)

// Of a long Markdown file, a reader gets the first 4 KiB and the last 12 KiB:
// what stands at the top is meant for every reader, and what is new is at the
// end.
const (
	headBytes = 4 << 10
	tailBytes = 12 << 10
)

// ReadText reads a Markdown file for a reader; it costs the same for one of any
// size. remark is what was wrong with it, in words, or "".
func ReadText(dir, name string) (text, remark string) {
	f, size, err := workspace.OpenFile(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", ""
	}
	if err != nil {
		return "", fmt.Sprintf("%s cannot be read: %s", name, err.Error())
	}
	defer f.Close()
	data, left, err := headAndTail(f, size)
	if err != nil {
		return "", fmt.Sprintf("%s cannot be read: %s", name, err.Error())
	}
	if bytes.IndexByte(data, 0) >= 0 {
		return "", name + " is left out: it has zero bytes, and so is no UTF-8 text"
	}
	if left > 0 {
		remark = fmt.Sprintf("%s has %d bytes; %d of them, after the first %d KiB and before the last %d KiB, are left out",
			name, size, left, headBytes>>10, tailBytes>>10)
	}
	if !utf8.Valid(data) {
		remark = strings.TrimPrefix(remark+"; "+name+" has bytes that are no UTF-8, shown as \uFFFD", "; ")
	}
	return strings.ToValidUTF8(strings.TrimPrefix(string(data), "\uFEFF"), "\uFFFD"), remark
}

// headAndTail reads a short file whole, and of a long one both ends.
func headAndTail(r io.ReaderAt, size int64) (data []byte, left int64, err error) {
	if size <= headBytes+tailBytes {
		data, err = workspace.ReadRange(r, 0, size)
		return data, 0, err
	}
	head, err := workspace.ReadRange(r, 0, headBytes)
	if err != nil {
		return nil, 0, err
	}
	tail, err := workspace.ReadRange(r, size-tailBytes, tailBytes)
	if err != nil {
		return nil, 0, err
	}
	if end := bytes.LastIndexByte(head, '\n'); end >= 0 {
		head = head[:end+1]
	}
	if start := bytes.IndexByte(tail, '\n'); start >= 0 {
		tail = tail[start+1:]
	}
	left = size - int64(len(head)) - int64(len(tail))
	mark := fmt.Sprintf("\n[… %d bytes are left out here …]\n\n", left)
	return bytes.Join([][]byte{head, tail}, []byte(mark)), left, nil
}

// checkText finds what may not be written into a text file: what is no UTF-8,
// control characters but tabs and line ends, and more than a number of bytes.
func checkText(pointer, text string, most int) []fault.Violation {
	control := func(r rune) bool { return (r < 0x20 && r != '\n' && r != '\r' && r != '\t') || r == 0x7f }
	switch {
	case len(text) > most:
		return []fault.Violation{{Pointer: pointer, Expected: fmt.Sprintf("at most %d bytes", most), Got: fmt.Sprintf("%d bytes", len(text))}}
	case !utf8.ValidString(text) || strings.ContainsFunc(text, control):
		return []fault.Violation{{Pointer: pointer, Expected: "UTF-8 text without control characters", Got: strconv.Quote(fault.Shorten(text))}}
	}
	return nil
}

// readWhole reads a file that is about to be changed, and gives its
// permissions. A missing one is empty.
func readWhole(dir, name string) (data []byte, perm fs.FileMode, err error) {
	f, size, err := workspace.OpenFile(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0o644, workspace.RefuseLink(dir, name)
	}
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	if err := workspace.RefuseLink(dir, name); err != nil {
		return nil, 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, err
	}
	if info.Mode().Perm()&0o200 == 0 {
		return nil, 0, fault.New(fault.Permission, "%s is read-only", filepath.Join(dir, name)).With("violation", "read_only")
	}
	if size > mostEdited {
		return nil, 0, fault.New(fault.State, "%s has %d bytes; only files up to %d are changed: shorten it", filepath.Join(dir, name), size, mostEdited)
	}
	if data, err = workspace.ReadRange(f, 0, mostEdited); err != nil {
		return nil, 0, err
	}
	if slices.Contains(data, 0) {
		return nil, 0, fault.New(fault.State, "%s has zero bytes, and so is no UTF-8 text: it is not changed", filepath.Join(dir, name))
	}
	return data, info.Mode().Perm(), nil
}

// mostEdited is the size of a Markdown file that is still changed.
const mostEdited = 1 << 20
