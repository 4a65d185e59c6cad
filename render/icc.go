package render

import (
	"encoding/binary"
	"math"
	"unicode/utf16"

	"github.com/chemigram/chemigram/internal/colour"
)

// ICC gives the profile as an ICC display profile, version 4.
func (p *Profile) ICC() []byte {
	chad := p.adaptation()
	m := chad.Times(p.toXYZ())
	column := func(i int) []byte { return xyzTag(m[0][i], m[1][i], m[2][i]) }
	curve := curveTag(p.Curve)
	tags := []struct {
		name string
		data []byte
	}{
		{"desc", textTag(p.Name)},
		{"cprt", textTag("No copyright, use freely")},
		{"wtpt", xyzTag(colour.D50[0], colour.D50[1], colour.D50[2])},
		{"chad", matrixTag(chad)},
		{"rXYZ", column(0)},
		{"gXYZ", column(1)},
		{"bXYZ", column(2)},
		{"rTRC", curve},
		{"gTRC", curve},
		{"bTRC", curve},
	}

	var data []byte
	table := binary.BigEndian.AppendUint32(nil, uint32(len(tags)))
	start := 128 + 4 + 12*len(tags)
	at := map[string]int{}
	for _, t := range tags {
		offset, written := at[string(t.data)]
		if !written {
			offset = start + len(data)
			at[string(t.data)] = offset
			data = append(data, t.data...)
			data = append(data, make([]byte, -len(data)&3)...)
		}
		table = append(table, t.name...)
		table = binary.BigEndian.AppendUint32(table, uint32(offset))
		table = binary.BigEndian.AppendUint32(table, uint32(len(t.data)))
	}
	return append(append(iccHeader(start+len(data)), table...), data...)
}

func iccHeader(size int) []byte {
	h := make([]byte, 128)
	binary.BigEndian.PutUint32(h, uint32(size))
	binary.BigEndian.PutUint32(h[8:], 0x04400000) // version 4.4
	copy(h[12:], "mntrRGB XYZ ")
	copy(h[24:], []byte{0x07, 0xea, 0, 1, 0, 1}) // a date that is always the same
	copy(h[36:], "acsp")
	copy(h[68:], s15Fixed16(colour.D50[0], colour.D50[1], colour.D50[2]))
	return h
}

// s15Fixed16 encodes numbers.
func s15Fixed16(values ...float64) (b []byte) {
	for _, v := range values {
		b = binary.BigEndian.AppendUint32(b, uint32(int32(math.Round(v*65536))))
	}
	return b
}

func xyzTag(x, y, z float64) []byte {
	return append([]byte("XYZ \x00\x00\x00\x00"), s15Fixed16(x, y, z)...)
}

func matrixTag(m colour.Matrix) []byte {
	b := []byte("sf32\x00\x00\x00\x00")
	for _, row := range m {
		b = append(b, s15Fixed16(row[:]...)...)
	}
	return b
}

func curveTag(c Curve) []byte {
	return append([]byte("para\x00\x00\x00\x00\x00\x03\x00\x00"), s15Fixed16(c.G, c.A, c.B, c.C, c.D)...)
}

func textTag(s string) []byte {
	u := utf16.Encode([]rune(s))
	b := []byte("mluc\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x0cenUS")
	b = binary.BigEndian.AppendUint32(b, uint32(2*len(u)))
	b = binary.BigEndian.AppendUint32(b, 28)
	for _, c := range u {
		b = binary.BigEndian.AppendUint16(b, c)
	}
	return b
}
