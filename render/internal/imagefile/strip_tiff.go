package imagefile

import (
	"errors"
	"slices"
)

// pictureTags are those of TIFF's tags without which its pixels cannot be read
// or are read as others, and the ICC profile.
var pictureTags = []uint16{
	254, 255, 256, 257, 258, 259, 262, 263, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284,
	290, 291, 292, 293, 296, 301, 317, 318, 319, 320, 322, 323, 324, 325, 332, 334, 336, 338, 339, 340, 341, 342,
	347, 529, 530, 531, 532, 34675,
}

func isPictureTag(tag uint16) bool { return slices.Contains(pictureTags, tag) }

// isNotLocation is false for the tags that hold a location. (The maker's note may
// hold one, in a form of its own.)
func isNotLocation(tag uint16) bool { return tag != tagGPS && tag != tagMakerNote }

// stripTIFF takes metadata out of a TIFF in place, which leaves zeros.
func stripTIFF(path string, part Part) error {
	keep := isNotLocation
	if part == Everything {
		keep = isPictureTag
	}
	return editInPlace(path, func(b block, size int64) error { return stripDirectories(b, size, keep) })
}

// stripDirectories takes the tags that are not to be kept out of all directories,
// and blanks the location in the metadata of another kind that stay.
func stripDirectories(b block, size int64, keep func(tag uint16) bool) error {
	d, at, err := openDirectories(b, size)
	for err == nil && at != 0 {
		at, err = d.strip(at, keep)
	}
	return err
}

// strip takes entries, and what they point to, out of the directory at a place.
// It gives the place of the next one.
func (d *directories) strip(at int64, keep func(tag uint16) bool) (next int64, err error) {
	if d.remaining--; d.remaining < 0 {
		return 0, errors.New("the directories of a TIFF or EXIF go round in circles")
	}
	count, err := d.read(at, 2)
	if err != nil {
		return 0, err
	}
	n := 12 * int64(d.order.Uint16(count))
	entries, err := d.read(at+2, n+4)
	if err != nil {
		return 0, err
	}
	next = int64(d.order.Uint32(entries[n:]))
	var out []byte
	for entry := range slices.Chunk(entries[:n], 12) {
		kept := keep(d.order.Uint16(entry))
		if err := d.stripValue(entry, kept, keep); err != nil {
			return 0, err
		}
		if kept {
			out = append(out, entry...)
		}
	}
	d.order.PutUint16(count, uint16(len(out)/12))
	if len(out) > 0 || next != 0 {
		out = append(out, entries[n:]...)
	}
	out = append(out, make([]byte, int64(len(entries)-len(out)))...)
	_, err = d.WriteAt(append(count, out...), at)
	return next, err
}

// stripValue clears the value of an entry that is not kept, and blanks the
// location in that of one that is.
func (d *directories) stripValue(entry []byte, kept bool, keep func(uint16) bool) error {
	tag, kind := d.order.Uint16(entry), d.order.Uint16(entry[2:])
	if tag == tagEXIF || tag == tagGPS {
		below := keep
		if !kept {
			below = func(uint16) bool { return false }
		}
		_, err := d.strip(int64(d.order.Uint32(entry[8:])), below)
		return err
	}
	if int(kind) >= len(tiffTypeSizes) {
		return nil
	}
	length := int64(d.order.Uint32(entry[4:])) * tiffTypeSizes[kind]
	blank := map[uint16]func([]byte) error{tagXMP: blankXMP, tagIPTC: blankIPTC, tagPhotoshop: blankResources}[tag]
	if length <= 4 || kept && blank == nil {
		return nil
	}
	at := int64(d.order.Uint32(entry[8:]))
	value, err := d.read(at, length)
	if err != nil {
		return err
	}
	if !kept {
		clear(value)
	} else if err := blank(value); err != nil {
		return err
	}
	_, err = d.WriteAt(value, at)
	return err
}
