package objectstest

import (
	"bytes"
	"context"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chemigram/chemigram/objects"
)

// Memory is an objects.Store in memory, which counts what is asked of it.
type Memory struct {
	// Now is the store's clock. Default: time.Now.
	Now func() time.Time

	mu       sync.Mutex
	objects  map[string][]byte
	made     map[string]time.Time
	requests map[string]int // by method
}

// NewMemory makes an empty store.
func NewMemory() *Memory {
	return &Memory{Now: time.Now, objects: map[string][]byte{}, made: map[string]time.Time{}, requests: map[string]int{}}
}

// Get opens an object.
func (m *Memory) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	defer m.begin("Get")()
	if err := check(ctx, "Get", name); err != nil {
		return nil, err
	}
	data, ok := m.objects[name]
	if !ok {
		return nil, &objects.Error{Op: "Get", Kind: objects.NotFound, Name: name}
	}
	return io.NopCloser(bytes.NewReader(data)), nil
}

// Create makes an object.
func (m *Memory) Create(ctx context.Context, name string, content io.ReadSeeker) error {
	_, err := content.Seek(0, io.SeekStart)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	defer m.begin("Create")()
	if err := check(ctx, "Create", name); err != nil {
		return err
	}
	if _, there := m.objects[name]; there {
		return &objects.Error{Op: "Create", Kind: objects.Exists, Name: name}
	}
	m.objects[name], m.made[name] = data, m.Now()
	return nil
}

// List gives a page of the objects.
func (m *Memory) List(ctx context.Context, prefix, page string) (list []objects.Object, next string, err error) {
	defer m.begin("List")()
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	if err := objects.CheckPrefix(prefix); err != nil {
		return nil, "", err
	}
	for _, name := range slices.Sorted(maps.Keys(m.objects)) {
		if !strings.HasPrefix(name, prefix) || name <= page {
			continue
		}
		if len(list) == objects.MaxPage {
			return list, list[len(list)-1].Name, nil
		}
		list = append(list, objects.Object{Name: name, Size: int64(len(m.objects[name])), Modified: m.made[name]})
	}
	return list, "", nil
}

// Delete removes an object.
func (m *Memory) Delete(ctx context.Context, name string) error {
	defer m.begin("Delete")()
	if err := check(ctx, "Delete", name); err != nil {
		return err
	}
	delete(m.objects, name)
	return nil
}

// begin counts a request, and takes the lock until the function that it gives is called.
func (m *Memory) begin(method string) (end func()) {
	m.mu.Lock()
	m.requests[method]++
	return m.mu.Unlock
}

func check(ctx context.Context, op, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := objects.CheckName(name); err != nil {
		return &objects.Error{Op: op, Kind: objects.Invalid, Name: name, Err: err}
	}
	return nil
}

// Requests gives how many requests there were since the last call, by method.
func (m *Memory) Requests() map[string]int {
	m.mu.Lock()
	defer m.mu.Unlock()
	counted := m.requests
	m.requests = map[string]int{}
	return counted
}

// Bytes gives the objects' names and how many bytes they have together.
func (m *Memory) Bytes() (names []string, total int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, data := range m.objects {
		names, total = append(names, name), total+int64(len(data))
	}
	slices.Sort(names)
	return names, total
}

// Put puts an object in place of whatever is there, for tests of damage. nil takes it
// away.
func (m *Memory) Put(name string, data []byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if data == nil {
		delete(m.objects, name)
		return
	}
	if _, there := m.objects[name]; !there {
		m.made[name] = m.Now()
	}
	m.objects[name] = data
}

// Object gives an object's bytes, or nil.
func (m *Memory) Object(name string) []byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return bytes.Clone(m.objects[name])
}
