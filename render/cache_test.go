package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func openCache(t testing.TB, dir string, limit int64) *Cache {
	t.Helper()
	c, err := OpenCache(dir, &CacheOptions{Limit: limit})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func recipe(state string) Recipe {
	return Recipe{State: state, Raw: "raw", Darktable: "5.4.1", Path: "exact", Size: 1024}
}

// writes produces a picture of the given bytes.
func writes(data []byte) func(context.Context, string) (Picture, error) {
	return func(_ context.Context, path string) (Picture, error) {
		return Picture{Path: path, Width: 3, Height: 2, Bytes: int64(len(data)), Format: "jpeg"}, os.WriteFile(path, data, 0o600)
	}
}

func keep(t testing.TB, c *Cache, r Recipe, data []byte) Picture {
	t.Helper()
	p, _, err := c.Picture(context.Background(), r, writes(data))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCacheGivesWhatWasMade(t *testing.T) {
	t.Parallel()
	c := openCache(t, t.TempDir(), 0)
	if p, ok := c.Get(recipe("a")); ok {
		t.Fatalf("an empty cache has %v", p)
	}
	made := keep(t, c, recipe("a"), []byte("one"))
	for range 2 {
		got, cached, err := c.Picture(t.Context(), recipe("a"), func(context.Context, string) (Picture, error) {
			return Picture{}, errors.New("made again")
		})
		if err != nil || !cached || got.Path != made.Path || got.Width != 3 || got.Height != 2 || got.Bytes != 3 || got.Format != "jpeg" {
			t.Fatalf("got %+v, %v, %v; want %+v", got, cached, err, made)
		}
	}
	if data, err := os.ReadFile(made.Path); string(data) != "one" {
		t.Errorf("got %q, %v", data, err)
	}
	other := openCache(t, c.dir, 0) // as another process would
	if _, ok := other.Get(recipe("a")); !ok {
		t.Error("another process does not see the picture")
	}
	if left, _ := os.ReadDir(filepath.Join(c.dir, "tmp")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestCacheTakesWhatIsDamagedForAMiss(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(t *testing.T, c *Cache, p Picture, k key) error{
		"a bit": func(_ *testing.T, _ *Cache, p Picture, _ key) error {
			return os.WriteFile(p.Path, []byte("onf"), 0o600)
		},
		"the end":  func(_ *testing.T, _ *Cache, p Picture, _ key) error { return os.Truncate(p.Path, 1) },
		"the file": func(_ *testing.T, _ *Cache, p Picture, _ key) error { return os.Remove(p.Path) },
		"no json": func(_ *testing.T, c *Cache, _ Picture, k key) error {
			return os.WriteFile(c.recipePath(k), []byte("{"), 0o600)
		},
		"a foreign": func(_ *testing.T, c *Cache, _ Picture, k key) error {
			return os.WriteFile(c.recipePath(k), []byte(`{"Content":"../../../../etc/passwd","Extension":".jpg"}`), 0o600)
		},
		"a suffix": func(_ *testing.T, c *Cache, _ Picture, k key) error {
			return os.WriteFile(c.recipePath(k), fmt.Appendf(nil, `{"Content":"%064d","Extension":"/../x.jpg"}`, 1), 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := openCache(t, t.TempDir(), 0)
			p := keep(t, c, recipe("a"), []byte("one"))
			k, err := recipe("a").key()
			if err != nil {
				t.Fatal(err)
			}
			if err := damage(t, c, p, k); err != nil {
				t.Fatal(err)
			}
			if got, ok := c.Get(recipe("a")); ok {
				t.Errorf("got %+v", got)
			}
			again := keep(t, c, recipe("a"), []byte("one"))
			if data, err := os.ReadFile(again.Path); string(data) != "one" {
				t.Errorf("made again: %q, %v", data, err)
			}
		})
	}
}

func TestCacheForgetsWhatWasUsedLongestAgo(t *testing.T) {
	t.Parallel()
	c := openCache(t, t.TempDir(), 10_000)
	now := time.Now()
	for i := range 20 {
		p := keep(t, c, recipe(fmt.Sprint(i)), bytes.Repeat([]byte{byte(i)}, 1000))
		past := now.Add(time.Duration(i-100) * time.Hour)
		if err := os.Chtimes(p.Path, past, past); err != nil && !errors.Is(err, fs.ErrNotExist) {
			t.Fatal(err)
		}
	}
	if _, ok := c.Get(recipe("12")); !ok { // which notes its use
		t.Fatal("12 was forgotten too early")
	}
	for i := range 2 { // the limit is noticed after a sixteenth of it
		keep(t, c, recipe(fmt.Sprint("new", i)), bytes.Repeat([]byte{100 + byte(i)}, 1000))
	}
	var total int64
	walkFiles(filepath.Join(c.dir, "content"), func(_ string, info fs.FileInfo) { total += info.Size() })
	if total > 10_000 {
		t.Errorf("%d bytes are kept, want 10,000 at most", total)
	}
	for state, want := range map[string]bool{"0": false, "11": false, "12": true, "19": true, "new0": true, "new1": true} {
		if _, ok := c.Get(recipe(state)); ok != want {
			t.Errorf("%s is kept: %v, want %v", state, ok, want)
		}
	}
	recipes := 0
	walkFiles(filepath.Join(c.dir, "recipe"), func(string, fs.FileInfo) { recipes++ })
	if recipes > 10 {
		t.Errorf("%d recipes are left for %d bytes", recipes, total)
	}
}

func TestCacheMakesAPictureOnceForAllWhoWant(t *testing.T) {
	t.Parallel()
	c := openCache(t, t.TempDir(), 0)
	var produced atomic.Int32
	begun, proceed := make(chan struct{}), make(chan struct{})
	var all sync.WaitGroup
	want := func() {
		p, _, err := c.Picture(t.Context(), recipe("a"), func(ctx context.Context, path string) (Picture, error) {
			produced.Add(1)
			close(begun)
			<-proceed
			return writes([]byte("one"))(ctx, path)
		})
		if err != nil || p.Width != 3 {
			t.Errorf("got %+v, %v", p, err)
		}
	}
	all.Go(want)
	<-begun
	for range 9 {
		all.Go(want)
	}
	close(proceed)
	all.Wait()
	if n := produced.Load(); n != 1 {
		t.Errorf("made %d times", n)
	}
}

func TestCacheGivesAProductionTheLongestLimitOfThoseWhoWait(t *testing.T) {
	t.Parallel()
	c := openCache(t, t.TempDir(), 0)
	synctest.Test(t, func(t *testing.T) {
		var ended error
		produce := func(takes time.Duration) func(ctx context.Context, path string) (Picture, error) {
			return func(ctx context.Context, path string) (Picture, error) {
				ctx, cancel := withLimit(ctx, 0)
				defer cancel()
				select {
				case <-time.After(takes):
					return writes([]byte("one"))(ctx, path)
				case <-ctx.Done():
					ended = ctx.Err()
					return Picture{}, newError("render", TimedOut, path, "its time is over", ctx.Err())
				}
			}
		}
		for _, test := range []struct {
			name          string
			first, second time.Duration // limits; 0 is none
			takes         time.Duration
			firstEnds     time.Duration // 0 is with the picture
			secondEnds    time.Duration
		}{
			{"the second has longer", time.Second, time.Minute, 20 * time.Second, time.Second, 0},
			{"the first has longer", time.Minute, 2 * time.Second, 20 * time.Second, 0, 2 * time.Second},
			{"both are in time", time.Minute, 30 * time.Second, 20 * time.Second, 0, 0},
			{"the second has none", time.Second, 0, 90 * time.Second, time.Second, 0},
			{"the first has none", 0, time.Second, 90 * time.Second, 0, time.Second},
			{"neither has enough", time.Second, 3 * time.Second, time.Hour, time.Second, 3 * time.Second},
		} {
			ended = nil
			began := time.Now()
			wait := func(limit, ends time.Duration) func() {
				return func() {
					_, _, err := c.PictureWithin(t.Context(), recipe(test.name), limit, produce(test.takes))
					took := time.Since(began)
					e, _ := errors.AsType[*Error](err)
					switch {
					case ends == 0 && (err != nil || took != test.takes):
						t.Errorf("%s: a limit of %v: %v after %v", test.name, limit, err, took)
					case ends > 0 && (e == nil || e.Kind != TimedOut || took != ends):
						t.Errorf("%s: a limit of %v: %v after %v, want %s after %v", test.name, limit, err, took, TimedOut, ends)
					}
				}
			}
			var all sync.WaitGroup
			all.Go(wait(test.first, test.firstEnds))
			synctest.Wait()
			all.Go(wait(test.second, test.secondEnds))
			all.Wait()
			if late := test.firstEnds > 0 && test.secondEnds > 0; late != errors.Is(ended, context.DeadlineExceeded) {
				t.Errorf("%s: the production ended with %v", test.name, ended)
			}
		}
	})
}

func TestCacheGivesUpWhenAllWhoWaitDo(t *testing.T) {
	t.Parallel()
	c := openCache(t, t.TempDir(), 0)
	synctest.Test(t, func(t *testing.T) {
		ended := make(chan error, 1)
		produce := func(ctx context.Context, _ string) (Picture, error) {
			<-ctx.Done()
			ended <- ctx.Err()
			return Picture{}, ctx.Err()
		}
		first, giveUp := context.WithCancel(t.Context())
		second, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		var all sync.WaitGroup
		for ctx, want := range map[context.Context]Kind{first: Canceled, second: TimedOut} {
			all.Go(func() {
				_, _, err := c.Picture(ctx, recipe("a"), produce)
				if e, ok := errors.AsType[*Error](err); !ok || e.Kind != want {
					t.Errorf("got %v, want %v", err, want)
				}
			})
		}
		synctest.Wait()
		giveUp()
		synctest.Wait()
		select {
		case <-ended:
			t.Error("it was cancelled for one of two")
		default:
		}
		all.Wait() // the second waits for its minute
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("it ended with %v", err)
		}
	})
	keep(t, c, recipe("a"), []byte("one"))
}

func TestTwoCachesShareAFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	caches := []*Cache{openCache(t, dir, 20_000), openCache(t, dir, 20_000)}
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			c := caches[worker%2]
			for i := range 60 {
				n := (i*7 + worker) % 40
				data := bytes.Repeat([]byte{byte(n)}, 1000)
				p, _, err := c.Picture(t.Context(), recipe(fmt.Sprint(n)), writes(data))
				if err != nil {
					t.Error(err)
					return
				}
				if got, err := os.ReadFile(p.Path); !bytes.Equal(got, data) {
					t.Errorf("picture %d has %d bytes, %v", n, len(got), err)
				}
				if i%20 == 0 {
					c.trim(time.Now())
				}
			}
		})
	}
	all.Wait()
}

func TestCacheKeepsNoFailures(t *testing.T) {
	t.Parallel()
	c := openCache(t, t.TempDir(), 0)
	failure := &Error{Op: "render", Kind: Failed, Message: "no"}
	_, _, err := c.Picture(t.Context(), recipe("a"), func(context.Context, string) (Picture, error) { return Picture{}, failure })
	if !errors.Is(err, failure) {
		t.Errorf("got %v", err)
	}
	keep(t, c, recipe("a"), []byte("one"))
}

func BenchmarkCacheHit(b *testing.B) {
	for _, size := range []int{100 << 10, 1 << 20} {
		b.Run(fmt.Sprintf("%d_KB", size>>10), func(b *testing.B) {
			c := openCache(b, b.TempDir(), 0)
			keep(b, c, recipe("a"), bytes.Repeat([]byte("x"), size))
			for b.Loop() {
				if _, ok := c.Get(recipe("a")); !ok {
					b.Fatal("a miss")
				}
			}
		})
	}
}
