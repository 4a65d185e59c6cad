package imagefile

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// The tags of TIFF directories that hold metadata of another kind, or a
// directory of their own.
const (
	tagDocumentName = 269
	tagXMP          = 700
	tagIPTC         = 33723
	tagPhotoshop    = 34377
	tagEXIF         = 34665
	tagGPS          = 34853
	tagMakerNote    = 37500
)

// tiffTypeSizes are the sizes in bytes of TIFF's types, from 1 (BYTE) to 13 (IFD).
var tiffTypeSizes = [...]int64{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4}

// maxDirectories bounds the directories that are read, since they may form a
// circle.
const maxDirectories = 64

// A block is bytes that can be changed in place.
type block interface {
	io.ReaderAt
	io.WriterAt
}

// A buffer is a block in memory.
type buffer []byte

func (b buffer) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 || at+int64(len(p)) > int64(len(b)) {
		return 0, io.ErrUnexpectedEOF
	}
	return copy(p, b[at:]), nil
}

func (b buffer) WriteAt(p []byte, at int64) (int, error) {
	if at < 0 || at+int64(len(p)) > int64(len(b)) {
		return 0, io.ErrShortWrite
	}
	return copy(b[at:], p), nil
}

// editInPlace changes a file without writing it anew.
func editInPlace(path string, change func(b block, size int64) error) (err error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	return change(f, info.Size())
}

// directories are those of a TIFF, or of EXIF, which has the same form.
type directories struct {
	block
	size      int64
	order     binary.ByteOrder
	remaining int // how many may still be read
}

// openDirectories reads the head. It gives the place of the first directory.
func openDirectories(b block, size int64) (d *directories, first int64, err error) {
	d = &directories{block: b, size: size, remaining: maxDirectories}
	var head [8]byte
	if _, err := d.ReadAt(head[:], 0); err != nil {
		return nil, 0, err
	}
	switch string(head[:4]) {
	case "II*\x00":
		d.order = binary.LittleEndian
	case "MM\x00*":
		d.order = binary.BigEndian
	default:
		return nil, 0, errors.New("a TIFF or EXIF has no head")
	}
	return d, int64(d.order.Uint32(head[4:])), nil
}

func (d *directories) read(at, n int64) ([]byte, error) {
	if at < 0 || n > d.size || at+n > d.size {
		return nil, errors.New("a directory of a TIFF or EXIF points beyond its end")
	}
	b := make([]byte, n)
	_, err := d.ReadAt(b, at)
	return b, err
}

// text finds the text of a tag in the directory at a place, and how many bytes it
// has. It is not ok when there is none that is longer than four.
func (d *directories) text(directory int64, tag uint16) (at, room int64, ok bool) {
	count, err := d.read(directory, 2)
	if err != nil {
		return 0, 0, false
	}
	for i := range int64(d.order.Uint16(count)) {
		entry, err := d.read(directory+2+12*i, 12)
		if err != nil {
			return 0, 0, false
		}
		if d.order.Uint16(entry) != tag {
			continue
		}
		room, at = int64(d.order.Uint32(entry[4:])), int64(d.order.Uint32(entry[8:]))
		_, err = d.read(at, room)
		return at, room, err == nil && room > 4
	}
	return 0, 0, false
}
