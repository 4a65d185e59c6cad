package imagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strconv"
)

// maxHead bounds what is read of a head that is a text.
const maxHead = 1 << 16

// A portable is what the head of a portable map says: PBM, PGM and PPM, as texts (P1 to
// P3) and in bytes (P4 to P6), and PFM (PF and Pf).
type portable struct {
	kind          byte
	width, height int
	most          float64 // the largest sample; of a PFM, its order and scale
	at            int64   // where the samples begin
}

// portable reads the head of a portable map.
func (f file) portable() (p portable, err error) {
	head, err := f.bytesAt(0, int(min(f.size, maxHead)))
	if err != nil {
		return p, err
	}
	if len(head) < 3 || head[0] != 'P' || !bytes.ContainsRune([]byte("123456Ff"), rune(head[1])) || !isBlank(head[2]) {
		return p, errors.New("it is not a portable map")
	}
	p.kind = head[1]
	left := head[2:]
	word := func() string {
		for len(left) > 0 && (isBlank(left[0]) || left[0] == '#') {
			if left[0] == '#' { // a comment, to the end of the line
				_, left, _ = bytes.Cut(left, []byte("\n"))
				continue
			}
			left = left[1:]
		}
		n := 0
		for n < len(left) && !isBlank(left[n]) {
			n++
		}
		w := left[:n]
		left = left[n:]
		return string(w)
	}
	var err1, err2, err3 error
	p.width, err1 = strconv.Atoi(word())
	p.height, err2 = strconv.Atoi(word())
	if p.kind != '1' && p.kind != '4' {
		p.most, err3 = strconv.ParseFloat(word(), 64)
	}
	if err1 != nil || err2 != nil || err3 != nil || !isSize(p.width, p.height) || len(left) == 0 {
		return p, errors.New("the head of a portable map is not whole")
	}
	p.at = int64(len(head) - len(left) + 1)
	return p, nil
}

func isBlank(b byte) bool { return b == ' ' || b >= '\t' && b <= '\r' }

// isSize reports whether a head's numbers can be those of a picture.
func isSize(w, h int) bool { return w > 0 && h > 0 && w <= 1<<30 && h <= 1<<30 }

// length is how many bytes the samples take; 0 when they are texts.
func (p portable) length() int64 {
	w, h, bytesOfSample := float64(p.width), float64(p.height), 1.
	if p.most > 255 {
		bytesOfSample = 2
	}
	n := 0.
	switch p.kind {
	case '4':
		n = float64((p.width+7)/8) * h
	case '5':
		n = w * h * bytesOfSample
	case '6':
		n = 3 * w * h * bytesOfSample
	case 'f':
		n = 4 * w * h
	case 'F':
		n = 4 * 3 * w * h
	}
	return int64(min(n, 1<<62))
}

// checkPortable reads the size from the head of a portable map.
func checkPortable(f file) (w, h int, err error) {
	p, err := f.portable()
	if err != nil {
		return 0, 0, err
	}
	if p.length() > f.size-p.at {
		err = errTruncated
	}
	return p.width, p.height, err
}

// checkHDR reads the size from the line behind the head of a Radiance picture, such as
// "-Y 80 +X 120": the lines of pixels, and how many there are in each.
func checkHDR(f file) (w, h int, err error) {
	head, err := f.bytesAt(0, int(min(f.size, maxHead)))
	if err != nil {
		return 0, 0, err
	}
	if !bytes.HasPrefix(head, []byte("#?")) {
		return 0, 0, errors.New("it is not a Radiance picture")
	}
	_, behind, ok := bytes.Cut(head, []byte("\n\n"))
	line, _, ended := bytes.Cut(behind, []byte("\n"))
	words := bytes.Fields(line)
	if !ok || !ended || len(words) != 4 {
		return 0, 0, errTruncated
	}
	for i := 0; i < 4; i += 2 {
		n, _ := strconv.Atoi(string(words[i+1]))
		switch string(words[i]) {
		case "-Y", "+Y":
			h = n
		case "-X", "+X":
			w = n
		}
	}
	if !isSize(w, h) {
		return 0, 0, errors.New("the head of a Radiance picture has no size")
	}
	return w, h, nil
}

// checkQOI reads the size from the head, and looks for the mark of the end.
func checkQOI(f file) (w, h int, err error) {
	head, err := f.bytesAt(0, 14)
	if err != nil || string(head[:4]) != "qoif" {
		return 0, 0, errors.New("it is not a QOI file")
	}
	w, h = int(binary.BigEndian.Uint32(head[4:])), int(binary.BigEndian.Uint32(head[8:]))
	if !isSize(w, h) {
		return 0, 0, errors.New("the head of a QOI file has no size")
	}
	return w, h, f.requireEnd("\x00\x00\x00\x00\x00\x00\x00\x01")
}
