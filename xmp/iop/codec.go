package iop

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/internal/suggest"
)

// read returns the value of one leaf, whose bytes start b.
func (f *field) read(b []byte) Value {
	switch f.kind {
	case kindFloat:
		return Value{kind: floatValue, bits: uint64(binary.LittleEndian.Uint32(b))}
	case kindInt:
		return Value{kind: intValue, bits: signed(b)}
	case kindUint:
		return Value{kind: intValue, bits: uint64(binary.LittleEndian.Uint32(b))}
	case kindUshort:
		return Value{kind: intValue, bits: uint64(binary.LittleEndian.Uint16(b))}
	case kindInt8:
		return Value{kind: intValue, bits: uint64(int8(b[0]))}
	case kindBool:
		return Value{kind: boolValue, bits: signed(b)}
	case kindEnum:
		v := Value{kind: enumValue, bits: signed(b)}
		for i := range f.enum {
			if f.enum[i].Value == int(int64(v.bits)) {
				v.text = f.enum[i].Name
				break
			}
		}
		return v
	case kindText:
		text, _, _ := strings.Cut(string(b[:f.size]), "\x00")
		return Value{kind: textValue, text: text}
	default:
		return Value{kind: opaqueValue, text: string(b[:f.size])}
	}
}

func signed(b []byte) uint64 { return uint64(int32(binary.LittleEndian.Uint32(b))) }

// writeNumber stores a number unchecked; a text and opaque bytes stay.
func (f *field) writeNumber(b []byte, x float64) {
	switch f.kind {
	case kindFloat:
		binary.LittleEndian.PutUint32(b, math.Float32bits(float32(x)))
	case kindUshort:
		binary.LittleEndian.PutUint16(b, uint16(x))
	case kindInt8:
		b[0] = byte(int8(x))
	case kindInt, kindUint, kindBool, kindEnum:
		binary.LittleEndian.PutUint32(b, uint32(int64(x)))
	}
}

// write stores a value in the leaf whose bytes start b, or says why not. What
// is stored already, and the default, may always be written.
func (f *field) write(b []byte, v Value) *Error {
	if now := f.read(b); v.Equal(now) {
		return nil
	}
	switch f.kind {
	case kindFloat:
		return f.writeFloat(b, v)
	case kindBool:
		return f.writeBool(b, v)
	case kindEnum:
		return f.writeEnum(b, v)
	case kindText:
		return f.writeText(b, v)
	case kindOpaque:
		return f.writeOpaque(b, v)
	}
	return f.writeInteger(b, v)
}

func (f *field) writeFloat(b []byte, v Value) *Error {
	x, ok := v.Float()
	if !ok || !v.IsNumeric() {
		return bad(v, "a number")
	}
	bits := math.Float32bits(float32(x))
	if v.kind == floatValue {
		bits = uint32(v.bits) // keeps a NaN's payload
	}
	y := float64(math.Float32frombits(bits))
	switch {
	case bits == math.Float32bits(float32(f.def)):
	case math.IsNaN(y) || math.IsInf(y, 0):
		if now, _ := f.read(b).Float(); !sameMarker(now, y) {
			return bad(v, "a finite number")
		}
	case f.bounded && (y < float64(float32(f.min)) || y > float64(float32(f.max))):
		return outOfRange(v, f.min, f.max)
	}
	binary.LittleEndian.PutUint32(b, bits)
	return nil
}

// sameMarker reports whether two numbers are both NaN, or the same infinity: where a
// field holds one as a marker, it may be set again.
func sameMarker(now, y float64) bool {
	return math.IsNaN(now) && math.IsNaN(y) || math.IsInf(y, 0) && now == y
}

func (f *field) writeInteger(b []byte, v Value) *Error {
	x, ok := v.Float()
	if !ok || !v.IsNumeric() {
		return bad(v, "a whole number")
	}
	if x != math.Trunc(x) {
		return bad(v, "a whole number")
	}
	low, high := f.limits()
	if (x < low || x > high) && x != f.def {
		return outOfRange(v, low, high)
	}
	f.writeNumber(b, x)
	return nil
}

// limits are the declared range, or what the type can hold.
func (f *field) limits() (low, high float64) {
	switch {
	case f.bounded:
		return f.min, f.max
	case f.kind == kindFloat:
		return -math.MaxFloat32, math.MaxFloat32
	case f.kind == kindInt:
		return math.MinInt32, math.MaxInt32
	case f.kind == kindUint:
		return 0, math.MaxUint32
	case f.kind == kindUshort:
		return 0, math.MaxUint16
	case f.kind == kindInt8:
		return math.MinInt8, math.MaxInt8
	case f.kind == kindBool:
		return 0, 1
	}
	return 0, 0
}

func (f *field) writeBool(b []byte, v Value) *Error {
	x, ok := v.Float()
	if !ok || v.kind == enumValue || (x != 0 && x != 1) {
		return bad(v, "true or false")
	}
	bits := uint32(int64(x))
	if v.kind == boolValue {
		bits = uint32(v.bits) // darktable's C may store true as another number than 1
	}
	binary.LittleEndian.PutUint32(b, bits)
	return nil
}

func (f *field) writeEnum(b []byte, v Value) *Error {
	i := -1
	if v.kind == textValue {
		i = slices.IndexFunc(f.enum, func(c EnumValue) bool { return c.Name == v.text })
	} else if x, ok := v.Float(); ok && v.kind != boolValue {
		i = slices.IndexFunc(f.enum, func(c EnumValue) bool { return float64(c.Value) == x })
		if i < 0 && x == f.def {
			f.writeNumber(b, x)
			return nil
		}
	}
	if i < 0 {
		names := make([]string, len(f.enum))
		for k, c := range f.enum {
			names[k] = c.Name
		}
		e := bad(v, "one of "+strings.Join(names, ", "))
		e.Suggestions = suggest.Nearest(v.String(), names)
		return e
	}
	f.writeNumber(b, float64(f.enum[i].Value))
	return nil
}

func (f *field) writeText(b []byte, v Value) *Error {
	if v.kind != textValue || strings.Contains(v.text, "\x00") || len(v.text) >= f.size {
		return bad(v, "a text of at most "+strconv.Itoa(f.size-1)+" bytes")
	}
	clear(b[copy(b[:f.size], v.text):f.size])
	return nil
}

func (f *field) writeOpaque(b []byte, v Value) *Error {
	raw := []byte(v.text)
	if v.kind == textValue {
		raw, _ = hex.DecodeString(v.text)
	}
	if len(raw) != f.size || (v.kind != opaqueValue && v.kind != textValue) {
		return bad(v, strconv.Itoa(f.size)+" bytes in hex")
	}
	copy(b, raw)
	return nil
}

// bad is the error for a value that the leaf cannot hold.
func bad(v Value, want string) *Error {
	text := v.String()
	if v.kind == textValue {
		text = strconv.Quote(text)
	}
	return badValue(text, want)
}
