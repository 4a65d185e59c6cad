package versioning

import (
	"io"
	"io/fs"
	"path"
	"sync"
)

// memory is a folder that ends with the process.
type memory struct {
	mu     sync.Mutex
	files  map[string]*memoryFile
	locked bool
}

var _ folder = (*memory)(nil)

func newMemory() *memory { return &memory{files: map[string]*memoryFile{}} }

func (m *memory) open(name string, _ bool) (file, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if f, ok := m.files[name]; ok {
		return f, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (m *memory) create(name string) (file, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := &memoryFile{}
	m.files[name] = f
	return f, nil
}

func (m *memory) rename(from, to string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	f, ok := m.files[from]
	if !ok {
		return &fs.PathError{Op: "rename", Path: from, Err: fs.ErrNotExist}
	}
	delete(m.files, from)
	m.files[to] = f
	return nil
}

func (m *memory) remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.files[name]; !ok {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	delete(m.files, name)
	return nil
}

func (m *memory) list(dir string) ([]string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for name := range m.files {
		if path.Dir(name) == path.Clean(dir) {
			names = append(names, path.Base(name))
		}
	}
	return names, nil
}

func (*memory) sync(string) error { return nil }

func (m *memory) tryLock(bool) (func(), bool, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.locked {
		return nil, false, nil
	}
	m.locked = true
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.locked = false
	}, true, nil
}

// memoryFile is a file of a memory folder.
type memoryFile struct {
	mu   sync.RWMutex
	data []byte
}

func (f *memoryFile) ReadAt(p []byte, off int64) (int, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if off >= int64(len(f.data)) {
		return 0, io.EOF
	}
	n := copy(p, f.data[off:])
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

func (f *memoryFile) WriteAt(p []byte, off int64) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if gap := off + int64(len(p)) - int64(len(f.data)); gap > 0 {
		f.data = append(f.data, make([]byte, gap)...)
	}
	return copy(f.data[off:], p), nil
}

func (f *memoryFile) truncate(size int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if size < int64(len(f.data)) {
		clear(f.data[size:])
		f.data = f.data[:size]
	}
	return nil
}

func (f *memoryFile) size() (int64, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return int64(len(f.data)), nil
}

func (*memoryFile) sync() error  { return nil }
func (*memoryFile) Close() error { return nil }
