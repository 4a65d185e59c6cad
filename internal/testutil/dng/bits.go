package dng

import "math/bits"

// bitWriter writes bits, the most significant ones first.
type bitWriter struct {
	out     []byte
	stuffed bool // a zero follows each byte of ones, as in a JPEG's scan
	acc     uint64
	have    int
}

func (w *bitWriter) put(value uint32, n int) {
	w.acc = w.acc<<n | uint64(value)
	for w.have += n; w.have >= 8; {
		w.have -= 8
		b := byte(w.acc >> w.have)
		if w.out = append(w.out, b); b == 0xff && w.stuffed {
			w.out = append(w.out, 0)
		}
	}
}

// code is the bits that stand for a category of differences.
type code struct {
	bits   uint32
	length int
}

// jpegCodes are 17 of 5 bits: code and category are the same number.
func jpegCodes(category int) code { return code{uint32(category), 5} }

// difference writes a difference modulo 65536: the code of its category, which is the
// number of its bits, and which one in it (ITU-T T.81, annex H).
func (w *bitWriter) difference(d uint16, codes func(category int) code) {
	s := int32(int16(d))
	category := bits.Len32(uint32(max(s, -s)))
	c := codes(category)
	w.put(c.bits, c.length)
	switch {
	case d == 1<<15: // the only one of its category
	case s < 0:
		w.put(uint32(s-1)&(1<<category-1), category)
	default:
		w.put(uint32(s), category)
	}
}

// end fills the last byte with ones.
func (w *bitWriter) end() []byte {
	if w.have > 0 {
		w.put(1<<(8-w.have)-1, 8-w.have)
	}
	return w.out
}
