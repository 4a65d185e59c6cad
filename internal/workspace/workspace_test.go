package workspace

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/versioning"
)

func openNew(t *testing.T) *Workspace {
	t.Helper()
	w, err := Open(filepath.Join(t.TempDir(), "workspace"), &Options{Actor: "a program"})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// add registers a raw that says its own id as an image.
func add(t *testing.T, w *Workspace, id string) *Image {
	t.Helper()
	path := filepath.Join(t.TempDir(), id+".dng")
	if err := os.WriteFile(path, []byte(id), 0o600); err != nil {
		t.Fatal(err)
	}
	raw, err := w.ReadRaw(t.Context(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	sidecar, _, err := baseline.Parse("5.4.1")
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Add(t.Context(), File{ImageID: id, Raw: raw}, sidecar.Canonical(), versioning.Change{Op: "ingest"})
	if err != nil {
		t.Fatal(err)
	}
	img, err := w.Image(id)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func TestAnImageIsThereAfterItWasAdded(t *testing.T) {
	t.Parallel()
	w := openNew(t)
	img := add(t, w, "a")
	if again, err := w.Image("a"); err != nil || again != img {
		t.Errorf("opened again: %p, %v, want %p", again, err, img)
	}
	first, err := img.Baseline(t.Context())
	if err != nil || first.Record.Actor != "a program" || len(first.Sidecar.History()) < 10 {
		t.Errorf("the baseline: %+v, %v", first.Record, err)
	}
	if err := img.CheckRaw(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := w.Add(t.Context(), img.File, first.Sidecar.Canonical(), versioning.Change{Op: "ingest"}); !errors.Is(err, fault.State) {
		t.Errorf("a taken id: %v", err)
	}
	if _, err := w.Image("A"); !errors.Is(err, fault.NotFound) {
		t.Errorf("in another case: %v", err)
	}
	if clash, err := w.DiffersInCase("A"); err != nil || !clash {
		t.Errorf("the id in another case is free: %v", err)
	}
	page, total, err := w.Page(0, 10)
	if err != nil || total != 1 || !slices.Equal(page, []string{"a"}) {
		t.Errorf("%q of %d, %v", page, total, err)
	}
}

func TestARawThatChangedIsNoticed(t *testing.T) {
	t.Parallel()
	img := add(t, openNew(t), "a")
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(img.Raw.Path, later, later); err != nil {
		t.Fatal(err)
	}
	if err := img.CheckRaw(t.Context()); err != nil {
		t.Errorf("the same content at another time: %v", err)
	}
	if err := os.WriteFile(img.Raw.Path, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := img.CheckRaw(t.Context()); !errors.Is(err, fault.State) {
		t.Errorf("another content: %v", err)
	}
	if err := os.Remove(img.Raw.Path); err != nil {
		t.Fatal(err)
	}
	if err := img.CheckRaw(t.Context()); !errors.Is(err, fault.State) {
		t.Errorf("no raw: %v", err)
	}
}

func TestWhatIsDeletedComesBack(t *testing.T) {
	t.Parallel()
	w := openNew(t)
	add(t, w, "a")
	gone, err := w.Discard(WithActor(t.Context(), "someone"), "a", "a test")
	if err != nil || gone.Actor != "someone" {
		t.Fatalf("%+v, %v", gone, err)
	}
	if _, err := w.Image("a"); !errors.Is(err, fault.NotFound) {
		t.Errorf("the deleted image: %v", err)
	}
	if _, err := w.Discard(t.Context(), "a", "a test"); !errors.Is(err, fault.NotFound) {
		t.Errorf("deleted again: %v", err)
	}
	if all, err := w.Trash(); err != nil || len(all) != 1 || all[0].Name != gone.Name {
		t.Errorf("the trash has %+v, %v", all, err)
	}
	if _, err := w.Restore(t.Context(), gone.Name); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Image("a"); err != nil {
		t.Errorf("the restored image: %v", err)
	}
	if _, err := w.Restore(t.Context(), gone.Name); !errors.Is(err, fault.NotFound) {
		t.Errorf("restored again: %v", err)
	}
	if _, err := w.Discard(t.Context(), "a", "a test"); err != nil {
		t.Fatal(err)
	}
	if removed, err := w.EmptyTrash(time.Now().Add(-time.Hour)); err != nil || len(removed) != 0 {
		t.Errorf("what is young: %q, %v", removed, err)
	}
	if removed, err := w.EmptyTrash(time.Now()); err != nil || len(removed) != 1 {
		t.Errorf("what is old: %q, %v", removed, err)
	}
}

// A check finds nothing wrong with an image that goes to the trash and comes back meanwhile.
func TestWhatComesAndGoesIsNoUnknownFile(t *testing.T) {
	t.Parallel()
	w := openNew(t)
	add(t, w, "a")
	done := make(chan error, 1)
	go func() {
		for range 100 {
			d, err := w.Discard(t.Context(), "a", "a test")
			if err == nil {
				_, err = w.Restore(t.Context(), d.Name)
			}
			if err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	for {
		if found := w.orphans(); len(found) > 0 {
			t.Fatalf("%+v", found)
		}
		select {
		case err := <-done:
			if err != nil {
				t.Fatal(err)
			}
			return
		default:
		}
	}
}

func TestMarksAreKeptInDarktablesOrder(t *testing.T) {
	t.Parallel()
	img := add(t, openNew(t), "a")
	if _, given, err := img.Marks(); given || err != nil {
		t.Errorf("of a new image: %t, %v", given, err)
	}
	got, err := img.SetMarks(t.Context(), func(m *Marks) { m.Rating, m.ColorLabels = 3, []string{"blue", "red", "pink"} })
	if err != nil || got.Rating != 3 || !slices.Equal(got.ColorLabels, []string{"red", "blue"}) {
		t.Errorf("%+v, %v", got, err)
	}
	_, sidecar, err := img.Marked(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	if back := MarksOf(sidecar); back.Rating != 3 || !slices.Equal(back.ColorLabels, got.ColorLabels) {
		t.Errorf("in the sidecar: %+v", back)
	}
}

func TestABundleGoesFromOneWorkspaceToAnother(t *testing.T) {
	t.Parallel()
	from, to := openNew(t), openNew(t)
	img := add(t, from, "a")
	dir, err := from.ExportDir("a", "", nil)
	if err != nil {
		t.Fatal(err)
	}
	path, err := img.ExportBundle(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, first := range []bool{true, false} {
		in, err := to.ImportBundle(t.Context(), path, "b", "", nil)
		if err != nil || in.Created != first || in.Changed != first || in.Image.ImageID != "b" {
			t.Errorf("%+v, %v, want new %t", in, err, first)
		}
	}
	if err := VerifyBundle(t.Context(), path, []string{t.TempDir()}); !errors.Is(err, fault.Permission) {
		t.Errorf("outside the roots: %v", err)
	}
}

func TestOneWriterAtATimeHasALock(t *testing.T) {
	t.Parallel()
	w, err := Open(filepath.Join(t.TempDir(), "workspace"), &Options{LockWait: 10 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	path := w.Path("folder", "x.lock")
	unlock, err := w.Lock(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Lock(t.Context(), path); !errors.Is(err, fault.State) {
		t.Errorf("a second writer: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Lock(ended, path); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled one: %v", err)
	}
	unlock()
	unlock, err = w.Lock(t.Context(), path)
	if err != nil {
		t.Errorf("after the first has ended: %v", err)
	} else {
		unlock()
	}
}

func TestALineThatWasTornIsClosed(t *testing.T) {
	t.Parallel()
	w := openNew(t)
	if err := os.WriteFile(w.Path(GapLog), []byte(`{"torn`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := w.AppendLine(GapLog, []byte(`{}`)); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(w.Path(GapLog)); err != nil || string(data) != "{\"torn\n{}\n" {
		t.Errorf("%q, %v", data, err)
	}
	if found := w.Check(false); len(found) != 1 || found[0].Fault != "torn_line" {
		t.Errorf("%+v", found)
	}
}

func TestAForeignFolderIsNoWorkspace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if _, err := Open(filepath.Join(dir, "none"), &Options{ReadOnly: true}); !errors.Is(err, fault.State) {
		t.Errorf("to be made read-only: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "holiday.jpg"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, nil); !errors.Is(err, fault.State) {
		t.Errorf("with a picture: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "chemigram.json"), []byte(`{"format": 2}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(dir, nil); !errors.Is(err, fault.State) {
		t.Errorf("of a newer format: %v", err)
	}
}

// Who asks whether a lock is free is not in the way of others who ask.
func TestManyAskAtOnceWhetherALockIsFree(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.lock")
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 500 {
				if !isFree(path) {
					t.Error("nobody holds it, and it is not free")
					return
				}
			}
		})
	}
	wait.Wait()
	unlock, err := lockFile(t.Context(), path, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if isFree(path) {
		t.Error("it is held, and it is free")
	}
	if unlock(); !isFree(path) {
		t.Error("it was let go, and it is not free")
	}
}
