package xmp

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// move is a module instance that got another number.
type move struct {
	operation string
	from, to  int
}

// Where blend parameters name the instance whose mask they use (blend versions
// 11 and 14, the only ones of this size that are known).
const (
	blendSize      = 420
	rasterMode     = 8 // a bit of mask_mode, at offset 0
	rasterSource   = 388
	rasterInstance = 408
)

// follow corrects raster masks, which name their source by its number.
func (d *draft) follow(moves []move) {
	moves = slices.DeleteFunc(moves, func(m move) bool { return m.from == m.to })
	if len(moves) == 0 {
		return
	}
	for i, e := range d.active {
		if !e.blended || !e.blend.usesRaster() {
			continue
		}
		data, err := e.blend.bytes()
		if err != nil {
			continue
		}
		source, _, _ := bytes.Cut(data[rasterSource:rasterInstance], []byte{0})
		number := int(int32(binary.LittleEndian.Uint32(data[rasterInstance:])))
		for _, m := range moves {
			if m.operation == string(source) && m.from == number {
				data = bytes.Clone(data)
				binary.LittleEndian.PutUint32(data[rasterInstance:], uint32(m.to))
				changed := *e
				changed.blend = hexBlob(data)
				d.active[i] = &changed
				break
			}
		}
	}
}

// usesRaster tells whether blend parameters name a raster mask, without decoding
// them.
func (b *blob) usesRaster() bool {
	switch {
	case b.data != nil:
		return len(b.data) == blendSize && b.data[0]&rasterMode != 0
	case len(b.text) != 2*blendSize:
		return false
	}
	return b.text[1] >= '8' // the low digit of the first byte: 8, 9, a to f
}
