package share

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/objects/objectstest"
	"github.com/chemigram/chemigram/versioning"
)

// counted does something before its requests, which it numbers from 1 on.
type counted struct {
	objects.Store
	n      int
	before func(n int)
}

func (c *counted) count() {
	c.n++
	c.before(c.n)
}

func (c *counted) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	c.count()
	return c.Store.Get(ctx, name)
}

func (c *counted) Create(ctx context.Context, name string, content io.ReadSeeker) error {
	c.count()
	return c.Store.Create(ctx, name, content)
}

func (c *counted) List(ctx context.Context, prefix, page string) ([]objects.Object, string, error) {
	c.count()
	return c.Store.List(ctx, prefix, page)
}

func (c *counted) Delete(ctx context.Context, name string) error {
	c.count()
	return c.Store.Delete(ctx, name)
}

// died is a push that ended before the branch moved: its pack leads to nothing.
func (w *workspace) died() versioning.Hash {
	w.t.Helper()
	ctx := w.t.Context()
	tip, err := w.remote.tip(ctx, w.image, mainBranch)
	if err != nil {
		w.t.Fatal(err)
	}
	ids, err := w.history.MissingFrom(ctx, []versioning.Hash{w.head()}, []versioning.Hash{tip.To})
	if err != nil {
		w.t.Fatal(err)
	}
	pack, _, err := w.history.Pack(ctx, ids)
	if err != nil {
		w.t.Fatal(err)
	}
	sum, err := w.remote.put(ctx, pack)
	if err != nil {
		w.t.Fatal(err)
	}
	return sum
}

// later waits; in a bubble of synctest that takes no time.
func later(d time.Duration) { <-time.After(d) }

func mustPrune(t testing.TB, s objects.Store) Pruned {
	t.Helper()
	done, err := newRemote(s).Prune(t.Context(), LeastGrace, nil)
	if err != nil {
		t.Fatal(err)
	}
	return done
}

func TestAPruneTakesWhatNothingLeadsTo(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := objectstest.NewMemory()
		ann := began(t, store)
		ann.edit(2)
		ann.mustPush()
		if err := ann.remote.SetBelongings(t.Context(), ann.image, 0, map[string]string{"notes": "a"}, "ann"); err != nil {
			t.Fatal(err)
		}
		ann.edit(1)
		garbage := hashed(objectsFolder, ann.died())
		before, _ := store.Bytes()
		for _, step := range []struct {
			after           time.Duration
			marked, removed int
			marks           int
		}{
			{time.Hour, 0, 0, 0},
			{LeastGrace, 1, 0, 1},
			{LeastGrace / 2, 1, 0, 1},
			{LeastGrace, 0, 1, 1},
			{time.Hour, 0, 0, 1},
			{LeastGrace, 0, 0, 0},
		} {
			later(step.after)
			done := mustPrune(t, store)
			names, _ := store.Bytes()
			marks := 0
			for _, name := range names {
				if strings.HasPrefix(name, marksFolder) {
					marks++
				}
			}
			if done.Marked != step.marked || len(done.Removed) != step.removed || marks != step.marks {
				t.Errorf("after another %v: %+v and %d marks, want %+v", step.after, done, marks, step)
			}
			whole(t, store, ann)
		}
		names, _ := store.Bytes()
		if want := slices.DeleteFunc(slices.Clone(before), func(name string) bool { return name == garbage }); !slices.Equal(names, want) {
			t.Errorf("there is\n%q\nwant\n%q", names, want)
		}
		ann.mustPush()
		whole(t, store, ann)
		if _, err := ann.remote.Prune(t.Context(), time.Hour, nil); !errors.Is(err, fault.InvalidInput) {
			t.Errorf("a grace of an hour: %v", err)
		}
	})
}

// Whatever a prune is at, somebody may push what is about to be deleted.
func TestAPruneTakesNothingThatIsPushedMeanwhile(t *testing.T) {
	t.Parallel()
	for at := 1; ; at++ {
		var requests int
		synctest.Test(t, func(t *testing.T) {
			store := objectstest.NewMemory()
			ann := began(t, store)
			ann.mustPush()
			ann.edit(1)
			ann.died()
			if err := ann.remote.SetBelongings(t.Context(), ann.image, 0, map[string]string{"notes": "a"}, "ann"); err != nil {
				t.Fatal(err)
			}
			later(LeastGrace + 1)
			mustPrune(t, store)
			later(LeastGrace + 1)
			pruning := &counted{store, 0, func(n int) {
				if n == at {
					ann.mustPush()
				}
			}}
			mustPrune(t, pruning)
			requests = pruning.n
			whole(t, store, ann)
			if ben := ann.joined("ben"); requests >= at && ben.head() != ann.head() {
				t.Errorf("pushed at request %d, ben has something else", at)
			}
			later(3 * LeastGrace)
			mustPrune(t, store)
			whole(t, store, ann)
		})
		if requests < at || t.Failed() {
			t.Logf("a push was tried before each of %d requests", at-1)
			return
		}
	}
}

// However long a push takes, and whenever prunes come, it moves no branch to what is not
// there.
func TestAPushRestsOnNothingThatIsPruned(t *testing.T) {
	t.Parallel()
	tried, refused := 0, 0
	for at, last := 1, false; !last; at++ {
		for _, pause := range []time.Duration{0, LeastGrace / 4, LeastGrace * 3 / 4, LeastGrace + 1, 3 * LeastGrace} {
			synctest.Test(t, func(t *testing.T) {
				store := objectstest.NewMemory()
				ann := began(t, store)
				ann.mustPush()
				ann.edit(1)
				ann.died()
				later(LeastGrace + 1)
				slow := &counted{store, 0, func(n int) {
					if n != at {
						return
					}
					for range 3 {
						mustPrune(t, store)
						later(pause)
					}
					mustPrune(t, store)
				}}
				ann.remote = newRemote(slow)
				_, err := ann.push()
				last = slow.n < at
				tried++
				whole(t, store, ann)
				if errors.Is(err, fault.State) && pause > LeastGrace/8 {
					refused++
				} else if err != nil {
					t.Errorf("at request %d, with a pause of %v: %v", at, pause, err)
				}
				ann.remote = newRemote(store)
				ann.mustPush()
				if ben := ann.joined("ben"); ben.head() != ann.head() {
					t.Errorf("at request %d, with a pause of %v, ben has something else", at, pause)
				}
				whole(t, store, ann)
			})
		}
	}
	t.Logf("%d pushes, of which %d were refused for their length", tried, refused)
	if refused == 0 || refused == tried {
		t.Error("nothing was tried")
	}
}

// What a prune cannot read may lead to anything.
func TestAPruneOfADamagedRemoteTakesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := objectstest.NewMemory()
		ann := began(t, store)
		ann.mustPush()
		ann.edit(1)
		ann.mustPush()
		ann.edit(1)
		ann.died()
		later(LeastGrace + 1)
		mustPrune(t, store)
		later(LeastGrace + 1)
		before, _ := store.Bytes()
		for n := range uint64(2) {
			name := moveName(ann.image, "h-main", n+1)
			whole := store.Object(name)
			for _, bad := range [][]byte{whole[:len(whole)-1], nil} {
				if store.Put(name, bad); bad == nil && n == 1 {
					continue // that the newest move is gone nobody can know
				}
				if _, err := newRemote(store).Prune(t.Context(), LeastGrace, nil); !errors.Is(err, fault.Versioning) {
					t.Errorf("move %d with %d bytes: %v", n+1, len(bad), err)
				}
			}
			store.Put(name, whole)
		}
		if after, _ := store.Bytes(); !slices.Equal(after, before) {
			t.Errorf("there is\n%q\nand was\n%q", after, before)
		}
	})
}
