package imagefile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
)

// stripJPEG copies a JPEG: the segments that its pixels are read with, those
// metadata that stay, and the scans up to the end of the image.
func stripJPEG(w io.Writer, f *os.File, part Part) error {
	r := bufio.NewReaderSize(f, 1<<18)
	s := jpegStripper{w: w, part: part, seen: map[string]bool{}}
	if part == Location {
		if _, extended, err := readPackets(r); err == nil && extended != nil {
			s.extended = extended
		}
		if _, err := f.Seek(0, io.SeekStart); err != nil {
			return err
		}
		r.Reset(f)
	}
	if _, err := w.Write([]byte{0xff, markerSOI}); err != nil {
		return err
	}
	if err := walkSegments(r, s.segment); err != nil {
		return err
	}
	return copyScans(w, r) // walkSegments has read the marker of the first one
}

// A jpegStripper copies what stays of the segments before the scans.
type jpegStripper struct {
	w        io.Writer
	part     Part
	seen     map[string]bool
	extended []byte // the extended packet, until it was written
}

func (s *jpegStripper) segment(marker byte, data []byte) error {
	kept := pictureSegment(marker, data)
	if kept != nil || s.part != Location {
		return writeSegment(s.w, marker, kept)
	}
	kept, err := knownSegment(marker, data, s.seen)
	if err != nil {
		return err
	}
	if s.extended == nil || !bytes.HasPrefix(kept, []byte(xmpNamespace)) {
		return writeSegment(s.w, marker, kept)
	}
	was := extensionName(s.extended)
	if err := keepKnownXMP(s.extended); err != nil {
		return err
	}
	name, segments := extensionSegments(s.extended)
	s.extended = nil
	for _, segment := range append([][]byte{bytes.Replace(kept, was, name, 1)}, segments...) {
		if err := writeSegment(s.w, marker, segment); err != nil {
			return err
		}
	}
	return nil
}

func writeSegment(w io.Writer, marker byte, data []byte) error {
	if data == nil {
		return nil
	}
	if len(data)+2 > 1<<16-1 {
		return fmt.Errorf("a JPEG segment of %d bytes", len(data))
	}
	head := binary.BigEndian.AppendUint16([]byte{0xff, marker}, uint16(len(data)+2))
	_, err := w.Write(append(head, data...))
	return err
}

// pictureSegment gives what the pixels depend on in a segment, or nil.
func pictureSegment(marker byte, data []byte) []byte {
	switch {
	case marker == markerAPP0 && bytes.HasPrefix(data, []byte(jfifName)) && len(data) >= 14:
		return append(bytes.Clone(data[:12]), 0, 0) // without a thumbnail
	case marker == markerAPP2 && bytes.HasPrefix(data, []byte(iccName)):
		return data
	case marker == markerAPP14 && bytes.HasPrefix(data, []byte(adobeName)) && len(data) >= 12:
		return data[:12]
	case marker >= 0xc0 && marker <= 0xcf, marker >= markerSOS && marker < markerAPP0: // frames, tables
		return data
	}
	return nil
}

// knownSegment gives what of a segment of metadata is known to hold no location,
// or nil. Only the first of each kind is read by programs, and stays.
func knownSegment(marker byte, data []byte, seen map[string]bool) ([]byte, error) {
	for _, kind := range []struct {
		marker byte
		name   string
		keep   func([]byte) ([]byte, error)
	}{
		{markerAPP1, exifName, func(b []byte) ([]byte, error) { return b, stripEXIF(b) }},
		{markerAPP1, xmpNamespace, keepKnownPacket},
		{markerAPP13, photoshopName, keepKnownResources},
	} {
		rest, ok := bytes.CutPrefix(data, []byte(kind.name))
		if marker != kind.marker || !ok || seen[kind.name] {
			continue
		}
		seen[kind.name] = true
		kept, err := kind.keep(bytes.Clone(rest))
		return append([]byte(kind.name), kept...), err
	}
	return nil, nil
}

// copyScans copies the scans of a JPEG, and the tables between them, from behind
// the first scan's marker to the end of the image. What follows that does not
// belong to the picture.
func copyScans(w io.Writer, r *bufio.Reader) error {
	for marker := byte(markerSOS); ; {
		var head [2]byte
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return fmt.Errorf("JPEG ends in a segment: %w", err)
		}
		data := make([]byte, max(int(binary.BigEndian.Uint16(head[:]))-2, 0))
		if _, err := io.ReadFull(r, data); err != nil {
			return fmt.Errorf("JPEG ends in a segment: %w", err)
		}
		if err := writeSegment(w, marker, pictureSegment(marker, data)); err != nil {
			return err
		}
		var err error
		if marker, err = copyEntropy(w, r, marker == markerSOS); err != nil {
			return err
		}
		if marker == markerEOI {
			_, err := w.Write([]byte{0xff, markerEOI})
			return err
		}
	}
}

// copyEntropy copies a scan's coded data, and gives the marker behind it. Behind
// another segment there is none.
func copyEntropy(w io.Writer, r *bufio.Reader, coded bool) (marker byte, err error) {
	for {
		data, err := r.ReadSlice(0xff)
		if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
			return 0, fmt.Errorf("JPEG ends in a scan: %w", err)
		}
		end := err == nil
		if end {
			data = data[:len(data)-1]
		}
		if len(data) > 0 && !coded {
			return 0, errors.New("JPEG has data where a segment should start")
		}
		if _, err := w.Write(data); err != nil {
			return 0, err
		}
		if !end {
			continue
		}
		next := byte(0xff)
		for next == 0xff { // any number of them may precede a marker
			if next, err = r.ReadByte(); err != nil {
				return 0, fmt.Errorf("JPEG ends in a scan: %w", err)
			}
		}
		if next != 0 && (next < 0xd0 || next > 0xd7) {
			return next, nil
		}
		if _, err := w.Write([]byte{0xff, next}); err != nil {
			return 0, err
		}
	}
}
