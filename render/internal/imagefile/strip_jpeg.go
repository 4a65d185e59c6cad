package imagefile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
)

// stripJPEG copies a JPEG. Its pixels follow the segments and are copied byte for
// byte.
func stripJPEG(w io.Writer, f *os.File, part Part) error {
	_, extended, err := readPackets(bufio.NewReader(f))
	if err != nil && !errors.Is(err, ErrNoPacket) {
		return err
	}
	if part == Location && extended != nil {
		if err := blankXMP(extended); err != nil {
			return err
		}
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	r := bufio.NewReaderSize(f, 1<<18)
	if _, err := w.Write([]byte{0xff, markerSOI}); err != nil {
		return err
	}
	err = walkSegments(r, func(marker byte, data []byte) error {
		keep := isPictureSegment(marker, data)
		if part == Location {
			var err error
			if keep, err = blankSegment(marker, data, extended); err != nil {
				return err
			}
		}
		if !keep {
			return nil
		}
		head := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(data)+2))
		_, err := w.Write(append(head, data...))
		return err
	})
	if err != nil {
		return err
	}
	if _, err := w.Write([]byte{0xff, markerSOS}); err != nil { // walkSegments has read it
		return err
	}
	_, err = io.Copy(w, r)
	return err
}

// isPictureSegment reports whether the pixels depend on a segment.
func isPictureSegment(marker byte, data []byte) bool {
	switch marker {
	case markerAPP2:
		return bytes.HasPrefix(data, []byte(iccName))
	case markerAPP0, markerAPP14:
		return true
	}
	return marker < markerAPP0 || marker > markerAPP15 && marker != markerCOM
}

// blankSegment blanks the location in a segment, extended being the extended XMP
// packet in which that was done. It reports whether the segment is kept.
func blankSegment(marker byte, data, extended []byte) (keep bool, err error) {
	switch {
	case marker == markerAPP1 && bytes.HasPrefix(data, []byte(exifName)):
		return true, stripDirectories(buffer(data[len(exifName):]), int64(len(data)-len(exifName)), isNotLocation)
	case marker == markerAPP1 && bytes.HasPrefix(data, []byte(xmpNamespace)):
		return true, blankXMP(data[len(xmpNamespace):])
	case marker == markerAPP1 && bytes.HasPrefix(data, []byte(xmpExtension)):
		if len(data) < xmpExtensionHead || extended == nil {
			return false, nil // it belongs to no packet
		}
		at := int64(binary.BigEndian.Uint32(data[xmpExtensionHead-4:]))
		if at > int64(len(extended)) {
			return false, nil
		}
		copy(data[xmpExtensionHead:], extended[at:])
	case marker == markerAPP13 && bytes.HasPrefix(data, []byte(photoshopName)):
		return true, blankResources(data[len(photoshopName):])
	}
	return true, nil
}
