package journal

import "github.com/chemigram/chemigram/versioning/internal/storage"

// readTail finds the transactions behind those that the index lists, in a file
// of size bytes. A writer may cut a torn tail meanwhile.
func (j *Journal) readTail(size int64) error {
	for f, err := range scan(j.file, j.end, size) {
		if err != nil {
			return FileError(Name, err)
		}
		if f.seq <= j.last {
			continue
		}
		if err := j.mendBefore(f); err != nil {
			return err
		}
		j.addMissing(f)
		t, err := decodeTransaction(f.payload)
		if err != nil {
			j.addRow(f.seq, Row{Offset: f.offset, Length: f.length, Flags: IsDamaged, Checkpoint: j.lastCheckpoint()})
			continue
		}
		j.addRow(f.seq, j.deriveRow(f, t))
	}
	j.addFlipped(size)
	return nil
}

// addFlipped adds the transaction that the rest of a file of size bytes would be if one
// bit were another. A writer that died leaves no such thing: a frame is cut off then, or
// parts of it are missing.
func (j *Journal) addFlipped(size int64) {
	rest := size - j.end
	if j.last == 0 || rest < frameHeaderSize || rest > frameHeaderSize+maxPayload {
		return
	}
	b, err := storage.ReadRange(j.file, j.end, rest)
	if err != nil {
		return // cut meanwhile
	}
	f, content, ok := mendFrame(b)
	switch {
	case !ok || f.seq != j.last+1 || differingBits(content, b) != 1:
	case j.mended != nil:
		j.addMended(content, len(content))
	default:
		j.addRow(f.seq, Row{Offset: j.end, Length: len(b), Flags: IsDamaged, Checkpoint: j.lastCheckpoint()})
	}
}

// addMissing adds rows for the transactions that are missing before a frame. Where
// nothing is in their place, they were taken out. Of damage, the first one missing
// gets all the bytes.
func (j *Journal) addMissing(f frame) {
	if f.seq == j.last+1 {
		return
	}
	flags := IsGone
	if f.offset > j.end {
		flags = IsDamaged
		j.addRow(j.last+1, Row{Offset: j.end, Length: int(f.offset - j.end), Flags: flags, Checkpoint: j.lastCheckpoint()})
	}
	if f.seq > j.last+1 {
		j.addRow(f.seq-1, Row{Offset: j.end, Flags: flags, Checkpoint: j.lastCheckpoint()})
	}
}

// addRow adds the row of the transactions after the last one, up to and including
// transaction last.
func (j *Journal) addRow(last uint64, r Row) {
	j.unindexed.add(j.last+1, last, r)
	j.last, j.end = last, r.End()
}

// deriveRow makes the row of the transaction that follows all known ones.
func (j *Journal) deriveRow(f frame, t Transaction) Row {
	r := Row{Offset: f.offset, Length: f.length, Checkpoint: j.lastCheckpoint()}
	if t.Checkpoint != nil {
		r.Flags |= HasCheckpoint
		r.Checkpoint = f.seq
	}
	if t.State != nil {
		r.Flags |= HasState
		r.State, r.StateSeq = t.State.Hash, f.seq
	}
	if t.Record != nil {
		r.Flags |= HasRecord
		r.ID, r.Ancestors = t.Record.ID, uint32(t.Record.Ancestors)
		if t.Record.Summary != nil {
			r = r.withSummary(*t.Record.Summary)
		}
		copy(r.Parents[:], t.Record.Parents)
		r.StateSeq = t.Record.StateSeq
		if r.StateSeq < f.seq {
			if before, err := j.Row(r.StateSeq); err == nil {
				r.State = before.State
			}
		}
	}
	return r
}

func (j *Journal) lastCheckpoint() uint64 {
	if r, err := j.Row(j.last); err == nil {
		return r.Checkpoint
	}
	return 0
}
