package versioning

import "sync"

// recent keeps the values that were put last, by the hash that names them. What
// a hash names never changes, so what it gives is never stale; nobody may write
// to it.
type recent[T any] struct {
	most int // how many it keeps

	mu     sync.Mutex
	values map[Hash]T
	ring   []Hash // their hashes
	oldest int    // the place in the ring that is given away next
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
	if len(r.ring) < r.most {
		r.ring = append(r.ring, h)
	} else {
		delete(r.values, r.ring[r.oldest])
		r.ring[r.oldest] = h
		r.oldest = (r.oldest + 1) % r.most
	}
	r.values[h] = v
}

func (r *recent[T]) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.values, r.ring, r.oldest = nil, nil, 0
}
