package versioning

import (
	"slices"
	"testing"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// forge appends a transaction that no writer would write, and that the index
// does not list.
func forge(t *testing.T, m *storage.Memory, with func(v *view, at time.Time) journal.Transaction) {
	t.Helper()
	h := must[*History](t)(open(m, &Options{Now: ticking()}))
	v := must[*view](t)(h.view(true))
	defer v.Close()
	index := content(t, m, journal.IndexName)
	if err := v.Append(with(v, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))); err != nil {
		t.Fatal(err)
	}
	m.Put(journal.IndexName, index)
}

func moving(at time.Time, moves ...journal.Move) *journal.Moves {
	return &journal.Moves{Time: at, Verb: "Forged", Moves: moves}
}

// Every kind of damage is found by its name, with what to do; and what is safe
// to repair is repaired, after which everything that was whole is there.
func TestVerifyFindsEachDamage(t *testing.T) {
	t.Parallel()
	// The newest transaction makes a tag of the newest record, which the one
	// before it holds.
	from := func(m *storage.Memory, back uint64) journal.Row {
		h := must[*History](t)(open(m, nil))
		v := must[*view](t)(h.view(false))
		defer v.Close()
		return must[journal.Row](t)(v.Row(v.Last() - back))
	}
	for name, test := range map[string]struct {
		damage func(t *testing.T, m *storage.Memory)
		want   Fault
		stays  bool // Repair does not touch it
	}{
		"a flipped bit in the newest state": {func(t *testing.T, m *storage.Memory) {
			flip(t, m, journal.Name, from(m, 1).Offset+frameHeaderSize+60, 1)
		}, DamagedTransaction, false},
		"a transaction that is missing": {func(t *testing.T, m *storage.Memory) {
			r := from(m, 1)
			change(t, m, journal.Name, func(b []byte) []byte { return slices.Delete(b, int(r.Offset), int(r.End())) })
		}, DamagedTransaction, false},
		"a journal that was cut": {func(t *testing.T, m *storage.Memory) {
			end := from(m, 0).Offset
			change(t, m, journal.Name, func(b []byte) []byte { return b[:end] })
		}, DamagedTransaction, false},
		"a ref to a record that is damaged": {func(t *testing.T, m *storage.Memory) {
			flip(t, m, journal.Name, from(m, 1).Offset+frameHeaderSize+60, 1)
		}, DanglingRef, false},
		"a ref to no record": {func(t *testing.T, m *storage.Memory) {
			forge(t, m, func(_ *view, at time.Time) journal.Transaction {
				return journal.Transaction{Moves: moving(at, journal.Move{Ref: "refs/heads/nowhere", To: 99})}
			})
		}, DamagedTransaction, false},
		"a record that is its own parent": {func(t *testing.T, m *storage.Memory) {
			forge(t, m, func(v *view, at time.Time) journal.Transaction {
				_, made, err := v.newSnapshot([]byte("looped"), HashOf([]byte("looped")), []uint64{v.Last() - 1}, at, Change{Op: "x"})
				if err != nil {
					t.Fatal(err)
				}
				made.Record.Parents = []uint64{v.Last() + 1}
				made.Moves = moving(at, journal.Move{Ref: mainRef, To: v.Last() + 1, Back: v.refs.Refs[mainRef].At})
				return *made
			})
		}, DamagedRecord, false},
		"a record with another's bytes": {func(t *testing.T, m *storage.Memory) {
			forge(t, m, func(v *view, at time.Time) journal.Transaction {
				_, made, err := v.newSnapshot([]byte("other"), HashOf([]byte("other")), []uint64{v.Last() - 1}, at, Change{Op: "x"})
				if err != nil {
					t.Fatal(err)
				}
				made.Record.ID[0] ^= 1
				made.Moves = moving(at, journal.Move{Ref: mainRef, To: v.Last() + 1, Back: v.refs.Refs[mainRef].At})
				return *made
			})
		}, DamagedRecord, false},
		"a state with another's bytes": {func(t *testing.T, m *storage.Memory) {
			forge(t, m, func(v *view, at time.Time) journal.Transaction {
				_, made, err := v.newSnapshot([]byte("other"), HashOf([]byte("another")), []uint64{v.Last() - 1}, at, Change{Op: "x"})
				if err != nil {
					t.Fatal(err)
				}
				made.Moves = moving(at, journal.Move{Ref: mainRef, To: v.Last() + 1, Back: v.refs.Refs[mainRef].At})
				return *made
			})
		}, DamagedState, false},
		"a torn tail": {func(t *testing.T, m *storage.Memory) {
			change(t, m, journal.Name, func(b []byte) []byte { return append(b, "CgT1 and no more"...) })
		}, TornTail, false},
		"a damaged header": {func(t *testing.T, m *storage.Memory) { flip(t, m, journal.Name, 30, 1) }, DamagedHeader, false},
		"a damaged index":  {func(t *testing.T, m *storage.Memory) { flip(t, m, journal.IndexName, 2*rowSize+20, 1) }, DamagedIndex, false},
		"a temporary file": {func(_ *testing.T, m *storage.Memory) { m.Put("journal.tmp", []byte("x")) }, TempFile, false},
		"an unknown file":  {func(_ *testing.T, m *storage.Memory) { m.Put("notes.txt", []byte("x")) }, UnknownFile, true},
		"damage in trash":  {func(_ *testing.T, m *storage.Memory) { m.Put(trashName+"/20260101T000000.000000000Z-prune", nil) }, DamagedTrash, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := storage.NewMemory()
			h := must[*History](t)(open(m, &Options{Now: ticking()}))
			begin(t, h)
			kept := commit(t, h, "state 1")
			commit(t, h, "state 2")
			must[Ref](t)(h.Tag(t.Context(), "v2", ""))
			wantClean(t, must[*History](t)(open(m, nil)))
			test.damage(t, m)
			h = must[*History](t)(open(m, &Options{Now: ticking(), ReadOnly: true}))
			found := must[[]Finding](t)(h.Verify(t.Context(), nil))
			if !slices.ContainsFunc(found, func(f Finding) bool { return f.Fault == test.want }) {
				t.Errorf("verify finds %v, want %s", found, test.want)
			}
			for _, f := range found {
				if f.File == "" || f.Detail == "" || f.Advice == "" {
					t.Errorf("%+v does not say where, what is wrong, and what to do", f)
				}
			}
			h = must[*History](t)(open(m, &Options{Now: ticking()}))
			must[[]Finding](t)(h.Verify(t.Context(), &VerifyOptions{Repair: true}))
			if again := must[[]Finding](t)(h.Verify(t.Context(), nil)); !test.stays && len(again) > 0 {
				t.Errorf("after Repair verify finds %v", again)
			}
			if got := states(t, h, []Record{must[Record](t)(h.Record(t.Context(), kept.ID))}); got != "state 1" {
				t.Errorf("after Repair a whole state reads %q", got)
			}
			commit(t, h, "afterwards")
		})
	}
}
