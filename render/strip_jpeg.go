package render

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// The names that the segments of metadata begin with.
const (
	exifName      = "Exif\x00\x00"
	photoshopName = "Photoshop 3.0\x00"
	iccName       = "ICC_PROFILE\x00"
)

// stripJPEG copies a JPEG. Its pixels are behind the segments and stay as they
// are, byte for byte.
func stripJPEG(w io.Writer, f *os.File, m Metadata) error {
	_, extended, err := packets(bufio.NewReader(f))
	if err != nil && !errors.Is(err, ErrNoPacket) {
		return err
	}
	if m == StripLocation && extended != nil {
		if err := blankPlaces(extended); err != nil {
			return err
		}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r := bufio.NewReaderSize(f, 1<<18)
	if _, err := w.Write([]byte{0xff, 0xd8}); err != nil {
		return err
	}
	err = segments(r, func(marker byte, data []byte) error {
		keep, err := keepsSegment(marker, data, m, extended)
		if err != nil || !keep {
			return err
		}
		head := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(data)+2))
		_, err = w.Write(append(head, data...))
		return err
	})
	if err != nil {
		return err
	}
	if _, err := w.Write([]byte{0xff, 0xda}); err != nil { // segments has read it
		return err
	}
	_, err = io.Copy(w, r)
	return err
}

// keepsSegment tells whether a segment stays, and blanks the places in it.
func keepsSegment(marker byte, data []byte, m Metadata, extended []byte) (bool, error) {
	switch {
	case m == StripAll:
		kept := marker == 0xe0 || marker == 0xee || marker == 0xe2 && bytes.HasPrefix(data, []byte(iccName))
		return kept || marker < 0xe0 || marker > 0xef && marker != 0xfe, nil
	case marker == 0xe1 && bytes.HasPrefix(data, []byte(exifName)):
		return true, stripTags(memory(data[len(exifName):]), int64(len(data)-len(exifName)), m, nil)
	case marker == 0xe1 && bytes.HasPrefix(data, []byte(xmpNamespace)):
		return true, blankPlaces(data[len(xmpNamespace):])
	case marker == 0xe1 && bytes.HasPrefix(data, []byte(xmpExtension)):
		if len(data) < xmpExtensionHead || extended == nil {
			return false, nil // it belongs to no packet
		}
		at := int64(binary.BigEndian.Uint32(data[xmpExtensionHead-4:]))
		if at > int64(len(extended)) {
			return false, nil
		}
		copy(data[xmpExtensionHead:], extended[at:])
	case marker == 0xed && bytes.HasPrefix(data, []byte(photoshopName)):
		return true, blankResources(data[len(photoshopName):])
	}
	return true, nil
}
