package main

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

func members(structure ptr) (out []release.Field, err error) {
	entries := int((structure + headerSize).word())
	array := (structure + headerSize + 8).ptr()
	for i := range entries {
		f, err := readField((array + ptr(8*i)).ptr(), true)
		if err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

func readField(p ptr, named bool) (f release.Field, err error) {
	kind := p.int32()
	f.Type = typeNames[kind]
	f.Size, f.Offset = int((p + 40).word()), int((p + 48).word())
	f.Description = (p + 32).ptr().text()
	if named {
		f.Name = (p + 24).ptr().text()
	}
	switch kind {
	case typeEnum, typeStruct, typeOpaque, typeUnion:
		f.CType = (p + 8).ptr().text()
	}
	body := p + headerSize
	switch kind {
	case typeFloat:
		low, high := body.float32(), (body + 4).float32()
		if low != -math.MaxFloat32 || high != math.MaxFloat32 {
			f.Min, f.Max = number(low), number(high)
		}
		f.Default = number((body + 8).float32())
	case typeInt:
		low, high := body.int32(), (body + 4).int32()
		if low != math.MinInt32 || high != math.MaxInt32 {
			f.Min, f.Max = integer(low), integer(high)
		}
		f.Default = integer((body + 8).int32())
	case typeUint:
		f.Min, f.Max, f.Default = integer(body.uint32()), integer((body + 4).uint32()), integer((body + 8).uint32())
	case typeUshort:
		f.Min, f.Max, f.Default = integer(body.uint16()), integer((body + 2).uint16()), integer((body + 4).uint16())
	case typeBool:
		f.Default = body.int32() != 0
	case typeArray:
		f.Count = int(body.word())
		elem, err := readField((body + 16).ptr(), false)
		if err != nil {
			return f, err
		}
		f.Elem = &elem
	case typeEnum:
		f.Values = constants((body + 8).ptr())
		f.Default = integer((body + 16).int32())
	case typeStruct, typeUnion:
		f.Fields, err = members(p)
	case typeInt8:
		f.Default = integer(int32((body + 2).int8()))
	case typeChar, typeComplex, typeOpaque:
	default:
		err = fmt.Errorf("%s has type %d, which no release had so far", (p + 16).ptr().text(), kind)
	}
	return f, err
}

// constants reads an array of (name, value, description) that ends with NULL.
func constants(p ptr) (out []release.Constant) {
	for ; p.ptr() != 0; p += 24 {
		out = append(out, release.Constant{Name: p.ptr().text(), Value: int((p + 8).int32()), Description: (p + 16).ptr().text()})
	}
	return out
}

func number(f float32) json.Number {
	return json.Number(strconv.FormatFloat(float64(f), 'g', -1, 32))
}

func integer[T int32 | uint32 | uint16](n T) json.Number {
	return json.Number(strconv.FormatInt(int64(n), 10))
}
