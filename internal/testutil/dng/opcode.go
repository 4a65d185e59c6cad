package dng

import (
	"encoding/binary"
	"math"
)

// An Opcode is a correction that the file asks for (DNG 1.4, chapter 7).
type Opcode struct {
	// List is 1 to 3: for the recorded values, for linear ones, and for those of a
	// developed picture.
	List int
	// ID is the correction's number in DNG.
	ID uint32
	// Data are its parameters.
	Data []byte
}

// FixVignette brightens the corners, which by the file got that share of the light.
func FixVignette(cornerLight float64) Opcode {
	return Opcode{3, 3, doubles(1/cornerLight-1, 0, 0, 0, 0, 0.5, 0.5)}
}

// Warp moves each colour by a factor of its distance from the middle: 1 leaves all
// where it is.
func Warp(red, green, blue float64) Opcode {
	planes := be.AppendUint32(nil, 3)
	for _, k := range []float64{red, green, blue} {
		planes = append(planes, doubles(k, 0, 0, 0, 0, 0)...)
	}
	return Opcode{3, 1, append(planes, doubles(0.5, 0.5)...)}
}

// BadPixels asks for pixels to be made of their neighbours: pairs of line and column.
func BadPixels(places ...[2]uint32) Opcode {
	data := be.AppendUint32(nil, 0) // the pattern begins with red
	data = be.AppendUint32(data, uint32(len(places)))
	data = be.AppendUint32(data, 0) // rectangles
	for _, p := range places {
		data = be.AppendUint32(be.AppendUint32(data, p[0]), p[1])
	}
	return Opcode{1, 5, data}
}

// GainMaps brighten the four photosites of a Bayer pattern of a sensor by a factor.
func GainMaps(width, height int, gain float32) []Opcode {
	var all []Opcode
	for i := range uint32(4) {
		var data []byte
		for _, v := range []uint32{i / 2, i % 2, uint32(height), uint32(width), 0, 1, 2, 2, 2, 2} {
			data = be.AppendUint32(data, v) // rectangle, planes, pitch, points
		}
		data = append(data, doubles(1, 1, 0, 0)...) // spacing, origin
		data = be.AppendUint32(data, 1)             // planes of the map
		for range 4 {
			data = be.AppendUint32(data, math.Float32bits(gain))
		}
		all = append(all, Opcode{2, 9, data})
	}
	return all
}

var be = binary.BigEndian

func doubles(values ...float64) (out []byte) {
	for _, v := range values {
		out = be.AppendUint64(out, math.Float64bits(v))
	}
	return out
}

// opcodeList is the list of those opcodes that belong to it; empty without any.
func opcodeList(list int, all []Opcode) (out []byte) {
	var count uint32
	for _, o := range all {
		if o.List != list {
			continue
		}
		count++
		for _, v := range []uint32{o.ID, 0x01030000, 0, uint32(len(o.Data))} { // number, version, flags
			out = be.AppendUint32(out, v)
		}
		out = append(out, o.Data...)
	}
	if count == 0 {
		return nil
	}
	return append(be.AppendUint32(nil, count), out...)
}
