package imagefile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
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
	case strings.HasPrefix(kind, "PF\n"), strings.HasPrefix(kind, "Pf\n"):
		return f.lacksFloats()
	case kind[4:8] == "ftyp":
		return f.lacksMedia()
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

// lacksEndOfJPEG reports whether there is no mark of the end behind the pixels. In them,
// other marks are never what they look like.
func (f file) lacksEndOfJPEG() bool {
	whole := io.NewSectionReader(f, 0, f.size)
	r := bufio.NewReaderSize(whole, 1<<16)
	read := func() int64 {
		at, _ := whole.Seek(0, io.SeekCurrent)
		return at - int64(r.Buffered())
	}
	others := int64(0) // where the pictures behind this one are listed
	err := walkSegments(r, func(marker byte, data []byte) error {
		if marker == markerAPP2 && strings.HasPrefix(string(data), mpfName) {
			others = read() - int64(len(data)) + int64(len(mpfName))
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
			return others > 0 && read() < f.size && f.lacksListed(others)
		}
	}
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// lacksListed reports whether a picture goes on behind the end of the file that a
// multi-picture format (CIPA DC-007) lists whose head is at a place. Programs that take the
// other pictures out leave the list, and nothing behind the first picture.
func (f file) lacksListed(at int64) bool {
	size := f.size - at
	dirs, first, err := openDirectories(readOnly{io.NewSectionReader(f, at, size)}, size)
	if err != nil {
		return false
	}
	entries, _ := dirs.entries(first)
	for _, e := range entries {
		if e.tag != tagMPEntries {
			continue
		}
		list, _ := dirs.value(&e)
		for len(list) >= 16 {
			length, place := int64(dirs.order.Uint32(list[4:])), int64(dirs.order.Uint32(list[8:]))
			if place > 0 && f.endsBefore(at+place, length) {
				return true
			}
			list = list[16:]
		}
	}
	return false
}

// lacksFloats reports whether there are fewer bytes than the size of a PFM takes.
func (f file) lacksFloats() bool {
	var kind string
	var width, height, order float64
	r := io.NewSectionReader(f, 0, min(f.size, 128))
	if _, err := fmt.Fscan(r, &kind, &width, &height, &order); err != nil || width <= 0 || height <= 0 {
		return false
	}
	at, err := r.Seek(0, io.SeekCurrent)
	samples := 3.
	if kind == "Pf" {
		samples = 1
	}
	return err == nil && float64(f.size-at) < 4*samples*width*height
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

// lacksStrips reports whether strips, tiles or JPEGs of a TIFF, or of a raw that is built
// like one, lie beyond the end, or a directory that another one leads to does.
func (f file) lacksStrips() (lacks bool) {
	lost := eachDirectory(f, f.size, func(dirs *directories, entries []directoryEntry, _ bool) {
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
	return lacks || lost
}
