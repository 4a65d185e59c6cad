package render

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/render/internal/locate"
)

// addRaw puts a raw into a folder, and gives its path there and what a sandbox
// must let darktable read for it. No sidecar lies beside that path: darktable reads
// one even when it is given another, and follows a link to the folder of the
// picture it points to. So where there is a sidecar, or copied is set, darktable
// gets a copy: a link to the one in copies, unless that is nil or copied is set. So it
// does where it may stumble over the path. The raw keeps its name, which darktable
// writes into pictures, unless that is one to stumble over, too.
func addRaw(ctx context.Context, dir, raw string, copied bool, copies *rawCopies) (path string, reads []string, err error) {
	if raw, err = realPath(raw); err != nil {
		return "", nil, err
	}
	info, err := os.Stat(raw)
	if err == nil {
		err = regularfile.Check(raw, info.Mode())
	}
	if err != nil {
		return "", nil, err
	}
	path = filepath.Join(dir, scratchName(filepath.Base(raw)))
	if !copied && isPlain(raw, mostPath) {
		shown, err := copies.withoutSidecar(ctx, raw)
		if err != nil {
			return "", nil, err
		}
		if shown != "" && os.Symlink(shown, path) == nil {
			f, _, err := regularfile.Open(raw) // so that one that may not be read is told apart
			if err != nil {
				return "", nil, err
			}
			return path, []string{shown}, f.Close()
		}
	}
	return path, nil, copyFile(ctx, path, raw)
}

// realPath is a path without links.
func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// rawCopies are copies of raws beside which there are sidecars, each made once for all
// that are developed of the raw, and removed after the last of them.
type rawCopies struct {
	root string // where scratch folders are made

	mu   sync.Mutex
	tmp  *scratch
	made map[string]string // the copy's path by the raw's
	left map[string]int    // how many are still to be developed, by the raw's path
	next int
}

// newRawCopies is for jobs, each of which is released once.
func newRawCopies(root string, jobs []Job) *rawCopies {
	c := &rawCopies{root: root, made: map[string]string{}, left: map[string]int{}}
	for i := range jobs {
		if raw, err := realPath(jobs[i].Raw); err == nil {
			c.left[raw]++
		}
	}
	return c
}

// release says that a job of a raw has ended.
func (c *rawCopies) release(raw string) {
	raw, err := realPath(raw)
	if err != nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.left[raw]--
	if path, ok := c.made[raw]; ok && c.left[raw] <= 0 {
		delete(c.made, raw)
		_ = os.RemoveAll(filepath.Dir(path))
	}
}

// withoutSidecar gives a path of a raw beside which there is no sidecar: its own, or
// that of the copy. It is empty when there are no copies and the raw's will not do.
func (c *rawCopies) withoutSidecar(ctx context.Context, raw string) (string, error) {
	beside, err := hasSidecar(raw)
	switch {
	case err != nil:
		return "", err
	case !beside:
		return raw, nil
	case c == nil:
		return "", nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if path, ok := c.made[raw]; ok {
		return path, nil
	}
	if c.tmp == nil {
		if c.tmp, err = newScratch(c.root); err != nil {
			return "", err
		}
	}
	c.next++
	dir := c.tmp.path("raw", strconv.Itoa(c.next))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", err
	}
	path := filepath.Join(dir, filepath.Base(raw))
	if err := copyFile(ctx, path, raw); err != nil {
		_ = os.RemoveAll(dir)
		return "", err
	}
	c.made[raw] = path
	return path, nil
}

// remove removes the copies.
func (c *rawCopies) remove() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tmp != nil {
		c.tmp.remove()
	}
}

// The most bytes of a path that darktable is given, and of a file's name, to which
// it adds ".xmp" and the number of a duplicate.
const (
	mostPath = 1024
	mostName = 200
)

// isPlain reports whether a path or a name of at most so many bytes has no character
// that a program may stumble over: none that is no text, none that controls a
// terminal, and not the sign with which darktable's variables begin.
func isPlain(path string, most int) bool {
	return len(path) <= most && utf8.ValidString(path) &&
		!strings.ContainsFunc(path, func(r rune) bool { return r == '$' || unicode.IsControl(r) })
}

// scratchName is the name that a raw has in a scratch folder: its own, or a plain one
// with the same extension.
func scratchName(name string) string {
	if isPlain(name, mostName) && (runtime.GOOS != "windows" || locate.IsNameOfWindows(name)) {
		return name
	}
	ext := filepath.Ext(name)
	if !isPlain(ext, 16) {
		ext = ""
	}
	return "picture" + ext
}

// hasSidecar reports whether something that darktable may take for a sidecar of
// raw lies in its folder: NAME.EXT.xmp, NAME_01.EXT.xmp for a duplicate, and
// NAME.xmp as Lightroom writes it.
func hasSidecar(raw string) (bool, error) {
	dir, err := os.Open(filepath.Dir(raw))
	if errors.Is(err, os.ErrPermission) {
		return true, nil // a folder that may be entered and not listed
	}
	if err != nil {
		return false, err
	}
	defer dir.Close()
	stem := filepath.Base(raw)
	stem = strings.TrimSuffix(stem, filepath.Ext(stem))
	for {
		names, err := dir.Readdirnames(1024)
		for _, n := range names {
			if strings.HasPrefix(n, stem) && strings.EqualFold(filepath.Ext(n), ".xmp") {
				return true, nil
			}
		}
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
}

// copyFile copies a file to a new one until ctx ends, by sharing blocks where the file
// system can.
func copyFile(ctx context.Context, path, from string) (err error) {
	r, info, err := regularfile.Open(from)
	if err != nil {
		return err
	}
	defer r.Close()
	w, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	const piece = 64 << 20
	for left := info.Size(); left > 0; left -= piece {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, err := io.CopyN(w, r, min(left, piece)); err != nil { // files on both sides share blocks
			return err
		}
	}
	return nil
}
