package imagefile

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// walkBoxes visits the boxes of a file (ISO/IEC 14496-12), which must fill it.
func (f file) walkBoxes(visit func(kind string, at, n int64) error) error {
	for at := int64(0); at < f.size; {
		b, err := f.bytesAt(at, 8)
		if err != nil {
			return err
		}
		n, head := int64(binary.BigEndian.Uint32(b)), int64(8)
		switch n {
		case 0: // to the end
			n = f.size - at
		case 1: // too long for 32 bits
			long, err := f.bytesAt(at+8, 8)
			if err != nil {
				return err
			}
			n, head = int64(binary.BigEndian.Uint64(long)), 16
		}
		if n < head || n > f.size-at {
			return errTruncated
		}
		if err := visit(string(b[4:]), at+head, n-head); err != nil {
			return err
		}
		at += n
	}
	return nil
}

// checkAVIF reads the size from the first ispe property, which is in the box
// meta.
func checkAVIF(f file) (w, h int, err error) {
	brand, err := f.bytesAt(4, 8)
	if err != nil || string(brand) != "ftypavif" && string(brand) != "ftypavis" {
		return 0, 0, errors.New("it is not an AVIF file")
	}
	err = f.walkBoxes(func(kind string, at, n int64) error {
		if kind != "meta" || n > 1<<24 {
			return nil
		}
		meta, err := f.bytesAt(at, int(n))
		if _, ispe, ok := bytes.Cut(meta, []byte("ispe")); ok && len(ispe) >= 12 {
			w, h = int(binary.BigEndian.Uint32(ispe[4:])), int(binary.BigEndian.Uint32(ispe[8:]))
		}
		return err
	})
	return w, h, err
}

// checkJXL reads the size from the header of the codestream (ISO/IEC 18181-1),
// which is the whole file or lies in a container whose boxes must fill the file.
func checkJXL(f file) (w, h int, err error) {
	head, err := f.bytesAt(0, int(min(f.size, 64)))
	if err != nil {
		return 0, 0, err
	}
	if bytes.HasPrefix(head, []byte("\xff\x0a")) {
		return jxlSize(head[2:])
	}
	if !bytes.HasPrefix(head, []byte("\x00\x00\x00\x0cJXL \x0d\x0a\x87\x0a")) {
		return 0, 0, errors.New("it is not a JPEG XL file")
	}
	err = f.walkBoxes(func(kind string, at, n int64) error {
		skip := map[string]int64{"jxlc": 0, "jxlp": 4}
		if s, ok := skip[kind]; ok && w == 0 {
			b, err := f.bytesAt(at+s, int(min(n-s, 64)))
			if err != nil || !bytes.HasPrefix(b, []byte("\xff\x0a")) {
				return errors.New("its codestream has no start")
			}
			w, h, err = jxlSize(b[2:])
			return err
		}
		return nil
	})
	return w, h, err
}

// jxlSize reads a SizeHeader, whose bits are packed from the lowest on.
func jxlSize(b []byte) (w, h int, err error) {
	if len(b) < 9 {
		return 0, 0, errTruncated
	}
	bit := 0
	read := func(n int) (v int) {
		for i := range n {
			v |= int(b[bit/8]>>(bit%8)&1) << i
			bit++
		}
		return v
	}
	small := read(1) == 1
	length := func() int {
		if small {
			return 8 * (1 + read(5))
		}
		return 1 + read([4]int{9, 13, 18, 30}[read(2)])
	}
	h = length()
	ratios := [8][2]int{{}, {1, 1}, {12, 10}, {4, 3}, {3, 2}, {16, 9}, {5, 4}, {2, 1}}
	if r := ratios[read(3)]; r[1] != 0 {
		return h * r[0] / r[1], h, nil
	}
	return length(), h, nil
}
