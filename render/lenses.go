package render

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/chemigram/chemigram/render/internal/lenses"
)

// lensMemo keeps the database of lenses of one darktable for as long as that is the same.
type lensMemo struct {
	mu       sync.Mutex
	identity string
	known    *lenses.Database
}

// KnowsLens reports whether lensfun, as this darktable uses it, has a correction for a
// lens on a camera, by what EXIF says of both. Its database is read the first time. A lens
// whose name is written otherwise there is not known.
func (d *Darktable) KnowsLens(maker, model, lens string) bool {
	if maker == "" || model == "" {
		return false
	}
	identity := d.Identity()
	d.lenses.mu.Lock()
	defer d.lenses.mu.Unlock()
	if d.lenses.known == nil || d.lenses.identity != identity {
		paths := slices.DeleteFunc(d.Files(), func(path string) bool {
			return filepath.Ext(path) != ".xml" || !strings.Contains(filepath.ToSlash(path), "lensfun")
		})
		// What cannot be read is not known.
		d.lenses.known, _ = lenses.Read(paths)
		d.lenses.identity = identity
	}
	return d.lenses.known.Knows(maker, model, lens)
}
