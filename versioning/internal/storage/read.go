package storage

import (
	"errors"
	"io"
)

// ReadFile reads a small file whole.
func ReadFile(dir Folder, name string) ([]byte, error) {
	f, err := dir.Open(name, false)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	size, err := f.Size()
	if err != nil {
		return nil, err
	}
	data := make([]byte, size)
	n, err := f.ReadAt(data, 0)
	if int64(n) == size {
		err = nil
	}
	return data[:n], err
}

// many is a number of bytes that a file has to have before room is made for them.
const many = 1 << 16

// ReadRange reads n bytes of a file at an offset; fewer is an error.
func ReadRange(f File, offset, n int64) ([]byte, error) {
	if n > many {
		size, err := f.Size()
		if err != nil {
			return nil, err
		}
		if n > size-offset {
			return nil, io.ErrUnexpectedEOF
		}
	}
	if n < 0 {
		return nil, io.ErrUnexpectedEOF
	}
	b := make([]byte, n)
	if got, err := f.ReadAt(b, offset); int64(got) < n {
		if errors.Is(err, io.EOF) {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return b, nil
}
