package share

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"maps"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
)

// belongingsRef is the log of what belongs to an image. A move of it leads to an object.
const belongingsRef = "refs/belongings"

// belongingsFile is such an object.
type belongingsFile struct {
	Format int               `json:"chemigram_belongings"` // 1
	Files  map[string]string `json:"files"`
	Salt   string            `json:"salt,omitempty"` // means nothing
}

// Belongings reads what belongs to an image on the remote: files by name. at is the
// version, for SetBelongings; there is none in the beginning.
func (r *Remote) Belongings(ctx context.Context, image versioning.Hash) (files map[string]string, at uint64, err error) {
	tip, err := r.tip(ctx, image, belongingsRef)
	if err != nil || tip == nil {
		return nil, 0, err
	}
	r.mu.Lock()
	known := r.belongings[tip.To]
	r.mu.Unlock()
	if known != nil {
		return maps.Clone(known), tip.N, nil
	}
	data, err := r.get(ctx, tip.To, mostBelongings)
	if err != nil {
		return nil, 0, r.fault(err)
	}
	var f belongingsFile
	if err := json.Unmarshal(data, &f); err != nil || f.Format != 1 {
		return nil, 0, r.damaged(hashed(objectsFolder, tip.To), errors.New("it does not hold what belongs to an image"))
	}
	r.keepBelongings(tip.To, f.Files)
	return f.Files, tip.N, nil
}

// keepBelongings remembers what an object has.
func (r *Remote) keepBelongings(sum versioning.Hash, files map[string]string) {
	const most = 16 // of some kilobytes each, mostly
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.belongings) >= most {
		clear(r.belongings)
	}
	r.belongings[sum] = maps.Clone(files)
}

// SetBelongings says what belongs to an image, in place of a version. When there is a
// later one, it is a conflict.
func (r *Remote) SetBelongings(ctx context.Context, image versioning.Hash, at uint64, files map[string]string, actor string) error {
	begun, err := r.beginPush(ctx)
	if err != nil {
		return err
	}
	m := &move{Format: moveFormat, Image: image, Ref: belongingsRef, N: at + 1, Operation: rand.Text(), Time: time.Now().UTC(), Actor: actor}
	if at > 0 {
		before, err := r.move(ctx, image, belongingsRef, at)
		if err != nil {
			return err
		}
		m.Before = &before.sum
	}
	m.To, _, err = begun.write(ctx, func(salt string) ([]byte, error) {
		data, err := json.Marshal(belongingsFile{1, files, salt})
		if len(data) > mostBelongings {
			err = fault.New(fault.State, "the notes, brief and marks have %d bytes together, and at most %d are shared: shorten the notes", len(data), mostBelongings)
		}
		return data, err
	})
	if err != nil {
		return r.fault(err)
	}
	if err := begun.publish(ctx, m); err != nil {
		return err
	}
	r.keepBelongings(m.To, files)
	return nil
}
