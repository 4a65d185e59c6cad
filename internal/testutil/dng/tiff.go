package dng

import (
	"encoding/binary"
	"math"
	"slices"
)

// ifd is one TIFF directory under construction, little endian.
type ifd struct{ fields []field }

type field struct {
	tag   uint16
	kind  kind
	count int
	data  []byte
}

// kind is a TIFF field type.
type kind uint16

const (
	kindByte      kind = 1
	kindASCII     kind = 2
	kindShort     kind = 3
	kindLong      kind = 4
	kindRational  kind = 5
	kindUndefined kind = 7
	kindSRational kind = 10
)

var le = binary.LittleEndian

func (d *ifd) bytes(tag uint16, k kind, b ...byte) {
	d.fields = append(d.fields, field{tag, k, len(b), b})
}

func (d *ifd) text(tag uint16, s string) { d.bytes(tag, kindASCII, append([]byte(s), 0)...) }

func (d *ifd) short(tag uint16, values ...uint16) {
	var b []byte
	for _, v := range values {
		b = le.AppendUint16(b, v)
	}
	d.fields = append(d.fields, field{tag, kindShort, len(values), b})
}

func (d *ifd) long(tag uint16, values ...uint32) {
	var b []byte
	for _, v := range values {
		b = le.AppendUint32(b, v)
	}
	d.fields = append(d.fields, field{tag, kindLong, len(values), b})
}

// rational stores values as fractions of the given denominator.
func (d *ifd) rational(tag uint16, k kind, denominator int32, values ...float64) {
	var b []byte
	for _, v := range values {
		b = le.AppendUint32(b, uint32(int32(math.Round(v*float64(denominator)))))
		b = le.AppendUint32(b, uint32(denominator))
	}
	d.fields = append(d.fields, field{tag, k, len(values), b})
}

// size is the directory's length in the file, with the data of its fields.
func (d *ifd) size() int {
	n := 2 + 12*len(d.fields) + 4
	for _, f := range d.fields {
		if len(f.data) > 4 {
			n += len(f.data) + len(f.data)&1
		}
	}
	return n
}

// appendTo writes the directory, whose first byte is at offset at.
func (d *ifd) appendTo(out []byte, at int) []byte {
	slices.SortFunc(d.fields, func(a, b field) int { return int(a.tag) - int(b.tag) })
	var tail []byte
	tailAt := at + 2 + 12*len(d.fields) + 4
	out = le.AppendUint16(out, uint16(len(d.fields)))
	for _, f := range d.fields {
		out = le.AppendUint16(out, f.tag)
		out = le.AppendUint16(out, uint16(f.kind))
		out = le.AppendUint32(out, uint32(f.count))
		if len(f.data) <= 4 {
			var inline [4]byte
			copy(inline[:], f.data)
			out = append(out, inline[:]...)
			continue
		}
		out = le.AppendUint32(out, uint32(tailAt+len(tail)))
		tail = append(tail, f.data...)
		if len(tail)&1 == 1 {
			tail = append(tail, 0)
		}
	}
	out = le.AppendUint32(out, 0) // no further directory
	return append(out, tail...)
}

// set replaces the value of a field that holds one long.
func (d *ifd) set(tag uint16, value uint32) {
	for i := range d.fields {
		if d.fields[i].tag == tag {
			le.PutUint32(d.fields[i].data, value)
		}
	}
}
