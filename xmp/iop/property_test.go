package iop

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// For every leaf of every layout: what is set is what is read, also after
// encoding, and nothing else changes. Outside the range is refused.
func TestEveryLeafOfEveryLayoutGoesThrough(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	everyLayout(t, func(t *testing.T, l *layout) {
		p := Params{l, l.defaults()}
		for i := range l.fields {
			checkField(t, rng, p, &l.fields[i], l.fields[i].name)
		}
	})
}

// checkField tries one random element of each array, and all members of a struct.
func checkField(t *testing.T, rng *rand.Rand, p Params, f *field, name string) {
	t.Helper()
	for _, d := range f.dims {
		name += "[" + Number(float64(rng.IntN(d))).String() + "]"
	}
	if f.kind == kindStruct {
		for i := range f.members {
			checkField(t, rng, p, &f.members[i], name+"."+f.members[i].name)
		}
		return
	}
	id := p.Operation() + " " + Number(float64(p.Modversion())).String() + " " + name
	v := randomValue(rng, f)
	q, err := p.With(name, v)
	if err != nil {
		t.Errorf("%s = %s: %v", id, v, err)
		return
	}
	r, err := p.layout.decode(q.Encode())
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Get(name)
	if err != nil {
		t.Fatal(err)
	}
	same := got.Equal(v) || f.kind == kindEnum || f.kind == kindOpaque && got.String() == v.String()
	if !same {
		t.Errorf("%s: set %s, got %s", id, v, got)
	}
	for _, d := range Diff(p, r) {
		if d.Name != name {
			t.Errorf("%s: %s changed too", id, d.Name)
		}
	}
	low, high := f.limits()
	switch f.kind {
	case kindFloat, kindInt, kindUint, kindUshort, kindInt8:
		for _, x := range []float64{beyond(low, -1), beyond(high, 1)} {
			if f.kind != kindFloat {
				x = map[bool]float64{true: low - 1, false: high + 1}[x < low]
			} else if !f.bounded {
				continue
			}
			if x == f.def {
				continue
			}
			_, err := p.With(name, Number(x))
			if e, ok := errors.AsType[*Error](err); !ok || e.Kind != OutOfRange || e.Min != low || e.Max != high {
				t.Errorf("%s = %v, outside %v to %v: %v", id, x, low, high, err)
			}
		}
	}
	if f.kind == kindFloat {
		for _, x := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			if _, err := p.With(name, Number(x)); err == nil {
				t.Errorf("%s = %v is accepted", id, x)
			}
		}
	}
}

func randomValue(rng *rand.Rand, f *field) Value {
	low, high := f.limits()
	switch f.kind {
	case kindFloat:
		if !f.bounded {
			low, high = -1000, 1000
		}
		return Number(min(max(float64(float32(low+rng.Float64()*(high-low))), low), high))
	case kindBool:
		return Bool(rng.IntN(2) == 1)
	case kindEnum:
		return Text(f.enum[rng.IntN(len(f.enum))].Name)
	case kindText:
		return Text(strings.Repeat("é", rng.IntN(f.size/2)))
	case kindOpaque:
		return Text(strings.Repeat("5a", f.size))
	}
	return Number(math.Floor(low + rng.Float64()*(high-low)))
}

func TestLayoutsAreSound(t *testing.T) {
	t.Parallel()
	everyLayout(t, func(t *testing.T, l *layout) {
		used := make([]bool, l.size)
		names := map[string]bool{}
		for f := range leaves(l.fields) {
			name := string(f.path)
			if names[name] {
				t.Errorf("%s %d: %s is there twice", l.operation, l.modversion, name)
			}
			names[name] = true
			for i := range f.size {
				if f.at+i >= l.size || used[f.at+i] {
					t.Fatalf("%s %d: %s overlaps another field or the end", l.operation, l.modversion, name)
				}
				used[f.at+i] = true
			}
			if g, at, n, ok := lookup(l.fields, name); !ok || g != f.field || at != f.at || n != 1 {
				t.Fatalf("%s %d: %s is not found again", l.operation, l.modversion, name)
			}
		}
		padded := l.operation == "liquify" || l.operation == "rawprepare" // by their C compiler
		if unused := slices.Index(used, false); unused >= 0 && !padded {
			t.Errorf("%s %d: byte %d belongs to no field", l.operation, l.modversion, unused)
		}
	})
}

// beyond is the next float32 outside a limit.
func beyond(limit, direction float64) float64 {
	return float64(math.Nextafter32(float32(limit), float32(math.Inf(int(direction)))))
}
