package chemigram

import (
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/chemigram/chemigram/versioning"
)

// shelf keeps images open between calls, so that a call does not read again
// what has not changed. Another process may change or delete an image at any
// time: what is kept is used only while image.json is the same file, untouched.
type shelf struct {
	mu   sync.Mutex
	kept map[ImageID]keptImage
}

type keptImage struct {
	image *image
	file  fs.FileInfo
}

// mostKept bounds the memory of a program that walks through a large workspace.
const mostKept = 32

// open gives an image from the shelf, or opens it.
func (s *shelf) open(w *workspace, id ImageID, opts *versioning.Options) (*image, error) {
	file, err := os.Stat(filepath.Join(w.imageDir(id), "image.json"))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	kept, ok := s.kept[id]
	s.mu.Unlock()
	if ok && os.SameFile(kept.file, file) && kept.file.ModTime().Equal(file.ModTime()) {
		return kept.image, nil
	}
	img, err := w.openImage(id, opts)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept == nil || len(s.kept) >= mostKept {
		s.kept = map[ImageID]keptImage{}
	}
	s.kept[id] = keptImage{img, file}
	return img, nil
}
