package mask

import (
	"fmt"
)

// sizes of the versions' layouts. They are those that darktable 4.2.1's own
// upgrade function insists on for 8 to 10, and which cell of an old layout it
// moves where is what fields follows; 9 to 14 were also seen in real sidecars. Of 4 to
// 7, which are only read, the published definitions say so.
var sizes = map[int]int{4: 276, 5: 300, 6: 300, 7: 300, 8: 316, 9: 348, 10: 420, 11: 420, 12: 420, 13: 420, 14: 420}

func blendSize(version int) (int, error) {
	n, ok := sizes[version]
	if !ok {
		return 0, &Error{Kind: UnknownVersion, Version: version, Message: "the layout is not known; known are 4 to 14"}
	}
	return n, nil
}

// DecodeBlend reads blend parameters. It fails with an *Error of kind
// UnknownVersion or SizeMismatch; the bytes are then opaque and have to be
// carried as they are.
func DecodeBlend(version int, blob []byte) (Blend, error) {
	want, err := blendSize(version)
	if err != nil {
		return Blend{}, err
	}
	if len(blob) != want {
		return Blend{}, &Error{Kind: SizeMismatch, Version: version, Message: fmt.Sprintf("%d bytes where the layout has %d", len(blob), want)}
	}
	b, err := NewBlend(version, ColorSpaceNone)
	r := &reader{blob}
	b.fields(func(_ string, field any) { visitField(r, field) })
	if version < 5 {
		b.MaskMode = b.oldLimits()
	}
	return b, err
}

// oldLimits are the limits as darktable takes them from a version that has no field for
// them: mode 0 is off, and the parametric mask has a channel of its own that switches it.
func (b Blend) oldLimits() Limits {
	const active = 31
	switch {
	case b.Mode == 0:
		return 0
	case b.Channels&(1<<active) != 0:
		return Uniform | Parametric
	}
	return Uniform
}

// Encode returns darktable's bytes. Decoding and encoding is byte-exact.
func (b Blend) Encode() ([]byte, error) {
	n, err := blendSize(b.Version)
	if err != nil {
		return nil, err
	}
	w := &writer{make([]byte, 0, n)}
	b.fields(func(_ string, field any) { visitField(w, field) })
	return w.out, nil
}

func visitField(v visitor, field any) {
	switch p := field.(type) {
	case *uint32:
		v.u32(p)
	case *int32:
		v.i32(p)
	case *float32:
		v.f32(p)
	case []uint32:
		for i := range p {
			v.u32(&p[i])
		}
	case *[16]Range:
		for i := range p {
			v.f32(&p[i].Low)
			v.f32(&p[i].LowFull)
			v.f32(&p[i].HighFull)
			v.f32(&p[i].High)
		}
	case *[16]float32:
		for i := range p {
			v.f32(&p[i])
		}
	case *[20]byte:
		v.bytes(p[:])
	}
}
