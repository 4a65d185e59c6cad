package versioning

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// meddling is a folder in which something happens once, just before a file is
// opened, or before its end is read after its size was asked for.
type meddling struct {
	storage.Folder
	open, sized string
	happens     func()
	once        *sync.Once
}

type meddledFile struct {
	storage.File
	with meddling
}

func (m meddling) Open(name string, writable bool) (storage.File, error) {
	if name == m.open {
		m.once.Do(m.happens)
	}
	f, err := m.Folder.Open(name, writable)
	if err == nil && name == m.sized {
		f = meddledFile{f, m}
	}
	return f, err
}

func (f meddledFile) Size() (int64, error) {
	n, err := f.File.Size()
	f.with.once.Do(f.with.happens)
	return n, err
}

// A reader that opens the journal just before an import replaces it, and the
// index just after, reads one or the other.
func TestAReaderDuringAnImport(t *testing.T) {
	t.Parallel()
	m := storage.NewMemory()
	from := must[*History](t)(open(m, nil))
	begin(t, from)
	early := filesOfMemory(t, m)
	for i := range 5 {
		commit(t, from, fmt.Sprint("state ", i+1))
	}
	bundle := export(t, from)

	here := storage.NewMemory()
	for name, content := range early {
		here.Put(name, content)
	}
	must[*History](t)(open(here, nil))
	reader := must[*History](t)(open(meddling{Folder: here, open: journal.IndexName, once: new(sync.Once), happens: func() {
		h := must[*History](t)(open(here, nil))
		if changed, err := h.Import(t.Context(), bytes.NewReader(bundle)); err != nil || !changed {
			t.Errorf("the import returned %v, %v", changed, err)
		}
	}}, &Options{ReadOnly: true}))
	head, err := reader.Head(t.Context())
	if err != nil {
		t.Fatalf("during an import: %v", err)
	}
	if got := states(t, reader, []Record{head.Record}); got != "state 0" && got != "state 5" {
		t.Errorf("HEAD is at %q", got)
	}
}

// A reader that has seen a torn tail reads what is before it when a writer cuts
// the tail off meanwhile.
func TestAReaderWhileATornTailIsCut(t *testing.T) {
	t.Parallel()
	m := storage.NewMemory()
	h := must[*History](t)(open(m, nil))
	begin(t, h)
	one := commit(t, h, "state 1")
	change(t, m, journal.Name, func(b []byte) []byte { return append(b, make([]byte, 3000)...) })
	reader := must[*History](t)(open(meddling{Folder: m, sized: journal.Name, once: new(sync.Once), happens: func() {
		must[*History](t)(open(m, nil)) // cuts it
	}}, &Options{ReadOnly: true}))
	if head, err := reader.Head(t.Context()); err != nil || head.Record.ID != one.ID {
		t.Errorf("while the tail is cut: HEAD is at %v, %v", head.Record.ID, err)
	}
}

func filesOfMemory(t *testing.T, m *storage.Memory) map[string][]byte {
	t.Helper()
	files := map[string][]byte{}
	for _, name := range must[[]string](t)(m.List(".")) {
		files[name] = content(t, m, name)
	}
	return files
}

// Readers on a healthy history meet no error, whatever writers in this process
// and in others do: edits, prunes, imports, and what a killed writer has left.
func TestReadersOfABusyHistoryMeetNoError(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "history")
	h := must[*History](t)(Open(dir, &Options{Durability: Relaxed}))
	begin(t, h)
	ahead := must[*History](t)(Open(t.TempDir(), &Options{Durability: Relaxed}))
	must[bool](t)(ahead.Import(t.Context(), bytes.NewReader(export(t, h))))
	w := startWorker(t, 1, 150, false, dir)

	var done atomic.Bool
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for reads := 0; !done.Load() || reads == 0; reads++ {
				r, err := Open(dir, &Options{ReadOnly: true})
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := everything(t, r); err != nil && KindOf(err) != Missing && KindOf(err) != UnknownRef {
					t.Errorf("a reader: %v", err)
					return
				}
			}
		})
	}
	wg.Go(func() {
		defer done.Store(true)
		writer := must[*History](t)(Open(dir, &Options{Durability: Relaxed}))
		for i := range 60 {
			if i%20 == 19 {
				if _, err := writer.Prune(t.Context(), PruneOptions{OlderThan: -1, Audit: Audit{"me", "a test"}}); err != nil {
					t.Error(err)
				}
			}
			tear(t, writer)
			if _, _, err := writer.Commit(t.Context(), fmt.Appendf(nil, "busy %d", i), Change{}); err != nil && KindOf(err) != Detached {
				t.Error(err)
			}
		}
	})
	testutil.AllMessages[ack](t, w)
	wg.Wait()
	wantClean(t, must[*History](t)(Open(dir, nil)))

	// Imports, one after the other, each of a few transactions more.
	busy := must[*History](t)(Open(t.TempDir(), &Options{Durability: Relaxed}))
	must[bool](t)(busy.Import(t.Context(), bytes.NewReader(export(t, ahead))))
	done.Store(false)
	for range 3 {
		wg.Go(func() {
			for !done.Load() {
				if _, err := everything(t, busy); err != nil {
					t.Errorf("a reader during imports: %v", err)
					return
				}
			}
		})
	}
	for i := range 40 {
		commit(t, ahead, fmt.Sprint("ahead ", i))
		commit(t, ahead, fmt.Sprint("further ahead ", i))
		must[bool](t)(busy.Import(t.Context(), bytes.NewReader(export(t, ahead))))
	}
	done.Store(true)
	wg.Wait()
	wantClean(t, busy)
}

// tear leaves what a writer leaves that dies while it appends.
func tear(t *testing.T, h *History) {
	t.Helper()
	_, release, err := h.Lock(t.Context(), "tear")
	if err != nil {
		t.Error(err)
		return
	}
	defer release()
	f, err := h.folder.Open(journal.Name, true)
	if err != nil {
		t.Error(err)
		return
	}
	defer f.Close()
	size, err := f.Size()
	if err == nil {
		_, err = f.WriteAt(bytes.Repeat([]byte("CgT1 torn"), 500), size)
	}
	if err != nil {
		t.Error(err)
	}
}

// eachOpen is a folder that tells which file is opened.
type eachOpen struct {
	storage.Folder
	tell func(name string)
}

func (e eachOpen) Open(name string, writable bool) (storage.File, error) {
	e.tell(name)
	return e.Folder.Open(name, writable)
}

// Verify without the lock takes no writer at work for damage.
func TestVerifyWithoutTheLockBesideAWriter(t *testing.T) {
	t.Parallel()
	audit := Audit{"me", "a test"}
	for at := range 4 { // which time that the journal is opened
		m := storage.NewMemory()
		h := must[*History](t)(open(m, nil))
		begin(t, h)
		commit(t, h, "state 1")
		if _, _, err := h.Reset(t.Context(), baselineRef); err != nil {
			t.Fatal(err)
		}
		reader := must[*History](t)(open(m, &Options{ReadOnly: true}))
		opened := 0
		reader.folder = eachOpen{m, func(file string) {
			if file != journal.Name {
				return
			}
			if opened++; opened == at+1 {
				if pruned, err := h.Prune(t.Context(), PruneOptions{OlderThan: -1, Audit: audit}); err != nil || pruned.Records != 1 {
					t.Error(pruned, err)
				}
			}
		}}
		if found, err := reader.Verify(t.Context(), nil); err != nil || len(found) > 0 {
			t.Errorf("with a prune before the journal is opened for time %d: verify finds %v, %v", at+1, found, err)
		}
	}
}

// A copy of the journal that went another way, put in its place while a history is open,
// is read as it is, whatever was known before of as many transactions.
func TestAnotherCopyInPlaceOfTheJournal(t *testing.T) {
	t.Parallel()
	for _, further := range []int{0, 1, 3} {
		here, there := storage.NewMemory(), storage.NewMemory()
		h := must[*History](t)(open(here, &Options{Now: ticking()}))
		begin(t, h)
		commit(t, h, "a state")
		for _, name := range []string{journal.Name, journal.IndexName, baselineName} {
			there.Put(name, content(t, here, name))
		}
		must[Ref](t)(h.Branch(t.Context(), "here", "HEAD~"))
		must[[]Ref](t)(h.Refs(t.Context()))
		other := must[*History](t)(open(there, &Options{Now: ticking()}))
		must[Ref](t)(other.Branch(t.Context(), "away", "HEAD"))
		for i := range further {
			commit(t, other, string(rune('c'+i))+" state")
		}
		for _, name := range []string{journal.Name, journal.IndexName} {
			here.Put(name, content(t, there, name))
		}
		want := must[[]Ref](t)(other.Refs(t.Context()))
		if got := must[[]Ref](t)(h.Refs(t.Context())); !slices.Equal(got, want) {
			t.Errorf("%d transactions further: the refs are %v, want %v", further, got, want)
		}
		commit(t, h, "z state")
		if got := namesOf(must[[]Ref](t)(must[*History](t)(open(here, nil)).Refs(t.Context()))); !slices.Equal(got, namesOf(want)) {
			t.Errorf("%d transactions further: after a commit the refs are %v, want %v", further, got, namesOf(want))
		}
		wantClean(t, must[*History](t)(open(here, nil)))
	}
}
