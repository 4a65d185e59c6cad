package workspace

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// imageCache keeps images open between calls, so that a call does not read again
// what has not changed. Another process may change or delete an image at any
// time: what is kept is used only while image.json is the same file, untouched.
type imageCache struct {
	mu   sync.Mutex
	kept map[string]keptImage
	raws map[string]knownRaw // by id
}

// knownRaw is the digest of an image's raw, as image.json said it.
type knownRaw struct {
	sha256 string
	file   fs.FileInfo
}

type keptImage struct {
	image *Image
	file  fs.FileInfo
}

// mostKept bounds the memory of a program that walks through a large workspace.
const mostKept = 32

// mostKnownRaws bounds it likewise: a digest and what the system says of a file take
// some 400 bytes.
const mostKnownRaws = 50_000

// open gives an image that is open already, or opens it. It is fs.ErrNotExist when
// there is none of the id.
func (w *Workspace) open(id string) (*Image, error) {
	if !w.opts.ReadOnly {
		w.settleAbandoned(context.Background(), id)
	}
	s := &w.images
	file, err := os.Stat(filepath.Join(w.ImageDir(id), imageName))
	if err != nil {
		return nil, asNotExist(err)
	}
	s.mu.Lock()
	kept, ok := s.kept[id]
	s.mu.Unlock()
	if ok && isUntouched(kept.file, file) {
		return kept.image, nil
	}
	img, err := w.openImage(id)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil || len(s.kept) >= mostKept {
		s.kept = map[string]keptImage{}
	}
	s.kept[id] = keptImage{img, file}
	if s.raws == nil || len(s.raws) >= mostKnownRaws {
		s.raws = map[string]knownRaw{}
	}
	s.raws[id] = knownRaw{img.Raw.SHA256, file}
	return img, nil
}

// isOfAnother reports whether an image that was open once is still there and is of another
// raw. Of thousands of files of one name, most are told apart by this alone, without
// opening their images.
func (w *Workspace) isOfAnother(id, sha256 string) bool {
	s := &w.images
	s.mu.Lock()
	known, ok := s.raws[id]
	s.mu.Unlock()
	if !ok || known.sha256 == sha256 {
		return false
	}
	file, err := os.Stat(filepath.Join(w.ImageDir(id), imageName))
	return err == nil && isUntouched(known.file, file)
}

// isUntouched reports whether an image.json is the file that it was, and was not written
// to since.
func isUntouched(was, is fs.FileInfo) bool {
	return os.SameFile(was, is) && was.ModTime().Equal(is.ModTime())
}
