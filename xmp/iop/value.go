package iop

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// Value is one leaf's value: a number, a bool, an enum constant, a text or
// opaque bytes. The zero Value is no value.
type Value struct {
	kind valueKind
	bits uint64 // float64, float32 or two's complement, by kind
	text string // an enum's name, a text, or opaque bytes
}

type valueKind uint8

const (
	noValue     valueKind = iota
	numberValue           // made by a caller: bits are a float64's
	floatValue            // read from a float leaf: bits are a float32's
	intValue
	boolValue
	enumValue
	textValue
	opaqueValue
)

// Number makes a numeric value.
func Number(f float64) Value { return Value{kind: numberValue, bits: math.Float64bits(f)} }

// Bool makes a truth value.
func Bool(b bool) Value {
	if b {
		return Value{kind: boolValue, bits: 1}
	}
	return Value{kind: boolValue}
}

// Text makes an enum name or a char array's content. It also sets opaque bytes,
// in hex.
func Text(s string) Value { return Value{kind: textValue, text: s} }

// Float returns a number's value, an enum's number, or 0 and 1 for a bool;
// false for text and opaque bytes.
func (v Value) Float() (float64, bool) {
	switch v.kind {
	case numberValue:
		return math.Float64frombits(v.bits), true
	case floatValue:
		return float64(math.Float32frombits(uint32(v.bits))), true
	case intValue, enumValue:
		return float64(int64(v.bits)), true
	case boolValue:
		if v.bits != 0 {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// IsNumeric reports whether scaling makes sense: floats and integers, not enums
// and bools.
func (v Value) IsNumeric() bool {
	return v.kind == numberValue || v.kind == floatValue || v.kind == intValue
}

// IsZero reports whether it is no value.
func (v Value) IsZero() bool { return v.kind == noValue }

// Equal reports whether two values are the same, bit for bit. A Number equals a
// float leaf's value when that is what it would be stored as. An enum constant
// is its number.
func (v Value) Equal(w Value) bool {
	if v.kind == w.kind {
		return v.bits == w.bits && (v.text == w.text || v.kind == enumValue)
	}
	if w.kind == numberValue {
		v, w = w, v
	}
	if v.kind != numberValue {
		return false
	}
	f, _ := v.Float()
	switch w.kind {
	case floatValue:
		return uint64(math.Float32bits(float32(f))) == w.bits
	case intValue:
		g, _ := w.Float()
		return f == g
	}
	return false
}

// String is how a person reads it: "0.7", "true", "DT_TONEEQ_NORM_2", "text".
// An enum number that has no name is the number. Opaque bytes are hex.
func (v Value) String() string {
	switch v.kind {
	case noValue:
		return "none"
	case numberValue:
		return formatFloat(math.Float64frombits(v.bits), 64)
	case floatValue:
		return formatFloat32(float64(math.Float32frombits(uint32(v.bits))))
	case boolValue:
		return strconv.FormatBool(v.bits != 0)
	case enumValue:
		if v.text != "" {
			return v.text
		}
	case textValue:
		return v.text
	case opaqueValue:
		return hex.EncodeToString([]byte(v.text))
	}
	return strconv.FormatInt(int64(v.bits), 10)
}

// GoString is for test failures.
func (v Value) GoString() string { return fmt.Sprintf("iop.Value(%s)", v.String()) }

// MarshalJSON returns a JSON number, boolean or string; NaN and infinities are
// strings. An enum is its name.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case noValue:
		return []byte("null"), nil
	case numberValue, floatValue:
		if f, _ := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return json.Marshal(v.String())
		}
		return []byte(v.String()), nil
	case boolValue, intValue:
		return []byte(v.String()), nil
	case enumValue:
		if v.text == "" {
			return []byte(v.String()), nil
		}
	}
	return json.Marshal(v.String())
}

// UnmarshalJSON reads a number, boolean or string as Number, Bool or Text.
func (v *Value) UnmarshalJSON(data []byte) error {
	switch {
	case bytes.Equal(data, []byte("null")):
		*v = Value{}
		return nil
	case bytes.Equal(data, []byte("true")), bytes.Equal(data, []byte("false")):
		*v = Bool(data[0] == 't')
		return nil
	case len(data) > 0 && data[0] == '"':
		var s string
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
		*v = Text(s)
		return nil
	}
	var f float64
	if err := json.Unmarshal(data, &f); err != nil {
		return err
	}
	*v = Number(f)
	return nil
}

// formatFloat32 returns the shortest decimal that reads back as the same float32.
func formatFloat32(f float64) string { return formatFloat(f, 32) }

// formatFloat writes whole numbers without an exponent.
func formatFloat(f float64, bits int) string {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}
