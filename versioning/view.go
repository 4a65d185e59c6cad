package versioning

import (
	"bytes"
	"errors"
	"io/fs"
)

// view is a history as it was at one instant. It needs no lock: what it has
// seen is never written again, and after a prune the old files stay readable
// until the view is closed.
type view struct {
	history *History
	journal file
	index   file // nil when there is none that belongs to the journal
	header  header

	rows  uint64 // transactions that the index lists
	extra []row  // those behind them that the journal has
	last  uint64 // the newest transaction
	end   int64  // where the next frame goes
	torn  int64  // bytes behind end
	stray bool   // the index has bytes that are no rows of this journal
	table *table

	indexSize  int64
	records    *memo  // those that were read
	block      []byte // rows of the index that were read last
	blockFirst uint64
}

// view opens the history as it is now.
func (h *History) view(writable bool) (*view, error) {
	v := &view{history: h}
	if err := v.open(writable); err != nil {
		v.close()
		return nil, err
	}
	return v, nil
}

func (v *view) close() {
	for _, f := range []file{v.journal, v.index} {
		if f != nil {
			_ = f.Close() // nothing was written that Close could lose
		}
	}
}

func (v *view) open(writable bool) error {
	if err := v.openFiles(writable); err != nil {
		return err
	}
	tail := v.checkRows()
	// Only now: the journal is never shorter than what the index lists.
	size, err := v.journal.size()
	if err != nil {
		return fileError(journalName, err)
	}
	v.last, v.end = v.rows, headerSize
	if v.rows > 0 {
		v.end = tail.end()
	}
	if v.end > size {
		return fail("", Corrupt, journalName,
			"it has %d bytes where %d were published; Verify says what is lost, and Repair goes back to what is there", size, v.end)
	}
	if v.end < size {
		if err := v.readTail(size); err != nil {
			return err
		}
	}
	v.torn = size - v.end
	v.stray = v.stray || v.index != nil && v.indexSize > int64(v.last+1)*rowSize
	return v.readTable()
}

func (v *view) openFiles(writable bool) error {
	dir := v.history.folder
	var err error
	if v.journal, err = dir.open(journalName, writable); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return fail("", NotInitialised, "", "there is no history here yet; Init begins one")
		}
		return fileError(journalName, err)
	}
	first, err := readRange(v.journal, 0, headerSize)
	if err != nil {
		return fail("", Corrupt, journalName, "it is shorter than its first line")
	}
	if v.header, err = decodeHeader(first); err != nil {
		return err
	}
	if v.index, err = dir.open(indexName, writable); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		return fileError(indexName, err)
	}
	size, err := v.index.size()
	if err != nil {
		return fileError(indexName, err)
	}
	head, err := readRange(v.index, 0, rowSize)
	if err != nil || !bytes.Equal(head, indexHeader(v.header)) {
		v.stray = true
		return v.dropIndex()
	}
	v.indexSize = size
	v.rows = uint64(size/rowSize) - 1
	return nil
}

// dropIndex goes on without the index.
func (v *view) dropIndex() error {
	err := v.index.Close()
	v.index, v.rows, v.block = nil, 0, nil
	return err
}

// checkRows leaves out the rows from the first damaged one on that may have
// been lost in a power cut: the index is synced before a checkpoint is written,
// so these are the rows since the newest one. It gives the last row that is
// left. What was left out is found in the journal.
func (v *view) checkRows() (tail row) {
	for seq := v.rows; seq > 0; seq-- {
		r, ok := v.indexed(seq)
		if !ok {
			v.rows, tail = seq-1, row{}
			continue
		}
		if seq == v.rows {
			tail = r
		}
		if seq <= tail.checkpoint {
			break
		}
	}
	return tail
}

// readTail finds the transactions behind those that the index lists.
func (v *view) readTail(size int64) error {
	b, err := readRange(v.journal, v.end, size-v.end)
	if err != nil {
		return fileError(journalName, err)
	}
	for f := range scan(b, v.end) {
		if f.seq <= v.last {
			continue
		}
		// Where transactions are missing and nothing is in their place, they
		// were taken out. Of damage, the first one missing gets all the bytes.
		missing := uint32(isDamaged)
		if f.offset == v.end {
			missing = isGone
		}
		for v.last+1 < f.seq {
			v.add(row{offset: v.end, length: int(f.offset - v.end), flags: missing, checkpoint: v.lastCheckpoint()})
		}
		t, err := decodeTransaction(f.payload)
		if err != nil {
			v.add(row{offset: f.offset, length: f.length, flags: isDamaged, checkpoint: v.lastCheckpoint()})
			continue
		}
		v.add(v.derive(f, t))
	}
	return nil
}

func (v *view) add(r row) {
	v.extra = append(v.extra, r)
	v.last++
	v.end = r.end()
}

// derive makes the row of a transaction that follows all known ones.
func (v *view) derive(f found, t transaction) row {
	r := row{offset: f.offset, length: f.length, checkpoint: v.lastCheckpoint()}
	if t.table != nil {
		r.flags |= hasCheckpoint
		r.checkpoint = f.seq
	}
	if t.state != nil {
		r.flags |= hasState
		r.state, r.stateSeq = t.state.hash, f.seq
	}
	if t.record != nil {
		r.flags |= hasRecord
		r.id, r.ancestors = t.record.id, uint32(t.record.ancestors)
		copy(r.parents[:], t.record.parents)
		r.stateSeq = t.record.stateSeq
		if r.stateSeq < f.seq {
			if before, err := v.row(r.stateSeq); err == nil {
				r.state = before.state
			}
		}
	}
	return r
}

func (v *view) lastCheckpoint() uint64 {
	if r, err := v.row(v.last); err == nil {
		return r.checkpoint
	}
	return 0
}

// indexed reads a row of the index.
func (v *view) indexed(seq uint64) (row, bool) {
	const many = 64
	if seq < v.blockFirst || seq >= v.blockFirst+uint64(len(v.block)/rowSize) {
		// Rows are mostly asked for from the newest to the oldest.
		first := max(seq, many) - many + 1
		b, err := readRange(v.index, int64(first)*rowSize, int64(seq-first+1)*rowSize)
		if err != nil {
			return row{}, false
		}
		v.block, v.blockFirst = b, first
	}
	at := (seq - v.blockFirst) * rowSize
	return decodeRow(v.block[at : at+rowSize])
}

// row gives the row of a transaction.
func (v *view) row(seq uint64) (row, error) {
	if seq == 0 || seq > v.last {
		return row{}, fail("", Corrupt, journalName, "transaction %d is spoken of and not there", seq)
	}
	if seq > v.rows {
		return v.extra[seq-v.rows-1], nil
	}
	if r, ok := v.indexed(seq); ok {
		return r, nil
	}
	// The index is damaged. The journal has everything that it had.
	if err := v.dropIndex(); err != nil {
		return row{}, fileError(indexName, err)
	}
	size := v.end
	v.extra, v.last, v.end = nil, 0, headerSize
	if err := v.readTail(size); err != nil {
		return row{}, err
	}
	if seq > v.last {
		return row{}, fail("", Corrupt, journalName, "transaction %d is damaged", seq)
	}
	return v.extra[seq-1], nil
}

// transaction reads a transaction whole.
func (v *view) transaction(seq uint64) (transaction, error) {
	return v.read(seq, decodeTransaction)
}

func (v *view) read(seq uint64, decode func([]byte) (transaction, error)) (transaction, error) {
	r, err := v.row(seq)
	if err != nil {
		return transaction{}, err
	}
	if r.has(isGone) {
		return transaction{}, fail("", Missing, journalName, "transaction %d was taken out, by Prune or Repair", seq)
	}
	corrupt := fail("", Corrupt, journalName, "transaction %d at byte %d is damaged; Verify says what is lost", seq, r.offset)
	if r.has(isDamaged) {
		return transaction{}, corrupt
	}
	b, err := readRange(v.journal, r.offset, int64(r.length))
	if err != nil {
		return transaction{}, corrupt
	}
	got, payload, n, ok := decodeFrame(b)
	if !ok || got != seq || n != r.length {
		return transaction{}, corrupt
	}
	t, err := decode(payload)
	if err != nil {
		corrupt.Err = err
		return transaction{}, corrupt
	}
	return t, nil
}

// readTable finds where the refs stand: from the newest checkpoint, or from
// what this process knew before, onwards.
func (v *view) readTable() error {
	if v.last == 0 {
		return fail("", Corrupt, journalName, "it has no transaction")
	}
	tail, err := v.row(v.last)
	if err != nil {
		return err
	}
	from := tail.checkpoint
	known := v.history.known.Load()
	if known != nil && known.journal == v.header.ID && known.last <= v.last && known.last >= from {
		if known.last == v.last {
			v.table = known.table
			return nil
		}
		v.table, from = known.table.clone(), known.last+1
	}
	first, err := v.row(from)
	if err != nil {
		return err
	}
	b, err := readRange(v.journal, first.offset, v.end-first.offset)
	if err != nil {
		return fail("", Corrupt, journalName, "the transactions from %d on cannot be read: %v", from, err)
	}
	for seq := from; seq <= v.last; seq++ {
		got, payload, n, ok := decodeFrame(b)
		if !ok || got != seq {
			return fail("", Corrupt, journalName, "transaction %d is damaged, and it may have moved a ref; Verify says what is lost, and Repair restores the refs", seq)
		}
		t, err := decodeTransaction(payload)
		if err != nil {
			return &Error{Kind: Corrupt, Name: journalName, Err: err}
		}
		if t.table != nil {
			v.table = t.table.clone()
		} else if v.table != nil {
			v.table.apply(seq, t.moves)
		}
		b = b[n:]
	}
	if v.table == nil {
		return fail("", Corrupt, journalName, "it has no checkpoint")
	}
	if len(v.extra) == 0 {
		// What the index does not list may still be taken back by its writer.
		v.history.known.Store(&knownTable{v.header.ID, v.last, v.table})
	}
	return nil
}

// knownTable is a table that a history remembers. It is not written to.
type knownTable struct {
	journal string
	last    uint64
	table   *table
}
