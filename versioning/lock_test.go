package versioning

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

func TestAWriterWaitsForItsTurn(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		begin(t, h)
		_, release, err := h.Lock(t.Context(), "hold")
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan error, 1)
		go func() {
			_, _, err := h.Commit(t.Context(), []byte("waited"), Change{})
			done <- err
		}()
		must[Head](t)(h.Head(t.Context())) // a reader does not wait
		select {
		case err := <-done:
			t.Fatalf("the writer did not wait: %v", err)
		default:
		}
		release()
		release()
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	})
}

func TestTheContextCarriesTheLock(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		begin(t, h)
		ctx, release, err := h.Lock(t.Context(), "verb")
		if err != nil {
			t.Fatal(err)
		}
		head := must[Head](t)(h.Head(ctx))
		if _, _, err := h.Commit(ctx, []byte("inside"), Change{Expect: head.Record.ID}); err != nil {
			t.Fatal(err)
		}
		_, again, err := h.Lock(ctx, "inner")
		if err != nil {
			t.Fatal(err)
		}
		again()
		if !h.hasLock(ctx) {
			t.Error("releasing an inner lock released the outer one")
		}
		release()
		if h.hasLock(ctx) {
			t.Error("a released lock still counts")
		}
		if _, _, err := h.Commit(ctx, []byte("after"), Change{}); err != nil {
			t.Errorf("a context whose lock was released must take it again: %v", err)
		}
	})
}

func TestALockedHistoryNamesItsHolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	one := must[*History](t)(Open(dir, nil))
	begin(t, one)
	two := must[*History](t)(Open(dir, &Options{LockWait: time.Millisecond}))
	_, release, err := one.Lock(t.Context(), "apply_primitive")
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	_, err = two.Undo(t.Context())
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Kind != Locked || e.Holder == nil {
		t.Fatalf("got %v, want Locked with a holder", err)
	}
	if e.Holder.PID != os.Getpid() || e.Holder.Verb != "apply_primitive" || e.Holder.Host == "" || e.Holder.Since.IsZero() {
		t.Errorf("the holder is %+v", e.Holder)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := two.Undo(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("with a cancelled context got %v", err)
	}
}

func TestManyGoroutinesLoseNothing(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		begin(t, h)
		h.opts.Durability = Relaxed
		const writers, each = 6, 15
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					if _, changed, err := h.Commit(t.Context(), []byte{byte(w), byte(i)}, Change{}); err != nil || !changed {
						t.Errorf("writer %d: changed %v, error %v", w, changed, err)
					}
					if _, total, err := h.Log(t.Context(), LogOptions{Limit: 3}); err != nil || total < i+2 {
						t.Errorf("reader %d: %d records, error %v", w, total, err)
					}
				}
			})
		}
		wg.Wait()
		recs, total, err := h.Log(t.Context(), LogOptions{})
		if err != nil || total != writers*each+1 || len(recs) != total {
			t.Errorf("%d of %d records, error %v", len(recs), total, err)
		}
		wantClean(t, h)
	})
}

func TestAHistoryOpensWithoutWritePermission(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("the superuser may write everywhere; see TestAReadOnlyFolderStillReads")
	}
	dir := filepath.Join(t.TempDir(), "history")
	begin(t, must[*History](t)(Open(dir, nil)))
	for _, name := range []string{"journal", "lock", "holder", "."} {
		if err := os.Chmod(filepath.Join(dir, name), 0o555); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o755) })
	readsOnly(t, must[*History](t)(Open(dir, nil)))
}

// unwritable is a folder that refuses every change.
type unwritable struct{ storage.Folder }

func (unwritable) Create(string) (storage.File, error) { return nil, os.ErrPermission }
func (unwritable) Rename(string, string) error         { return os.ErrPermission }
func (unwritable) Remove(string) error                 { return os.ErrPermission }
func (unwritable) TryLock(string, bool) (unlock func(), ok bool, err error) {
	return nil, false, os.ErrPermission
}

func (r unwritable) Open(name string, writable bool) (storage.File, error) {
	if writable {
		return nil, os.ErrPermission
	}
	return r.Folder.Open(name, writable)
}

func TestAReadOnlyFolderStillReads(t *testing.T) {
	t.Parallel()
	m := storage.NewMemory()
	begin(t, must[*History](t)(open(m, nil)))
	readsOnly(t, must[*History](t)(open(unwritable{m}, nil)))
}

func readsOnly(t *testing.T, h *History) {
	t.Helper()
	if _, err := everything(t, h); err != nil {
		t.Error(err)
	}
	wantClean(t, h)
	_, _, err := h.Commit(t.Context(), []byte("new"), Change{})
	wantKind(t, err, ReadOnly)
	_, err = h.Tag(t.Context(), "v1", "")
	wantKind(t, err, ReadOnly)
	_, err = h.Verify(t.Context(), &VerifyOptions{Repair: true})
	wantKind(t, err, ReadOnly)
}

func TestALaterFormatIsRefused(t *testing.T) {
	t.Parallel()
	m := storage.NewMemory()
	begin(t, must[*History](t)(open(m, nil)))
	change(t, m, journal.Name, func(b []byte) []byte {
		line := bytes.Replace(b[:headerSize-9], []byte(`"chemigram_history":1,`), []byte(`"chemigram_history":2,`), 1)
		return append(fmt.Appendf(line, "%08x\n", crc32c(line)), b[headerSize:]...)
	})
	_, err := open(m, nil)
	wantKind(t, err, TooNew)
}

func TestReadOnlyWritesNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	begin(t, must[*History](t)(Open(dir, nil)))
	// Something that Open would tidy up.
	if err := os.WriteFile(filepath.Join(dir, "index.tmp"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	before := must[[]os.DirEntry](t)(os.ReadDir(dir))
	h := must[*History](t)(Open(dir, &Options{ReadOnly: true}))
	if _, err := everything(t, h); err != nil {
		t.Error(err)
	}
	found := must[[]Finding](t)(h.Verify(t.Context(), nil))
	if len(found) != 1 || found[0].Fault != TempFile {
		t.Errorf("verify found %v", found)
	}
	_, _, err := h.Commit(t.Context(), []byte("new"), Change{})
	wantKind(t, err, ReadOnly)
	if after := must[[]os.DirEntry](t)(os.ReadDir(dir)); len(after) != len(before) {
		t.Errorf("there were %d files and are %d", len(before), len(after))
	}
}

// A lock's context in many goroutines: its methods take turns, and each one's
// change stays.
func TestGoroutinesShareALocksContext(t *testing.T) {
	everywhere(t, func(t *testing.T, h *History) {
		begin(t, h)
		h.opts.Durability = Relaxed
		ctx, release, err := h.Lock(t.Context(), "verb")
		if err != nil {
			t.Fatal(err)
		}
		const writers, each = 6, 20
		made := make(chan Record, writers*each)
		var wg sync.WaitGroup
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					rec, changed, err := h.Commit(ctx, []byte{byte(w), byte(i)}, Change{})
					if err != nil || !changed {
						t.Errorf("writer %d: changed %v, error %v", w, changed, err)
						return
					}
					made <- rec
					if w == 0 && i == each/2 {
						release() // while the others are at work
					}
				}
			})
		}
		wg.Wait()
		close(made)
		if _, total, err := h.Log(t.Context(), LogOptions{}); err != nil || total != writers*each+1 {
			t.Errorf("the log has %d records, %v; want %d", total, err, writers*each+1)
		}
		for rec := range made {
			if _, err := h.Record(t.Context(), rec.ID); err != nil {
				t.Error(err)
			}
		}
		wantClean(t, h)
	})
}
