package mask

import (
	"bytes"
	"math"
	"strconv"
)

// Difference is one field that differs between two blend parameters, as text.
type Difference struct{ Name, Before, After string }

// Diff lists the fields that differ, under darktable's names for them. Fields
// that only one of the two versions has are left out.
func Diff(a, b Blend) []Difference {
	before := map[string]cell{}
	a.cells(func(name string, c cell) { before[name] = c })
	var out []Difference
	b.cells(func(name string, c cell) {
		if old, ok := before[name]; ok && old != c {
			out = append(out, Difference{name, old.text, c.text})
		}
	})
	return out
}

// cell is one value as text, and bit for bit.
type cell struct {
	text string
	bits uint32
}

// cells goes through the fields, arrays one by one.
func (b *Blend) cells(visit func(name string, c cell)) {
	b.fields(func(name string, field any) {
		switch p := field.(type) {
		case *uint32:
			visit(name, unsigned(*p))
		case *int32:
			visit(name, cell{strconv.Itoa(int(*p)), uint32(*p)})
		case *float32:
			visit(name, float(*p))
		case []uint32:
			for i, x := range p {
				visit(at(name, i), unsigned(x))
			}
		case *[16]Range:
			for i, r := range p {
				visit(at(name, i)+".low", float(r.Low))
				visit(at(name, i)+".low_full", float(r.LowFull))
				visit(at(name, i)+".high_full", float(r.HighFull))
				visit(at(name, i)+".high", float(r.High))
			}
		case *[16]float32:
			for i, x := range p {
				visit(at(name, i), float(x))
			}
		case *[20]byte:
			text, _, _ := bytes.Cut(p[:], []byte{0})
			visit(name, cell{text: string(text)})
		}
	})
}

func at(name string, index int) string { return name + "[" + strconv.Itoa(index) + "]" }

func unsigned(x uint32) cell { return cell{strconv.FormatUint(uint64(x), 10), x} }

func float(x float32) cell {
	return cell{strconv.FormatFloat(float64(x), 'g', -1, 32), math.Float32bits(x)}
}
