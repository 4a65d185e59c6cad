package imagefile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// The tags of TIFF directories that are looked at: metadata of another kind,
// directories, and where the pixels are.
const (
	tagDocumentName     = 269
	tagStripOffsets     = 273
	tagStripLengths     = 279
	tagTileOffsets      = 324
	tagTileLengths      = 325
	tagXMP              = 700
	tagIPTC             = 33723
	tagPhotoshop        = 34377
	tagEXIF             = 34665
	tagInteroperability = 40965
)

// Kinds of values in TIFF's directories.
const (
	kindByte      = 1
	kindText      = 2
	kindShort     = 3
	kindLong      = 4
	kindUndefined = 7
	kindDirectory = 13
)

// tiffTypeSizes are the sizes in bytes of TIFF's types, from 1 (BYTE) to 13 (IFD).
var tiffTypeSizes = [...]int64{0, 1, 1, 2, 4, 8, 1, 1, 2, 4, 8, 4, 8, 4}

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
	size  int64
	order byteOrder
}

// byteOrder is one of the two of package binary.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// openDirectories reads the head. It gives the place of the first directory.
func openDirectories(b block, size int64) (d *directories, first int64, err error) {
	d = &directories{block: b, size: size}
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
	if at < 0 || n < 0 || n > d.size || at > d.size-n {
		return nil, errors.New("a directory of a TIFF or EXIF points beyond its end")
	}
	b := make([]byte, n)
	_, err := d.ReadAt(b, at)
	return b, err
}

// A directoryEntry is one of a directory, with its twelve bytes.
type directoryEntry struct {
	tag, kind uint16
	count     int64
	raw       []byte
}

// entries reads the directory at a place.
func (d *directories) entries(at int64) ([]directoryEntry, error) {
	count, err := d.read(at, 2)
	if err != nil {
		return nil, err
	}
	raw, err := d.read(at+2, 12*int64(d.order.Uint16(count)))
	if err != nil {
		return nil, err
	}
	if _, err := d.read(at+2+int64(len(raw)), 4); err != nil {
		return nil, err
	}
	var out []directoryEntry
	for e := range slices.Chunk(raw, 12) {
		out = append(out, directoryEntry{d.order.Uint16(e), d.order.Uint16(e[2:]), int64(d.order.Uint32(e[4:])), e})
	}
	return out, nil
}

// value reads the value of an entry. It is empty when its kind is not known.
func (d *directories) value(e *directoryEntry) ([]byte, error) {
	if int(e.kind) >= len(tiffTypeSizes) {
		return nil, nil
	}
	length := e.count * tiffTypeSizes[e.kind]
	switch {
	case length <= 4:
		return slices.Clone(e.raw[8 : 8+length]), nil
	case length > maxMetadata:
		return nil, fmt.Errorf("tag %d of a TIFF or EXIF has %d bytes", e.tag, length)
	}
	return d.read(int64(d.order.Uint32(e.raw[8:])), length)
}

// numbers are the elements of a value of whole numbers.
func (d *directories) numbers(kind uint16, value []byte) (out []int64) {
	switch kind {
	case kindShort:
		for n := range slices.Chunk(value, 2) {
			out = append(out, int64(d.order.Uint16(n)))
		}
	case kindLong, kindDirectory:
		for n := range slices.Chunk(value, 4) {
			out = append(out, int64(d.order.Uint32(n)))
		}
	}
	return out
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
