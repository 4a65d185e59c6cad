package chemigram

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/chemigram/chemigram/internal/fault"
)

// Of a long Markdown file, a reader gets the first 4 KiB and the last 12 KiB:
// what stands at the top is meant for every reader, and what is new is at the
// end.
const (
	headBytes = 4 << 10
	tailBytes = 12 << 10
)

// openText opens a regular file of a folder, for reading. A link may lead to
// another place in the folder, and not out of it.
func openText(dir, name string) (*os.File, int64, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil {
		if link, lstatErr := root.Lstat(name); lstatErr == nil && link.Mode()&fs.ModeSymlink != 0 && !errors.Is(err, fs.ErrNotExist) {
			return nil, 0, linkLeadsOut(dir, name)
		}
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, fault.New(fault.Permission, "%s in %s is a %s, and not a file", name, dir, describeMode(info.Mode())).
			With("violation", "not_a_file")
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, 0, err
	}
	return f, info.Size(), nil
}

func linkLeadsOut(dir, name string) error {
	return fault.New(fault.Permission, "%s is a link that leads out of %s: put the file itself there", name, dir).
		With("violation", "outside_roots")
}

// readText reads what there is to say of a file; it costs the same for one of
// any size. remark is what was wrong with it, in words, or "".
func readText(dir, name string) (text, remark string) {
	f, size, err := openText(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", ""
	}
	if err != nil {
		return "", fmt.Sprintf("%s cannot be read: %s", name, plainly(err))
	}
	defer f.Close()
	data, left, err := headAndTail(f, size)
	if err != nil {
		return "", fmt.Sprintf("%s cannot be read: %s", name, plainly(err))
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
		data, err = readRange(r, 0, size)
		return data, 0, err
	}
	head, err := readRange(r, 0, headBytes)
	if err != nil {
		return nil, 0, err
	}
	tail, err := readRange(r, size-tailBytes, tailBytes)
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

// readRange reads a part of a file, or what is left of it when somebody has
// just cut it.
func readRange(r io.ReaderAt, from, length int64) ([]byte, error) {
	return io.ReadAll(io.NewSectionReader(r, from, length))
}

// plainly is what an error says, without a code.
func plainly(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Message
	}
	return err.Error()
}

// checkWords finds what may not be written into a text file: what is no UTF-8,
// control characters but tabs and line ends, and more than a number of bytes.
func checkWords(pointer, text string, most int) []fault.Violation {
	control := func(r rune) bool { return (r < 0x20 && r != '\n' && r != '\r' && r != '\t') || r == 0x7f }
	switch {
	case len(text) > most:
		return []fault.Violation{{Pointer: pointer, Expected: fmt.Sprintf("at most %d bytes", most), Got: fmt.Sprintf("%d bytes", len(text))}}
	case !utf8.ValidString(text) || strings.ContainsFunc(text, control):
		return []fault.Violation{{Pointer: pointer, Expected: "UTF-8 text without control characters", Got: strconv.Quote(shorten(text))}}
	}
	return nil
}

// readWhole reads a file that is about to be changed, and tells its
// permissions. A missing one is empty.
func readWhole(dir, name string) (data []byte, perm fs.FileMode, err error) {
	f, size, err := openText(dir, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0o644, notALink(dir, name)
	}
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	if err := notALink(dir, name); err != nil {
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
	if data, err = readRange(f, 0, mostEdited); err != nil {
		return nil, 0, err
	}
	if slices.Contains(data, 0) {
		return nil, 0, fault.New(fault.State, "%s has zero bytes, and so is no UTF-8 text: it is not changed", filepath.Join(dir, name))
	}
	return data, info.Mode().Perm(), nil
}

// mostEdited is the size of a Markdown file that is still changed.
const mostEdited = 1 << 20

// notALink refuses to replace a link by a file.
func notALink(dir, name string) error {
	info, err := os.Lstat(filepath.Join(dir, name))
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fault.New(fault.Permission, "%s is a link, which is not written to: put the file itself there", filepath.Join(dir, name)).
			With("violation", "outside_roots")
	}
	return nil
}
