package dng

import "encoding/binary"

// pentaxCodes reads the codes that Pentax's notes have for the categories of differences:
// how many there are, less 12; 12 bytes that say nothing of it; for each category the
// code, at the upper end of 12 bits; and for each its length.
func pentaxCodes(table []byte) []code {
	le := binary.LittleEndian
	codes := make([]code, (le.Uint16(table)+12)&15)
	table = table[14:]
	for i := range codes {
		length := int(table[2*len(codes)+i])
		codes[i] = code{uint32(le.Uint16(table[2*i:]) >> (12 - length)), length}
	}
	return codes
}

// differences packs lines as Pentax's cameras do: each sample as the difference from the
// one of its colour to the left, and at the start of a line from the one two lines above.
func (r recording) differences(codes []code) []byte {
	var w bitWriter
	for i, v := range r.samples {
		switch {
		case i%r.width >= 2:
			v -= r.samples[i-2]
		case i >= 2*r.width:
			v -= r.samples[i-2*r.width]
		}
		w.difference(v, func(category int) code { return codes[category] })
	}
	return w.end()
}
