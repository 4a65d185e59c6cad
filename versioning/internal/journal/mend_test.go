package journal

import (
	"bytes"
	"errors"
	"testing"

	"github.com/chemigram/chemigram/versioning/internal/storage"
)

func scanned(t *testing.T, m *storage.Memory) *Journal {
	t.Helper()
	j, _, err := Scan(m)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Close)
	return j
}

// Every changed bit of a transaction with others around it is found again, and
// so is every changed byte.
func TestMendFindsEveryChangedByte(t *testing.T) {
	t.Parallel()
	m := written(t, 4)
	whole := content(t, m, Name)
	r, err := opened(t, m).Row(2)
	if err != nil {
		t.Fatal(err)
	}
	for at := r.Offset; at < r.End(); at++ {
		for _, bits := range []byte{1, 2, 4, 8, 16, 32, 64, 128, 0x55, 0xff} {
			broken := bytes.Clone(whole)
			broken[at] ^= bits
			m.Put(Name, broken)
			j := scanned(t, m)
			if !j.IsDamaged() {
				t.Fatalf("byte %d by %x: it is not damaged", at, bits)
			}
			if err := j.Mend(nil); err != nil || !j.Mended(2) || j.Mended(1) || j.Mended(3) || j.Last() != 4 || j.End() != int64(len(whole)) {
				t.Fatalf("byte %d by %x: %v, mended %t, last %d", at, bits, err, j.Mended(2), j.Last())
			}
			if got, err := j.frameOf(2, r); err != nil || !bytes.Equal(got, whole[r.Offset:r.End()]) {
				t.Fatalf("byte %d by %x: it is mended to something else, %v", at, bits, err)
			}
		}
	}
}

// A bit of the last transaction that is flipped is damage, with an index or without: what
// a writer that died has left is cut off, or lacks more than a bit. It is mended, too.
func TestAFlippedBitOfTheLastTransactionIsNoTornTail(t *testing.T) {
	t.Parallel()
	m := written(t, 4)
	whole := content(t, m, Name)
	r, err := opened(t, m).Row(4)
	if err != nil {
		t.Fatal(err)
	}
	for at := r.Offset; at < r.End(); at++ {
		for bit := range 8 {
			broken := bytes.Clone(whole)
			broken[at] ^= 1 << bit
			m.Put(Name, broken)
			j := scanned(t, m)
			if _, err := j.Transaction(4); !errors.Is(err, Corrupt) || j.Torn() != 0 || !j.IsDamaged() {
				t.Fatalf("bit %d of byte %d: %v, torn %d, damaged %t", bit, at, err, j.Torn(), j.IsDamaged())
			}
			if err := j.Mend(nil); err != nil || !j.Mended(4) || j.Torn() != 0 {
				t.Fatalf("bit %d of byte %d: %v, mended %t, torn %d", bit, at, err, j.Mended(4), j.Torn())
			}
			if got, err := j.frameOf(4, r); err != nil || !bytes.Equal(got, whole[r.Offset:]) {
				t.Fatalf("bit %d of byte %d: it is mended to something else, %v", bit, at, err)
			}
		}
	}
	for cut := r.Offset + 1; cut < r.End(); cut++ {
		m.Put(Name, whole[:cut])
		if j := scanned(t, m); j.Last() != 3 || j.Torn() != cut-r.Offset {
			t.Fatalf("cut at %d: last %d, torn %d", cut, j.Last(), j.Torn())
		}
		zeroed := bytes.Clone(whole)
		clear(zeroed[cut:])
		m.Put(Name, zeroed)
		if j := scanned(t, m); differingBits(zeroed, whole) > 1 && (j.Last() != 3 || j.Torn() != r.End()-r.Offset) {
			t.Fatalf("zeros from %d on: last %d, torn %d", cut, j.Last(), j.Torn())
		}
	}
}

// What is damaged further is not mended, nor what may be a torn tail.
func TestMendLeavesTheRest(t *testing.T) {
	t.Parallel()
	m := written(t, 4)
	whole := content(t, m, Name)
	for seq, flips := range map[uint64][]int{2: {30, 90}, 3: {4, 5, 6, 7}, 4: {40}} {
		r, err := opened(t, m).Row(seq)
		if err != nil {
			t.Fatal(err)
		}
		broken := bytes.Clone(whole)
		for _, at := range flips {
			broken[int(r.Offset)+at] ^= 0x21
		}
		m.Put(Name, broken)
		j := scanned(t, m)
		if err := j.Mend(nil); err != nil || j.Mended(seq) {
			t.Errorf("transaction %d is mended, %v", seq, err)
		}
		if _, err := j.Transaction(seq); !errors.Is(err, Corrupt) {
			t.Errorf("transaction %d is read, %v", seq, err)
		}
		m.Put(Name, whole)
	}
}

// The first transaction is found in its copy, whatever became of it.
func TestMendTakesTheFirstTransactionFromItsCopy(t *testing.T) {
	t.Parallel()
	m := written(t, 3)
	whole := content(t, m, Name)
	j := opened(t, m)
	first, err := j.First()
	if err != nil {
		t.Fatal(err)
	}
	frame, intact := FirstTransaction(first)
	if !intact || !bytes.HasPrefix(whole, first) {
		t.Fatal("the copy is not the beginning of the journal")
	}
	end := headerSize + len(frame)
	zeroed := bytes.Clone(whole)
	clear(zeroed[headerSize:end])
	for name, broken := range map[string][]byte{
		"zeroed": zeroed, "missing": append(bytes.Clone(whole[:headerSize]), whole[end:]...),
		"all that there was": zeroed[:end], "cut": zeroed[:headerSize+9], "nothing": whole[:headerSize], "no header": whole[:9],
	} {
		m.Put(Name, broken)
		j := scanned(t, m)
		if err := j.Mend(frame); err != nil || !j.Mended(1) {
			t.Errorf("%s: %v", name, err)
		}
		if got, err := j.Transaction(1); err != nil || got.Checkpoint == nil {
			t.Errorf("%s: the first transaction is %+v, %v", name, got, err)
		}
		if name == "zeroed" || name == "missing" {
			if _, err := j.Transaction(3); err != nil || j.Last() != 3 {
				t.Errorf("%s: the last transaction is %d, %v", name, j.Last(), err)
			}
		}
	}
}
