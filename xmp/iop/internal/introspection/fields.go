// Package introspection reads what a darktable module says of its own parameters: the
// tables of types, names, offsets, ranges and defaults (dt_introspection_t) that each
// has in its memory.
package introspection

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"

	"github.com/chemigram/chemigram/xmp/iop/internal/release"
)

// The types of darktable's introspection that occur in parameters
// (dt_introspection_type_t).
const (
	typeOpaque  = 1
	typeFloat   = 2
	typeComplex = 4
	typeChar    = 5
	typeInt8    = 6
	typeUshort  = 9
	typeInt     = 10
	typeUint    = 11
	typeBool    = 14
	typeArray   = 15
	typeEnum    = 16
	typeStruct  = 17
	typeUnion   = 18
)

var typeNames = map[int32]string{
	typeOpaque: "opaque", typeFloat: "float", typeComplex: "complex", typeChar: "char", typeInt8: "int8", typeUshort: "ushort", typeInt: "int",
	typeUint: "uint", typeBool: "bool", typeArray: "array", typeEnum: "enum", typeStruct: "struct", typeUnion: "union",
}

// headerSize is the size of dt_introspection_type_header_t on a 64-bit machine:
// type (4, padded to 8), type_name, name, field_name, description, size,
// offset, so.
const headerSize = 64

// Where dt_introspection_t has the parameters' size, the field that is all of them, the
// size of a module, and where in that the default parameters' address is.
const (
	paramsSizeAt = 16
	wholeAt      = 24
	moduleSizeAt = 32
	defaultsAt   = 40
)

// Tables that say more than this are not believed: the largest parameters have 10 KB and
// 500 fields.
const (
	mostParams    = 1 << 16
	mostFields    = 20000
	mostDepth     = 8
	mostConstants = 1000
)

// Info is what a module says of its parameters.
type Info struct {
	// API is the version of the tables' own form.
	API int32
	// Size is that of the parameters in bytes.
	Size int
	// Fields are their fields.
	Fields []release.Field
	// ModuleSize is the size of a module in darktable's memory, which has the default
	// parameters' address at Defaults. Only a running darktable knows what to do with it.
	ModuleSize, Defaults int
}

// newest is the form that is known: darktable has had it since 3.4 or before.
const newest = 8

// Read reads a module's dt_introspection_t, whose addresses have been filled in.
func Read(mem Memory, at Addr) (Info, error) {
	r := &reader{mem: mem}
	info := Info{API: r.int32(at)}
	if r.err == nil && info.API != newest {
		return info, fmt.Errorf("its tables have form %d; form %d is known", info.API, newest)
	}
	size, module, defaults := r.word(at+paramsSizeAt), r.word(at+moduleSizeAt), r.word(at+defaultsAt)
	if size > mostParams || module > mostParams || defaults > module {
		r.fail("it says that its parameters have %d bytes and the module %d", size, module)
	}
	info.Size, info.ModuleSize, info.Defaults = int(size), int(module), int(defaults)
	info.Fields = r.members(r.addr(at+wholeAt), size, 0)
	return info, r.err
}

// members reads the fields of a structure or union, which end before a limit.
func (r *reader) members(structure Addr, limit uint64, depth int) (out []release.Field) {
	entries := r.word(structure + headerSize)
	array := r.addr(structure + headerSize + 8)
	if entries > mostFields || depth > mostDepth {
		r.fail("a structure has %d fields, at depth %d", entries, depth)
	}
	for i := range entries {
		if r.err != nil {
			return nil
		}
		out = append(out, r.field(r.addr(array+Addr(8*i)), true, limit, depth))
	}
	return out
}

// field reads a field, which ends before a limit.
func (r *reader) field(p Addr, named bool, limit uint64, depth int) (f release.Field) {
	if r.fields++; r.fields > mostFields {
		r.fail("there are more than %d fields", mostFields)
	}
	kind := r.int32(p)
	f.Type = typeNames[kind]
	size, offset := r.word(p+40), r.word(p+48)
	if size > limit || offset > limit-size {
		r.fail("a field lies at %d and has %d bytes; there are %d", offset, size, limit)
	}
	if r.err != nil {
		return f
	}
	f.Size, f.Offset = int(size), int(offset)
	f.Description = r.text(r.addr(p + 32))
	if named {
		f.Name = r.text(r.addr(p + 24))
	}
	switch kind {
	case typeEnum, typeStruct, typeOpaque, typeUnion:
		f.CType = r.text(r.addr(p + 8))
	}
	r.body(&f, kind, p, depth, limit)
	return f
}

// body reads what fields of a type have behind their header.
func (r *reader) body(f *release.Field, kind int32, p Addr, depth int, limit uint64) {
	body := p + headerSize
	switch kind {
	case typeFloat:
		low, high := r.float32(body), r.float32(body+4)
		if low != -math.MaxFloat32 || high != math.MaxFloat32 {
			f.Min, f.Max = number(low), number(high)
		}
		f.Default = number(r.float32(body + 8))
	case typeInt:
		low, high := r.int32(body), r.int32(body+4)
		if low != math.MinInt32 || high != math.MaxInt32 {
			f.Min, f.Max = integer(low), integer(high)
		}
		f.Default = integer(r.int32(body + 8))
	case typeUint:
		f.Min, f.Max, f.Default = integer(r.uint32(body)), integer(r.uint32(body+4)), integer(r.uint32(body+8))
	case typeUshort:
		f.Min, f.Max, f.Default = integer(r.uint16(body)), integer(r.uint16(body+2)), integer(r.uint16(body+4))
	case typeBool:
		f.Default = r.int32(body) != 0
	case typeArray:
		r.array(f, body, depth, limit)
	case typeEnum:
		f.Values = r.constants(r.addr(body + 8))
		f.Default = integer(r.int32(body + 16))
	case typeStruct, typeUnion:
		f.Fields = r.members(p, limit, depth+1)
	case typeInt8:
		f.Default = integer(int32(r.int8(body + 2)))
	case typeChar, typeComplex, typeOpaque:
	default:
		r.fail("%s has type %d, which no release had so far", r.text(r.addr(p+16)), kind)
	}
}

// array reads the number and the type of an array's elements.
func (r *reader) array(f *release.Field, body Addr, depth int, limit uint64) {
	count := r.word(body)
	if depth > mostDepth {
		r.fail("there are fields at depth %d", depth)
	}
	if r.err != nil {
		return
	}
	elem := r.field(r.addr(body+16), false, limit, depth+1)
	if elem.Size == 0 || count > uint64(f.Size) || int(count)*elem.Size > f.Size {
		r.fail("an array of %d bytes has %d elements of %d", f.Size, count, elem.Size)
		return
	}
	f.Count, f.Elem = int(count), &elem
}

// constants reads an array of (name, value, description) that ends with NULL.
func (r *reader) constants(p Addr) (out []release.Constant) {
	for ; r.err == nil && p != 0 && r.word(p) != 0; p += 24 {
		if len(out) == mostConstants {
			r.fail("an enum has more than %d constants", mostConstants)
			return nil
		}
		out = append(out, release.Constant{Name: r.text(r.addr(p)), Value: int(r.int32(p + 8)), Description: r.text(r.addr(p + 16))})
	}
	return out
}

func number(f float32) json.Number {
	return json.Number(strconv.FormatFloat(float64(f), 'g', -1, 32))
}

func integer[T int32 | uint32 | uint16](n T) json.Number {
	return json.Number(strconv.FormatInt(int64(n), 10))
}
