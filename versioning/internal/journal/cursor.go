package journal

import "encoding/binary"

// cursor reads numbers and pieces off the front of bytes. After a piece that
// is not there, bad is true and everything it returns is zero or empty.
type cursor struct {
	b   []byte
	bad bool
}

func (c *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(c.b)
	if n <= 0 {
		c.b, c.bad = nil, true
		return 0
	}
	c.b = c.b[n:]
	return v
}

func (c *cursor) varint() int64 {
	v, n := binary.Varint(c.b)
	if n <= 0 {
		c.b, c.bad = nil, true
		return 0
	}
	c.b = c.b[n:]
	return v
}

func (c *cursor) take(n int) []byte {
	if n < 0 || n > len(c.b) {
		c.b, c.bad = nil, true
		return nil
	}
	piece := c.b[:n:n]
	c.b = c.b[n:]
	return piece
}

func (c *cursor) hash() (h Hash) {
	copy(h[:], c.take(len(h)))
	return h
}

// rest takes everything that is left.
func (c *cursor) rest() []byte { return c.take(len(c.b)) }
