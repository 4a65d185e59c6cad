package mask

import (
	"encoding/binary"
	"math"
)

// A visitor is called with the fields of a structure one after the other: a reader
// fills them from little-endian bytes, a writer appends them.
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
