// Package iop turns the parameter bytes of darktable's modules into named
// fields and back, for every modversion whose layout is known.
package iop

import "iter"

// Decode reads the parameter bytes of one history entry. It fails with an
// *Error of kind UnknownModule, UnknownModversion or SizeMismatch; the bytes
// are then opaque and have to be carried as they are.
func Decode(operation string, modversion int, blob []byte) (Params, error) { panic("stub") }

// Defaults gives the module's introspected defaults at one modversion.
func Defaults(operation string, modversion int) (Params, error) { panic("stub") }

// Params are a module's parameters at one modversion: an immutable value.
type Params struct{}

// Operation is the module's name, such as "exposure".
func (p Params) Operation() string { panic("stub") }

// Modversion is the version of the layout.
func (p Params) Modversion() int { panic("stub") }

// Encode gives darktable's bytes. Decoding and encoding is byte-exact.
func (p Params) Encode() []byte { panic("stub") }

// All yields every leaf in layout order, named like "exposure" or
// "curve_nodes[0][3].x".
func (p Params) All() iter.Seq2[string, Value] { panic("stub") }

// Get gives the value of one leaf.
func (p Params) Get(name string) (Value, error) { panic("stub") }

// With gives the parameters with one leaf changed. A number may set a float,
// an integer or an enum by its value; text sets an enum by its name or a char
// array. Out of range is an *Error that carries the range.
func (p Params) With(name string, v Value) (Params, error) { panic("stub") }

// Value is one leaf's value: a number, a bool, an enum constant, a text or
// opaque bytes. The zero Value is no value.
type Value struct{}

// Number makes a numeric value.
func Number(f float64) Value { panic("stub") }

// Bool makes a truth value.
func Bool(b bool) Value { panic("stub") }

// Text makes an enum name or a char array's content.
func Text(s string) Value { panic("stub") }

// Float gives a number's value, an enum's number, or 0 and 1 for a bool;
// false for text and opaque bytes.
func (v Value) Float() (float64, bool) { panic("stub") }

// IsNumeric tells whether scaling makes sense: floats and integers, not enums
// and bools.
func (v Value) IsNumeric() bool { panic("stub") }

// Equal tells whether two values are the same, bit for bit.
func (v Value) Equal(w Value) bool { panic("stub") }

// String is how a person reads it: "0.7", "true", "DT_TONEEQ_NORM_2", "text".
func (v Value) String() string { panic("stub") }

// MarshalJSON gives a JSON number, boolean or string; NaN and infinities are
// strings.
func (v Value) MarshalJSON() ([]byte, error) { panic("stub") }

// Difference is one leaf that differs between two parameter sets.
type Difference struct {
	Name          string
	Before, After Value
}

// Diff lists the leaves that differ. Parameters of different modversions are
// compared on the leaves whose names both have.
func Diff(a, b Params) []Difference { panic("stub") }

// Release is what one darktable release knows: its modules' modversions and
// its pipeline orders.
type Release struct{}

// ReleaseFor gives the newest known release that is not newer than a darktable
// version such as "5.4.1" or "5.4.1+git12". Older than the oldest is an error.
func ReleaseFor(version string) (Release, error) { panic("stub") }

// Version is the release's version, such as "5.4.1".
func (r Release) Version() string { panic("stub") }

// Modversion is the layout version that the release writes for a module; false
// when it does not have the module.
func (r Release) Modversion(operation string) (int, bool) { panic("stub") }

// BlendVersion is the version of the blend parameters that the release writes.
func (r Release) BlendVersion() int { panic("stub") }

// Order is a built-in pipeline order by its number (1 legacy, 2 v3.0 raw, 3
// v3.0 JPEG, 4 v5.0 raw, 5 v5.0 JPEG): module names from the sensor to the
// output.
func (r Release) Order(version int) ([]string, bool) { panic("stub") }

// FieldInfo describes one leaf of a layout.
type FieldInfo struct {
	Name        string
	Description string
	Unit        string
	Kind        string // float, int, uint, ushort, bool, enum, text, opaque
	Min, Max    float64
	Default     Value
	Enum        []EnumValue
}

// EnumValue is one named constant of an enum field.
type EnumValue struct {
	Name        string
	Value       int
	Description string
}

// Field describes one leaf of a module's layout at a modversion.
func Field(operation string, modversion int, name string) (FieldInfo, error) { panic("stub") }
