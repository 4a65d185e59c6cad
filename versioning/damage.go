package versioning

import (
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// read calls a function with the history as it is now, which it only reads. Where it
// fails as something is damaged, it is called once more with a view that reads around
// the damage.
func (h *History) read(ctx context.Context, op string, do func(*view) error) error {
	v, err := h.reader(ctx)
	damaged := errors.Is(err, Corrupt)
	if err == nil {
		err = do(v)
		damaged = errors.Is(err, Corrupt) || isNotFound(err) && v.IsDamaged()
		v.Close()
	}
	if !damaged {
		return withOp(op, err)
	}
	x := &inspection{history: h, ctx: ctx, reading: true}
	defer x.close()
	if x.openAround() != nil {
		return withOp(op, err)
	}
	err = do(x.v)
	if found, ok := errors.AsType[*Error](err); ok && isNotFound(err) && len(x.damaged) > 0 {
		err = fail("", Corrupt, found.Name, "nothing of this name can be read, and the history is damaged; Verify says what is lost")
	}
	return withOp(op, err)
}

func isNotFound(err error) bool { return errors.Is(err, UnknownRef) || errors.Is(err, Missing) }

// openAround makes x.v a view that reads around damage. Nothing is written.
func (x *inspection) openAround() error {
	var err error
	if x.index, err = storage.ReadFile(x.history.folder, journal.IndexName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := x.openJournal(); err != nil {
		return err
	}
	if err := x.inspectTransactions(); err != nil {
		return err
	}
	x.replayMoves()
	for seq := x.v.Last() + 1; seq <= x.newest(); seq++ {
		x.guessMoves(seq)
	}
	x.v.refs, x.v.damage = x.refs, x
	return nil
}

// guessMoves moves the refs as a transaction did that cannot be read: where the index
// lists a record after HEAD's, it was a commit. Of any other, nobody knows which ref it
// moved.
func (x *inspection) guessMoves(seq uint64) {
	head, branch := x.refs.head()
	if r, ok := x.rowOf(seq); ok && branch != "" && r.Parents[0] == head && x.isSure(branch) && x.isSure(headRef) {
		x.refs.Refs[branch] = journal.Position{To: seq, At: seq}
		return
	}
	x.unsure = seq
}

// noteMoves notes which refs a transaction moved.
func (x *inspection) noteMoves(seq uint64, m *journal.Moves) {
	if !x.reading || m == nil {
		return
	}
	for _, mv := range m.Moves {
		x.moved[mv.Ref] = seq
		if mv.Back != 0 || mv.At != 0 { // what moves a branch that was there moves HEAD's
			x.refs.Head, x.moved[headRef] = journal.Position{Symbolic: mv.Ref}, seq
		}
	}
}

// isSure reports whether no transaction that cannot be read may have moved a ref, or
// HEAD, since something is known of it.
func (x *inspection) isSure(name string) bool { return x.unsure == 0 || x.moved[name] > x.unsure }

// rowOf returns what is known of a record, whether it can be read or not.
func (x *inspection) rowOf(seq uint64) (journal.Row, bool) {
	if r, ok := x.v.Listed(x.index, seq); ok && r.Has(journal.HasRecord) {
		return r, true
	}
	if r, err := x.v.Row(seq); err == nil && r.Has(journal.HasRecord) {
		return r, true
	}
	id, ok := x.named[seq]
	return journal.Row{ID: id}, ok
}

// lost returns a record that cannot be read, or whose state cannot, with its parents
// as far as they are known.
func (x *inspection) lost(seq uint64) ancestor {
	r, _ := x.rowOf(seq)
	finder := gapFinder{inspection: x}
	parents, _ := finder.parents(seq)
	r.Parents = [2]uint64{}
	copy(r.Parents[:], parents)
	return ancestor{seq: seq, row: r, lost: true}
}

// isLost reports whether the view reads around damage, and a record cannot be read
// for it, or its state cannot.
func (v *view) isLost(seq uint64) bool {
	return v.damage != nil && !v.damage.isWhole(seq) && !v.isRemoved(seq)
}

// isRemoved reports whether Prune or Repair took a transaction out. What a record still
// names as its parent and is in no gap was lost otherwise.
func (v *view) isRemoved(seq uint64) bool {
	_, gap := v.refs.Gaps[seq]
	return gap || v.isGone(seq) && !v.damage.isLost(seq)
}

// logged returns a record for Log, and of one that is lost what is known of it.
func (v *view) logged(a ancestor) (Record, error) {
	rec, err := v.record(a.seq)
	if !a.lost || err == nil {
		rec.Damaged = a.lost
		return rec, err
	}
	rec = Record{ID: a.row.ID, State: a.row.State, Damaged: true}
	if a.row.Has(journal.HasSummary) {
		rec.Time = time.Unix(0, a.row.Summary.Time).UTC()
	}
	for _, p := range a.row.Parents {
		if parent, ok := v.damage.rowOf(p); ok && p != 0 {
			rec.Parents = append(rec.Parents, parent.ID)
		}
	}
	return rec, nil
}

// checkSure fails when a damaged transaction may have moved a ref, or HEAD.
func (v *view) checkSure(name string) error {
	if v.damage == nil || v.damage.isSure(name) {
		return nil
	}
	return fail("", Corrupt, name,
		"transaction %d is damaged, and may have moved it; Log lists what can be read by its hash, and Repair restores the refs", v.damage.unsure)
}

// checkComplete fails when a damaged transaction may have made or removed a ref.
func (v *view) checkComplete() error {
	if v.damage == nil || v.damage.unsure == 0 {
		return nil
	}
	return fail("", Corrupt, "", "transaction %d is damaged, and may have made or removed a branch or a tag; Repair tells which are left", v.damage.unsure)
}

// checkHead is checkSure for HEAD and the branch that it names.
func (v *view) checkHead() error {
	_, branch := v.refs.head()
	if branch != "" {
		if err := v.checkSure(branch); err != nil {
			return err
		}
	}
	return v.checkSure(headRef)
}

// lostDigits fails when digits name a record that is lost.
func (v *view) lostDigits(digits string) error {
	if v.damage == nil {
		return nil
	}
	prefix := parsePrefix(digits)
	for seq := v.damage.newest(); seq > 0; seq-- {
		if r, ok := v.damage.rowOf(seq); ok && v.isLost(seq) && (prefix.matches(&r.ID) || prefix.matches(&r.State)) {
			return fail("", Corrupt, digits, "the record is damaged; Verify says what to do")
		}
	}
	return nil
}

// idOf returns the id of the record that a ref names.
func (v *view) idOf(seq uint64) (Hash, error) {
	if v.isLost(seq) {
		return v.damage.lost(seq).row.ID, nil
	}
	r, err := v.recordRow(seq)
	return r.ID, err
}
