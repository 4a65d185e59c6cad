package render

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

const (
	scratchPrefix = "chemigram-render-"
	scratchLock   = "lock"
	// lockWindow is the time that a new scratch folder may be without its
	// lock. removeStale leaves alone what is younger.
	lockWindow = time.Minute
)

// A scratch is a folder for one run of darktable:
//
//	chemigram-render-PID-RANDOM/
//		lock     held while the folder is in use
//		config/  darktable's configuration folder
//		cache/   darktable's cache folder, and HOME where there is none
//		raw/     what darktable sees of the raw
//		out/     what darktable writes
type scratch struct {
	dir  string
	lock *flock.Flock
}

// baseConfig is the configuration that darktable starts with. Without the
// benchmark's result darktable 4.2 measures the processor at every start, which
// takes 0.3 seconds; the number changes no pixel of an export.
const baseConfig = "dt_cpubenchmark=0.25\n"

func newScratch(root string) (*scratch, error) {
	dir, err := os.MkdirTemp(root, fmt.Sprintf("%s%d-*", scratchPrefix, os.Getpid()))
	if err != nil {
		return nil, err
	}
	s := &scratch{dir: dir, lock: flock.New(filepath.Join(dir, scratchLock))}
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
	if err := s.lock.Lock(); err != nil {
		s.remove()
		return nil, err
	}
	return s, nil
}

// path is that of something in the folder.
func (s *scratch) path(names ...string) string {
	return filepath.Join(append([]string{s.dir}, names...)...)
}

// remove removes the folder. What cannot be removed now is left for removeStale.
func (s *scratch) remove() {
	_ = os.RemoveAll(s.dir)
	_ = s.lock.Close()
}

// removeStale removes the scratch folders in root whose process has died, which is
// known by their lock: process ids mean nothing when containers share a folder.
func removeStale(root string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), scratchPrefix) {
			continue
		}
		if info, err := e.Info(); err != nil || time.Since(info.ModTime()) < lockWindow {
			continue
		}
		dir := filepath.Join(root, e.Name())
		lock := flock.New(filepath.Join(dir, scratchLock))
		if got, err := lock.TryLock(); err != nil || !got {
			continue
		}
		_ = os.RemoveAll(dir)
		_ = lock.Close()
	}
}
