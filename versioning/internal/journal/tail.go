package journal

import (
	"errors"
	"io"
)

// readTail finds the transactions behind those that the index lists, in a file
// of size bytes.
func (j *Journal) readTail(size int64) error {
	b := make([]byte, size-j.end)
	n, err := j.file.ReadAt(b, j.end)
	if err != nil && !errors.Is(err, io.EOF) {
		return FileError(Name, err)
	}
	b = b[:n] // a writer may have cut a torn tail meanwhile
	for f := range scan(b, j.end) {
		if f.seq <= j.last {
			continue
		}
		// Where transactions are missing and nothing is in their place, they
		// were taken out. Of damage, the first one missing gets all the bytes.
		missing := IsDamaged
		if f.offset == j.end {
			missing = IsGone
		}
		for j.last+1 < f.seq {
			j.addRow(Row{Offset: j.end, Length: int(f.offset - j.end), Flags: missing, Checkpoint: j.lastCheckpoint()})
		}
		t, err := decodeTransaction(f.payload)
		if err != nil {
			j.addRow(Row{Offset: f.offset, Length: f.length, Flags: IsDamaged, Checkpoint: j.lastCheckpoint()})
			continue
		}
		j.addRow(j.deriveRow(f, t))
	}
	return nil
}

func (j *Journal) addRow(r Row) {
	j.unindexed = append(j.unindexed, r)
	j.last++
	j.end = r.End()
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
