package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
)

// pictureScheme begins the URI of a linked picture.
const pictureScheme = "chemigram://pictures/"

// maxLinks is how many linked pictures a server remembers.
const maxLinks = 1024

// pictureLinks are the files that answers have linked: these, and no others, can be
// read by their links. The oldest are forgotten.
type pictureLinks struct {
	mu    sync.Mutex
	paths map[string]string // by URI
	order []string          // of the URIs, oldest first
}

// add returns the URI of a picture's file, which can be read from now on.
func (l *pictureLinks) add(path string) (uri string) {
	sum := sha256.Sum256([]byte(path))
	uri = pictureScheme + hex.EncodeToString(sum[:6]) + ".jpg"
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.paths == nil {
		l.paths = map[string]string{}
	}
	if _, known := l.paths[uri]; !known {
		l.order = append(l.order, uri)
	}
	l.paths[uri] = path
	if len(l.order) > maxLinks {
		delete(l.paths, l.order[0])
		l.order = l.order[1:]
	}
	return uri
}

// path returns the file of a link.
func (l *pictureLinks) path(uri string) (string, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	path, ok := l.paths[uri]
	return path, ok
}
