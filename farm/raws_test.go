package farm

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/objects"
)

// A raw that somebody removed from the store is sent again, and one that is damaged there
// is not developed.
func TestRawsInTheStore(t *testing.T) {
	t.Parallel()
	s := newSetup(t, testutil.FakeOptions{}, Options{})
	stop := s.work(WorkerOptions{})
	jobs := fakeJobs(t, 3)
	if _, err := s.engine.Render(t.Context(), jobs[0]); err != nil {
		t.Fatal(err)
	}
	raw := s.objects("raws/")[0]
	if err := s.renderer.o.Store.Delete(t.Context(), raw); err != nil {
		t.Fatal(err)
	}
	stop()
	stop = s.work(WorkerOptions{}) // which has no raws
	if _, err := s.engine.Render(t.Context(), jobs[1]); err != nil || s.elsewhere.made.Load() != 2 {
		t.Fatalf("%v, %d made elsewhere", err, s.elsewhere.made.Load())
	}
	path := filepath.Join(s.dir, filepath.FromSlash(raw))
	if err := os.Chmod(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat("rat", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	stop()
	s.work(WorkerOptions{})
	if _, err := s.engine.Render(t.Context(), jobs[2]); err != nil || s.elsewhere.made.Load() != 2 {
		t.Errorf("%v, %d made elsewhere", err, s.elsewhere.made.Load())
	}
}

// A raw on the worker's disk that is not what it was is fetched again.
func TestADamagedRawOnTheWorker(t *testing.T) {
	t.Parallel()
	s := newSetup(t, testutil.FakeOptions{}, Options{})
	dir := t.TempDir()
	s.work(WorkerOptions{Dir: dir})
	jobs := fakeJobs(t, 2)
	if _, err := s.engine.Render(t.Context(), jobs[0]); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "raws", jobs[0].RawDigest, "a.dng")
	if err := os.WriteFile(path, []byte("another"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := s.engine.Render(t.Context(), jobs[1]); err != nil || s.elsewhere.made.Load() != 2 {
		t.Fatalf("%v, %d made elsewhere", err, s.elsewhere.made.Load())
	}
	if content, err := os.ReadFile(path); err != nil || digestOf(string(content)) != jobs[0].RawDigest {
		t.Errorf("the raw is %q, %v", content[:min(len(content), 10)], err)
	}
}

// forgetful is a store as some network disks are: what was not there once is not there until
// its folder is listed.
type forgetful struct {
	objects.Store
	mu      sync.Mutex
	missing map[string]bool
}

func (f *forgetful) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.missing[name] {
		return nil, &objects.Error{Op: "Get", Kind: objects.NotFound, Name: name}
	}
	from, err := f.Store.Get(ctx, name)
	f.missing[name] = err != nil
	return from, err
}

func (f *forgetful) List(ctx context.Context, prefix, page string) ([]objects.Object, string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	clear(f.missing)
	return f.Store.List(ctx, prefix, page)
}

func TestAStoreThatRemembersWhatWasMissing(t *testing.T) {
	t.Parallel()
	s := newSetup(t, testutil.FakeOptions{}, Options{Patience: time.Minute})
	s.renderer.o.Store = &forgetful{Store: s.renderer.o.Store, missing: map[string]bool{}}
	s.work(WorkerOptions{Store: &forgetful{Store: s.renderer.o.Store, missing: map[string]bool{}}})
	wantPictures(t, s.engine.RenderAll(t.Context(), fakeJobs(t, 4), nil))
	if made, calls := s.elsewhere.made.Load(), len(s.fake.Calls()); made != 4 || calls != 4 {
		t.Errorf("%d made elsewhere in %d calls", made, calls)
	}
}

// Raws are kept within a bound.
func TestRawsAreBounded(t *testing.T) {
	t.Parallel()
	store := openFolder(t, t.TempDir())
	dir := t.TempDir()
	r, err := openRaws(dir, 2500, store)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		content := strings.Repeat(string(rune('a'+i)), 1000)
		j := sound()
		j.Raw, j.RawBytes = digestOf(content), 1000
		if err := store.Create(t.Context(), rawObject(j.Raw), strings.NewReader(content)); err != nil {
			t.Fatal(err)
		}
		path, release, err := r.get(t.Context(), j)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
		release()
		if kept, err := os.ReadDir(filepath.Join(dir, "raws")); err != nil || len(kept) > 2 {
			t.Errorf("%d raws are kept, %v", len(kept), err)
		}
	}
	if left, err := os.ReadDir(filepath.Join(dir, "tmp")); err != nil || len(left) > 0 {
		t.Errorf("%d files are left, %v", len(left), err)
	}
}
