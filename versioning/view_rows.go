package versioning

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
