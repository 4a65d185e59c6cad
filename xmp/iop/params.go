package iop

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strconv"
)

// Params are a module's parameters at one modversion: an immutable value. The
// zero Params belong to no module and have no fields.
type Params struct {
	layout *layout
	blob   []byte // never written to
}

// Decode reads the parameter bytes of one history entry. It fails with an
// *Error of kind UnknownModule, UnknownModversion or SizeMismatch; the bytes
// are then opaque and have to be kept as they are.
func Decode(operation string, modversion int, blob []byte) (Params, error) {
	l, err := find(operation, modversion, nil)
	if err != nil {
		return Params{}, err
	}
	return l.decode(blob)
}

func (l *layout) decode(blob []byte) (Params, error) {
	if len(blob) != l.size {
		return Params{}, &Error{
			Kind: SizeMismatch, Operation: l.operation, Modversion: l.modversion, Size: len(blob), Want: l.size,
			Message: fmt.Sprintf("%d bytes of parameters where the layout has %d", len(blob), l.size),
		}
	}
	return Params{l, bytes.Clone(blob)}, nil
}

// Defaults returns what darktable sets up for a module before it has seen a
// picture, at one modversion and in the newest release that has it and that was asked
// ([Release.Decoded]). What it computes for each picture (rawprepare's levels,
// temperature's multipliers, denoiseprofile's noise profile) is not among them: such a
// module should start from the picture's baseline.
func Defaults(operation string, modversion int) (Params, error) {
	l, err := findProven(operation, modversion)
	if err != nil {
		return Params{}, err
	}
	return Params{l, l.defaults()}, nil
}

// Operation is the module's name, such as "exposure".
func (p Params) Operation() string {
	if p.layout == nil {
		return ""
	}
	return p.layout.operation
}

// Modversion is the version of the layout.
func (p Params) Modversion() int {
	if p.layout == nil {
		return 0
	}
	return p.layout.modversion
}

// Encode returns darktable's bytes. Decoding and encoding is byte-exact.
func (p Params) Encode() []byte { return bytes.Clone(p.blob) }

// Equal reports whether two are of the same module and modversion, with the same
// bytes.
func (p Params) Equal(q Params) bool {
	return p.Operation() == q.Operation() && p.Modversion() == q.Modversion() && bytes.Equal(p.blob, q.blob)
}

// All yields every leaf in layout order, named like "exposure" or
// "curve_nodes[0][3].x".
func (p Params) All() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if p.layout == nil {
			return
		}
		for f := range leaves(p.layout.fields) {
			if !yield(string(f.path), f.read(p.blob[f.at:])) {
				return
			}
		}
	}
}

// Get returns the value of one leaf.
func (p Params) Get(name string) (Value, error) {
	f, at, n, err := p.lookup(name)
	if err != nil {
		return Value{}, err
	}
	if n != 1 {
		return Value{}, p.isArray(name, f, n)
	}
	return f.read(p.blob[at:]), nil
}

// With returns the parameters with one leaf changed. A number may set a float,
// an integer or an enum by its value; text sets an enum by its name or a char
// array (the rest of the array becomes zeros).
//
// Out of range is an *Error that carries the range. NaN and infinities are
// refused, unless the field holds the same kind of marker already or has it as
// its default. What the leaf holds already may always be set, so that numbers
// which darktable wrote outside its own ranges survive. A path where a module looks
// for a file by its name is NamesPath.
func (p Params) With(name string, v Value) (Params, error) {
	blob := bytes.Clone(p.blob)
	if err := p.set(blob, name, v); err != nil {
		return Params{}, err
	}
	return Params{p.layout, blob}, nil
}

// WithAll returns the parameters with several leaves changed, or the first error.
func (p Params) WithAll(changes iter.Seq2[string, Value]) (Params, error) {
	blob := bytes.Clone(p.blob)
	for name, v := range changes {
		if err := p.set(blob, name, v); err != nil {
			return Params{}, err
		}
	}
	return Params{p.layout, blob}, nil
}

func (p Params) set(blob []byte, name string, v Value) error {
	f, at, n, err := p.lookup(name)
	if err != nil {
		return err
	}
	if n != 1 {
		return p.isArray(name, f, n)
	}
	if now := f.read(blob[at:]); !v.Equal(now) {
		if err := p.checkFile(f.name, v); err != nil {
			return p.locate(err, name)
		}
	}
	if err := f.write(blob[at:], v); err != nil {
		return p.locate(err, name)
	}
	return nil
}

// WithArray returns the parameters with the first elements of an array changed,
// row by row when the array has rows. The name is the array's, or one row's:
// "x" or "x[2]" for a float x[5][6]. Arrays of structs are set member by
// member.
func (p Params) WithArray(name string, values []Value) (Params, error) {
	f, at, n, err := p.lookup(name)
	if err != nil {
		return Params{}, err
	}
	if len(values) > n {
		return Params{}, p.locate(badValue(strconv.Itoa(len(values))+" values", "at most "+strconv.Itoa(n)), name)
	}
	blob := bytes.Clone(p.blob)
	for i, v := range values {
		if err := f.write(blob[at+i*f.size:], v); err != nil {
			return Params{}, p.locate(err, name+" element "+strconv.Itoa(i))
		}
	}
	return Params{p.layout, blob}, nil
}

func (p Params) lookup(name string) (f *field, at, n int, err error) {
	if p.layout == nil {
		return nil, 0, 0, &Error{Kind: UnknownField, Field: name, Message: fmt.Sprintf("no field %q: these parameters are of no module", name)}
	}
	f, at, n, ok := lookup(p.layout.fields, name)
	if !ok {
		return nil, 0, 0, p.layout.noField(name)
	}
	return f, at, n, nil
}

func (p Params) isArray(name string, f *field, n int) *Error {
	rows := slices.Repeat([]byte("[0]"), len(f.dims))
	return &Error{
		Kind: UnknownField, Operation: p.layout.operation, Modversion: p.layout.modversion, Field: name,
		Message:     fmt.Sprintf("no field %q: it is an array of %d", name, n),
		Suggestions: []string{f.name + string(rows)},
	}
}

// locate says of which field an error about a value is.
func (p Params) locate(e *Error, name string) *Error {
	e.Operation, e.Modversion, e.Field = p.layout.operation, p.layout.modversion, name
	e.Message = name + " " + e.Message
	return e
}
