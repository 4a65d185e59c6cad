package render

import (
	"os"

	"github.com/chemigram/chemigram/internal/owned"
)

// The beginnings of the names of folders that go with their process.
const (
	scratchPrefix  = "chemigram-render-"
	cachePrefix    = "chemigram-cache-"    // temporary caches
	previewsPrefix = "chemigram-previews-" // pictures on their way into a cache
)

// A scratch is a folder for one run of darktable:
//
//	chemigram-render-PID-RANDOM/
//		lock     held while the folder is in use
//		config/  darktable's configuration folder
//		cache/   darktable's cache folder, and HOME where there is none
//		raw/     what darktable sees of the raw
//		out/     what darktable writes
type scratch struct{ folder *owned.Folder }

// baseConfig is the configuration that darktable starts with. Without the
// benchmark's result darktable 4.2 measures the processor at every start, which
// takes 0.3 seconds; the number changes no pixel of an export.
const baseConfig = "dt_cpubenchmark=0.25\n"

func newScratch(root string) (*scratch, error) {
	folder, err := owned.MakeFolder(root, scratchPrefix)
	if err != nil {
		return nil, err
	}
	s := &scratch{folder}
	for _, sub := range []string{"config", "cache", "raw", "out"} {
		if err := os.Mkdir(s.path(sub), 0o700); err != nil {
			s.remove()
			return nil, err
		}
	}
	if err := os.WriteFile(s.path("config", "darktablerc"), []byte(baseConfig), 0o600); err != nil {
		s.remove()
		return nil, err
	}
	return s, nil
}

// path is that of the folder, or of something in it.
func (s *scratch) path(names ...string) string {
	return s.folder.Path(names...)
}

// remove removes the folder. What cannot be removed now is left for the next [Find].
func (s *scratch) remove() { s.folder.Remove() }
