package render

import (
	"bufio"
	"encoding/binary"
	"image"
	"image/jpeg"
	"io"
)

// EncodeJPEG writes a picture that holds sRGB, with that profile embedded.
// Quality is 1 to 100, 0 is 92. Colour, unlike lightness, is kept at half the
// resolution, as is usual in JPEGs.
func EncodeJPEG(w io.Writer, m image.Image, quality int) error {
	if quality == 0 {
		quality = defaultQuality
	}
	b := bufio.NewWriter(w)
	if _, err := b.Write(iccSegment(&SRGB)); err != nil {
		return err
	}
	if err := jpeg.Encode(&skipSOI{w: b}, m, &jpeg.Options{Quality: quality}); err != nil {
		return err
	}
	return b.Flush()
}

// iccSegment is a JPEG's start marker and the segment with a small profile (ICC.1,
// annex B.4).
func iccSegment(p *Profile) []byte {
	data := append([]byte("ICC_PROFILE\x00\x01\x01"), p.ICC()...)
	b := []byte{0xff, 0xd8, 0xff, 0xe2}
	b = binary.BigEndian.AppendUint16(b, uint16(len(data)+2))
	return append(b, data...)
}

// skipSOI passes a JPEG on without its first two bytes.
type skipSOI struct {
	w    *bufio.Writer
	seen int
}

func (s *skipSOI) Write(p []byte) (int, error) {
	skip := min(2-min(s.seen, 2), len(p))
	s.seen += len(p)
	_, err := s.w.Write(p[skip:])
	return len(p), err
}
