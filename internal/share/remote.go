package share

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"sync"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/versioning"
)

// Remote is a store that several workspaces share histories through. It is safe for
// concurrent use.
type Remote struct {
	name  string
	store objects.Store
	// pause is what is waited before the second try of a request that failed; each
	// further one waits twice as long.
	pause time.Duration

	mu     sync.Mutex
	newest map[string]*move // that was read of a ref, by image and ref
	moves  map[string]*move // that were read, by name
	probed bool
	// checked is the identity that was found.
	checked string
	// described are the images that the remote is known to say what they are.
	described map[versioning.Hash]bool
	// belongings are what belongs to images, by the digest of the object.
	belongings map[versioning.Hash]map[string]string
}

// tries is how often a request is made that the store does not answer.
const tries = 6

// New makes a remote of a store. Its name is for messages, and for the refs that say where
// its branches are.
func New(name string, store objects.Store) *Remote {
	return &Remote{
		name: name, store: store, pause: 50 * time.Millisecond, newest: map[string]*move{}, moves: map[string]*move{},
		described: map[versioning.Hash]bool{}, belongings: map[versioning.Hash]map[string]string{},
	}
}

// Probe makes sure, once, that the store makes an object of a name once only.
func (r *Remote) Probe(ctx context.Context) error {
	r.mu.Lock()
	probed := r.probed
	r.mu.Unlock()
	if probed {
		return nil
	}
	err := r.again(ctx, func() error { return objects.Probe(ctx, r.store) })
	if err == nil {
		r.mu.Lock()
		r.probed = true
		r.mu.Unlock()
	}
	return r.fault(err)
}

// again does something until the store answers, a few times.
func (r *Remote) again(ctx context.Context, do func() error) (err error) {
	for try := range tries {
		if err = do(); err == nil || !errors.Is(err, objects.Unreachable) {
			return err
		}
		if try+1 < tries {
			if err := r.wait(ctx, try); err != nil {
				return err
			}
		}
	}
	return err
}

// wait waits before the try after some others.
func (r *Remote) wait(ctx context.Context, try int) error {
	timer := time.NewTimer(r.pause << try)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// read reads a small object.
func (r *Remote) read(ctx context.Context, name string, most int64) (data []byte, err error) {
	err = r.again(ctx, func() error {
		data, err = objects.Read(ctx, r.store, name, most)
		return err
	})
	return data, err
}

// create makes a small object. Where there is one of the name already that has other
// bytes, it gives these. What became of a try whose answer was lost it finds out.
func (r *Remote) create(ctx context.Context, name string, data []byte, most int64) (taken []byte, err error) {
	for try := range tries {
		err = r.store.Create(ctx, name, bytes.NewReader(data))
		if err == nil {
			return nil, nil
		}
		if !errors.Is(err, objects.Exists) && !errors.Is(err, objects.Unreachable) {
			return nil, err
		}
		there, readErr := objects.Read(ctx, r.store, name, most)
		if readErr == nil {
			if bytes.Equal(there, data) {
				return nil, nil
			}
			return there, nil
		}
		if !errors.Is(readErr, objects.NotFound) && !errors.Is(readErr, objects.Unreachable) {
			return nil, readErr
		}
		if try+1 < tries {
			if err := r.wait(ctx, try); err != nil {
				return nil, err
			}
		}
	}
	return nil, err
}

// put makes an object that is known by its digest, or finds that it is there, whole.
func (r *Remote) put(ctx context.Context, data []byte) (versioning.Hash, error) {
	sum := versioning.Hash(sha256.Sum256(data))
	taken, err := r.create(ctx, hashed(objectsFolder, sum), data, versioning.MaxPack)
	if err == nil && taken != nil {
		err = r.damaged(hashed(objectsFolder, sum), errors.New("its bytes are not those that its name says"))
	}
	return sum, err
}

// get reads an object that is known by its digest.
func (r *Remote) get(ctx context.Context, sum versioning.Hash, most int64) ([]byte, error) {
	name := hashed(objectsFolder, sum)
	data, err := r.read(ctx, name, most)
	if err == nil && sha256.Sum256(data) != sum {
		err = errors.New("its bytes are not those that its name says")
	}
	if err != nil && !errors.Is(err, objects.Unreachable) && ctx.Err() == nil {
		return nil, r.damaged(name, err)
	}
	return data, err
}

// damaged is the fault of an object that is not what it should be.
func (r *Remote) damaged(name string, err error) error {
	var before *fault.Error
	if errors.As(err, &before) && before.Details["object"] != nil {
		return err
	}
	out := corrupt("the remote %s is damaged: %s: %v; nothing was changed here: restore the object from a backup of the remote, "+
		"or push to a new one from a workspace that has all", r.name, name, err)
	return out.With("remote", r.name).With("object", name)
}

// rawMissing is the fault of a raw that nobody has sent.
func rawMissing(remote string) error {
	return fault.New(fault.NotFound, "the raw is not on the remote %s: push it with_raw where it is, or give raw_path", remote).
		With("kind", "raw").With("name", remote)
}

// Fault gives an error of opening a remote's store the kind of fault that it is.
func Fault(remote string, err error) error { return (&Remote{name: remote}).fault(err) }

// fault gives an error of the store the kind of fault that it is.
func (r *Remote) fault(err error) error {
	e, ok := errors.AsType[*objects.Error](err)
	if !ok {
		return err
	}
	kind, advice := fault.State, "edits go on without it: call again later"
	if e.Message != "" {
		advice = e.Message + "; edits go on without it"
	}
	switch e.Kind {
	case objects.NotFound, objects.Damaged:
		return r.damaged(e.Name, e)
	case objects.Denied:
		kind, advice = fault.Permission, cmp.Or(e.Message, "it does not let this program: check who may write there")
	case objects.Unsuitable:
		advice = cmp.Or(e.Message, "choose another place")
	case objects.Full:
		advice = "free some space there; nothing was lost"
	case objects.Invalid:
		kind, advice = fault.InvalidInput, cmp.Or(e.Message, "it has no such name")
	}
	reason := cmp.Or(string(e.Kind), "unreachable")
	out := fault.New(kind, "the remote %s cannot be used now: %s", r.name, advice).With("remote", r.name).With("reason", reason)
	out.Err = e
	return out
}
