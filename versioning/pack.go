package versioning

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"io"
)

// maxText is the size in bytes above which a state is refused, and above which
// a length in a file is taken for damage.
const maxText = 64 << 20

// packed is a text as FORMAT.md stores it: whole, or as a difference.
type packed struct {
	base   uint64 // the transaction it differs from; 0 when whole
	depth  uint64
	length uint64 // of the text
	stream []byte // DEFLATE
}

// pack packs a text; base is nil for a whole one.
func pack(text, base []byte, baseSeq, depth uint64) packed {
	p := packed{length: uint64(len(text))}
	if base != nil {
		p.base, p.depth = baseSeq, depth
		text = difference(base, text)
	}
	p.stream = deflate(text)
	return p
}

// unpack gives the text back. base is the text of p.base.
func (p packed) unpack(base []byte) ([]byte, error) {
	if p.length > maxText {
		return nil, errors.New("the length of a text is impossible")
	}
	if p.base == 0 {
		return inflate(p.stream, int(p.length), int(p.length))
	}
	// A difference is never much longer than the text that it makes.
	ops, err := inflate(p.stream, 0, 2*int(p.length)+64)
	if err != nil {
		return nil, err
	}
	return applyDifference(base, ops, int(p.length))
}

func (p packed) append(b []byte) []byte {
	b = binary.AppendUvarint(b, p.base)
	b = binary.AppendUvarint(b, p.depth)
	b = binary.AppendUvarint(b, p.length)
	return append(b, p.stream...)
}

func (c *cursor) packed() packed {
	p := packed{base: c.uvarint(), depth: c.uvarint(), length: c.uvarint()}
	p.stream = c.rest()
	return p
}

// spare keeps a few of what costs more to make than to use.
type spare[T any] chan T

func (s spare[T]) take(fresh func() T) T {
	select {
	case v := <-s:
		return v
	default:
		return fresh()
	}
}

func (s spare[T]) put(v T) {
	select {
	case s <- v:
	default:
	}
}

var (
	deflaters = make(spare[*flate.Writer], 4)
	inflaters = make(spare[io.ReadCloser], 4)
)

func deflate(text []byte) []byte {
	w := deflaters.take(func() *flate.Writer {
		w, err := flate.NewWriter(io.Discard, flate.BestCompression)
		if err != nil {
			panic(err) // the level is a constant
		}
		return w
	})
	defer deflaters.put(w)
	var b bytes.Buffer
	w.Reset(&b)
	_, _ = w.Write(text) // a Buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

// inflate gives a stream's text, which must have at least and at most so many
// bytes.
func inflate(stream []byte, least, most int) ([]byte, error) {
	r := inflaters.take(func() io.ReadCloser { return flate.NewReader(bytes.NewReader(nil)) })
	defer inflaters.put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(stream), nil); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	b.Grow(min(max(least, 4*len(stream)), 1<<20))
	n, err := b.ReadFrom(io.LimitReader(r, int64(most)+1))
	if err != nil {
		return nil, err
	}
	if n < int64(least) || n > int64(most) {
		return nil, errors.New("a text has another length than was written")
	}
	return b.Bytes(), nil
}
