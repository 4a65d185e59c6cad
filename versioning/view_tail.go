package versioning

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
		if t.record.about != nil {
			r = r.withAbout(*t.record.about)
		}
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
