package workspace

import (
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

// idList remembers which images a workspace has: reading 50,000 names takes some
// 50 ms, asking for the folder's time a few µs. When the folder has changed, and
// the log of changes (see [Workspace.relocate]) has all that led there, only
// the images that it names are looked at; otherwise, as after changes by hand, the
// names are read again.
type idList struct {
	mu    sync.Mutex
	known imageIDs
	at    int64 // the folder's time then, Unix, in ns; 0 when nothing is known
	read  int64 // how much of the log of changes was read then
}

// imageIDs are the images of a workspace.
type imageIDs struct {
	names  []string // sorted
	folded []string // the same in lower case, sorted
}

// hasFolded reports whether a name, in lower case, is one of an image but for upper
// and lower case.
func (s imageIDs) hasFolded(name string) bool {
	_, found := slices.BinarySearch(s.folded, name)
	return found
}

// settled is how long a folder has to have stayed as it is before its time can
// show that it did not change: file systems count time in steps, of up to two
// seconds.
const settled = 2 * time.Second

// use gives the images as they are now to a function, which does not keep them.
func (l *idList) use(w *Workspace, f func(imageIDs)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.refresh(w); err != nil {
		return err
	}
	f(l.known)
	return nil
}

func (l *idList) refresh(w *Workspace) error {
	// First the log: of a change between the two, the folder's time alone knows,
	// and the names are read.
	changes, size, ok := w.changesSince(l.read)
	at, err := folderTime(w.Path("images"))
	if err != nil {
		return err
	}
	if ok && l.at != 0 && leadTo(changes, l.at, at) {
		l.known.follow(changes, w)
		l.at, l.read = at, size
		return nil
	}
	now := time.Now()
	l.known, err = readIDs(w.Path("images"))
	l.at, l.read = 0, size
	if err == nil && now.Sub(time.Unix(0, at)) > settled {
		l.at = at
	}
	return err
}

func folderTime(dir string) (int64, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return 0, err
	}
	return info.ModTime().UnixNano(), nil
}

// leadTo reports whether changes are all that happened from one time of the folder
// to another. Where times are whole seconds, they say too little.
func leadTo(changes []idChange, from, to int64) bool {
	for _, c := range changes {
		if c.before != from || c.after%int64(time.Second) == 0 {
			return false
		}
		from = c.after
	}
	return from == to
}

// readIDs reads the names of all images.
func readIDs(dir string) (s imageIDs, err error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return s, err
	}
	s.names, s.folded = make([]string, 0, len(entries)), make([]string, 0, len(entries))
	for _, entry := range entries {
		if name := entry.Name(); entry.IsDir() && ValidID(name) {
			s.names = append(s.names, name)
			s.folded = append(s.folded, strings.ToLower(name))
		}
	}
	slices.Sort(s.folded)
	return s, nil
}

// follow makes of the images what changes left.
func (s *imageIDs) follow(changes []idChange, w *Workspace) {
	for _, c := range changes {
		info, err := os.Stat(w.Path("images", c.id))
		_, had := slices.BinarySearch(s.names, c.id)
		folded := strings.ToLower(c.id)
		switch has := err == nil && info.IsDir(); {
		case has && !had:
			s.names, s.folded = added(s.names, c.id), added(s.folded, folded)
		case had && !has:
			s.names, s.folded = removed(s.names, c.id), removed(s.folded, folded)
		}
	}
}

func added(sorted []string, name string) []string {
	at, _ := slices.BinarySearch(sorted, name)
	return slices.Insert(sorted, at, name)
}

func removed(sorted []string, name string) []string {
	at, _ := slices.BinarySearch(sorted, name)
	return slices.Delete(sorted, at, at+1)
}
