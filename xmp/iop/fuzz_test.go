package iop

import (
	"bytes"
	"maps"
	"math"
	"slices"
	"testing"
)

// No bytes of the right size are lost or make a value unreadable, whatever
// they are.
func FuzzDecode(f *testing.F) {
	var list []*layout
	for _, op := range slices.Sorted(maps.Keys(modules())) {
		list = append(list, modules()[op].layouts()...)
	}
	for i, l := range list {
		if l.size < 1000 {
			f.Add(uint16(i), l.defaults())
		}
	}
	f.Add(uint16(0), bytes.Repeat([]byte{0xff}, 100))
	f.Fuzz(func(t *testing.T, which uint16, blob []byte) {
		l := list[int(which)%len(list)]
		if _, err := Decode(l.operation, l.modversion, blob); (err == nil) != (len(blob) == l.size) {
			t.Fatalf("%d bytes for %d: %v", len(blob), l.size, err)
		}
		fitted := make([]byte, l.size)
		copy(fitted, blob)
		p, err := Decode(l.operation, l.modversion, fitted)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(p.Encode(), fitted) {
			t.Fatal("bytes were lost")
		}
		q, err := p.WithAll(p.All())
		if err != nil || !bytes.Equal(q.Encode(), fitted) {
			t.Fatalf("setting what is there: %v", err)
		}
		for _, v := range p.All() {
			if _, err := v.MarshalJSON(); err != nil {
				t.Fatal(err)
			}
			break
		}
	})
}

// No name or value makes it panic or write outside the leaf.
func FuzzWith(f *testing.F) {
	f.Add("curve_nodes[0][3].x", 0.5, "")
	f.Add("curve_num_nodes[2]", 3.0, "")
	f.Add("preserve_colors", 0.0, "DT_RGB_NORM_SUM")
	f.Add("curve_nodes[99999999999999999999][0].x", math.Inf(1), "[")
	f.Fuzz(func(t *testing.T, name string, number float64, text string) {
		p, err := Defaults("rgbcurve", 1)
		if err != nil {
			t.Fatal(err)
		}
		v := Number(number)
		if text != "" {
			v = Text(text)
		}
		q, err := p.With(name, v)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		for _, d := range Diff(p, q) {
			if d.Name != name {
				t.Fatalf("setting %q changed %q", name, d.Name)
			}
		}
	})
}

func FuzzParseOrder(f *testing.F) {
	f.Add("rawprepare,0,exposure,0,exposure,1")
	f.Add(",0")
	f.Add("exposure,00")
	f.Fuzz(func(t *testing.T, list string) {
		o, err := ParseOrder(list)
		if err == nil && o.String() != list {
			t.Fatalf("%q became %q", list, o)
		}
		_ = o.Validate(Releases()[0])
	})
}
