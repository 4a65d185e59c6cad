package xmp

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// numberChange is a module instance that got another number.
type numberChange struct {
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

// renumberRasterMasks corrects raster masks, which name their source by its number.
func (ed *editor) renumberRasterMasks(changes []numberChange) {
	changes = slices.DeleteFunc(changes, func(c numberChange) bool { return c.from == c.to })
	if len(changes) == 0 {
		return
	}
	for i, e := range ed.active {
		if !e.hasBlend || !e.blend.usesRaster() {
			continue
		}
		data, err := e.blend.bytes()
		if err != nil {
			continue
		}
		source, _, _ := bytes.Cut(data[rasterSource:rasterInstance], []byte{0})
		number := int(int32(binary.LittleEndian.Uint32(data[rasterInstance:])))
		for _, c := range changes {
			if c.operation == string(source) && c.from == number {
				data = bytes.Clone(data)
				binary.LittleEndian.PutUint32(data[rasterInstance:], uint32(c.to))
				changed := *e
				changed.blend = hexBlob(data)
				ed.active[i] = &changed
				break
			}
		}
	}
}

// usesRaster reports whether blend parameters name a raster mask, without decoding
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
