package render

import (
	"errors"
	"io/fs"
)

const tagDocumentName = 269

// nameDocument gives a TIFF the name of its file. darktable writes the path that
// it was told to write to, and with it what this machine's folders are called.
// A file that is missing, or no TIFF, is for the check to tell.
func nameDocument(path, name string) error {
	err := edit(path, func(b block, size int64) error {
		t := tags{block: b, size: size}
		place, room, ok := t.text(tagDocumentName)
		if !ok {
			return nil
		}
		text := make([]byte, room)
		copy(text[:room-1], name)
		_, err := t.WriteAt(text, place)
		return err
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// text finds the text of a tag in the first directory, and how many bytes it
// has. It is not ok when there is none that is longer than four.
func (t *tags) text(tag uint16) (place, room int64, ok bool) {
	first, err := t.first()
	if err != nil {
		return 0, 0, false
	}
	count, err := t.read(first, 2)
	if err != nil {
		return 0, 0, false
	}
	for i := range int64(t.order.Uint16(count)) {
		entry, err := t.read(first+2+12*i, 12)
		if err != nil {
			return 0, 0, false
		}
		if t.order.Uint16(entry) != tag {
			continue
		}
		room, place = int64(t.order.Uint32(entry[4:])), int64(t.order.Uint32(entry[8:]))
		_, err = t.read(place, room)
		return place, room, err == nil && room > 4
	}
	return 0, 0, false
}
