package mcp

import (
	"crypto/sha256"
	"encoding/hex"
	"sync"
)

// pictureScheme begins the URI of a linked picture.
const pictureScheme = "chemigram://pictures/"

// mostLinks is how many linked pictures a server remembers.
const mostLinks = 1024

// pictures remembers which files were linked in answers: these, and no others,
// can be read by their links.
type pictures struct {
	mu    sync.Mutex
	paths map[string]string
	order []string
}

// link gives the URI of a picture's file.
func (p *pictures) link(path string) string {
	sum := sha256.Sum256([]byte(path))
	uri := pictureScheme + hex.EncodeToString(sum[:8]) + ".jpg"
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.paths == nil {
		p.paths = map[string]string{}
	}
	if _, known := p.paths[uri]; !known {
		p.order = append(p.order, uri)
	}
	p.paths[uri] = path
	if len(p.order) > mostLinks {
		delete(p.paths, p.order[0])
		p.order = p.order[1:]
	}
	return uri
}

// path gives the file of a link.
func (p *pictures) path(uri string) (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	path, ok := p.paths[uri]
	return path, ok
}
