package mask

import (
	"encoding/binary"
	"fmt"
	"math"
)

// sizes of the versions' layouts. 9 to 14 were seen in real sidecars; the size
// of 8 follows from 9, which only appended the raster mask's four fields.
var sizes = map[int]int{8: 316, 9: 348, 10: 420, 11: 420, 12: 420, 13: 420, 14: 420}

func sizeOf(version int) (int, error) {
	n, ok := sizes[version]
	if !ok {
		return 0, &Error{Kind: UnknownVersion, Version: version, Detail: "the layout is not known; known are 8 to 14"}
	}
	return n, nil
}

// DecodeBlend reads blend parameters. It fails with an *Error of kind
// UnknownVersion or SizeMismatch; the bytes are then opaque and have to be
// carried as they are.
func DecodeBlend(version int, blob []byte) (Blend, error) {
	want, err := sizeOf(version)
	if err != nil {
		return Blend{}, err
	}
	if len(blob) != want {
		return Blend{}, &Error{Kind: SizeMismatch, Version: version, Detail: fmt.Sprintf("%d bytes where the layout has %d", len(blob), want)}
	}
	b, err := NewBlend(version, ColorSpaceNone)
	b.visit(&reader{blob})
	return b, err
}

// Encode gives darktable's bytes. Decoding and encoding is byte-exact.
func (b Blend) Encode() ([]byte, error) {
	n, err := sizeOf(b.Version)
	if err != nil {
		return nil, err
	}
	w := &writer{make([]byte, 0, n)}
	b.visit(w)
	return w.out, nil
}

// visit goes through the fields in the order of the version's layout.
func (b *Blend) visit(v visitor) {
	wide := b.Version >= 10
	v.u32((*uint32)(&b.MaskMode))
	if wide {
		v.i32((*int32)(&b.ColorSpace))
	}
	v.u32(&b.Mode)
	if wide {
		v.f32(&b.Parameter)
	}
	v.f32(&b.Opacity)
	v.u32((*uint32)(&b.Combine))
	v.u32(&b.MaskID)
	v.u32(&b.Channels)
	v.f32(&b.FeatherRadius)
	v.u32(&b.FeatherGuide)
	v.f32(&b.BlurRadius)
	v.f32(&b.Contrast)
	v.f32(&b.Brightness)
	reserved := b.Reserved[:]
	if b.Version >= 11 {
		v.f32(&b.Details)
		reserved = reserved[:3]
	}
	if b.Version >= 13 {
		v.u32(&b.FeatherVersion)
		reserved = reserved[:2]
	}
	for i := range reserved {
		v.u32(&reserved[i])
	}
	for c := range b.Ranges {
		r := &b.Ranges[c]
		v.f32(&r.Low)
		v.f32(&r.LowFull)
		v.f32(&r.HighFull)
		v.f32(&r.High)
	}
	if wide {
		for c := range b.Boost {
			v.f32(&b.Boost[c])
		}
	}
	if b.Version >= 9 {
		v.bytes(b.RasterSource[:])
		v.i32(&b.RasterInstance)
		v.i32(&b.RasterID)
		v.i32(&b.RasterInvert)
	}
}

type visitor interface {
	u32(*uint32)
	i32(*int32)
	f32(*float32)
	bytes([]byte)
}

type reader struct{ rest []byte }

func (r *reader) u32(p *uint32) {
	*p = binary.LittleEndian.Uint32(r.rest)
	r.rest = r.rest[4:]
}

func (r *reader) i32(p *int32) {
	var u uint32
	r.u32(&u)
	*p = int32(u)
}

func (r *reader) f32(p *float32) {
	var u uint32
	r.u32(&u)
	*p = math.Float32frombits(u)
}

func (r *reader) bytes(p []byte) { r.rest = r.rest[copy(p, r.rest):] }

type writer struct{ out []byte }

func (w *writer) u32(p *uint32) { w.out = binary.LittleEndian.AppendUint32(w.out, *p) }
func (w *writer) i32(p *int32)  { w.out = binary.LittleEndian.AppendUint32(w.out, uint32(*p)) }
func (w *writer) f32(p *float32) {
	w.out = binary.LittleEndian.AppendUint32(w.out, math.Float32bits(*p))
}
func (w *writer) bytes(p []byte) { w.out = append(w.out, p...) }
