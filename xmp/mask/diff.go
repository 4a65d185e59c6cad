package mask

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// Difference is one field that differs between two blend parameters, as text.
type Difference struct{ Name, Before, After string }

// Diff lists the fields that differ, under darktable's names for them. Fields
// that only one of the two versions has are left out.
func Diff(a, b Blend) []Difference {
	type text struct {
		value string
		bits  uint32
	}
	before := map[string]text{}
	a.fields(func(name string, index int, field any) {
		value, bits := show(field)
		before[place(name, index)] = text{value, bits}
	})
	var out []Difference
	b.fields(func(name string, index int, field any) {
		full := place(name, index)
		value, bits := show(field)
		if old, ok := before[full]; ok && (old != text{value, bits}) {
			out = append(out, Difference{full, old.value, value})
		}
	})
	return out
}

func place(name string, index int) string {
	return strings.Replace(name, "[]", "["+strconv.Itoa(index)+"]", 1)
}

func show(field any) (text string, bits uint32) {
	switch p := field.(type) {
	case *uint32:
		return strconv.FormatUint(uint64(*p), 10), *p
	case *int32:
		return strconv.Itoa(int(*p)), uint32(*p)
	case *float32:
		return strconv.FormatFloat(float64(*p), 'g', -1, 32), math.Float32bits(*p)
	case *[20]byte:
		name, _, _ := bytes.Cut(p[:], []byte{0})
		return string(name), 0
	}
	return "", 0
}
