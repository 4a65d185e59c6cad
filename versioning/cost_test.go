package versioning

import (
	"encoding/binary"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// counting is a folder that counts what is read.
type counting struct {
	storage.Folder
	bytes *atomic.Int64
}

type countingFile struct {
	storage.File
	bytes *atomic.Int64
}

func (c counting) Open(name string, writable bool) (storage.File, error) {
	f, err := c.Folder.Open(name, writable)
	if err != nil {
		return nil, err
	}
	return countingFile{f, c.bytes}, nil
}

func (f countingFile) ReadAt(p []byte, off int64) (int, error) {
	n, err := f.File.ReadAt(p, off)
	f.bytes.Add(int64(n))
	return n, err
}

// long makes a history of so many records with small states.
func long(t testing.TB, dir storage.Folder, records int) {
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
	m := storage.NewMemory()
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
	change(t, m, journal.IndexName, func(index []byte) []byte {
		for row := range slices.Chunk(index[rowSize:], rowSize) {
			row[12] &^= byte(journal.HasSummary)
			clear(row[116:140])
			binary.LittleEndian.PutUint32(row[140:], crc32c(row[:140]))
		}
		return index
	})
	if _, total, err := must[*History](t)(open(m, nil)).Log(t.Context(), LogOptions{Op: "apply_primitive"}); err != nil || total != records-1 {
		t.Errorf("without it the total is %d, %v", total, err)
	}
	wantClean(t, opened)
}

func TestWhatIsReadDoesNotGrowWithTheHistory(t *testing.T) {
	testutil.SkipShort(t)
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
		m := storage.NewMemory()
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
	testutil.SkipShort(t)
	t.Parallel()
	m := storage.NewMemory()
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
	h.stateSeqs.put(HashOf([]byte("state 1")), 1400)
	other := storage.NewMemory()
	long(t, other, 2)
	for _, name := range []string{journal.Name, journal.IndexName} {
		m.Put(name, content(t, other, name))
	}
	if state := must[[]byte](t)(h.State(t.Context(), HashOf([]byte("state 1")))); string(state) != "state 1" {
		t.Errorf("the state of another journal is %q", state)
	}
}
