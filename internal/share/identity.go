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

// Identity is what the first object of a remote says: what tells it from every other, or
// that the rest is encrypted.
type Identity struct {
	// Format is 1, or 2 where the rest is encrypted, which older programs do not know.
	Format int    `json:"chemigram_remote"`
	ID     string `json:"id,omitempty"`
	// Encryption is how the key is encrypted ("age"), and Fingerprint tells the key from
	// every other.
	Encryption  string `json:"encryption,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
}

// Encode gives the object's bytes.
func (i Identity) Encode() ([]byte, error) { return seal(i) }

// DecodeIdentity reads what Encode wrote, byte for byte.
func DecodeIdentity(data []byte) (i Identity, err error) {
	err = unseal(data, &i)
	return i, err
}

// Identify gives what tells the remote from every other; in the beginning it makes that.
func (r *Remote) Identify(ctx context.Context) (id string, err error) {
	if err := r.Probe(ctx); err != nil {
		return "", err
	}
	data, err := Identity{Format: 1, ID: strings.ToLower(rand.Text())}.Encode()
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
	f, err := DecodeIdentity(data)
	if err != nil {
		return "", r.damaged(identityName, err)
	}
	if f.Encryption != "" {
		return "", fault.New(fault.State, "the remote %s is encrypted: its location begins with age+, such as age+s3://bucket or age+file:///folder, "+
			"and a program that opens buckets reads it (docs/sharing.md)", r.name).With("remote", r.name).With("reason", string(objects.Unsuitable))
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
