package versioning

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"time"
)

// checkpointEvery is how many bytes of journal may lie behind the newest
// checkpoint before the next one is written.
const checkpointEvery = 32 << 10

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

// settle finishes what a writer that died left behind. The caller holds the
// lock.
func (v *view) settle() error {
	if v.torn > 0 {
		if err := v.journal.truncate(v.end); err != nil {
			return fileError(journalName, err)
		}
		v.torn = 0
	}
	if v.stray && v.index != nil {
		if err := v.index.truncate(int64(v.rows+1) * rowSize); err != nil {
			return nil // the index is a help: what is in the way is not read
		}
		v.stray = false
	}
	if len(v.extra) == 0 {
		return nil
	}
	// Nobody may build on these before they are safe.
	if err := v.sync(); err != nil {
		return err
	}
	if v.index == nil {
		return v.writeIndex()
	}
	if _, err := v.index.WriteAt(appendRows(nil, v.extra), int64(v.rows+1)*rowSize); err != nil {
		return nil // likewise: the rows stay in memory
	}
	v.syncIndex()
	v.rows, v.extra, v.block = v.last, nil, nil
	return nil
}

// writeIndex makes a new index of the rows, all of which are in memory. The
// index is a help: that it fails is no error of the verb.
func (v *view) writeIndex() error {
	dir := v.history.folder
	f, err := dir.create(indexName + tempSuffix)
	if err != nil {
		return nil // likewise
	}
	_, err = f.WriteAt(appendRows(indexHeader(v.header), v.extra), 0)
	if err == nil && v.history.opts.Durability == Full {
		err = f.sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = dir.rename(indexName+tempSuffix, indexName)
	}
	if err != nil {
		_ = dir.remove(indexName + tempSuffix)
		return nil
	}
	if v.index, err = dir.open(indexName, true); err != nil {
		v.index = nil
		return nil
	}
	v.rows, v.extra = v.last, nil
	return nil
}

func appendRows(b []byte, rows []row) []byte {
	for _, r := range rows {
		b = r.append(b)
	}
	return b
}

// sync makes the journal survive a power cut, if the history promises that.
func (v *view) sync() error {
	if v.history.opts.Durability == Relaxed {
		return nil
	}
	return fileError(journalName, v.journal.sync())
}

// syncIndex makes the rows up to here survive a power cut. When it fails they
// may be found damaged after one, and are made again from the journal.
func (v *view) syncIndex() {
	if v.index != nil && v.history.opts.Durability == Full {
		_ = v.index.sync()
	}
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

// begin makes the journal with its first transaction. The caller holds the
// lock.
func (h *History) begin(t transaction) error {
	payload, err := t.encode()
	if err != nil {
		return &Error{Kind: Invalid, Err: err}
	}
	content := append(newHeader(h.opts.Now()).encode(), encodeFrame(1, payload)...)
	return h.writeWhole(journalName, content)
}

// writeWhole puts a file in place in one step: after a crash it is there whole
// or not at all.
func (h *History) writeWhole(name string, content []byte) error {
	temp := name + tempSuffix
	err := h.writeSynced(temp, content)
	if err == nil {
		err = h.folder.rename(temp, name)
	}
	if err != nil {
		if e := h.folder.remove(temp); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
		return fileError(name, err)
	}
	return fileError(name, h.syncFolder(path.Dir(name)))
}

func (h *History) writeSynced(name string, content []byte) error {
	f, err := h.folder.create(name)
	if err != nil {
		return err
	}
	_, err = f.WriteAt(content, 0)
	if err == nil && h.opts.Durability == Full {
		err = f.sync()
	}
	return errors.Join(err, f.Close())
}

func (h *History) syncFolder(dir string) error {
	if h.opts.Durability == Relaxed {
		return nil
	}
	return h.folder.sync(dir)
}
