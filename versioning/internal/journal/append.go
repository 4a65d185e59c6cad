package journal

// Append publishes a transaction. When it returns nil the transaction is safe;
// when it fails there is none.
func (j *Journal) Append(t Transaction) error {
	if t.Checkpoint != nil {
		j.syncIndex()
	}
	seq := j.last + 1
	content, err := t.frame(seq)
	if err != nil {
		return err
	}
	_, err = j.file.WriteAt(content, j.end)
	if err = FileError(Name, err); err == nil {
		err = j.sync()
	}
	if err != nil {
		// Whatever got there is a torn tail; the next writer cuts it off if
		// this does not.
		_ = j.file.Truncate(j.end)
		return err
	}
	r := j.deriveRow(frame{offset: j.end, length: len(content), seq: seq}, t)
	if j.index != nil && j.unindexed.empty() {
		// The next writer adds the row if this does not.
		if _, err := j.index.WriteAt(r.append(nil), int64(seq)*rowSize); err == nil {
			j.indexed, j.block = seq, nil
		}
	}
	if j.indexed != seq {
		j.unindexed.add(seq, seq, r)
	}
	j.last, j.end = seq, r.End()
	return nil
}

// sync makes the journal survive a power cut, if that was asked for.
func (j *Journal) sync() error {
	if !j.durable {
		return nil
	}
	return FileError(Name, j.file.Sync())
}

// syncIndex makes the rows up to here survive a power cut. When it fails they
// may be found damaged after one, and are made again from the journal.
func (j *Journal) syncIndex() {
	if j.index != nil && j.durable {
		_ = j.index.Sync()
	}
}
