package versioning

import (
	"slices"
	"testing"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// Of each transaction in turn all is damaged that a frame has behind its head: what the
// log lists is what was written, in its order; what it cannot read is listed as damaged,
// and no ref is told to be where it is not.
func TestReadsGoAroundADamagedTransaction(t *testing.T) {
	t.Parallel()
	m := storage.NewMemory()
	h := must[*History](t)(open(m, &Options{Now: ticking()}))
	begin(t, h)
	for i := range 30 {
		commit(t, h, string(rune('a'+i))+" state")
	}
	must[Ref](t)(h.Tag(t.Context(), "v1", ""))
	must[Record](t)(h.Undo(t.Context()))
	want, _, err := h.Log(t.Context(), LogOptions{})
	if err != nil {
		t.Fatal(err)
	}
	head := must[Head](t)(h.Head(t.Context()))
	data, index := content(t, m, journal.Name), content(t, m, journal.IndexName)
	v := must[*view](t)(h.view(false))
	defer v.Close()
	for _, listed := range []bool{true, false} {
		for seq := uint64(2); seq <= v.Last(); seq++ {
			r := must[journal.Row](t)(v.Row(seq))
			broken := slices.Clone(data)
			clear(broken[r.Offset+frameHeaderSize+2 : r.End()-2])
			m.Put(journal.Name, broken)
			if m.Put(journal.IndexName, index); !listed {
				if seq == v.Last() {
					continue // without an index it is the torn tail of a writer that died
				}
				m.Put(journal.IndexName, nil)
			}
			checkAround(t, must[*History](t)(open(m, &Options{ReadOnly: true})), want, head)
			if t.Failed() {
				t.Fatalf("transaction %d of %d is damaged; an index is there: %t", seq, v.Last(), listed)
			}
		}
	}
}

// checkAround reads a history of which one transaction is damaged.
func checkAround(t *testing.T, h *History, want []Record, head Head) {
	t.Helper()
	got, total, err := h.Log(t.Context(), LogOptions{})
	if err != nil {
		t.Errorf("log: %v", err)
		return
	}
	if total != len(got) {
		t.Errorf("the log lists %d records and counts %d", len(got), total)
	}
	whole := 0
	for _, rec := range got {
		i := slices.IndexFunc(want, func(w Record) bool { return w.ID == rec.ID })
		switch {
		case rec.Damaged && i >= 0 && rec.State != (Hash{}) && (rec.State != want[i].State || !rec.Time.IsZero() && !rec.Time.Equal(want[i].Time)):
			t.Errorf("a damaged record is %+v, and was %+v", rec, want[i])
		case !rec.Damaged:
			whole++
		}
	}
	if whole < len(want)-9 { // up to eight records are differences from a damaged one
		t.Errorf("%d of %d records are read", whole, len(want))
	}
	now, err := h.Head(t.Context())
	if err == nil && now.Record.ID != head.Record.ID {
		t.Errorf("HEAD is told to be at %s, and is at %s", now.Record.ID, head.Record.ID)
	}
	if err != nil {
		wantKind(t, err, Corrupt)
	}
	refs, err := h.Refs(t.Context())
	if names := namesOf(refs); err == nil && !slices.Equal(names, []string{mainRef, "refs/tags/baseline", "refs/tags/v1"}) {
		t.Errorf("the refs are %q, and no error says that one is missing", names)
	}
	if err != nil {
		wantKind(t, err, Corrupt)
	}
	if !slices.Contains(namesOf(refs), mainRef) {
		t.Errorf("%s is not listed: %v", mainRef, err)
	}
	for _, ref := range refs {
		if ref.Name == mainRef && !ref.Unsure && ref.Record != head.Record.ID && ref.Record != (Hash{}) {
			t.Errorf("%s is told to be at %s, and is at %s", ref.Name, ref.Record, head.Record.ID)
		}
	}
}

func namesOf(refs []Ref) (names []string) {
	for _, ref := range refs {
		names = append(names, ref.Name)
	}
	return names
}

// A history that is open knows where its refs are, and need not read what led there.
// Where a record of them is damaged, and no index lists it, no answer and no new record
// names another in its place.
func TestAnOpenHistoryNamesNoRecordThatItCannotRead(t *testing.T) {
	t.Parallel()
	written := storage.NewMemory()
	h := must[*History](t)(open(written, &Options{Now: ticking()}))
	begin(t, h)
	for i := range 3 {
		commit(t, h, string(rune('a'+i))+" state")
	}
	must[Ref](t)(h.Tag(t.Context(), "v1", ""))
	want := must[[]Ref](t)(h.Refs(t.Context()))
	log, _, err := h.Log(t.Context(), LogOptions{})
	if err != nil {
		t.Fatal(err)
	}
	place := must[Place](t)(h.Place(t.Context()))
	data := content(t, written, journal.Name)
	v := must[*view](t)(h.view(false))
	defer v.Close()
	for seq := uint64(1); seq < v.Last(); seq++ {
		r := must[journal.Row](t)(v.Row(seq))
		for _, damage := range []func([]byte){
			func(frame []byte) { frame[frameHeaderSize+5] ^= 1 },
			func(frame []byte) { clear(frame[frameHeaderSize+2 : len(frame)-2]) },
		} {
			m := storage.NewMemory()
			for _, name := range []string{journal.Name, journal.IndexName, baselineName} {
				m.Put(name, content(t, written, name))
			}
			h := must[*History](t)(open(m, &Options{Now: ticking()}))
			must[[]Ref](t)(h.Refs(t.Context()))
			broken := slices.Clone(data)
			damage(broken[r.Offset:r.End()])
			m.Put(journal.Name, broken)
			m.Put(journal.IndexName, nil)
			checkNames(t, h, want, log, place)
			if t.Failed() {
				t.Fatalf("transaction %d of %d is damaged", seq, v.Last())
			}
		}
	}
}

// checkNames asks a history, one of whose transactions is damaged, for all that names a
// record, and writes to it.
func checkNames(t *testing.T, h *History, want []Ref, log []Record, place Place) {
	t.Helper()
	known := func(id Hash) bool { return slices.ContainsFunc(log, func(r Record) bool { return r.ID == id }) }
	refs, err := h.Refs(t.Context())
	for _, ref := range refs {
		lost := ref.Record.IsZero() && err != nil && ref.Name != baselineRef // of which there is a copy
		if !ref.Unsure && !lost && !slices.Contains(want, ref) {
			t.Errorf("Refs has %v, want one of %v; its error is %v", ref, want, err)
		}
	}
	if p, err := h.Place(t.Context()); err == nil && p.Record != place.Record {
		t.Errorf("the place is %s, want %s", p.Record, place.Record)
	}
	for i, name := range []string{"HEAD", "HEAD~", "HEAD~2", "HEAD~3"} {
		if head, err := h.Resolve(t.Context(), name); err == nil && head.ID != log[i].ID {
			t.Errorf("%s is %s, want %s", name, head.ID, log[i].ID)
		} else if err != nil {
			wantKind(t, err, Corrupt)
		}
	}
	if ref, err := h.Branch(t.Context(), "side", ""); err == nil && ref.Record != log[0].ID {
		t.Errorf("a new branch is at %s, want %s", ref.Record, log[0].ID)
	}
	made, _, err := h.Commit(t.Context(), []byte("one more"), Change{Op: "x"})
	if err == nil && !slices.ContainsFunc(made.Parents, known) {
		t.Errorf("a new record follows %s, want %s", made.Parents, log[0].ID)
	} else if err != nil {
		wantKind(t, err, Corrupt)
	}
}
