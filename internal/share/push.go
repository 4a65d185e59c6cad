package share

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
)

// Pushed says what a push did.
type Pushed struct {
	// Changed is false when the remote had it already, or has more.
	Changed bool
	// To is the snapshot where the remote's branch is now.
	To versioning.Hash
	// Move is how many moves of the branch there are now.
	Move uint64
	// Snapshots, Packs and Bytes are what was sent.
	Snapshots, Packs int
	Bytes            int64
}

// Push is what one push sends.
type Push struct {
	History *versioning.History
	Image   versioning.Hash // the history's first snapshot
	Ref     string          // full name of a branch or a tag
	To      versioning.Hash // where it is here
	Actor   string
	// Progress, when it is set, is told how many of the snapshots are sent.
	Progress func(done, total int)
}

// Push sends what leads to where a branch is here and the remote does not have, and moves
// the branch there. When the branch has another move there that is not known here, it is
// a versioning fault that names the winner; what was sent is then in nobody's way.
func (r *Remote) Push(ctx context.Context, p Push) (done Pushed, err error) {
	if err := r.Probe(ctx); err != nil {
		return done, err
	}
	tip, err := r.tip(ctx, p.Image, p.Ref)
	if err != nil {
		return done, err
	}
	next := &move{
		Format: moveFormat, Image: p.Image, Ref: p.Ref, N: 1, Operation: rand.Text(), Time: time.Now().UTC(), Actor: p.Actor, To: p.To,
	}
	var have []versioning.Hash
	if tip != nil {
		done.To, done.Move = tip.To, tip.N
		behind, err := r.isBehind(ctx, p, tip)
		if err != nil || behind {
			return done, err
		}
		next.N, next.Before = tip.N+1, &tip.sum
		have = append(have, tip.To)
	} else if next.Onto, have, err = r.startOf(ctx, p); err != nil {
		return done, err
	}
	ids, err := p.History.MissingFrom(ctx, []versioning.Hash{p.To}, have)
	if err != nil {
		return done, err
	}
	begun, err := r.beginPush(ctx)
	if err != nil {
		return done, err
	}
	if next.Packs, err = begun.sendPacks(ctx, p, ids, &done); err != nil {
		return done, r.fault(err)
	}
	if next.Blocks, err = begun.sendBlocks(ctx, p, next); err != nil {
		return done, r.fault(err)
	}
	if tip == nil {
		if err := r.announce(ctx, p.Image, p.Ref); err != nil {
			return done, r.fault(err)
		}
	}
	if err := begun.publish(ctx, next); err != nil {
		return done, err
	}
	done.Changed, done.To, done.Move = true, next.To, next.N
	return done, nil
}

// isBehind reports whether the remote's branch has all that the branch here has. Where
// it has a move that the one here does not come from, it is a conflict.
func (r *Remote) isBehind(ctx context.Context, p Push, tip *move) (bool, error) {
	if tip.To == p.To {
		return true, nil
	}
	if strings.HasPrefix(p.Ref, tagsPrefix) { // a tag never moves
		return false, r.conflict(tip)
	}
	here, err := p.History.Here(ctx, []versioning.Hash{tip.To})
	if err != nil {
		return false, err
	}
	if !here[tip.To] {
		return false, r.conflict(tip)
	}
	if ahead, err := p.History.MissingFrom(ctx, []versioning.Hash{p.To}, []versioning.Hash{tip.To}); err != nil || len(ahead) == 0 {
		return true, err
	}
	if lost, err := p.History.MissingFrom(ctx, []versioning.Hash{tip.To}, []versioning.Hash{p.To}); err != nil || len(lost) == 0 {
		return false, err
	}
	return false, r.conflict(tip)
}

// conflict is the fault of a push that another was faster than.
func (r *Remote) conflict(winner *move) error {
	return fault.New(fault.Versioning, "%s on the remote %s was moved to %s by %q at %s (move %d): pull, which merges that, and push again",
		winner.Ref, r.name, winner.To, winner.Actor, winner.Time.Format(time.RFC3339), winner.N).
		With("remote", r.name).With("winner", winner.To.String()).With("winner_actor", winner.Actor)
}

// mostStarts is how many branches of a remote are looked at for where a new one begins.
const mostStarts = 16

// startOf finds the branch of the remote that has the most of a new one's snapshots: the
// new one goes on from there.
func (r *Remote) startOf(ctx context.Context, p Push) (onto *place, have []versioning.Hash, err error) {
	others, err := r.Branches(ctx, p.Image)
	if err != nil {
		return nil, nil, err
	}
	least := -1
	for _, other := range others[:min(len(others), mostStarts)] {
		if other == p.Ref {
			continue
		}
		tip, err := r.tip(ctx, p.Image, other)
		if err != nil {
			return nil, nil, err
		}
		if tip == nil {
			continue
		}
		ids, err := p.History.MissingFrom(ctx, []versioning.Hash{p.To}, []versioning.Hash{tip.To})
		if err != nil {
			return nil, nil, err
		}
		here, err := p.History.Here(ctx, []versioning.Hash{tip.To})
		if err != nil {
			return nil, nil, err
		}
		if here[tip.To] && (least < 0 || len(ids) < least) {
			least, onto, have = len(ids), &place{other, tip.N}, []versioning.Hash{tip.To}
		}
	}
	return onto, have, nil
}

// sendPacks sends snapshots, in as few packs as may be.
func (r *pushing) sendPacks(ctx context.Context, p Push, ids []versioning.Hash, done *Pushed) (packs []packed, err error) {
	total := len(ids)
	for len(ids) > 0 {
		n, from := 0, ids
		sum, size, err := r.write(ctx, func(salt string) (pack []byte, err error) {
			if pack, n, err = p.History.Pack(ctx, from); err == nil && salt != "" {
				pack = versioning.SaltPack(pack, salt)
			}
			return pack, err
		})
		if err != nil {
			return nil, err
		}
		ids = ids[n:]
		packs = append(packs, packed{sum, size, n})
		done.Snapshots, done.Packs, done.Bytes = done.Snapshots+n, done.Packs+1, done.Bytes+size
		if p.Progress != nil {
			p.Progress(total-len(ids), total)
		}
	}
	return packs, nil
}

// blockSizes are the numbers of moves whose snapshots are packed together once more, so
// that who begins later reads few packs.
var blockSizes = []uint64{64, 4096}

// sendBlocks packs once more what the last moves have brought, after each so many.
func (r *pushing) sendBlocks(ctx context.Context, p Push, next *move) (blocks []block, err error) {
	for _, size := range blockSizes {
		if next.N%size != 0 {
			continue
		}
		after := next.N - size
		var have []versioning.Hash
		if after > 0 {
			before, err := r.move(ctx, p.Image, p.Ref, after)
			if err != nil {
				return nil, err
			}
			have = append(have, before.To)
		} else if first, err := r.move(ctx, p.Image, p.Ref, 1); err != nil || first.Onto != nil {
			return nil, err
		}
		ids, err := p.History.MissingFrom(ctx, []versioning.Hash{p.To}, have)
		if err != nil {
			return nil, err
		}
		packs, err := r.sendPacks(ctx, Push{History: p.History}, ids, new(Pushed))
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, block{after, packs})
	}
	return blocks, nil
}

// branchFile says that there is a branch or a tag.
type branchFile struct {
	Format int             `json:"chemigram_branch"` // 1
	Image  versioning.Hash `json:"image"`
	Ref    string          `json:"ref"`
}

// announce says that there is a branch, before its first move.
func (r *Remote) announce(ctx context.Context, image versioning.Hash, ref string) error {
	part, err := refPart(ref)
	if err != nil {
		return err
	}
	data, err := seal(branchFile{1, image, ref})
	if err != nil {
		return err
	}
	taken, err := r.create(ctx, branchName(image, part), data, mostSmall)
	if err == nil && taken != nil {
		err = r.damaged(branchName(image, part), errors.New("it is another branch than its name says"))
	}
	return err
}

// publish makes a move. When another has made it, it is a conflict.
func (r *Remote) publish(ctx context.Context, m *move) error {
	part, err := refPart(m.Ref)
	if err != nil {
		return err
	}
	data, err := seal(m)
	if err != nil {
		return err
	}
	if len(data) > mostMove {
		return fault.New(fault.NotImplemented, "%s has more to send than one move may have: push an earlier snapshot of it first, as a branch", m.Ref)
	}
	name := moveName(m.Image, part, m.N)
	taken, err := r.create(ctx, name, data, mostMove)
	if err != nil {
		return r.fault(err)
	}
	if taken == nil {
		taken = data
	}
	winner, err := decodeMove(taken, m.Image, m.Ref, m.N)
	if err != nil {
		return r.damaged(name, err)
	}
	r.remember(m.Image, winner)
	if winner.Operation != m.Operation && winner.To != m.To { // the same move may be one of an earlier call
		return r.conflict(winner)
	}
	return nil
}
