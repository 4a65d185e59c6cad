package dng

import (
	"bytes"
	"compress/zlib"
	"math"
)

// plane is what the sensor recorded, on its way into a file.
type plane struct {
	file          *file
	samples       []uint16
	width, height int
	count         int // samples of a pixel
	black, white  float32
}

// store adds the samples to the file as a layout wants them, and says in the directory
// where they are.
func (p plane) store(raw *ifd, l Layout) {
	if l.Tile == 0 {
		b := p.pack(p.samples, p.width, l)
		raw.long(0x0116, uint32(p.height)) // RowsPerStrip
		raw.long(0x0117, uint32(b.size())) // StripByteCounts
		raw.offsets(0x0111, b)             // StripOffsets
		return
	}
	var tiles []block
	var sizes []uint32
	for y := 0; y < p.height; y += l.Tile {
		for x := 0; x < p.width; x += l.Tile {
			b := p.pack(p.tile(x, y, l.Tile), l.Tile, l)
			tiles, sizes = append(tiles, b), append(sizes, uint32(b.size()))
		}
	}
	raw.long(0x0142, uint32(l.Tile)) // TileWidth
	raw.long(0x0143, uint32(l.Tile)) // TileLength
	raw.offsets(0x0144, tiles...)    // TileOffsets
	raw.long(0x0145, sizes...)       // TileByteCounts
}

// tile is a square of the picture, which goes on beyond its edge.
func (p plane) tile(left, top, size int) []uint16 {
	out := make([]uint16, 0, size*size*p.count)
	for y := top; y < top+size; y++ {
		line := min(y, p.height-1) * p.width
		for x := left; x < left+size; x++ {
			at := (line + min(x, p.width-1)) * p.count
			out = append(out, p.samples[at:at+p.count]...)
		}
	}
	return out
}

// pack adds lines of pixels, width to a line, to the file.
func (p plane) pack(samples []uint16, width int, l Layout) block {
	stride := width * p.count
	switch {
	case l.Compression == LosslessJPEG:
		components := p.count
		if components == 1 && width%2 == 0 {
			components = 2 // as cameras and Adobe's converter do
		}
		return p.file.data(losslessJPEG(samples, stride, components, 16))
	case l.Compression == LossyJPEG:
		return p.file.data(lossyJPEG(samples, width))
	case l.Number == Uint16:
		b := &wordsBlock{samples}
		p.file.blocks = append(p.file.blocks, b)
		return b
	}
	var out []byte
	for start := 0; start < len(samples); start += stride {
		line := samples[start : start+stride]
		if l.Compression == Deflate {
			out = append(out, p.differences(line, l.Number)...)
			continue
		}
		for _, v := range line {
			out = p.file.order.AppendUint32(out, math.Float32bits(p.float(v)))
		}
	}
	if l.Compression == Deflate {
		var b bytes.Buffer
		w := zlib.NewWriter(&b)
		_, _ = w.Write(out) // a buffer takes all
		_ = w.Close()
		out = b.Bytes()
	}
	return p.file.data(out)
}

// float is a sample in floating point: 0 is black and 1 is white.
func (p plane) float(v uint16) float32 { return (float32(v) - p.black) / (p.white - p.black) }

// differences is a line as TIFF's predictor for floating point leaves it: first the most
// significant byte of all numbers, then the next ones, each as the difference from the
// byte of the pixel before it.
func (p plane) differences(line []uint16, number Number) []byte {
	n := len(line)
	size := 4
	if number == Float16 {
		size = 2
	}
	out := make([]byte, size*n)
	for i, v := range line {
		bits := math.Float32bits(p.float(v))
		if number == Float16 {
			bits = uint32(half(p.float(v))) << 16
		}
		for k := range size {
			out[k*n+i] = byte(bits >> (24 - 8*k))
		}
	}
	for i := len(out) - 1; i >= p.count; i-- {
		out[i] -= out[i-p.count]
	}
	return out
}

// half is a number, 0 to 65504, in IEEE 754's binary16; one below 2^-14 is 0.
func half(v float32) uint16 {
	bits := math.Float32bits(max(v, 0))
	if bits < 113<<23 {
		return 0
	}
	return uint16((bits - 112<<23 + 1<<12) >> 13)
}
