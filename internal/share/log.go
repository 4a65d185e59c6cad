package share

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/versioning"
)

// move reads the nth move of a ref, or errNone.
func (r *Remote) move(ctx context.Context, image versioning.Hash, ref string, n uint64) (*move, error) {
	part, err := refPart(ref)
	if err != nil {
		return nil, err
	}
	name := moveName(image, part, n)
	if m := r.knownMove(name); m != nil {
		return m, nil
	}
	data, err := r.read(ctx, name, mostMove)
	if errors.Is(err, objects.NotFound) {
		return nil, errNone
	}
	if err != nil {
		return nil, r.fault(err)
	}
	m, err := decodeMove(data, image, ref, n)
	if err != nil {
		return nil, r.damaged(name, err)
	}
	r.keepMove(name, m)
	return m, nil
}

// knownMove gives a move that was read before: it never changes.
func (r *Remote) knownMove(name string) *move {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.moves[name]
}

func (r *Remote) keepMove(name string, m *move) {
	const most = 100
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.moves) >= most {
		clear(r.moves)
	}
	r.moves[name] = m
}

// tip reads the newest move of a ref; nil is none. From what was read last it looks
// forward at growing distances, so that the length of the log hardly matters.
func (r *Remote) tip(ctx context.Context, image versioning.Hash, ref string) (*move, error) {
	key := image.String() + ref
	r.mu.Lock()
	newest := r.newest[key]
	r.mu.Unlock()
	at := func() uint64 {
		if newest == nil {
			return 0
		}
		return newest.N
	}
	look := func(n uint64) (found bool, err error) {
		m, err := r.move(ctx, image, ref, n)
		if errors.Is(err, errNone) {
			return false, nil
		}
		if err == nil {
			newest = m
		}
		return err == nil, err
	}
	step := uint64(1)
	for first := true; ; first = false {
		found, err := look(at() + step)
		if err != nil {
			return nil, err
		}
		if !found {
			break
		}
		if !first { // mostly there is one more, or none
			step *= 2
		}
	}
	for none := at() + step; none-at() > 1; {
		middle := at() + (none-at())/2
		found, err := look(middle)
		if err != nil {
			return nil, err
		}
		if !found {
			none = middle
		}
	}
	r.remember(image, newest)
	return newest, nil
}

// remember keeps the newest move that is known of a ref.
func (r *Remote) remember(image versioning.Hash, m *move) {
	if m == nil {
		return
	}
	const most = 1000
	r.mu.Lock()
	defer r.mu.Unlock()
	key := image.String() + m.Ref
	if known := r.newest[key]; known != nil && known.N >= m.N {
		return
	}
	if len(r.newest) >= most {
		clear(r.newest)
	}
	r.newest[key] = m
}

// packsTo lists the packs of the snapshots that lead to a move and are not here, in the
// order in which they are received.
func (r *Remote) packsTo(ctx context.Context, m *move, here func(versioning.Hash) (bool, error)) ([]packed, error) {
	var packs []packed // the last one first
	for hops := 0; m != nil; {
		known, err := here(m.To)
		if err != nil {
			return nil, err
		}
		if known {
			break
		}
		before, list, err := r.blockOf(ctx, m, here)
		if err != nil {
			return nil, err
		}
		if list == nil {
			list = m.Packs
			if m.Onto != nil {
				hops++
			}
			if before, err = r.before(ctx, m); err != nil {
				return nil, err
			}
		}
		if hops > mostHops {
			return nil, r.damaged(m.Ref, errors.New("its moves go on from branch to branch without an end"))
		}
		for _, p := range slices.Backward(list) {
			packs = append(packs, p)
		}
		m = before
	}
	slices.Reverse(packs)
	return packs, nil
}

// blockOf gives the largest block up to a move of which nothing is here, and the move
// before it; nil when there is none.
func (r *Remote) blockOf(ctx context.Context, m *move, here func(versioning.Hash) (bool, error)) (before *move, packs []packed, err error) {
	blocks := slices.Clone(m.Blocks)
	slices.SortFunc(blocks, func(a, b block) int { return cmp.Compare(a.After, b.After) })
	for _, b := range blocks {
		if b.After == 0 {
			known, err := here(m.Image)
			if err != nil || known {
				return nil, nil, err
			}
			return nil, b.Packs, nil
		}
		before, err := r.move(ctx, m.Image, m.Ref, b.After)
		if errors.Is(err, errNone) {
			return nil, nil, r.missing(m, b.After)
		}
		if err != nil {
			return nil, nil, err
		}
		known, err := here(before.To)
		if err != nil {
			return nil, nil, err
		}
		if !known {
			return before, b.Packs, nil
		}
	}
	return nil, nil, nil
}

// before reads the move before another, or the one of another branch from which it goes on;
// nil when it is the first of all.
func (r *Remote) before(ctx context.Context, m *move) (before *move, err error) {
	switch {
	case m.Onto != nil:
		before, err = r.move(ctx, m.Image, m.Onto.Ref, m.Onto.N)
	case m.N > 1:
		before, err = r.move(ctx, m.Image, m.Ref, m.N-1)
		if err == nil && before.sum != *m.Before {
			err = r.damaged(m.Ref, errors.New("a move was put in the place of another"))
		}
	default:
		return nil, nil
	}
	if errors.Is(err, errNone) {
		return nil, r.missing(m, m.N-1)
	}
	return before, err
}

func (r *Remote) missing(m *move, n uint64) error {
	part, err := refPart(m.Ref)
	if err != nil {
		return err
	}
	return r.damaged(moveName(m.Image, part, n), errors.New("it is missing, and later ones are there"))
}
