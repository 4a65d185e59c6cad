package imagefile

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The markers of segments that are looked at (ITU-T T.81, table B.1).
const (
	markerSOI   = 0xd8 // start of image
	markerEOI   = 0xd9 // end of image
	markerSOS   = 0xda // start of scan: the pixels follow
	markerAPP0  = 0xe0 // JFIF
	markerAPP1  = 0xe1 // EXIF and XMP
	markerAPP2  = 0xe2 // ICC profiles
	markerAPP13 = 0xed // Photoshop
	markerAPP14 = 0xee // Adobe: the colour transform
	markerAPP15 = 0xef
	markerCOM   = 0xfe // a comment
)

// The names that segments of metadata begin with.
const (
	exifName      = "Exif\x00\x00"
	photoshopName = "Photoshop 3.0\x00"
	iccName       = "ICC_PROFILE\x00"
	jfifName      = "JFIF\x00"
	adobeName     = "Adobe"
)

// walkSegments calls f for each segment of a JPEG before its scan data. The data
// is valid until f returns.
func walkSegments(r *bufio.Reader, f func(marker byte, data []byte) error) error {
	var head [2]byte
	if _, err := io.ReadFull(r, head[:]); err != nil || head != [2]byte{0xff, markerSOI} {
		return errors.New("not a JPEG")
	}
	buf := make([]byte, 1<<16)
	for {
		marker, err := nextMarker(r)
		if err != nil {
			return err
		}
		switch {
		case marker == markerSOS || marker == markerEOI:
			return nil
		case marker == 0x01 || marker >= 0xd0 && marker <= 0xd7: // no data
			continue
		}
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return fmt.Errorf("JPEG ends in a segment: %w", err)
		}
		n := int(binary.BigEndian.Uint16(head[:])) - 2
		if n < 0 {
			return errors.New("JPEG segment has no length")
		}
		if _, err := io.ReadFull(r, buf[:n]); err != nil {
			return fmt.Errorf("JPEG ends in a segment: %w", err)
		}
		if err := f(marker, buf[:n]); err != nil {
			return err
		}
	}
}

func nextMarker(r *bufio.Reader) (byte, error) {
	b, err := r.ReadByte()
	if err == nil && b != 0xff {
		return 0, fmt.Errorf("JPEG has the byte %#x where a segment should start", b)
	}
	for err == nil && b == 0xff {
		b, err = r.ReadByte()
	}
	if err != nil {
		return 0, fmt.Errorf("JPEG ends between segments: %w", err)
	}
	return b, nil
}
