package render

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/chemigram/chemigram/internal/owned"
)

// minKept is how long a picture is kept since its last use was recorded, which is done
// when half of that time is over.
const minKept = 2 * time.Minute

// evict counts n bytes that were written, and trims the cache when it may be above
// its limit: at first, and after each sixteenth of the limit.
func (c *Cache) evict(n int64) {
	c.mu.Lock()
	c.written += n
	due := !c.scanned || c.written > c.limit/16
	if due {
		c.scanned, c.written = true, 0
	}
	c.mu.Unlock()
	if due {
		c.trim(time.Now())
	}
}

// trim removes what was not used for longest, down to nine tenths of the limit.
// One process at a time does it; the others need not wait.
func (c *Cache) trim(now time.Time) {
	lock := flock.New(filepath.Join(c.dir, "lock"))
	if got, err := lock.TryLock(); err != nil || !got {
		return
	}
	defer func() { _ = lock.Close() }()
	type content struct {
		path string
		size int64
		used time.Time
	}
	var all []content
	var total int64
	walkFiles(filepath.Join(c.dir, "content"), func(path string, info fs.FileInfo) {
		all = append(all, content{path, info.Size(), info.ModTime()})
		total += info.Size()
	})
	if total <= c.limit {
		return
	}
	slices.SortFunc(all, func(a, b content) int { return a.used.Compare(b.used) })
	for _, f := range all {
		if total <= c.limit/10*9 || now.Sub(f.used) < minKept {
			break
		}
		if info, err := os.Stat(f.path); err != nil || !info.ModTime().Equal(f.used) {
			continue // it was used, or removed, in the meantime
		}
		if os.Remove(f.path) == nil {
			total -= f.size
		}
	}
	c.removeUnused()
}

// removeUnused removes recipes whose picture is gone, and pictures that killed processes
// have not finished.
func (c *Cache) removeUnused() {
	walkFiles(filepath.Join(c.dir, "recipe"), func(path string, _ fs.FileInfo) {
		var k key
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		if !k.parse(name) {
			return
		}
		if e, ok := c.entry(k); ok {
			if _, err := os.Stat(c.contentPath(e)); err == nil {
				return
			}
		}
		_ = os.Remove(path)
	})
	owned.Sweep(filepath.Join(c.dir, "tmp"), "")
}

// walkFiles visits the files below dir, but for those that cannot be read.
func walkFiles(dir string, visit func(path string, info fs.FileInfo)) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return nil //nolint:nilerr // another process has removed it
		}
		if info, err := e.Info(); err == nil {
			visit(path, info)
		}
		return nil
	})
}
