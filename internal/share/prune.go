package share

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/versioning"
)

const (
	// LeastGrace is how long what nothing leads to stays at least, before it is marked,
	// and again before it is deleted.
	LeastGrace = 24 * time.Hour
	// longestPush is how long after it began a push may still move a branch: what it has
	// relied on is there for longer.
	longestPush = LeastGrace / 2
)

// markFile says that an object is about to be deleted.
type markFile struct {
	Format int             `json:"chemigram_mark"` // 1
	Object versioning.Hash `json:"object"`
}

// Pruned says what a prune has done.
type Pruned struct {
	// Marked objects are to be deleted when the grace is over.
	Marked int
	// Removed are the names of those that were deleted, and Freed their bytes.
	Removed []string
	Freed   int64
}

// Prune marks the objects that no move leads to and that are older than grace, and deletes
// those that were marked so long ago and that still nothing leads to. Whoever pushes
// meanwhile relies on no object that was marked when the push began, and moves no branch
// after half of LeastGrace; so nothing that is needed is taken. Ages are by the store's
// clock. Where a move cannot be read nothing is taken.
func (r *Remote) Prune(ctx context.Context, grace time.Duration, progress func(read int)) (done Pruned, err error) {
	if grace < LeastGrace {
		return done, fault.New(fault.InvalidInput, "on a remote, what nothing leads to stays for a day at least: somebody may be about to push it")
	}
	// What has lost its name may be a move.
	if wrong, err := r.checkStore(ctx); err != nil {
		return done, err
	} else if len(wrong) > 0 {
		return done, r.damaged(wrong[0].Name, wrong[0])
	}
	now, err := r.now(ctx)
	if err != nil {
		return done, err
	}
	// Marks before moves: what is pushed after the moves were read does not rely on them.
	marks, err := r.marks(ctx)
	if err != nil {
		return done, err
	}
	needed, err := r.needed(ctx, progress)
	if err != nil {
		return done, err
	}
	there := map[versioning.Hash]bool{}
	err = r.eachObject(ctx, objectsFolder, func(o objects.Object) error {
		sum, err := versioning.ParseHash(o.Name[strings.LastIndexByte(o.Name, '/')+1:])
		if err != nil || hashed(objectsFolder, sum) != o.Name {
			return nil //nolint:nilerr // not ours: Verify names it
		}
		there[sum] = true
		marked, isMarked := marks[sum]
		switch {
		case needed[sum], !o.Modified.Before(now.Add(-grace)):
			return nil
		case !isMarked:
			done.Marked++
			return r.mark(ctx, sum)
		case marked.After(now.Add(-grace)), o.Modified.After(marked):
			done.Marked++
			return nil
		}
		if err := r.remove(ctx, o.Name); err != nil {
			return err
		}
		done.Removed, done.Freed = append(done.Removed, o.Name), done.Freed+o.Size
		return nil
	})
	if err != nil {
		return done, err
	}
	// A mark outlives its object by a grace, so that a deletion that comes late, because
	// its answer was lost, meets no new object.
	for sum, at := range marks {
		if (needed[sum] || !there[sum]) && at.Before(now.Add(-2*grace)) {
			if err := r.remove(ctx, hashed(marksFolder, sum)); err != nil {
				return done, err
			}
		}
	}
	return done, nil
}

// now is the time by the store's clock.
func (r *Remote) now(ctx context.Context) (now time.Time, err error) {
	name := "probe/" + strings.ToLower(rand.Text())
	if _, err := r.create(ctx, name, []byte("now"), mostSmall); err != nil {
		return now, r.fault(err)
	}
	defer func() { _ = r.store.Delete(context.WithoutCancel(ctx), name) }() // what stays is small, and in nobody's way
	err = r.eachObject(ctx, name, func(o objects.Object) error {
		now = o.Modified
		return nil
	})
	if err == nil && now.IsZero() {
		err = r.damaged(name, errors.New("it was made, and is not listed"))
	}
	return now, err
}

// marks lists the objects that are about to be deleted, with when they were marked.
func (r *Remote) marks(ctx context.Context) (map[versioning.Hash]time.Time, error) {
	marks := map[versioning.Hash]time.Time{}
	err := r.eachObject(ctx, marksFolder, func(o objects.Object) error {
		sum, err := versioning.ParseHash(o.Name[strings.LastIndexByte(o.Name, '/')+1:])
		if err == nil && hashed(marksFolder, sum) == o.Name {
			marks[sum] = o.Modified
		}
		return nil
	})
	return marks, err
}

// mark says that an object is about to be deleted.
func (r *Remote) mark(ctx context.Context, sum versioning.Hash) error {
	data, err := seal(markFile{1, sum})
	if err == nil {
		_, err = r.create(ctx, hashed(marksFolder, sum), data, mostSmall)
	}
	return r.fault(err)
}

// needed are the objects that moves lead to.
func (r *Remote) needed(ctx context.Context, progress func(read int)) (map[versioning.Hash]bool, error) {
	v := verification{remote: r, packs: map[versioning.Hash]named{}}
	needed, read := map[versioning.Hash]bool{}, 0
	err := r.each(ctx, refsFolder, func(name string) error {
		v.moves = v.moves[:0] // each is asked once
		if err := v.move(ctx, name); err != nil {
			if errors.Is(err, objects.Unreachable) || ctx.Err() != nil {
				return errors.Join(r.fault(err), ctx.Err())
			}
			return r.damaged(name, err)
		}
		for _, p := range v.last.allPacks() {
			needed[p.SHA256] = true
		}
		if v.last.Ref == belongingsRef {
			needed[v.last.To] = true
		}
		if read++; progress != nil {
			progress(read)
		}
		return nil
	})
	return needed, err
}

// remove deletes an object.
func (r *Remote) remove(ctx context.Context, name string) error {
	return r.fault(r.again(ctx, func() error { return r.store.Delete(ctx, name) }))
}

// pushing is one push, or what one says of an image.
type pushing struct {
	*Remote
	began  time.Time // by the wall clock, which goes on while the machine sleeps
	marked map[versioning.Hash]time.Time
	// written make once more what was made, where it is not there any more.
	written []func(context.Context) error
}

// beginPush looks at which objects are about to be deleted: the push relies on none.
func (r *Remote) beginPush(ctx context.Context) (*pushing, error) {
	began := time.Now().Round(0)
	marked, err := r.marks(ctx)
	return &pushing{r, began, marked, nil}, err
}

// write makes an object of what content gives, with a salt where without one it is about
// to be deleted.
func (r *pushing) write(ctx context.Context, content func(salt string) ([]byte, error)) (versioning.Hash, int64, error) {
	salt := ""
	data, err := content(salt)
	if _, marked := r.marked[versioning.HashOf(data)]; marked && err == nil {
		salt = rand.Text()
		data, err = content(salt)
	}
	if err != nil {
		return versioning.Hash{}, 0, err
	}
	r.written = append(r.written, func(ctx context.Context) error {
		data, err := content(salt)
		if err == nil {
			_, err = r.put(ctx, data)
		}
		return err
	})
	sum, err := r.put(ctx, data)
	return sum, int64(len(data)), err
}

// publish makes the move that leads to what was made. Where that has taken so long that a
// prune may have been faster, it moves nothing; or, when the machine slept while the move
// was made, it makes it all again.
func (r *pushing) publish(ctx context.Context, m *move) error {
	if r.isLate() {
		return fault.New(fault.State, "the push took so long that what it found on the remote %s may be pruned meanwhile: push again, which sends only what is missing", r.name).
			With("remote", r.name)
	}
	if err := r.Remote.publish(ctx, m); err != nil || !r.isLate() {
		return err
	}
	for _, again := range r.written {
		if err := again(ctx); err != nil {
			return r.fault(err)
		}
	}
	return nil
}

func (r *pushing) isLate() bool { return time.Now().Round(0).Sub(r.began) > longestPush }
