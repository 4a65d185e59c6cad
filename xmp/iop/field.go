package iop

import (
	"iter"
	"slices"
	"strconv"
	"strings"
)

type fieldKind uint8

const (
	kindFloat fieldKind = iota
	kindInt
	kindUint
	kindUshort
	kindInt8
	kindBool
	kindEnum
	kindText
	kindOpaque
	kindStruct
)

var fieldKindNames = [...]string{"float", "int", "uint", "ushort", "int8", "bool", "enum", "char", "opaque", "struct"}

// String is the kind as FieldInfo names it.
func (k fieldKind) String() string {
	if k == kindText {
		return "text"
	}
	return fieldKindNames[k]
}

// field is one member of a struct: a leaf, a struct, or an array of either.
type field struct {
	name        string
	older       string // the name in an earlier release, "" when it never changed
	description string
	kind        fieldKind
	offset      int // from the start of the enclosing struct's element
	size        int // of one element, in bytes
	dims        []int
	bounded     bool
	min, max    float64
	def         float64 // of one element; 0 for text and opaque
	enum        []EnumValue
	members     []field
}

// count is the number of elements: 1 for a field that is no array.
func (f *field) count() int {
	n := 1
	for _, d := range f.dims {
		n *= d
	}
	return n
}

// lookup finds what a name means among fields: a leaf, or an array (or a
// row of one) of leaves. A leaf has n = 1.
func lookup(fields []field, name string) (f *field, offset, n int, ok bool) {
	for {
		end := strings.IndexAny(name, "[.")
		word := name
		if end >= 0 {
			word = name[:end]
		}
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == word })
		if i < 0 && word != "" {
			i = slices.IndexFunc(fields, func(f field) bool { return f.older == word })
		}
		if i < 0 {
			return nil, 0, 0, false
		}
		f = &fields[i]
		offset += f.offset
		name = name[len(word):]
		n = f.count()
		for _, d := range f.dims {
			if !strings.HasPrefix(name, "[") {
				break
			}
			index, rest, closed := strings.Cut(name[1:], "]")
			k, err := strconv.Atoi(index)
			if !closed || err != nil || k < 0 || k >= d || index != strconv.Itoa(k) {
				return nil, 0, 0, false
			}
			n /= d
			offset += k * n * f.size
			name = rest
		}
		if name == "" {
			return f, offset, n, f.kind != kindStruct
		}
		if f.kind != kindStruct || n != 1 || name[0] != '.' {
			return nil, 0, 0, false
		}
		fields, name = f.members, name[1:]
	}
}

// leaf is one leaf's place. Its name is built only when asked for.
type leaf struct {
	*field
	at   int // offset from the start of the parameters
	path []byte
}

// leaves walks all leaves in layout order. The path is valid until the next
// step.
func leaves(fields []field) iter.Seq[leaf] {
	return func(yield func(leaf) bool) {
		walk(fields, 0, make([]byte, 0, 64), yield)
	}
}

func walk(fields []field, base int, path []byte, yield func(leaf) bool) bool {
	for i := range fields {
		f := &fields[i]
		if !walkElements(f, f.dims, base+f.offset, append(path, f.name...), yield) {
			return false
		}
	}
	return true
}

func walkElements(f *field, dims []int, at int, path []byte, yield func(leaf) bool) bool {
	if len(dims) > 0 {
		stride := f.size
		for _, d := range dims[1:] {
			stride *= d
		}
		for k := range dims[0] {
			indexed := append(strconv.AppendInt(append(path, '['), int64(k), 10), ']')
			if !walkElements(f, dims[1:], at+k*stride, indexed, yield) {
				return false
			}
		}
		return true
	}
	if f.kind == kindStruct {
		return walk(f.members, at, append(path, '.'), yield)
	}
	return yield(leaf{f, at, path})
}
