package journal

import (
	"encoding/binary"
	"errors"
)

// Packed is a text as the journal stores it: whole, or as a difference from
// another transaction's.
type Packed struct {
	base   uint64 // the transaction it differs from; 0 when whole
	depth  uint64
	length uint64 // of the text
	stream []byte // DEFLATE
}

func packWhole(text []byte) Packed {
	return Packed{length: uint64(len(text)), stream: deflate(text)}
}

// packDifference packs what text differs in from base, the text of transaction
// baseSeq.
func packDifference(text, base []byte, baseSeq, depth uint64) Packed {
	return Packed{base: baseSeq, depth: depth, length: uint64(len(text)), stream: deflate(difference(base, text))}
}

// unpack returns the text, of at most so many bytes. base is the text of p.base.
func (p Packed) unpack(base []byte, most uint64) ([]byte, error) {
	if p.length > most || p.base == 0 && p.length > inflation*uint64(len(p.stream)) {
		return nil, errors.New("the length of a text is impossible")
	}
	if p.base == 0 {
		return inflate(p.stream, int(p.length), int(p.length))
	}
	// A difference is never much longer than the text that it makes.
	ops, err := inflate(p.stream, 0, int(p.length+p.length/4)+64)
	if err != nil {
		return nil, err
	}
	return applyDifference(base, ops, int(p.length))
}

func (p Packed) append(b []byte) []byte {
	b = binary.AppendUvarint(b, p.base)
	b = binary.AppendUvarint(b, p.depth)
	b = binary.AppendUvarint(b, p.length)
	return append(b, p.stream...)
}

func (c *cursor) packed() Packed {
	p := Packed{base: c.uvarint(), depth: c.uvarint(), length: c.uvarint()}
	p.stream = c.rest()
	return p
}
