package share

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/objects"
)

// identityName is the object that tells a remote from every other.
const identityName = "remote"

type identityFile struct {
	Format int    `json:"chemigram_remote"` // 1
	ID     string `json:"id"`
}

// Identify gives what tells the remote from every other; in the beginning it makes that.
func (r *Remote) Identify(ctx context.Context) (id string, err error) {
	if err := r.Probe(ctx); err != nil {
		return "", err
	}
	own := identityFile{1, strings.ToLower(rand.Text())}
	data, err := seal(own)
	if err != nil {
		return "", err
	}
	there, err := r.create(ctx, identityName, data, mostSmall)
	if err != nil {
		return "", r.fault(err)
	}
	if there == nil {
		there = data
	}
	return r.identity(there)
}

func (r *Remote) identity(data []byte) (string, error) {
	var f identityFile
	if err := unseal(data, &f); err != nil {
		return "", r.damaged(identityName, err)
	}
	if f.Format > 1 {
		return "", fault.New(fault.State, "the remote %s has format %d, and this program knows formats up to 1: use a newer Chemigram", r.name, f.Format)
	}
	return f.ID, nil
}

// Check makes sure, once, that the remote is the one that it was: an empty folder may be
// the place of a disk that is not connected.
func (r *Remote) Check(ctx context.Context, id string) error {
	r.mu.Lock()
	checked := r.checked == id
	r.mu.Unlock()
	if checked {
		return nil
	}
	data, err := r.read(ctx, identityName, mostSmall)
	if errors.Is(err, objects.NotFound) {
		return fault.New(fault.State, "there is no remote at the place of %s: connect the disk that it is on; edits go on without it", r.name).
			With("remote", r.name).With("reason", string(objects.Unreachable))
	}
	if err != nil {
		return r.fault(err)
	}
	found, err := r.identity(data)
	if err != nil {
		return err
	}
	if found != id {
		return fault.New(fault.State, "another remote is at the place of %s: connect the disk that it is on, or remove the remote and add it again", r.name).
			With("remote", r.name).With("reason", string(objects.Unreachable))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checked = id
	return nil
}
