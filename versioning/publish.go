package versioning

import (
	"context"
	"time"
)

// checkpointEvery is how many bytes of journal may lie behind the newest
// checkpoint before the next one is written. A history that is opened reads as
// many; with few, it costs the same whenever it is opened. A checkpoint costs
// 150 bytes and a sync of the index, for some 13 edits.
const checkpointEvery = 8 << 10

// update runs one change of the history: under the lock, on the newest view.
// change gives the transaction to publish, or nil to leave all as it is.
func (h *History) update(ctx context.Context, op string, change func(v *view, now time.Time) (*transaction, error)) error {
	ctx, release, err := h.Lock(ctx, op)
	if err != nil {
		return named(op, err)
	}
	defer release()
	v, err := h.view(true)
	if err != nil {
		return named(op, err)
	}
	defer v.close()
	if err := v.settle(); err != nil {
		return named(op, err)
	}
	t, err := change(v, h.opts.Now().UTC())
	if err != nil || t == nil {
		return named(op, err)
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err = v.publish(*t)
	if v.index == nil && err == nil {
		err = v.writeIndex() // it was found damaged on the way
	}
	return named(op, err)
}

// sync makes the journal survive a power cut, if the history promises that.
func (v *view) sync() error {
	if v.history.opts.Durability == Relaxed {
		return nil
	}
	return fileError(journalName, v.journal.sync())
}

// publish appends a transaction. When it returns nil the transaction is safe;
// when it fails there is none.
func (v *view) publish(t transaction) error {
	seq := v.last + 1
	next := v.table.clone()
	next.apply(seq, t.moves)
	if t.table == nil && v.wantsCheckpoint() {
		t.table = next
		v.syncIndex()
	}
	payload, err := t.encode()
	if err != nil {
		return &Error{Kind: Invalid, Err: err}
	}
	frame := encodeFrame(seq, payload)
	_, err = v.journal.WriteAt(frame, v.end)
	if err = fileError(journalName, err); err == nil {
		err = v.sync()
	}
	if err != nil {
		// Whatever got there is a torn tail; the next writer cuts it off if
		// this does not.
		_ = v.journal.truncate(v.end)
		return err
	}
	r := v.derive(found{offset: v.end, length: len(frame), seq: seq}, t)
	if v.index != nil && len(v.extra) == 0 {
		// The next writer adds the row if this does not.
		if _, err := v.index.WriteAt(r.append(nil), int64(seq)*rowSize); err == nil {
			v.rows, v.block = seq, nil
		}
	}
	if v.rows != seq {
		v.extra = append(v.extra, r)
	}
	v.last, v.end, v.table = seq, r.end(), next
	v.history.known.Store(&knownTable{v.header.ID, seq, next})
	return nil
}

func (v *view) wantsCheckpoint() bool {
	tail, err := v.row(v.last)
	if err != nil {
		return true
	}
	at, err := v.row(tail.checkpoint)
	return err != nil || v.end-at.offset > int64(max(checkpointEvery, 4*64*len(v.table.Refs)))
}
