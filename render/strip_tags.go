package render

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"slices"
)

// The tags of a TIFF directory that hold metadata of another kind.
const (
	tagXMP       = 700
	tagIPTC      = 33723
	tagPhotoshop = 34377
	tagEXIF      = 34665
	tagGPS       = 34853
	tagMakerNote = 37500
)

// pictureTags are those of TIFF's tags without which its pixels cannot be read
// or are read as others: all that stays under StripAll, with the ICC profile.
var pictureTags = []uint16{
	254, 255, 256, 257, 258, 259, 262, 263, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284,
	290, 291, 292, 293, 296, 301, 317, 318, 319, 320, 322, 323, 324, 325, 332, 334, 336, 338, 339, 340, 341, 342,
	347, 529, 530, 531, 532, 34675,
}

// stripTIFF takes metadata out of a TIFF in its place; where they were are
// zeros.
func stripTIFF(path string, m Metadata) error {
	var keeps []uint16
	if m == StripAll {
		keeps = pictureTags
	}
	return edit(path, func(b block, size int64) error { return stripTags(b, size, m, keeps) })
}

// edit changes a file in its place.
func edit(path string, change func(b block, size int64) error) (err error) {
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

// A block is bytes that can be changed where they are.
type block interface {
	io.ReaderAt
	io.WriterAt
}

type memory []byte

func (m memory) ReadAt(p []byte, at int64) (int, error) {
	if at < 0 || at+int64(len(p)) > int64(len(m)) {
		return 0, io.ErrUnexpectedEOF
	}
	return copy(p, m[at:]), nil
}

func (m memory) WriteAt(p []byte, at int64) (int, error) {
	if at < 0 || at+int64(len(p)) > int64(len(m)) {
		return 0, io.ErrShortWrite
	}
	return copy(m[at:], p), nil
}

// tags are the directories of a TIFF, or of EXIF, which has the same form.
type tags struct {
	block
	size  int64
	order binary.ByteOrder
	left  int // how many directories may still be looked at
}

// stripTags takes tags out of all directories: those that are not in keeps, or
// those that tell places when keeps is nil.
func stripTags(b block, size int64, m Metadata, keeps []uint16) error {
	t := tags{block: b, size: size, left: 64}
	first, err := t.first()
	if err != nil {
		return err
	}
	keep := func(tag uint16) bool {
		if m == StripAll {
			return slices.Contains(keeps, tag)
		}
		return tag != tagGPS && tag != tagMakerNote
	}
	for at := first; at != 0; {
		next, err := t.strip(at, keep)
		if err != nil {
			return err
		}
		at = next
	}
	return nil
}

// first reads the head: the order of bytes, and where the first directory is.
func (t *tags) first() (int64, error) {
	var head [8]byte
	if _, err := t.ReadAt(head[:], 0); err != nil {
		return 0, err
	}
	switch string(head[:4]) {
	case "II*\x00":
		t.order = binary.LittleEndian
	case "MM\x00*":
		t.order = binary.BigEndian
	default:
		return 0, errors.New("a TIFF or EXIF has no head")
	}
	return int64(t.order.Uint32(head[4:])), nil
}

// strip takes entries out of the directory at a place, and what they point to,
// and tells where the next one is.
func (t *tags) strip(at int64, keep func(tag uint16) bool) (next int64, err error) {
	if t.left--; t.left < 0 {
		return 0, errors.New("the directories of a TIFF or EXIF go round in circles")
	}
	count, err := t.read(at, 2)
	if err != nil {
		return 0, err
	}
	n := 12 * int64(t.order.Uint16(count))
	entries, err := t.read(at+2, n+4)
	if err != nil {
		return 0, err
	}
	next = int64(t.order.Uint32(entries[n:]))
	var out []byte
	for entry := range slices.Chunk(entries[:n], 12) {
		kept := keep(t.order.Uint16(entry))
		if err := t.visit(entry, kept, keep); err != nil {
			return 0, err
		}
		if kept {
			out = append(out, entry...)
		}
	}
	t.order.PutUint16(count, uint16(len(out)/12))
	if len(out) > 0 || next != 0 {
		out = append(out, entries[n:]...)
	}
	out = append(out, make([]byte, int64(len(entries)-len(out)))...)
	_, err = t.WriteAt(append(count, out...), at)
	return next, err
}

// visit clears the value of an entry that goes, and blanks the places in that
// of one that stays.
func (t *tags) visit(entry []byte, kept bool, keep func(uint16) bool) error {
	tag, kind := t.order.Uint16(entry), t.order.Uint16(entry[2:])
	if tag == tagEXIF || tag == tagGPS {
		below := keep
		if !kept {
			below = func(uint16) bool { return false }
		}
		_, err := t.strip(int64(t.order.Uint32(entry[8:])), below)
		return err
	}
	if int(kind) >= len(tiffTypes) {
		return nil
	}
	length := int64(t.order.Uint32(entry[4:])) * tiffTypes[kind]
	blank := map[uint16]func([]byte) error{tagXMP: blankPlaces, tagIPTC: blankDataSets, tagPhotoshop: blankResources}[tag]
	if length <= 4 || kept && blank == nil {
		return nil
	}
	at := int64(t.order.Uint32(entry[8:]))
	value, err := t.read(at, length)
	if err != nil {
		return err
	}
	if !kept {
		clear(value)
	} else if err := blank(value); err != nil {
		return err
	}
	_, err = t.WriteAt(value, at)
	return err
}

func (t *tags) read(at, n int64) ([]byte, error) {
	if at < 0 || n > t.size || at+n > t.size {
		return nil, errors.New("a directory of a TIFF or EXIF points beyond its end")
	}
	b := make([]byte, n)
	_, err := t.ReadAt(b, at)
	return b, err
}
