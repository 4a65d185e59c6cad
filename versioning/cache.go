package versioning

import "sync"

// cache keeps the values that were put last, by the hash that names them. What
// a hash names never changes, so no value is ever stale; nobody may write to
// one.
type cache[T any] struct {
	capacity int         // how much it keeps, beside the newest value
	size     func(T) int // what a value takes of the capacity; nil means 1

	mu     sync.Mutex
	values map[Hash]T
	order  []Hash // their hashes, the oldest first
	used   int
}

func (c *cache[T]) get(h Hash) (T, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.values[h]
	return v, ok
}

func (c *cache[T]) put(h Hash, v T) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.values[h]; ok {
		return
	}
	if c.values == nil {
		c.values = map[Hash]T{}
	}
	c.values[h], c.order, c.used = v, append(c.order, h), c.used+c.sizeOf(v)
	for c.used > c.capacity && len(c.order) > 1 {
		oldest := c.order[0]
		c.used -= c.sizeOf(c.values[oldest])
		delete(c.values, oldest)
		c.order = c.order[1:]
	}
}

func (c *cache[T]) sizeOf(v T) int {
	if c.size == nil {
		return 1
	}
	return c.size(v)
}

func (c *cache[T]) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.values, c.order, c.used = nil, nil, 0
}
