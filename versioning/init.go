package versioning

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// The refs that Init makes.
const (
	headRef     = "HEAD"
	mainRef     = "refs/heads/main"
	baselineRef = "refs/tags/baseline"
)

// Init publishes the first record, tags it "baseline" and attaches HEAD to
// branch main. Doing it again with the same state changes nothing and returns
// the first record; with another state it fails with Conflict.
func (h *History) Init(ctx context.Context, state []byte, c Change) (Record, error) {
	const op = "Init"
	release, err := h.turn(ctx, op, true)
	if err != nil {
		return Record{}, withOp(op, err)
	}
	defer release()
	if v, err := h.view(true); !errors.Is(err, NotInitialised) {
		if err != nil {
			return Record{}, withOp(op, err)
		}
		defer v.Close()
		rec, err := v.record(v.refs.Refs[baselineRef].To)
		if err == nil && rec.State != HashOf(state) {
			err = fail(op, Conflict, rec.State.String(), "the history began with another state")
		}
		return rec, withOp(op, err)
	}
	if err := ctx.Err(); err != nil {
		return Record{}, err
	}
	now := h.opts.Now().UTC()
	rec, t, err := newView(h, new(journal.Journal)).newSnapshot(state, HashOf(state), nil, now, c)
	if err != nil {
		return Record{}, withOp(op, err)
	}
	if err := h.begin(t, op, now); err != nil {
		return Record{}, withOp(op, err)
	}
	return rec, nil
}

// begin writes a new history of its first transaction, which gets the moves of all that
// is there in the beginning.
func (h *History) begin(t *journal.Transaction, op string, now time.Time) error {
	t.Moves = &journal.Moves{Time: now, Verb: op, Moves: []journal.Move{
		{Ref: headRef, Symbolic: mainRef}, {Ref: mainRef, To: 1}, {Ref: baselineRef, To: 1},
	}}
	refs := newRefTable()
	refs.apply(1, t.Moves)
	t.Checkpoint = refs.checkpoint()
	content, err := journal.New(h.opts.Now(), *t)
	if err == nil {
		// The copy comes first: it is never that of an earlier history. The
		// next writer makes it if this one cannot.
		h.copied.Store(h.replaceFile(baselineName, bytes.NewReader(content)) == nil)
		err = h.replaceFile(journal.Name, bytes.NewReader(content))
	}
	if err != nil {
		return err
	}
	// An index of an earlier journal would be of no use.
	if err := h.folder.Remove(journal.IndexName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return journal.FileError(journal.IndexName, err)
	}
	return nil
}
