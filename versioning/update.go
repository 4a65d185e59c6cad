package versioning

import (
	"context"
	"io"
	"path"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// checkpointEvery is how many bytes of journal may lie behind the newest
// checkpoint before the next one is written. A history that is opened reads as
// many; with few, it costs the same whenever it is opened. A checkpoint costs
// 150 bytes and a sync of the index, for some 13 edits.
const checkpointEvery = 8 << 10

// update runs one change of the history: under the lock, on the newest view.
// change returns the transaction to publish, or nil to leave all as it is.
func (h *History) update(ctx context.Context, op string, change func(v *view, now time.Time) (*journal.Transaction, error)) error {
	release, err := h.turn(ctx, op, false)
	if err != nil {
		return withOp(op, err)
	}
	defer release()
	v, err := h.view(true)
	if err != nil {
		return withOp(op, err)
	}
	defer v.Close()
	if err := v.recover(); err != nil {
		return withOp(op, err)
	}
	h.keepBaseline(v)
	t, err := change(v, h.opts.Now().UTC())
	if err != nil || t == nil {
		return withOp(op, err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := v.publish(*t); err != nil {
		return withOp(op, err)
	}
	if !v.HasIndex() { // it was found damaged on the way
		v.writeIndex()
	}
	return nil
}

// publish appends a transaction. When it returns nil the transaction is safe;
// when it fails there is none.
func (v *view) publish(t journal.Transaction) error {
	seq := v.Last() + 1
	next := v.refs.clone()
	next.apply(seq, t.Moves)
	if v.wantsCheckpoint() {
		t.Checkpoint = next.checkpoint()
	}
	if err := v.Append(t); err != nil {
		return err
	}
	v.refs = next
	v.keepRefs()
	return nil
}

func (v *view) wantsCheckpoint() bool {
	newest, err := v.Row(v.Last())
	if err != nil {
		return true
	}
	last, err := v.Row(newest.Checkpoint)
	return err != nil || v.End()-last.Offset > int64(max(checkpointEvery, 4*64*len(v.refs.Refs)))
}

// recover finishes what a writer that died has left behind.
func (v *view) recover() error {
	v.summarise()
	return v.Recover()
}

func (v *view) writeIndex() {
	v.summarise()
	v.WriteIndex()
}

// summarise completes the rows that the index does not list yet, so that Log
// need not read their records. It leaves out a record that cannot be read: Log
// reports that.
func (v *view) summarise() {
	for seq := v.Indexed() + 1; seq <= v.Last(); seq++ {
		if r, err := v.Row(seq); err != nil || !r.Has(journal.HasRecord) || r.Has(journal.HasSummary) {
			continue
		}
		if rec, err := v.record(seq); err == nil {
			v.SetSummary(seq, rec.summary())
		}
	}
}

// replaceFile puts a file in place in one step: after a crash it is there whole
// or not at all.
func (h *History) replaceFile(name string, content io.Reader) error {
	durable := h.opts.Durability == Full
	err := storage.ReplaceFrom(h.folder, name, content, durable)
	if err == nil && durable {
		err = h.folder.Sync(path.Dir(name))
	}
	return journal.FileError(name, err)
}

// completeIndex makes the index of a journal that was just written, and the
// baseline's copy where it is missing.
func (h *History) completeIndex() error {
	v, err := h.view(true)
	if err != nil {
		return err
	}
	defer v.Close()
	h.keepBaseline(v)
	return v.recover()
}
