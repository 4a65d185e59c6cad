package imagefile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
)

// IsCutShort reports whether a file of so many bytes says of itself that its picture, or
// another in it, goes on behind its end. Nothing is decoded; of what has no length, or no
// end that can be told, it is false.
func IsCutShort(r io.ReaderAt, size int64) bool {
	f := file{r, size}
	head, err := f.bytesAt(0, 16)
	if err != nil {
		return false
	}
	switch kind := string(head); {
	case strings.HasPrefix(kind, "\xff\xd8\xff"):
		return f.lacksEndOfJPEG()
	case kind[0] == 'P' && isBlank(kind[2]):
		return f.lacksSamples()
	case kind[4:8] == "ftyp":
		return f.lacksMedia()
	case strings.HasPrefix(kind, "qoif"):
		return f.lacksChunks()
	case strings.HasPrefix(kind, "FUJIFILMCCD-RAW"):
		places, err := f.bytesAt(84, 24) // of a JPEG, of metadata, and of the picture
		for err == nil && len(places) > 0 {
			if f.endsBefore(int64(binary.BigEndian.Uint32(places)), int64(binary.BigEndian.Uint32(places[4:]))) {
				return true
			}
			places = places[8:]
		}
		return false
	case strings.HasPrefix(kind, "IIU\x00"):
		return false // Panasonic's lengths are not those of the strips
	}
	return f.lacksStrips()
}

// endsBefore reports whether the file ends before a part of it does.
func (f file) endsBefore(at, length int64) bool { return at > 0 && length > 0 && at > f.size-length }

// mpfName is what a segment begins with that lists the pictures behind a JPEG's own
// (CIPA DC-007): a second view, a larger preview, a map of gains.
const mpfName = "MPF\x00"

// lacksEndOfJPEG reports whether there is no mark of the end behind the pixels, or a picture
// behind them goes on behind the end. Where nothing is behind them, a program took the other
// pictures out and left their list. In the pixels, other marks are never what they look like.
func (f file) lacksEndOfJPEG() bool {
	whole := io.NewSectionReader(f, 0, f.size)
	r := bufio.NewReaderSize(whole, 1<<16)
	lacks := false
	err := walkSegments(r, func(marker byte, data []byte) error {
		if marker == markerAPP2 && bytes.HasPrefix(data, []byte(mpfName)) {
			read, err := whole.Seek(0, io.SeekCurrent)
			at := read - int64(r.Buffered()) - int64(len(data)-len(mpfName))
			lacks = err == nil && f.lacksListed(at, buffer(data[len(mpfName):]))
		}
		return nil
	})
	for err == nil {
		if _, err = r.ReadSlice(0xff); errors.Is(err, bufio.ErrBufferFull) {
			err = nil
			continue
		}
		if err == nil {
			err = r.UnreadByte()
		}
		var marker byte
		if err == nil {
			marker, err = nextMarker(r)
		}
		if marker == markerEOI && err == nil {
			_, err = r.Peek(1)
			return lacks && err == nil
		}
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// tagPictures lists pictures in 16 bytes each: what it is, its length, its place, and two
// others that belong to it.
const tagPictures = 0xb002

// lacksListed reports whether a picture of a list lies beyond the end; places count from
// that of the list.
func (f file) lacksListed(at int64, list buffer) (lacks bool) {
	dirs, first, err := openDirectories(list, int64(len(list)))
	if err != nil {
		return false
	}
	entries, _ := dirs.entries(first)
	for _, e := range entries {
		if e.tag != tagPictures || e.kind != kindUndefined {
			continue
		}
		value, _ := dirs.value(&e)
		for ; len(value) >= 16; value = value[16:] {
			length, place := int64(dirs.order.Uint32(value[4:])), int64(dirs.order.Uint32(value[8:]))
			lacks = lacks || place > 0 && f.endsBefore(at+place, length) // the first is this JPEG
		}
	}
	return lacks
}

// lacksSamples reports whether there are fewer bytes than the size of a portable map takes.
func (f file) lacksSamples() bool {
	p, err := f.portable()
	return err == nil && p.length() > f.size-p.at
}

// lacksChunks reports whether the chunks of a QOI end before its last pixel.
func (f file) lacksChunks() bool {
	w, h, err := checkQOI(f)
	if !isSize(w, h) || err == nil { // its last bytes are the mark of its end
		return false
	}
	r := bufio.NewReaderSize(io.NewSectionReader(f, 14, f.size-14), 1<<16)
	for pixels := w * h; pixels > 0; pixels-- {
		first, err := r.ReadByte()
		if err != nil {
			return true
		}
		more := 0
		switch {
		case first == 0xff: // four samples
			more = 4
		case first == 0xfe: // three
			more = 3
		case first >= 0xc0: // a run of the pixel before
			pixels -= int(first & 0x3f)
		case first >= 0x80: // a difference in luma
			more = 1
		}
		if _, err := r.Discard(more); err != nil {
			return true
		}
	}
	return false
}

// lacksMedia reports whether the last box of a file is cut off, and holds the picture.
func (f file) lacksMedia() bool {
	end := int64(0)
	err := f.walkBoxes(func(_ string, at, n int64) error {
		end = at + n
		return nil
	})
	if !errors.Is(err, errTruncated) {
		return false
	}
	head, err := f.bytesAt(end, 8)
	return err == nil && string(head[4:]) == "mdat"
}

// lacksStrips reports whether strips, tiles, JPEGs or directories of a TIFF, or of a raw
// that is built like one, lie beyond the end.
func (f file) lacksStrips() (lacks bool) {
	missing := eachDirectory(f, f.size, func(dirs *directories, entries []directoryEntry, _ bool) {
		numbers := map[uint16][]int64{}
		for _, e := range entries {
			switch e.tag {
			case tagStripOffsets, tagStripLengths, tagTileOffsets, tagTileLengths, tagJPEGOffset, tagJPEGLength:
				value, _ := dirs.value(&e)
				numbers[e.tag] = dirs.numbers(e.kind, value)
			}
		}
		for _, tags := range [][2]uint16{{tagStripOffsets, tagStripLengths}, {tagTileOffsets, tagTileLengths}, {tagJPEGOffset, tagJPEGLength}} {
			starts, lengths := numbers[tags[0]], numbers[tags[1]]
			for i := range min(len(starts), len(lengths)) {
				lacks = lacks || f.endsBefore(starts[i], lengths[i])
			}
		}
	})
	return lacks || missing
}
