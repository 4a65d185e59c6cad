package dng

import "encoding/binary"

// losslessJPEG packs lines of samples, width to a line, as a lossless JPEG of so many
// bits and components, with the sample to the left as the prediction (ITU-T T.81,
// annex H).
func losslessJPEG(samples []uint16, width, components, depth int) []byte {
	height := len(samples) / width
	be := binary.BigEndian
	out := []byte{0xff, 0xd8, 0xff, 0xc3}
	out = be.AppendUint16(out, uint16(8+3*components))
	out = append(out, byte(depth))
	out = be.AppendUint16(out, uint16(height))
	out = be.AppendUint16(out, uint16(width/components))
	out = append(out, byte(components))
	for i := range components {
		out = append(out, byte(i+1), 0x11, 0)
	}
	// 17 codes of 5 bits, as jpegCodes has them.
	out = append(out, 0xff, 0xc4, 0, 2+17+17, 0)
	for length := 1; length <= 16; length++ {
		if length == 5 {
			out = append(out, 17)
		} else {
			out = append(out, 0)
		}
	}
	for category := range byte(17) {
		out = append(out, category)
	}
	out = append(out, 0xff, 0xda, 0, byte(6+2*components), byte(components))
	for i := range components {
		out = append(out, byte(i+1), 0)
	}
	out = append(out, 1, 0, 0)
	w := bitWriter{out: out, stuffed: true}
	for i, v := range samples {
		w.difference(v-predicted(samples, i, width, components, depth), jpegCodes)
	}
	return append(w.end(), 0xff, 0xd9)
}

// predicted is what the sample is expected to be: the one to the left, at the start of
// a line the one above, and at the start of all the middle.
func predicted(samples []uint16, i, width, components, depth int) uint16 {
	switch {
	case i%width >= components:
		return samples[i-components]
	case i >= width:
		return samples[i-width]
	}
	return 1 << (depth - 1)
}
