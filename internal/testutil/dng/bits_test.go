package dng

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bitReader reads what a bitWriter has written.
type bitReader struct {
	b  []byte
	at int
}

func (r *bitReader) take(n int) (v uint32) {
	for range n {
		v = v<<1 | uint32(r.b[r.at/8]>>(7-r.at%8)&1)
		r.at++
	}
	return v
}

// difference reads the one code that is there, and the difference of its category.
func (r *bitReader) difference(t *testing.T, codes []code) int {
	t.Helper()
	start := r.at
	for category, c := range codes {
		if r.at = start; r.take(c.length) != c.bits {
			continue
		}
		v := int(r.take(category))
		if category > 0 && v < 1<<(category-1) {
			v -= 1<<category - 1
		}
		return v
	}
	t.Fatalf("no code at bit %d", start)
	return 0
}

// noisy are samples of so many bits, as far apart as can be here and there.
func noisy(width, height, bits int) recording {
	random := rand.New(rand.NewPCG(1, 2))
	r := recording{samples: make([]uint16, width*height), width: width, height: height}
	for i := range r.samples {
		r.samples[i] = uint16(random.IntN(1<<random.IntN(bits+1)) + random.IntN(2)*(1<<bits-1)>>random.IntN(bits))
		r.samples[i] = min(r.samples[i], 1<<bits-1)
	}
	return r
}

func TestColumnsComeBack(t *testing.T) {
	t.Parallel()
	var codes []code
	for category := range 14 {
		codes = append(codes, sonyCodes(category))
	}
	r := noisy(10, 8, 12)
	in := bitReader{b: append(r.columns(), make([]byte, 8)...)}
	got, sum := make([]uint16, len(r.samples)), 0
	for x := 9; x >= 0; x-- {
		for _, y := range []int{0, 2, 4, 6, 1, 3, 5, 7} {
			sum += in.difference(t, codes)
			got[y*10+x] = uint16(sum)
		}
	}
	if diff := cmp.Diff(r.samples, got); diff != "" {
		t.Error(diff)
	}
}

func TestDifferencesComeBack(t *testing.T) {
	t.Parallel()
	// Codes of 4 bits, and for the last category one of 12.
	var table bytes.Buffer
	var starts []uint16
	var lengths []byte
	for category := range uint16(15) {
		starts, lengths = append(starts, category<<8), append(lengths, 4)
	}
	starts[14], lengths[14] = 0xfff, 12
	for _, part := range []any{uint16(3), make([]byte, 12), starts, lengths} {
		if err := binary.Write(&table, binary.LittleEndian, part); err != nil {
			t.Fatal(err)
		}
	}
	codes := pentaxCodes(table.Bytes())
	if len(codes) != 15 || codes[3] != (code{3, 4}) || codes[14] != (code{0xfff, 12}) {
		t.Fatalf("the codes are %v", codes)
	}
	r := noisy(10, 8, 14)
	in := bitReader{b: append(r.differences(codes), make([]byte, 8)...)}
	got := make([]uint16, len(r.samples))
	for i := range got {
		d := in.difference(t, codes)
		switch {
		case i%10 >= 2:
			d += int(got[i-2])
		case i >= 20:
			d += int(got[i-20])
		}
		got[i] = uint16(d)
	}
	if diff := cmp.Diff(r.samples, got); diff != "" {
		t.Error(diff)
	}
}
