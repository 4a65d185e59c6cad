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
	// lock. Anything younger is left alone by sweep.
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

// seed is the configuration that darktable starts with. Without the benchmark's
// result darktable 4.2 measures the processor at every start, which takes
// 0.3 seconds; the number changes no pixel of an export.
const seed = "dt_cpubenchmark=0.25\n"

func newScratch(root string) (*scratch, error) {
	dir, err := os.MkdirTemp(root, fmt.Sprintf("%s%d-*", scratchPrefix, os.Getpid()))
	if err != nil {
		return nil, err
	}
	b := &scratch{dir: dir, lock: flock.New(filepath.Join(dir, scratchLock))}
	for _, sub := range []string{"config", "cache", "raw", "out"} {
		if err := os.Mkdir(b.at(sub), 0o700); err != nil {
			b.remove()
			return nil, err
		}
	}
	if err := os.WriteFile(b.at("config", "darktablerc"), []byte(seed), 0o600); err != nil {
		b.remove()
		return nil, err
	}
	if err := b.lock.Lock(); err != nil {
		b.remove()
		return nil, err
	}
	return b, nil
}

// at is the path of something in the folder.
func (b *scratch) at(names ...string) string {
	return filepath.Join(append([]string{b.dir}, names...)...)
}

// remove ends the folder. What cannot be removed now is left for sweep.
func (b *scratch) remove() {
	_ = os.RemoveAll(b.dir)
	_ = b.lock.Close()
}

// sweep removes the scratch folders in root whose process has died, which is
// known by their lock: process ids mean nothing when containers share a folder.
func sweep(root string) {
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
