package share

import (
	"context"
	"errors"
	"strings"

	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/versioning"
)

// Fetch is what one fetch brings.
type Fetch struct {
	History *versioning.History
	Image   versioning.Hash
	Ref     string // full name of a branch or a tag
	// Check looks at each state that is not here yet; an error refuses it.
	Check func(state []byte) error
	// Progress, when it is set, is told how many of the packs are here.
	Progress func(done, total int)
}

// Fetched says what a fetch did.
type Fetched struct {
	// There is false when the remote has no such branch.
	There bool
	// To is the snapshot where the remote's branch is.
	To versioning.Hash
	// Snapshots, Packs and Bytes are what came.
	Snapshots, Packs int
	Bytes            int64
}

// Fetch brings what leads to where a branch is on the remote and is not here. An empty
// history begins as the remote's. It moves no branch here; where that of the remote is,
// Track says. What comes is verified before it is taken; what was taken stays when a
// fetch is cut off, and the next one goes on.
func (r *Remote) Fetch(ctx context.Context, f Fetch) (done Fetched, err error) {
	tip, err := r.tip(ctx, f.Image, f.Ref)
	if err != nil || tip == nil {
		return done, err
	}
	done.There, done.To = true, tip.To
	here := func(id versioning.Hash) (bool, error) {
		found, err := f.History.Here(ctx, []versioning.Hash{id})
		if errors.Is(err, versioning.NotInitialised) {
			return false, nil
		}
		return found[id], err
	}
	packs, err := r.packsTo(ctx, tip, here)
	if err != nil {
		return done, err
	}
	for i, p := range packs {
		if err := r.receive(ctx, f, p, &done); err != nil {
			return done, err
		}
		if f.Progress != nil {
			f.Progress(i+1, len(packs))
		}
	}
	known, err := here(tip.To)
	if err == nil && !known {
		err = r.damaged(f.Ref, errors.New("its packs do not have the snapshot where it is"))
	}
	if branch, ok := strings.CutPrefix(f.Ref, headsPrefix); ok && err == nil {
		_, err = f.History.Track(ctx, r.name, branch, tip.To)
	}
	return done, err
}

// receive brings one pack.
func (r *Remote) receive(ctx context.Context, f Fetch, p packed, done *Fetched) error {
	data, err := r.get(ctx, p.SHA256, p.Bytes)
	if err != nil {
		return r.fault(err)
	}
	n, err := f.History.Receive(ctx, data, f.Check)
	if errors.Is(err, versioning.NotInitialised) {
		first, adoptErr := r.adopt(ctx, f, data)
		if adoptErr != nil {
			return adoptErr
		}
		if first != f.Image {
			return r.damaged(f.Ref, errors.New("it begins with another snapshot than the image does"))
		}
		n, err = f.History.Receive(ctx, data, f.Check)
		n++
	}
	done.Snapshots, done.Packs, done.Bytes = done.Snapshots+n, done.Packs+1, done.Bytes+int64(len(data))
	if k := versioning.KindOf(err); k == versioning.Corrupt || k == versioning.Conflict || k == versioning.Missing {
		return r.damaged(hashed(objectsFolder, p.SHA256), err)
	}
	return err
}

// adopt begins a history with the first snapshot of a pack.
func (r *Remote) adopt(ctx context.Context, f Fetch, pack []byte) (versioning.Hash, error) {
	for p, err := range versioning.ReadPack(ctx, pack) {
		if err != nil || p.Record.ID != f.Image {
			return p.Record.ID, err
		}
		break
	}
	rec, err := f.History.Adopt(ctx, pack, f.Check)
	return rec.ID, err
}

// Branches lists the branches and tags of an image, by full name.
func (r *Remote) Branches(ctx context.Context, image versioning.Hash) (refs []string, err error) {
	prefix := branchesFolder + image.String() + "/"
	err = r.each(ctx, prefix, func(name string) error {
		var b branchFile
		if err := r.readSealed(ctx, name, &b); err != nil {
			return err
		}
		part, err := refPart(b.Ref)
		if err != nil || b.Image != image || branchName(image, part) != name {
			return r.damaged(name, errors.New("it is another branch than its name says"))
		}
		refs = append(refs, b.Ref)
		return nil
	})
	return refs, err
}

// readSealed reads a small object that carries its digest.
func (r *Remote) readSealed(ctx context.Context, name string, v any) error {
	data, err := r.read(ctx, name, mostSmall)
	if err != nil {
		return r.fault(err)
	}
	if err := unseal(data, v); err != nil {
		return r.damaged(name, err)
	}
	return nil
}

// each does something for each name of an object that begins with a prefix.
func (r *Remote) each(ctx context.Context, prefix string, do func(name string) error) error {
	return r.eachObject(ctx, prefix, func(o objects.Object) error { return do(o.Name) })
}

// eachObject does something for each object of a prefix.
func (r *Remote) eachObject(ctx context.Context, prefix string, do func(objects.Object) error) error {
	for page := ""; ; {
		var list []objects.Object
		var next string
		err := r.again(ctx, func() (err error) {
			list, next, err = r.store.List(ctx, prefix, page)
			return err
		})
		if err != nil {
			return r.fault(err)
		}
		for _, o := range list {
			if err := do(o); err != nil {
				return err
			}
		}
		if page = next; next == "" {
			return nil
		}
	}
}
