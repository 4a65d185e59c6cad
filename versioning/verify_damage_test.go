package versioning

import (
	"slices"
	"testing"
	"time"
)

// forge appends a transaction that no writer would write.
func forge(t *testing.T, m *memory, with func(v *view, at time.Time) transaction) {
	t.Helper()
	h := must[*History](t)(open(m, &Options{Now: ticking()}))
	v := must[*view](t)(h.view(false))
	defer v.close()
	forged := with(v, time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC))
	payload := must[[]byte](t)(forged.encode())
	m.files[journalName].data = append(m.files[journalName].data, encodeFrame(v.last+1, payload)...)
}

func moving(at time.Time, moves ...move) *movesSection {
	return &movesSection{Time: at, Verb: "Forged", Moves: moves}
}

// Every kind of damage is found by its name, with what to do; and what is safe
// to mend is mended, after which everything that was whole is there.
func TestVerifyFindsEachDamage(t *testing.T) {
	t.Parallel()
	// The newest transaction makes a tag of the newest record, which the one
	// before it holds.
	from := func(m *memory, back uint64) row {
		h := must[*History](t)(open(m, nil))
		v := must[*view](t)(h.view(false))
		defer v.close()
		return must[row](t)(v.row(v.last - back))
	}
	for name, test := range map[string]struct {
		damage func(t *testing.T, m *memory)
		want   Fault
		stays  bool // Repair leaves it to a person
	}{
		"a flipped bit in the newest state": {func(_ *testing.T, m *memory) {
			m.files[journalName].data[from(m, 1).offset+frameHeader+60] ^= 1
		}, DamagedTransaction, false},
		"an object that is missing": {func(_ *testing.T, m *memory) {
			r := from(m, 1)
			f := m.files[journalName]
			f.data = slices.Delete(f.data, int(r.offset), int(r.end()))
		}, DamagedTransaction, false},
		"a journal that was cut": {func(_ *testing.T, m *memory) {
			f := m.files[journalName]
			f.data = f.data[:from(m, 0).offset]
		}, DamagedTransaction, false},
		"a ref to a record that is damaged": {func(_ *testing.T, m *memory) {
			m.files[journalName].data[from(m, 1).offset+frameHeader+60] ^= 1
		}, DanglingRef, false},
		"a ref to no record": {func(t *testing.T, m *memory) {
			forge(t, m, func(_ *view, at time.Time) transaction {
				return transaction{moves: moving(at, move{Ref: "refs/heads/nowhere", To: 99})}
			})
		}, DamagedTransaction, false},
		"a record that is its own parent": {func(t *testing.T, m *memory) {
			forge(t, m, func(v *view, at time.Time) transaction {
				_, made, err := v.draft([]byte("looped"), HashOf([]byte("looped")), []uint64{v.last}, at, Change{Op: "x"})
				if err != nil {
					t.Fatal(err)
				}
				made.record.parents = []uint64{v.last + 1}
				made.moves = moving(at, move{Ref: mainRef, To: v.last + 1, Back: v.table.Refs[mainRef].At})
				return *made
			})
		}, DamagedRecord, false},
		"a record with another's bytes": {func(t *testing.T, m *memory) {
			forge(t, m, func(v *view, at time.Time) transaction {
				_, made, err := v.draft([]byte("other"), HashOf([]byte("other")), []uint64{v.last}, at, Change{Op: "x"})
				if err != nil {
					t.Fatal(err)
				}
				made.record.id[0] ^= 1
				made.moves = moving(at, move{Ref: mainRef, To: v.last + 1, Back: v.table.Refs[mainRef].At})
				return *made
			})
		}, DamagedRecord, false},
		"a state with another's bytes": {func(t *testing.T, m *memory) {
			forge(t, m, func(v *view, at time.Time) transaction {
				_, made, err := v.draft([]byte("other"), HashOf([]byte("another")), []uint64{v.last}, at, Change{Op: "x"})
				if err != nil {
					t.Fatal(err)
				}
				made.moves = moving(at, move{Ref: mainRef, To: v.last + 1, Back: v.table.Refs[mainRef].At})
				return *made
			})
		}, DamagedState, false},
		"a torn line": {func(_ *testing.T, m *memory) {
			m.files[journalName].data = append(m.files[journalName].data, "CgT1 and no more"...)
		}, TornTail, false},
		"a damaged header":  {func(_ *testing.T, m *memory) { m.files[journalName].data[30] ^= 1 }, DamagedHeader, false},
		"a damaged index":   {func(_ *testing.T, m *memory) { m.files[indexName].data[2*rowSize+20] ^= 1 }, DamagedIndex, false},
		"a temporary file":  {func(_ *testing.T, m *memory) { m.files["journal.tmp"] = &memoryFile{data: []byte("x")} }, TempFile, false},
		"an orphan file":    {func(_ *testing.T, m *memory) { m.files["notes.txt"] = &memoryFile{data: []byte("x")} }, UnknownFile, true},
		"damage in the bin": {func(_ *testing.T, m *memory) { m.files[trashName+"/20260101T000000.000000000Z-prune"] = &memoryFile{} }, DamagedTrash, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := newMemory()
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
