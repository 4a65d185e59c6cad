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
}

type keptImage struct {
	image *Image
	file  fs.FileInfo
}

// mostKept bounds the memory of a program that walks through a large workspace.
const mostKept = 32

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
	if ok && os.SameFile(kept.file, file) && kept.file.ModTime().Equal(file.ModTime()) {
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
	return img, nil
}
