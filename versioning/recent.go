package versioning

import "sync"

// recent keeps the values that were put last, by the hash that names them. What
// a hash names never changes, so what it gives is never stale; nobody may write
// to it.
type recent[T any] struct {
	room int         // how much it keeps, beside the newest value
	size func(T) int // what a value takes of the room; nil means 1

	mu     sync.Mutex
	values map[Hash]T
	order  []Hash // their hashes, the oldest first
	taken  int
}

func (r *recent[T]) get(h Hash) (T, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	v, ok := r.values[h]
	return v, ok
}

func (r *recent[T]) put(h Hash, v T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, ok := r.values[h]; ok {
		return
	}
	if r.values == nil {
		r.values = map[Hash]T{}
	}
	r.values[h], r.order, r.taken = v, append(r.order, h), r.taken+r.cost(v)
	for r.taken > r.room && len(r.order) > 1 {
		oldest := r.order[0]
		r.taken -= r.cost(r.values[oldest])
		delete(r.values, oldest)
		r.order = r.order[1:]
	}
}

func (r *recent[T]) cost(v T) int {
	if r.size == nil {
		return 1
	}
	return r.size(v)
}

func (r *recent[T]) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.values, r.order, r.taken = nil, nil, 0
}
