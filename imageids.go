package chemigram

import (
	"os"
	"strings"
	"sync"
	"time"
)

// idList remembers which images a workspace has for as long as the folder of
// images stays as it was: reading 50,000 names takes some 50 ms, asking for the
// folder's time a few µs.
type idList struct {
	mu      sync.Mutex
	changed time.Time // the folder's time when it was read
	ids     []string  // by name
	folded  map[string]bool
}

// settled is how long a folder has to have stayed as it is before its time can
// tell that it did not change: file systems count time in steps, of up to two
// seconds.
const settled = 2 * time.Second

// read gives the names, which are not to be written to, and the same in lower
// case as a set.
func (l *idList) read(dir string) ([]string, map[string]bool, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	info, err := os.Stat(dir)
	if err != nil {
		return nil, nil, err
	}
	if l.ids != nil && info.ModTime().Equal(l.changed) {
		return l.ids, l.folded, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, nil, err
	}
	ids, folded := make([]string, 0, len(entries)), make(map[string]bool, len(entries))
	for _, entry := range entries {
		if name := entry.Name(); entry.IsDir() && !strings.HasPrefix(name, ".") {
			ids = append(ids, name)
			folded[strings.ToLower(name)] = true
		}
	}
	l.ids = nil
	if now.Sub(info.ModTime()) > settled {
		l.changed, l.ids, l.folded = info.ModTime(), ids, folded
	}
	return ids, folded, nil
}
