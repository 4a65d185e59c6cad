package render

import (
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// A file is a picture file that is looked at.
type file struct {
	io.ReaderAt
	size int64
}

var errTorn = errors.New("its end is missing")

// bytesAt reads n bytes at offset, counted from the end when it is negative.
func (f file) bytesAt(offset int64, n int) ([]byte, error) {
	if offset < 0 {
		offset += f.size
	}
	if offset < 0 || offset+int64(n) > f.size {
		return nil, errTorn
	}
	b := make([]byte, n)
	_, err := f.ReadAt(b, offset)
	return b, err
}

// header is the size as a decoder of the standard library reads it.
func (f file) header(decode func(io.Reader) (image.Config, error)) (w, h int, err error) {
	if f.size == 0 {
		return 0, 0, errors.New("it is empty")
	}
	c, err := decode(io.NewSectionReader(f, 0, f.size))
	return c.Width, c.Height, err
}

// endsWith fails unless the file does.
func (f file) endsWith(tail string) error {
	b, err := f.bytesAt(-int64(len(tail)), len(tail))
	if err == nil && string(b) != tail {
		err = errTorn
	}
	return err
}

func checkJPEG(f file) (w, h int, err error) {
	if w, h, err = f.header(jpeg.DecodeConfig); err == nil {
		err = f.endsWith("\xff\xd9")
	}
	return w, h, err
}

func checkPNG(f file) (w, h int, err error) {
	if w, h, err = f.header(png.DecodeConfig); err == nil {
		err = f.endsWith("IEND\xae\x42\x60\x82")
	}
	return w, h, err
}

func checkWebP(f file) (w, h int, err error) {
	if w, h, err = f.header(webp.DecodeConfig); err != nil {
		return 0, 0, err
	}
	b, err := f.bytesAt(4, 4)
	if err == nil && f.size < 8+int64(binary.LittleEndian.Uint32(b)) {
		err = errTorn
	}
	return w, h, err
}
