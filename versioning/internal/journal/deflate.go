package journal

import (
	"bytes"
	"compress/flate"
	"errors"
	"io"
)

// pool keeps a few compressors, which cost more to make than to use. Unlike a
// sync.Pool it keeps them over a garbage collection.
type pool[T any] chan T

func (p pool[T]) get(create func() T) T {
	select {
	case v := <-p:
		return v
	default:
		return create()
	}
}

func (p pool[T]) put(v T) {
	select {
	case p <- v:
	default:
	}
}

var (
	deflaters = make(pool[*flate.Writer], 4)
	inflaters = make(pool[io.ReadCloser], 4)
)

func deflate(text []byte) []byte {
	w := deflaters.get(func() *flate.Writer {
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

// inflate returns a stream's text, which must have from least to most bytes.
func inflate(stream []byte, least, most int) ([]byte, error) {
	r := inflaters.get(func() io.ReadCloser { return flate.NewReader(bytes.NewReader(nil)) })
	defer inflaters.put(r)
	if err := r.(flate.Resetter).Reset(bytes.NewReader(stream), nil); err != nil {
		return nil, err
	}
	// A buffer that has room for what is read, and for the byte that would be too
	// many, does not grow while it is filled.
	var b bytes.Buffer
	b.Grow(min(max(least, 4*len(stream)), most) + bytes.MinRead)
	n, err := b.ReadFrom(io.LimitReader(r, int64(most)+1))
	if err != nil {
		return nil, err
	}
	if n < int64(least) || n > int64(most) {
		return nil, errors.New("a text has another length than was written")
	}
	return b.Bytes(), nil
}
