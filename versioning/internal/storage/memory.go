package storage

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"sync"
)

// Memory is a folder that ends with the process.
type Memory struct {
	mu     sync.Mutex
	files  map[string]*memoryFile
	locked map[string]bool
}

var _ Folder = (*Memory)(nil)

// NewMemory makes an empty folder.
func NewMemory() *Memory { return &Memory{files: map[string]*memoryFile{}, locked: map[string]bool{}} }

// Put makes a file with a copy of content, in place of one of that name.
func (m *Memory) Put(name string, content []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[name] = &memoryFile{data: bytes.Clone(content)}
}

// Open opens a file that exists. It is always writable.
func (m *Memory) Open(name string, _ bool) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if f, ok := m.files[name]; ok {
		return f, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Create makes an empty file.
func (m *Memory) Create(name string) (File, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	f := &memoryFile{}
	m.files[name] = f
	return f, nil
}

// Rename replaces the file to by the file from.
func (m *Memory) Rename(from, to string) error {
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

// Remove removes a file.
func (m *Memory) Remove(name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.files[name]; !ok {
		return &fs.PathError{Op: "remove", Path: name, Err: fs.ErrNotExist}
	}
	delete(m.files, name)
	return nil
}

// List returns the names in a folder.
func (m *Memory) List(dir string) ([]string, error) {
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

// Sync does nothing: no power cut is survived.
func (*Memory) Sync(string) error { return nil }

// TryLock takes a lock.
func (m *Memory) TryLock(name string, _ bool) (unlock func(), ok bool, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.locked[name] {
		return nil, false, nil
	}
	m.locked[name] = true
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.locked, name)
	}, true, nil
}

// memoryFile is a file of a Memory.
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

func (f *memoryFile) Truncate(size int64) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if size < int64(len(f.data)) {
		clear(f.data[size:])
		f.data = f.data[:size]
	}
	return nil
}

func (f *memoryFile) Size() (int64, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return int64(len(f.data)), nil
}

func (*memoryFile) Sync() error  { return nil }
func (*memoryFile) Close() error { return nil }
