package journal

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/versioning/internal/storage"
)

var now = time.Date(2026, 11, 21, 10, 15, 2, 0, time.UTC)

// tagging is a transaction that moves one ref.
func tagging(seq uint64) Transaction {
	return Transaction{Moves: &Moves{Time: now, Verb: "Tag", Moves: []Move{{Ref: fmt.Sprint("refs/tags/", seq), To: 1}}}}
}

// written makes a journal of so many transactions, every 40th with a checkpoint,
// and its index.
func written(t *testing.T, transactions int) *storage.Memory {
	t.Helper()
	m := storage.NewMemory()
	first := tagging(1)
	first.Checkpoint = &Checkpoint{Refs: map[string]Position{"refs/tags/1": {To: 1, At: 1}}}
	content, err := New(now, first)
	if err != nil {
		t.Fatal(err)
	}
	m.Put(Name, content)
	j := opened(t, m)
	if err := j.Recover(); err != nil {
		t.Fatal(err)
	}
	for seq := uint64(2); seq <= uint64(transactions); seq++ {
		next := tagging(seq)
		if seq%40 == 0 {
			next.Checkpoint = &Checkpoint{}
		}
		if err := j.Append(next); err != nil {
			t.Fatal(err)
		}
	}
	return m
}

func opened(t *testing.T, m *storage.Memory) *Journal {
	t.Helper()
	j, err := Open(m, Options{Writable: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(j.Close)
	return j
}

func content(t *testing.T, m *storage.Memory, name string) []byte {
	t.Helper()
	b, err := storage.ReadFile(m, name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// refs returns the ref that each transaction moves.
func refs(t *testing.T, j *Journal) (names []string) {
	t.Helper()
	for tr, err := range j.Transactions(1) {
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, tr.Moves.Moves[0].Ref)
	}
	return names
}

func TestATornTailIsCutOff(t *testing.T) {
	t.Parallel()
	m := written(t, 3)
	whole := content(t, m, Name)
	next, err := tagging(4).frame(4)
	if err != nil {
		t.Fatal(err)
	}
	for length := range len(next) {
		m.Put(Name, append(whole[:len(whole):len(whole)], next[:length]...))
		j := opened(t, m)
		if j.Last() != 3 || j.Torn() != int64(length) || j.NeedsRecovery() != (length > 0) {
			t.Fatalf("with %d bytes of a frame: last %d, torn %d", length, j.Last(), j.Torn())
		}
		if err := j.Recover(); err != nil || j.NeedsRecovery() {
			t.Fatalf("with %d bytes of a frame: after Recover %v, needs it again: %t", length, err, j.NeedsRecovery())
		}
		if diff := cmp.Diff(whole, content(t, m, Name)); diff != "" {
			t.Fatalf("with %d bytes of a frame the journal is not as it was:\n%s", length, diff)
		}
	}
}

func TestWholeFramesBehindTheIndexCount(t *testing.T) {
	t.Parallel()
	m := written(t, 5)
	index := content(t, m, IndexName)
	m.Put(IndexName, index[:3*rowSize]) // two transactions
	j := opened(t, m)
	if j.Indexed() != 2 || j.Last() != 5 || !j.NeedsRecovery() {
		t.Errorf("indexed %d, last %d", j.Indexed(), j.Last())
	}
	if got := refs(t, j); len(got) != 5 || got[4] != "refs/tags/5" {
		t.Errorf("it has %q", got)
	}
	if err := j.Recover(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(index, content(t, m, IndexName)); diff != "" {
		t.Errorf("the index is not as it was:\n%s", diff)
	}
}

func TestAMissingForeignOrDamagedIndexIsMadeAgain(t *testing.T) {
	t.Parallel()
	m := written(t, 70)
	index := content(t, m, IndexName)
	foreign := append([]byte("CgI1"), index[4:]...)
	for name, broken := range map[string][]byte{
		"empty": {}, "cut in its header": index[:20], "foreign": foreign,
		"damaged at its end": append(index[:len(index)-1:len(index)-1], 0),
		"too long":           append(index[:len(index):len(index)], make([]byte, rowSize)...),
		"with half a row":    append(index[:len(index):len(index)], 1, 2, 3),
	} {
		m.Put(IndexName, broken)
		j := opened(t, m)
		if got := refs(t, j); len(got) != 70 {
			t.Errorf("%s: %d transactions", name, len(got))
		}
		if err := j.Recover(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(index, content(t, m, IndexName)); diff != "" {
			t.Errorf("%s: the index is not as it was:\n%s", name, diff)
		}
	}
	// Damage before the newest checkpoint is found when the row is read.
	broken := append([]byte(nil), index...)
	broken[rowSize+5] ^= 1
	m.Put(IndexName, broken)
	j := opened(t, m)
	if !j.HasIndex() {
		t.Error("opening reads the whole index")
	}
	if r, err := j.Row(1); err != nil || r.Offset != headerSize || j.HasIndex() {
		t.Errorf("row 1 is %+v, %v", r, err)
	}
	if err := j.Recover(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(index, content(t, m, IndexName)); diff != "" {
		t.Errorf("the index is not as it was:\n%s", diff)
	}
}

func TestMissingFramesAreGoneAndDamagedOnesAreDamaged(t *testing.T) {
	t.Parallel()
	m := written(t, 6)
	j := opened(t, m)
	two, _ := j.Row(2)
	four, _ := j.Row(4)
	b := content(t, m, Name)
	b[four.Offset+frameHeaderSize] ^= 1
	m.Put(Name, append(b[:two.Offset:two.Offset], b[two.End():]...))
	scanned, damagedHeader, err := Scan(m)
	if err != nil || damagedHeader {
		t.Fatal(damagedHeader, err)
	}
	defer scanned.Close()
	for seq, want := range map[uint64]Flags{1: HasCheckpoint, 2: IsGone, 3: 0, 4: IsDamaged, 5: 0, 6: 0} {
		if r, err := scanned.Row(seq); err != nil || r.Flags != want {
			t.Errorf("transaction %d has the flags %b, %v; want %b", seq, r.Flags, err, want)
		}
	}
	if _, err := scanned.Transaction(2); !errors.Is(err, Missing) {
		t.Errorf("a transaction that was taken out: %v", err)
	}
	if _, err := scanned.Transaction(4); !errors.Is(err, Corrupt) {
		t.Errorf("a damaged transaction: %v", err)
	}
	file, err := m.Open(Name, false)
	if err != nil {
		t.Fatal(err)
	}
	if got, _, err := Intact(file); err != nil || got < two.Offset {
		t.Errorf("%d bytes are intact, %v; want at least %d", got, err, two.Offset)
	}
}

func TestAJournalOfALaterFormatOrWithADamagedHeader(t *testing.T) {
	t.Parallel()
	m := written(t, 2)
	good := content(t, m, Name)
	later := newHeader(now)
	later.Format++
	m.Put(Name, append(later.encode(), good[headerSize:]...))
	if _, err := Open(m, Options{}); !errors.Is(err, TooNew) {
		t.Errorf("a later format: %v", err)
	}
	if err := CheckFormat(m); !errors.Is(err, TooNew) {
		t.Errorf("a later format: %v", err)
	}
	for at := range headerSize {
		b := append([]byte(nil), good...)
		b[at] ^= 1
		m.Put(Name, b)
		if _, err := Open(m, Options{}); !errors.Is(err, Corrupt) {
			t.Errorf("byte %d of the header: %v", at, err)
		}
		if j, damagedHeader, err := Scan(m); err != nil || !damagedHeader || j.Last() != 2 {
			t.Errorf("byte %d of the header: %t, %v", at, damagedHeader, err)
		}
	}
	if err := CheckFormat(m); err != nil {
		t.Error(err)
	}
	if _, err := Open(storage.NewMemory(), Options{}); !errors.Is(err, NotInitialised) {
		t.Errorf("no journal: %v", err)
	}
}

func FuzzScan(f *testing.F) {
	one := encodeFrame(1, []byte("payload"))
	f.Add(append(append(one[:len(one):len(one)], "CgT1 damage"...), encodeFrame(2, nil)...))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, end := storage.NewMemory(), int64(100)
		m.Put(Name, append(make([]byte, end), b...))
		file, err := m.Open(Name, false)
		if err != nil {
			t.Fatal(err)
		}
		for fr, err := range scan(file, 100, 100+int64(len(b))) {
			if err != nil {
				t.Fatal(err)
			}
			if fr.offset < end || fr.length != frameHeaderSize+len(fr.payload) || fr.offset+int64(fr.length) > 100+int64(len(b)) {
				t.Fatalf("a frame at %d of %d bytes, after %d", fr.offset, fr.length, end)
			}
			end = fr.offset + int64(fr.length)
			if again := encodeFrame(fr.seq, fr.payload); !bytes.Equal(again, b[fr.offset-100:end-100]) {
				t.Error("a frame is written otherwise than it was read")
			}
		}
	})
}

func TestRowsComeBack(t *testing.T) {
	t.Parallel()
	want := Row{
		Offset: 1 << 40, Length: 70_000, Flags: HasRecord | HasState | HasSummary, ID: Hash{1}, State: Hash{2}, StateSeq: 3,
		Parents: [2]uint64{4, 5}, Checkpoint: 6, Ancestors: 7, Summary: NewSummary(now, "apply_primitive", "agent"),
	}
	b := want.append(nil)
	if len(b) != rowSize {
		t.Fatalf("a row has %d bytes", len(b))
	}
	if got, ok := decodeRow(b); !ok || got != want {
		t.Errorf("it came back as %+v", got)
	}
	for at := range b {
		b[at] ^= 1
		if _, ok := decodeRow(b); ok {
			t.Errorf("a flipped bit in byte %d is not seen", at)
		}
		b[at] ^= 1
	}
}

func TestSummariesOfTimesThatNanosecondsCannotSay(t *testing.T) {
	t.Parallel()
	for year, want := range map[int]int64{1: -1 << 63, 9999: 1<<63 - 1, 1970: 0} {
		if got := NewSummary(time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), "", "").Time; got != want {
			t.Errorf("the year %d is %d", year, got)
		}
	}
}
