package imagefile

import (
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"image/png"
	"io"

	"golang.org/x/image/webp"
)

// checks look at a file and give the picture's size. They fail when the file is
// of another format or not whole, but then give the size where the head has it.
var checks = map[Format]func(file) (width, height int, err error){
	JPEG: checkJPEG, PNG: checkPNG, TIFF: checkTIFF, WebP: checkWebP, AVIF: checkAVIF, JXL: checkJXL, EXR: checkEXR,
	Portable: checkPortable, HDR: checkHDR, QOI: checkQOI,
}

// Check gives the width and height of the picture in a file of so many bytes. It
// fails when the file is not of the format or not whole, as far as that can be
// seen without decoding it.
func Check(f Format, r io.ReaderAt, size int64) (width, height int, err error) {
	check, ok := checks[f]
	if !ok {
		return 0, 0, errors.ErrUnsupported
	}
	return check(file{r, size})
}

// A file is an image file that is checked.
type file struct {
	io.ReaderAt
	size int64
}

var errTruncated = errors.New("its end is missing")

// bytesAt reads n bytes at offset, counted from the end when it is negative.
func (f file) bytesAt(offset int64, n int) ([]byte, error) {
	if offset < 0 {
		offset += f.size
	}
	if offset < 0 || offset+int64(n) > f.size {
		return nil, errTruncated
	}
	b := make([]byte, n)
	_, err := f.ReadAt(b, offset)
	return b, err
}

// header gives the size as a decoder of the standard library reads it.
func (f file) header(decode func(io.Reader) (image.Config, error)) (w, h int, err error) {
	if f.size == 0 {
		return 0, 0, errors.New("it is empty")
	}
	c, err := decode(io.NewSectionReader(f, 0, f.size))
	return c.Width, c.Height, err
}

// requireEnd fails unless the file ends with end.
func (f file) requireEnd(end string) error {
	b, err := f.bytesAt(-int64(len(end)), len(end))
	if err == nil && string(b) != end {
		err = errTruncated
	}
	return err
}

func checkJPEG(f file) (w, h int, err error) {
	if w, h, err = f.header(jpeg.DecodeConfig); err == nil {
		err = f.requireEnd("\xff\xd9")
	}
	return w, h, err
}

func checkPNG(f file) (w, h int, err error) {
	if w, h, err = f.header(png.DecodeConfig); err == nil {
		err = f.requireEnd("IEND\xae\x42\x60\x82")
	}
	return w, h, err
}

func checkWebP(f file) (w, h int, err error) {
	if w, h, err = f.header(webp.DecodeConfig); err != nil {
		return 0, 0, err
	}
	b, err := f.bytesAt(4, 4)
	if err == nil && f.size < 8+int64(binary.LittleEndian.Uint32(b)) {
		err = errTruncated
	}
	return w, h, err
}
