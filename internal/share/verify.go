package share

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/versioning"
)

// Finding is one thing that is wrong with a remote.
type Finding struct {
	Object string // its name
	Detail string // what is wrong with it
}

// String joins the name and what is wrong.
func (f Finding) String() string { return f.Object + ": " + f.Detail }

// Verify reads every object of a remote, follows every branch, and names what is wrong.
// That the newest move of a branch was taken away nobody can know: the branch is where it
// was before it.
// It reads one object at a time; of each snapshot it keeps the hash.
func (r *Remote) Verify(ctx context.Context, progress func(read int)) ([]Finding, error) {
	v := verification{remote: r, packs: map[versioning.Hash]named{}, snapshots: map[versioning.Hash]bool{}}
	read := 0
	look := func(visit func(context.Context, string) error) func(string) error {
		return func(name string) error {
			err := visit(ctx, name)
			if ctx.Err() != nil || errors.Is(err, objects.Unreachable) {
				return errors.Join(ctx.Err(), err)
			}
			if err != nil {
				v.add(name, "%v", err)
			}
			if read++; progress != nil {
				progress(read)
			}
			return nil
		}
	}
	// Moves before packs: what a move needs was there before it.
	for _, folder := range []struct {
		prefix string
		visit  func(context.Context, string) error
	}{{refsFolder, v.move}, {branchesFolder, v.branch}, {imagesFolder, v.image}, {objectsFolder, v.object}, {rawsFolder, v.raw}, {marksFolder, v.mark}, {identityName, v.identity}, {"", v.known}} {
		if err := r.each(ctx, folder.prefix, look(folder.visit)); err != nil {
			return v.found, err
		}
	}
	v.follow()
	return v.found, v.store(ctx)
}

// store finds what is wrong with what the store keeps for itself.
func (v *verification) store(ctx context.Context) error {
	wrong, err := v.remote.checkStore(ctx)
	for _, e := range wrong {
		v.add(e.Name, "%v", e)
	}
	return err
}

// checkStore finds what is wrong with what the store keeps for itself.
func (r *Remote) checkStore(ctx context.Context) (wrong []*objects.Error, err error) {
	if c, ok := r.store.(objects.Checker); ok {
		err = r.again(ctx, func() error {
			wrong, err = c.Check(ctx)
			return err
		})
	}
	return wrong, r.fault(err)
}

type verification struct {
	remote    *Remote
	found     []Finding
	packs     map[versioning.Hash]named // that moves name
	seen      map[versioning.Hash]bool  // packs that are there
	moves     []*move
	last      *move
	snapshots map[versioning.Hash]bool
	parents   []lineage
}

// named is a pack that a move names.
type named struct {
	packed
	image versioning.Hash
}

// lineage is a snapshot of a pack and one that it follows.
type lineage struct {
	pack   string
	parent versioning.Hash
}

func (v *verification) add(name, format string, args ...any) {
	v.found = append(v.found, Finding{name, fmt.Sprintf(format, args...)})
}

// move reads a move. They come in their order.
func (v *verification) move(ctx context.Context, name string) error {
	data, err := v.remote.read(ctx, name, mostMove)
	if err != nil {
		return err
	}
	var m move
	if err := unseal(data, &m); err != nil {
		return err
	}
	part, err := refPart(m.Ref)
	if err != nil {
		return err
	}
	read, err := decodeMove(data, m.Image, m.Ref, m.N)
	if err != nil {
		return err
	}
	if moveName(m.Image, part, m.N) != name {
		return errors.New("it is another move than its name says")
	}
	before := v.last
	v.last = read
	if read.N > 1 && (before == nil || before.Image != read.Image || before.Ref != read.Ref || before.N != read.N-1) {
		return errors.New("the move before it is missing, or cannot be read")
	}
	if read.N > 1 && before.sum != *read.Before {
		return errors.New("the move before it is another than it says")
	}
	v.moves = append(v.moves, read)
	for _, p := range read.allPacks() {
		v.packs[p.SHA256] = named{p, read.Image}
	}
	return nil
}

func (v *verification) branch(ctx context.Context, name string) error {
	var b branchFile
	if err := v.remote.readSealed(ctx, name, &b); err != nil {
		return err
	}
	if part, err := refPart(b.Ref); err != nil || branchName(b.Image, part) != name {
		return errors.New("it is another branch than its name says")
	}
	return nil
}

func (v *verification) image(ctx context.Context, name string) error {
	_, err := v.remote.describe(ctx, name)
	return err
}

// object reads an object that is known by its digest: a pack, or what belongs to an image.
func (v *verification) object(ctx context.Context, name string) error {
	sum, err := versioning.ParseHash(name[strings.LastIndexByte(name, '/')+1:])
	if err != nil || hashed(objectsFolder, sum) != name {
		return errors.New("it is no object's name")
	}
	data, err := v.remote.get(ctx, sum, versioning.MaxPack)
	if err != nil {
		return err
	}
	if v.seen == nil {
		v.seen = map[versioning.Hash]bool{}
	}
	v.seen[sum] = true
	p, isPack := v.packs[sum]
	if !isPack {
		return nil // of a writer that died, or what belongs to an image
	}
	records := 0
	for rec, err := range versioning.ReadPack(ctx, data) {
		if err != nil {
			return err
		}
		records++
		v.snapshots[rec.Record.ID] = true
		if len(rec.Record.Parents) == 0 && rec.Record.ID != p.image {
			return errors.New("it has the first snapshot of another image than the one that it is of")
		}
		for _, parent := range rec.Record.Parents {
			v.parents = append(v.parents, lineage{name, parent})
		}
	}
	if records != p.Records || int64(len(data)) != p.Bytes {
		return fmt.Errorf("it has %d snapshots in %d bytes, and a move says %d in %d", records, len(data), p.Records, p.Bytes)
	}
	return nil
}

// raw reads a raw piece by piece.
func (v *verification) raw(ctx context.Context, name string) error {
	sum, err := versioning.ParseHash(name[strings.LastIndexByte(name, '/')+1:])
	if err != nil || hashed(rawsFolder, sum) != name {
		return errors.New("it is no raw's name")
	}
	r, err := v.remote.store.Get(ctx, name)
	if err != nil {
		return err
	}
	digest := sha256.New()
	_, err = io.Copy(digest, r)
	if err = errors.Join(err, r.Close()); err == nil && versioning.Hash(digest.Sum(nil)) != sum {
		err = errors.New("its bytes are not those that its name says")
	}
	return err
}

// mark reads what says that an object is about to be deleted.
func (v *verification) mark(ctx context.Context, name string) error {
	var m markFile
	if err := v.remote.readSealed(ctx, name, &m); err != nil {
		return err
	}
	if m.Format != 1 || hashed(marksFolder, m.Object) != name {
		return errors.New("it is of another object than its name says")
	}
	return nil
}

func (v *verification) identity(ctx context.Context, name string) error {
	if name != identityName {
		return nil
	}
	data, err := v.remote.read(ctx, name, mostSmall)
	if err == nil {
		_, err = v.remote.identity(data)
	}
	return err
}

// known finds what is no object of ours.
func (v *verification) known(_ context.Context, name string) error {
	for _, folder := range []string{refsFolder, branchesFolder, imagesFolder, objectsFolder, rawsFolder, marksFolder, "probe/"} {
		if strings.HasPrefix(name, folder) {
			return nil
		}
	}
	if name == identityName {
		return nil
	}
	return errors.New("it is not part of the format")
}

// follow makes sure that every branch leads to snapshots that are there.
func (v *verification) follow() {
	for _, m := range v.moves {
		part, _ := refPart(m.Ref)
		name := moveName(m.Image, part, m.N)
		for _, p := range m.allPacks() {
			if !v.seen[p.SHA256] {
				v.add(name, "its pack %s is missing, or cannot be read", p.SHA256)
			}
		}
		switch {
		case m.Ref == belongingsRef && !v.seen[m.To]:
			v.add(name, "it leads to the object %s, which is missing, or cannot be read", m.To)
		case m.Ref != belongingsRef && !v.snapshots[m.To]:
			v.add(name, "it leads to the snapshot %s, which is not there", m.To)
		}
	}
	for _, l := range v.parents {
		if !v.snapshots[l.parent] {
			v.add(l.pack, "the snapshot %s, which one in it follows, is not there", l.parent)
		}
	}
}
