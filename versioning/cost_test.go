package versioning

import (
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// counting is a folder that counts what is read.
type counting struct {
	folder
	bytes *atomic.Int64
}

type countingFile struct {
	file
	bytes *atomic.Int64
}

func (c counting) open(name string, writable bool) (file, error) {
	f, err := c.folder.open(name, writable)
	if err != nil {
		return nil, err
	}
	return countingFile{f, c.bytes}, nil
}

func (f countingFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.file.ReadAt(p, off)
	f.bytes.Add(int64(n))
	return n, err
}

// long gives a history of so many records with small states.
func long(t testing.TB, dir folder, records int) {
	h, err := open(dir, &Options{Durability: Relaxed, Now: ticking()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Init(t.Context(), []byte("state 0"), Change{}); err != nil {
		t.Fatal(err)
	}
	for i := 1; i < records; i++ {
		if _, _, err := h.Commit(t.Context(), fmt.Appendf(nil, "state %d", i), Change{Op: "apply_primitive"}); err != nil {
			t.Fatal(err)
		}
	}
}

func TestAFilteredLogReadsTheIndexAlone(t *testing.T) {
	t.Parallel()
	m := newMemory()
	const records = 500
	long(t, m, records)
	opened := must[*History](t)(open(m, nil)) // which completes the index
	dir := counting{m, new(atomic.Int64)}
	h := must[*History](t)(open(dir, nil))
	dir.bytes.Store(0)
	for _, o := range []LogOptions{
		{Op: "nothing"},
		{Actor: "nobody"},
		{Op: "apply_primitive", Limit: 5},
		{Since: time.Date(1, 1, 1, 0, 0, 0, 0, time.UTC), Until: time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC), Limit: 5},
	} {
		want, wantTotal, err := opened.Log(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		dir.bytes.Store(0)
		got, total, err := h.Log(t.Context(), o)
		if err != nil || total != wantTotal || !cmp.Equal(got, want) {
			t.Errorf("%+v: %d of %d, %v; want %d of %d", o, len(got), total, err, len(want), wantTotal)
		}
		if all := o.Op == "apply_primitive"; all && total != records-1 || !o.Since.IsZero() && total != records {
			t.Errorf("%+v: total %d", o, total)
		}
		const most = records*rowSize*11/10 + 2*(checkpointEvery+4096)
		if read := dir.bytes.Load(); read > most {
			t.Errorf("%+v reads %d bytes, more than %d", o, read, most)
		}
	}
	// An index of rows without what the filters ask for, as from a tail.
	f := m.files[indexName]
	for at := rowSize; at < len(f.data); at += rowSize {
		r, ok := decodeRow(f.data[at : at+rowSize])
		if !ok {
			t.Fatal("a row is damaged")
		}
		copy(f.data[at:], r.bare().append(nil))
	}
	if _, total, err := must[*History](t)(open(m, nil)).Log(t.Context(), LogOptions{Op: "apply_primitive"}); err != nil || total != records-1 {
		t.Errorf("without it the total is %d, %v", total, err)
	}
	wantClean(t, opened)
}

func TestWhatIsReadDoesNotGrowWithTheHistory(t *testing.T) {
	t.Parallel()
	verbs := map[string]func(h *History) error{
		"open": func(*History) error { return nil },
		"head": func(h *History) error { _, err := h.Head(t.Context()); return err },
		"log":  func(h *History) error { _, _, err := h.Log(t.Context(), LogOptions{Limit: 20}); return err },
		"commit": func(h *History) error {
			_, _, err := h.Commit(t.Context(), []byte("new"), Change{Label: "x"})
			return err
		},
		"undo": func(h *History) error { _, err := h.Undo(t.Context()); return err },
		"read": func(h *History) error { _, err := h.State(t.Context(), HashOf([]byte("new"))); return err },
	}
	for _, records := range []int{100, 1500} {
		m := newMemory()
		long(t, m, records)
		for _, name := range []string{"open", "head", "log", "commit", "read", "undo"} {
			dir := counting{m, new(atomic.Int64)}
			h := must[*History](t)(open(dir, nil)) // knows nothing of the history yet
			if err := verbs[name](h); err != nil {
				t.Fatal(err)
			}
			// A view reads back to the newest checkpoint, and a block of rows.
			const most = 2*(checkpointEvery+4096) + 6*64*rowSize
			if read := dir.bytes.Load(); read > most {
				t.Errorf("%s at %d records reads %d bytes, more than %d", name, records, read, most)
			}
		}
	}
}

func TestAStateOfARecordThatWasReadIsFoundWithoutASearch(t *testing.T) {
	t.Parallel()
	m := newMemory()
	long(t, m, 1500)
	dir := counting{m, new(atomic.Int64)}
	h := must[*History](t)(open(dir, nil))
	rec := must[Record](t)(h.Resolve(t.Context(), "baseline"))
	dir.bytes.Store(0)
	if state := must[[]byte](t)(h.State(t.Context(), rec.State)); string(state) != "state 0" {
		t.Errorf("the state is %q", state)
	}
	const most = checkpointEvery + 4096 + 4*64*rowSize
	if read := dir.bytes.Load(); read > most {
		t.Errorf("it reads %d bytes, more than %d", read, most)
	}
	// Another journal in its place, which is shorter, has that state elsewhere.
	h.places.put(HashOf([]byte("state 1")), 1400)
	other := newMemory()
	long(t, other, 2)
	m.files = other.files
	if state := must[[]byte](t)(h.State(t.Context(), HashOf([]byte("state 1")))); string(state) != "state 1" {
		t.Errorf("the state of another journal is %q", state)
	}
}
