package probe

import (
	"slices"
	"sync"
)

// recent keeps the values that were used last, at most so many. It is safe for
// concurrent use.
type recent[K comparable, V any] struct {
	most int

	mu     sync.Mutex
	keys   []K // the one used longest ago first
	values map[K]V
}

func newRecent[K comparable, V any](most int) *recent[K, V] {
	return &recent[K, V]{most: most, values: map[K]V{}}
}

func (r *recent[K, V]) get(key K) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v, ok := r.values[key]
	if ok {
		r.touch(key)
	}
	return v, ok
}

func (r *recent[K, V]) put(key K, v V) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.values[key] = v
	if r.touch(key); len(r.keys) > r.most {
		delete(r.values, r.keys[0])
		r.keys = r.keys[1:]
	}
}

// touch makes a key the one used last.
func (r *recent[K, V]) touch(key K) {
	r.keys = append(slices.DeleteFunc(r.keys, func(k K) bool { return k == key }), key)
}
