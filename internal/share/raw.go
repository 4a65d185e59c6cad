package share

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"

	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/versioning"
)

// SendRaw sends a raw, unless it is there.
func (r *Remote) SendRaw(ctx context.Context, sum versioning.Hash, content io.ReadSeeker) (sent bool, err error) {
	err = r.again(ctx, func() error { return r.store.Create(ctx, hashed(rawsFolder, sum), content) })
	if errors.Is(err, objects.Exists) {
		return false, nil
	}
	return err == nil, r.fault(err)
}

// Raw writes a raw of at most so many bytes, piece by piece, and verifies it. What was
// written before an error is good for nothing.
func (r *Remote) Raw(ctx context.Context, sum versioning.Hash, to io.WriteSeeker, most int64) error {
	name := hashed(rawsFolder, sum)
	err := r.again(ctx, func() error {
		if _, err := to.Seek(0, io.SeekStart); err != nil {
			return err
		}
		from, err := r.store.Get(ctx, name)
		if err != nil {
			return err
		}
		digest := sha256.New()
		n, err := io.Copy(io.MultiWriter(to, digest), io.LimitReader(from, most+1))
		if err = errors.Join(err, from.Close(), ctx.Err()); err != nil {
			return err
		}
		if n > most || versioning.Hash(digest.Sum(nil)) != sum {
			return &objects.Error{Op: "Get", Kind: objects.Damaged, Name: name, Message: fmt.Sprintf("its %d bytes are not those that its name says", n)}
		}
		return nil
	})
	if errors.Is(err, objects.NotFound) {
		return rawMissing(r.name)
	}
	return r.fault(err)
}
