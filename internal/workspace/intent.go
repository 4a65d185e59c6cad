package workspace

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
)

// intent makes several changes one: intents/NAME.json says, before the first of them,
// how to take all of them back, and is removed after the last. Its writer holds the
// locks of its images meanwhile. Who gets the lock of an image that an intent names
// knows therefore that the writer died, and settles the intent: all of it is taken
// back.
type intent struct {
	Verb    string     `json:"verb"`
	Actor   string     `json:"actor"`
	Since   time.Time  `json:"since"`
	Changes []intended `json:"changes"` // by image_id
	checksum
}

// intended is how to take back the change of one image.
type intended struct {
	ImageID string           `json:"image_id"`
	Place   versioning.Place `json:"place"` // where its branch was
	State   versioning.Hash  `json:"state"` // that is published there
	// Marks is what marks.json was, when that is changed, too; empty is no file.
	Marks *string `json:"marks,omitempty"`
}

const (
	intentFolder = "intents"
	intentEnding = ".json"
	mostIntent   = 4 << 20 // bytes; an intent about 500 images has some 150 KB
)

func (w *Workspace) intentPath(name string) string { return w.Path(intentFolder, name+intentEnding) }

// intentLock is the file whose lock the writer of an intent holds for as long as it
// lives.
func (w *Workspace) intentLock(name string) string { return w.Path(intentFolder, name+".lock") }

// intentNames lists the intents that there are.
func (w *Workspace) intentNames() (names []string) {
	entries, _ := os.ReadDir(w.Path(intentFolder))
	for _, entry := range entries {
		if name, ok := strings.CutSuffix(entry.Name(), intentEnding); ok && entry.Type().IsRegular() {
			names = append(names, name)
		}
	}
	return names
}

// readIntent reads an intent. It is fs.ErrNotExist when it is settled.
func (w *Workspace) readIntent(name string) (in intent, err error) {
	data, err := ReadBounded(w.Path(intentFolder), name+intentEnding, mostIntent)
	if err != nil {
		return in, err
	}
	if in, err = decodeIntent(data); err != nil {
		return in, fault.New(fault.State, "%s is damaged: %v", w.intentPath(name), err)
	}
	return in, nil
}

// decodeIntent reads an intent, which names images and no other folders.
func decodeIntent(data []byte) (in intent, err error) {
	if err := unmarshalChecked(data, &in); err != nil {
		return in, err
	}
	for _, c := range in.Changes {
		if !ValidID(c.ImageID) {
			return in, fmt.Errorf("%q is no image's id", fault.Shorten(c.ImageID))
		}
	}
	return in, nil
}

// about reports whether an intent changes an image.
func (in intent) about(id string) bool {
	return slices.ContainsFunc(in.Changes, func(c intended) bool { return c.ImageID == id })
}

// declare writes an intent, durably. The caller, which holds the locks of its images,
// calls forget when all is changed or taken back, and then release.
func (w *Workspace) declare(ctx context.Context, in intent) (forget func() error, release func(), err error) {
	if _, err := w.MakeFolder(intentFolder); err != nil {
		return nil, nil, err
	}
	if err := atomicfile.SyncDir(w.root); err != nil {
		return nil, nil, err
	}
	in.Actor, in.Since, in.CRC32C = w.Actor(ctx), time.Now().UTC(), noChecksum
	data, err := marshalChecked(in)
	if err != nil {
		return nil, nil, err
	}
	name := rand.Text()
	unlock, err := lockFile(ctx, w.intentLock(name), w.opts.LockWait)
	if err != nil {
		return nil, nil, err
	}
	release = func() {
		_ = os.Remove(w.intentLock(name))
		unlock()
	}
	if err := atomicfile.Write(w.intentPath(name), data, 0o644); err != nil {
		err = errors.Join(err, w.forget(name))
		release()
		return nil, nil, err
	}
	return func() error { return w.forget(name) }, release, nil
}

// forget removes an intent, durably.
func (w *Workspace) forget(name string) error {
	if err := os.Remove(w.intentPath(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return atomicfile.SyncDir(w.Path(intentFolder))
}

// settleAbandoned settles the intents whose writers died: those about an image, or all
// when no id is given. What cannot be settled stays: who writes to one of its images
// is told why.
func (w *Workspace) settleAbandoned(ctx context.Context, id string) {
	for _, name := range w.intentNames() {
		if in, err := w.readIntent(name); err == nil && (id == "" || in.about(id)) && isFree(w.intentLock(name)) {
			_ = w.settle(ctx, name)
			if _, err := os.Lstat(w.intentPath(name)); errors.Is(err, fs.ErrNotExist) {
				_ = os.Remove(w.intentLock(name))
			}
		}
	}
}

// sweepIntents removes what programs that died have left beside intents.
func (w *Workspace) sweepIntents() {
	sweep(w.Path(intentFolder))
	entries, _ := os.ReadDir(w.Path(intentFolder))
	for _, entry := range entries {
		name, ok := strings.CutSuffix(entry.Name(), ".lock")
		if _, err := os.Lstat(w.intentPath(name)); ok && errors.Is(err, fs.ErrNotExist) && isLeftover(w.intentLock(name)) {
			_ = os.Remove(w.intentLock(name))
		}
	}
}

// unsettled finds the intent about an image whose lock was taken just now, and gives
// what settles it without the lock.
func (w *Workspace) unsettled(id string) func(context.Context) error {
	for _, name := range w.intentNames() {
		if in, err := w.readIntent(name); err == nil && in.about(id) {
			return func(ctx context.Context) error { return w.settle(ctx, name) }
		}
	}
	return nil
}

// settle takes back what an intent says, under the locks of all its images, and
// forgets it.
func (w *Workspace) settle(ctx context.Context, name string) error {
	in, err := w.readIntent(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	var locked []lockedChange
	defer func() {
		for _, l := range locked {
			l.unlock()
		}
	}()
	for _, change := range in.Changes {
		l, err := w.lockChange(ctx, name, change)
		if errors.Is(err, errSettled) {
			return nil
		}
		if err == nil {
			locked = append(locked, l)
		} else if !isLost(err) {
			return in.notYet(change, err)
		}
	}
	for _, l := range locked {
		if err := l.takeBack(l.ctx, l.history, w.ImageDir(l.ImageID)); err != nil && !isLost(err) {
			return in.notYet(l.intended, err)
		}
	}
	return w.forget(name)
}

func (in intent) notYet(change intended, err error) error {
	return fault.New(fault.State, "%s was cut off at %s, and %s cannot be taken back yet: %v",
		in.Verb, in.Since.Format(time.RFC3339), change.ImageID, err)
}

// isLost reports whether there is nothing any more that could be taken back.
func isLost(err error) bool {
	for _, kind := range []versioning.Kind{versioning.NotInitialised, versioning.Missing, versioning.Corrupt, versioning.TooNew} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// lockedChange is a change that is about to be taken back.
type lockedChange struct {
	intended
	history *versioning.History
	ctx     context.Context //nolint:containedctx // it carries the lock
	unlock  func()
}

var errSettled = errors.New("another has settled the intent")

// lockChange takes the lock of a change's image, as long as there is the intent: it
// is errSettled when another settles it meanwhile.
func (w *Workspace) lockChange(ctx context.Context, name string, change intended) (l lockedChange, err error) {
	l.intended = change
	l.history, err = versioning.Open(filepath.Join(w.ImageDir(change.ImageID), "history"), w.historyOptions(""))
	if err != nil {
		return l, err
	}
	for began := time.Now(); ; {
		short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		locked, unlock, err := l.history.Lock(short, "settle")
		cancel()
		l.ctx, l.unlock = context.WithoutCancel(locked), unlock //nolint:fatcontext // each try has a context of its own
		if _, gone := os.Lstat(w.intentPath(name)); errors.Is(gone, fs.ErrNotExist) {
			if err == nil {
				unlock()
			}
			return l, errSettled
		}
		waited := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, versioning.Locked)
		if !waited || ctx.Err() != nil || time.Since(began) > w.opts.LockWait {
			return l, err
		}
	}
}

// takeBack makes an image what it was, as far as the change was made. ctx carries the
// lock of its history.
func (c intended) takeBack(ctx context.Context, history *versioning.History, dir string) error {
	if _, err := history.TakeBack(ctx, c.Place, c.State); err != nil {
		return err
	}
	if c.Marks == nil {
		return nil
	}
	if now, err := history.Place(ctx); err != nil || now != c.Place {
		return err // another image by now
	}
	if *c.Marks != "" {
		return atomicfile.Write(marksPath(dir), []byte(*c.Marks), 0o644)
	}
	if err := os.Remove(marksPath(dir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return atomicfile.SyncDir(dir)
}
